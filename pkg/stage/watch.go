package stage

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// Trigger says when a watched catalog must be walked again.
type Trigger interface {
	// Folder is called with each folder of a walk before it is read.
	Folder(path string)
	// Wait returns when something may have changed since the walk began that
	// has just ended. The error is the cause of ctx's end.
	Wait(ctx context.Context) error
	// Close ends watching.
	Close()
}

// Watching is Walk and Scan of a catalog that is watched: after all files come,
// without end, those that have changed. Each round of them ends in a
// record.Round. A round is a whole walk, whatever the trigger saw: so renamed
// folders, changed .gitignore files and lost events need no care of their own.
func Watching(paths []string, opts walk.Options, scan ScanOptions, trigger Trigger) (Source, []Step) {
	opts.Folder = trigger.Folder
	source := func(ctx context.Context, send func(Batch) bool) error {
		defer trigger.Close()
		w := &watched{paths: paths, opts: opts, first: true}
		for {
			if err := w.round(ctx, send); err != nil {
				return err
			}
			if len(w.stale) > 0 {
				continue
			}
			if err := trigger.Wait(ctx); err != nil {
				return err
			}
		}
	}
	return source, []Step{Scan(scan), rounds()}
}

// fileKey names a file of a walk.
type fileKey struct{ root, path string }

func (k fileKey) open() string { return record.Source{Root: k.root, Path: k.path}.File() }

// watched is what the source remembers of a catalog between two rounds.
type watched struct {
	paths []string
	opts  walk.Options
	first bool
	files map[fileKey]fileState
	stale map[string]bool // roots of which a list was gone in the last round
}

// fileState is how a file was found.
type fileState struct {
	info    os.FileInfo
	looked  time.Time // before the file was read
	hash    string    // of its bytes
	problem string    // why there is no hash
}

// pendingRound goes after the files of a round. It becomes record.Rounds when
// it is known what came of the files.
type pendingRound struct {
	record.Round
	sent, gone []fileKey
	first      bool
	seen       chan struct{} // closed when its files have been scanned
}

