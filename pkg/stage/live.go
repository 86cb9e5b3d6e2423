package stage

import (
	"context"
	"maps"
	"slices"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// Live is a catalog whose files change while it is known, as in an editor. What is
// found in a file on its own is known after Update; what needs the whole catalog is
// brought up to date by Settle. It is for one goroutine.
type Live struct {
	opts   ValidateOptions
	loaded func(*record.Load)

	lists *listsInStream
	check *catalogCheck
	files map[string]*liveFile // by the path that opens them
	whole map[string][]*record.Diagnostic
	stale map[string]bool // catalogs of which a list has changed
}

// liveFile is what is known of one file.
type liveFile struct {
	walk.File
	own       []*record.Diagnostic // by rules that look at one file
	unread    bool                 // it is an error, and what the catalog knows of it is older
	usesLists bool
}

// NewLive returns a catalog without files. loaded is called with the record of each
// file that could be read.
func NewLive(opts ValidateOptions, loaded func(*record.Load)) *Live {
	l := &Live{opts: opts, loaded: loaded, files: map[string]*liveFile{}, whole: map[string][]*record.Diagnostic{},
		stale: map[string]bool{}}
	l.lists = &listsInStream{opts: opts, catalogs: map[string]*catalogLists{}}
	l.check = newCatalogCheck(opts)
	l.check.again = true
	return l
}

// Update reads files for the first time, or again.
func (l *Live) Update(ctx context.Context, jobs int, files ...walk.File) error {
	if l.opts.Round != nil {
		l.opts.Round() // of a file that comes again, the same is known
	}
	for _, f := range files {
		l.outdate(f)
		l.files[f.Open()] = &liveFile{File: f}
	}
	l.check.waiting = slices.DeleteFunc(l.check.waiting, func(w *waitingFile) bool {
		return slices.ContainsFunc(files, func(f walk.File) bool { return f.Open() == w.Src.File() })
	})
	for _, c := range l.lists.catalogs {
		c.folder.forget()
	}
	source := func(ctx context.Context, send func(Batch) bool) error {
		for some := range slices.Chunk(files, batchItems) {
			b := make(Batch, len(some))
			for i, f := range some {
				b[i] = &Item{file: &file{File: f}}
			}
			if !send(b) {
				return context.Cause(ctx)
			}
		}
		return nil
	}
	steps := []Step{Scan(ScanOptions{Buffers: l.opts.Buffers}), {InOrder: l.scanned}, Load(), checkFilesWith(l.lists),
		{InOrder: l.take}}
	return Run(ctx, Options{Jobs: jobs}, source, steps, l.note, func() error { return nil })
}

// Outdated reports whether a list has changed, so that Settle has many files to check.
func (l *Live) Outdated() bool { return len(l.stale) > 0 }

// outdate notes that a file has changed that others may use: a list.
func (l *Live) outdate(f walk.File) {
	if isList(f.Path) && l.lists.again { // before the first Settle all is new
		l.stale[catalogOf(f)] = true
	}
}

// catalogOf is the folder of the catalog that a file is in.
func catalogOf(f walk.File) string { return walk.Root(record.Source{Root: f.Root, Path: f.Path}) }

// scanned notes which files a change of a list may matter to.
func (l *Live) scanned(it *Item) (Batch, error) {
	if scan, ok := it.Rec.(*record.Scan); ok {
		f := l.files[record.Source{Root: scan.Root, Path: scan.Path}.File()]
		f.usesLists = !isList(f.Path) && namesLists(it.source)
	}
	return Batch{it}, nil
}

// take is the last step of Update.
func (l *Live) take(it *Item) (Batch, error) {
	file, ok := it.Rec.(*checkedFile)
	if !ok {
		return l.check.inOrder(it)
	}
	l.loaded(file.Load)
	return l.check.inOrder(it)
}

// note keeps what is found in a file on its own.
func (l *Live) note(it *Item) error {
	switch rec := it.Rec.(type) {
	case *record.Diagnostic:
		if f := l.files[rec.Loc.Path]; f != nil {
			f.own = append(f.own, rec)
		}
	case *record.Error:
		if f := l.files[fileOfError(rec)]; f != nil {
			f.own, f.unread = append(f.own, rec.Finding("")), true
		}
	}
	return nil
}

// Remove forgets a file.
func (l *Live) Remove(f walk.File) {
	src := record.Source{Root: f.Root, Path: f.Path}
	l.outdate(f)
	delete(l.files, f.Open())
	l.lists.remove(src)
	l.check.remove(src)
	same := func(w *waitingFile) bool { return w.Src.File() == src.File() }
	l.check.waiting = slices.DeleteFunc(l.check.waiting, same)
	l.check.judged = slices.DeleteFunc(l.check.judged, same)
}

// Settle checks what depends on other files, after some have changed. It returns the
// files of which something else is found than before.
func (l *Live) Settle(ctx context.Context, jobs int) ([]string, error) {
	var users []walk.File
	changed := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(l.files)) {
		if f := l.files[name]; f.usesLists && l.stale[catalogOf(f.File)] {
			users, changed[name] = append(users, f.File), true
		}
	}
	clear(l.stale)
	if len(users) > 0 {
		if err := l.Update(ctx, jobs, users...); err != nil {
			return nil, err
		}
	}
	before := l.whole
	l.whole = map[string][]*record.Diagnostic{}
	for _, it := range l.check.roundAnew(&checkedRound{&record.Round{}, maps.Clone(l.lists.catalogs)}) {
		if d, ok := it.Rec.(*record.Diagnostic); ok {
			l.whole[d.Loc.Path] = append(l.whole[d.Loc.Path], d)
		}
	}
	l.lists.again = true
	for _, whole := range []map[string][]*record.Diagnostic{before, l.whole} {
		for name := range whole {
			if !slices.EqualFunc(before[name], l.whole[name], sameFinding) {
				changed[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(changed)), nil
}

func sameFinding(a, b *record.Diagnostic) bool {
	return string(a.AppendJSON(nil)) == string(b.AppendJSON(nil))
}

// Findings are those about a file, in their order. While it cannot be read, what an
// earlier text of it meant in the catalog is not among them.
func (l *Live) Findings(name string) []*record.Diagnostic {
	f := l.files[name]
	if f == nil {
		return l.whole[name]
	}
	found := slices.Clone(f.own)
	if !f.unread {
		found = append(found, l.whole[name]...)
	}
	slices.SortStableFunc(found, (*record.Diagnostic).Compare)
	return found
}

// File is the file that a path opens.
func (l *Live) File(name string) (walk.File, bool) {
	f := l.files[name]
	if f == nil {
		return walk.File{}, false
	}
	return f.File, true
}

// Files are the paths of all files, sorted.
func (l *Live) Files() []string { return slices.Sorted(maps.Keys(l.files)) }

// Checker says what would be found in files of the catalog, if they had another text.
func (l *Live) Checker() *Checker {
	lists := &listsInStream{opts: l.opts, catalogs: maps.Clone(l.lists.catalogs), again: true}
	return &Checker{lists, checkFilesWith(lists)}
}

// Load is the record of a file, nil where it cannot be read.
func (l *Live) Load(ctx context.Context, name string) *record.Load {
	f := l.files[name]
	if f == nil {
		return nil
	}
	return l.opts.Buffers.load(ctx, f.File)
}

// Lists are the shared lists that a file can use.
func (l *Live) Lists(src record.Source) *sharedlist.Lists { return l.lists.of(walk.Root(src)).lists }