// round walks once and sends the files that are not as they were, and those that
// may use a shared list that is not as it was: lists come first in a walk. That
// one is gone is known at the end only, and named by the record of the round: what
// may use it comes in a round of its own.
func (w *watched) round(ctx context.Context, send func(Batch) bool) error {
	now := make(map[fileKey]fileState, len(w.files))
	stale := w.stale
	w.stale = map[string]bool{}
	marker := &pendingRound{first: w.first, seen: make(chan struct{})}
	marker.Root = w.paths[0]
	var b Batch
	err := walk.Walk(ctx, w.paths, w.opts, func(f walk.File) error {
		key := fileKey{f.Root, f.Path}
		before, had := w.files[key]
		state := before.again(f)
		now[key] = state
		same := had && state.hash == before.hash && state.problem == before.problem
		if !w.first && !same && isList(f.Path) {
			stale[f.Root] = true
		}
		if same && !(stale[f.Root] && usesLists(f)) {
			return nil
		}
		marker.sent = append(marker.sent, key)
		if b = append(b, &Item{file: &file{File: f}}); len(b) < batchItems {
			return nil
		}
		if !send(b) {
			return unheard(ctx)
		}
		b = nil
		return nil
	})
	if err != nil {
		return err
	}
	for key := range w.files {
		if _, still := now[key]; !still {
			marker.gone = append(marker.gone, key)
			if isList(key.path) {
				w.stale[key.root] = true
			}
		}
	}
	slices.SortFunc(marker.gone, func(a, b fileKey) int {
		return cmp.Or(cmp.Compare(a.root, b.root), cmp.Compare(a.path, b.path))
	})
	w.files, w.first = now, false
	if !send(append(b, New(marker))) {
		return unheard(ctx)
	}
	// The next walk begins when Scan has read all files of this one: otherwise
	// a file could be gone that was found only now.
	select {
	case <-marker.seen:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// isList reports whether a file is a shared list (chapter 15).
func isList(path string) bool { return slices.Contains(strings.Split(path, "/"), "_lists") }

// usesLists reports whether a module may have to be checked again when a shared list
// has changed.
func usesLists(f walk.File) bool {
	if !strings.HasSuffix(f.Path, ".mjs") || isList(f.Path) {
		return false
	}
	text, err := walk.ReadFile(f.Open(), MaxFile)
	return err == nil && namesLists(string(text))
}

// namesLists reports whether a source may use shared lists (chapter 03), or repeat the
// values of one (VAL107).
func namesLists(text string) bool {
	return strings.Contains(text, "sharedLists") || strings.Contains(text, "enum(")
}

// unheard is why the output is closed. Where the sink failed, and only the
// pipeline knows why, it still is an error: a watch has no other end.
func unheard(ctx context.Context) error {
	return cmp.Or(context.Cause(ctx), errUnheard)
}

var errUnheard = errors.New("the output is closed")

// again looks at a file once more. It is read only where its size, time or
// identity differ, or where that says nothing.
func (s fileState) again(f walk.File) fileState {
	switch {
	case f.Err != nil:
		return fileState{problem: f.Err.Message}
	case f.Note != nil:
		return fileState{problem: f.Note.Message}
	}
	next := fileState{looked: time.Now()}
	info, err := os.Stat(f.Open())
	if err != nil {
		next.problem = err.Error()
		return next
	}
	if next.info = info; s.settled(info) {
		return s
	}
	if next.hash, err = hashFile(f.Open()); err != nil {
		next.problem = err.Error()
	}
	return next
}

// timeStep is the coarsest step of a file system's clock, that of FAT: of two
// changes within it the second does not show in the time of the file.
const timeStep = 2 * time.Second

// settled reports whether a file's bytes are those that were read.
func (s fileState) settled(info os.FileInfo) bool {
	return s.hash != "" && os.SameFile(s.info, info) && s.info.Size() == info.Size() &&
		s.info.ModTime().Equal(info.ModTime()) && s.looked.Sub(info.ModTime()) > timeStep
}

// rounds is the step after Scan that makes the records of rounds.
func rounds() Step {
	t := &tally{known: map[fileKey]bool{}}
	t.clear()
	return Step{
		InOrder: func(it *Item) (Batch, error) { return t.take(it), nil },
	}
}

// tally knows what came of the files that were sent.
type tally struct {
	known   map[fileKey]bool // files that the stream speaks of: by a scan record, or only by an error
	scanned map[fileKey]bool // in this round
	failed  map[string]bool  // files with an error in this round
}

func (t *tally) clear() { t.scanned, t.failed = map[fileKey]bool{}, map[string]bool{} }

func (t *tally) take(it *Item) Batch {
	switch rec := it.Rec.(type) {
	case *record.Scan:
		t.scanned[fileKey{rec.Root, rec.Path}] = true
	case *record.Error:
		t.failed[rec.Input] = true
	case *pendingRound:
		var out Batch
		for _, r := range t.count(rec) {
			out = append(out, New(r))
		}
		t.clear()
		close(rec.seen)
		return out
	}
	return Batch{it}
}

// count makes the records of a round, one for each root that has something to
// say. At first there always is one.
func (t *tally) count(m *pendingRound) []*record.Round {
	var list []*record.Round
	of := func(root string) *record.Round {
		for _, r := range list {
			if r.Root == root {
				return r
			}
		}
		list = append(list, &record.Round{Root: root})
		return list[len(list)-1]
	}
	for _, key := range m.sent {
		scanned := t.scanned[key]
		if t.known[key] && !scanned {
			r := of(key.root)
			r.Removed = append(r.Removed, key.path)
		}
		delete(t.known, key)
		if scanned || t.failed[key.open()] {
			r := of(key.root)
			r.Changed++
			r.Files = append(r.Files, key.path)
			t.known[key] = scanned
		}
	}
	for _, key := range m.gone {
		if _, known := t.known[key]; known {
			r := of(key.root)
			r.Removed = append(r.Removed, key.path)
		}
		delete(t.known, key)
	}
	for _, r := range list {
		if len(r.Files) > record.MaxRoundFiles {
			r.Files = nil
		}
	}
	if len(list) == 0 && m.first {
		list = append(list, &m.Round)
	}
	return list
}
