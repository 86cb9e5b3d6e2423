package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// deadline is how long a test waits for what must come.
const deadline = 20 * time.Second

// tree is a watched folder. walk passes its folders to the watcher.
type tree struct {
	t       *testing.T
	root    string
	watcher *Watcher
}

func newTree(t *testing.T, poll time.Duration) *tree {
	t.Helper()
	root := filepath.Join(t.TempDir(), "catalog")
	tr := &tree{t: t, root: root}
	tr.must(os.MkdirAll(filepath.Join(root, "a", "b"), 0o755))
	tr.write("a/old.mjs", "1")
	tr.watcher = New([]string{root}, poll, func(err error) { t.Errorf("went over to polling: %v", err) })
	t.Cleanup(tr.watcher.Close)
	return tr
}

func (tr *tree) must(err error) {
	tr.t.Helper()
	if err != nil {
		tr.t.Fatal(err)
	}
}

func (tr *tree) path(name string) string { return filepath.Join(tr.root, filepath.FromSlash(name)) }

func (tr *tree) write(name, text string) {
	tr.t.Helper()
	tr.must(os.WriteFile(tr.path(name), []byte(text), 0o644))
}

func (tr *tree) walk() {
	tr.t.Helper()
	tr.must(filepath.WalkDir(tr.root, func(p string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			tr.watcher.Folder(p)
		}
		return err
	}))
}

// noticed walks, lets change happen, and waits for the watcher to notice, and
// again until it is silent, as callers do.
func (tr *tree) noticed(change func()) {
	tr.t.Helper()
	tr.walk()
	tr.settle()
	change()
	ctx, cancel := context.WithTimeout(tr.t.Context(), deadline)
	defer cancel()
	if err := tr.watcher.Wait(ctx); err != nil {
		tr.t.Fatalf("nothing was noticed: %v", err)
	}
	tr.walk()
	tr.settle()
}

// settle walks until the watcher is silent for a moment.
func (tr *tree) settle() {
	tr.t.Helper()
	for {
		ctx, cancel := context.WithTimeout(tr.t.Context(), 4*quiet)
		err := tr.watcher.Wait(ctx)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) {
			tr.walk()
			return
		}
		tr.must(err)
		tr.walk()
	}
}

func TestNotices(t *testing.T) {
	changes := []struct {
		name   string
		change func(tr *tree)
	}{
		{"a file is written", func(tr *tree) { tr.write("a/old.mjs", "2") }},
		{"a new file", func(tr *tree) { tr.write("a/b/new.mjs", "1") }},
		{"a save by rename", func(tr *tree) {
			tr.write("a/.old.mjs.tmp", "2")
			tr.must(os.Rename(tr.path("a/.old.mjs.tmp"), tr.path("a/old.mjs")))
		}},
		{"a save that keeps a backup", func(tr *tree) {
			tr.must(os.Rename(tr.path("a/old.mjs"), tr.path("a/old.mjs~")))
			tr.write("a/old.mjs", "2")
		}},
		{"a file is deleted", func(tr *tree) { tr.must(os.Remove(tr.path("a/old.mjs"))) }},
		{"a new folder", func(tr *tree) { tr.must(os.MkdirAll(tr.path("c/d/e"), 0o755)) }},
		{"a file moved in from elsewhere", func(tr *tree) {
			elsewhere := filepath.Join(tr.t.TempDir(), "x.mjs")
			tr.must(os.WriteFile(elsewhere, nil, 0o644))
			tr.must(os.Rename(elsewhere, tr.path("a/x.mjs")))
		}},
		{"a file becomes readable", func(tr *tree) { tr.must(os.Chmod(tr.path("a/old.mjs"), 0o600)) }},
		{"the root is replaced", func(tr *tree) {
			tr.must(os.Rename(tr.root, tr.root+".old"))
			tr.must(os.MkdirAll(tr.path("a"), 0o755))
		}},
	}
	for _, tt := range changes {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tr := newTree(t, 0)
			tr.noticed(func() { tt.change(tr) })
		})
	}
}

// A folder that was renamed, and all below it, is watched under its new name,
// also when another takes the old one.
func TestRenamedFolder(t *testing.T) {
	t.Parallel()
	tr := newTree(t, 0)
	tr.noticed(func() { tr.must(os.Rename(tr.path("a"), tr.path("z"))) })
	tr.noticed(func() { tr.write("z/old.mjs", "2") })
	tr.noticed(func() { tr.write("z/b/new.mjs", "1") })
	tr.noticed(func() { tr.must(os.MkdirAll(tr.path("a/b"), 0o755)) })
	tr.noticed(func() { tr.write("a/b/new.mjs", "1") })
	tr.noticed(func() { tr.write("z/b/new.mjs", "2") })
}

// What happens between the walk and Wait is noticed too.
func TestNoticesDuringTheWalk(t *testing.T) {
	t.Parallel()
	tr := newTree(t, 0)
	tr.walk()
	tr.write("a/b/new.mjs", "1")
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	tr.must(tr.watcher.Wait(ctx))
}

// Nothing is noticed of folders that the walk left out, nor of the folder
// around the root.
func TestSilence(t *testing.T) {
	t.Parallel()
	tr := newTree(t, 0)
	tr.walk()
	tr.settle()
	tr.watcher.Folder(tr.root)
	tr.watcher.Folder(tr.path("a"))
	tr.watcher.forget() // b is left out from now on
	tr.watcher.Folder(tr.root)
	tr.watcher.Folder(tr.path("a"))
	ctx, cancel := context.WithTimeout(t.Context(), 4*quiet)
	defer cancel()
	_ = tr.watcher.Wait(ctx) // the loss of b is one more look
	tr.write("a/b/new.mjs", "1")
	tr.must(os.WriteFile(tr.root+".log", nil, 0o644))
	ctx, cancel = context.WithTimeout(t.Context(), 4*quiet)
	defer cancel()
	if err := tr.watcher.Wait(ctx); err == nil {
		t.Error("a change outside the folders of the walk was noticed")
	}
}

func TestPolling(t *testing.T) {
	t.Parallel()
	tr := newTree(t, time.Millisecond)
	tr.walk()
	tr.must(tr.watcher.Wait(t.Context()))
	ctx, cancel := context.WithCancelCause(t.Context())
	want := errors.New("enough")
	cancel(want)
	tr.watcher.poll = time.Hour
	if err := tr.watcher.Wait(ctx); !errors.Is(err, want) {
		t.Errorf("Wait returns %v", err)
	}
}

// Where a folder cannot be watched all are polled, and it is said once.
func TestFallBack(t *testing.T) {
	t.Parallel()
	var said []error
	w := New([]string{t.TempDir()}, 0, func(err error) { said = append(said, err) })
	why := errors.New("no space left on device")
	w.fallBack(why)
	w.Folder(t.TempDir())
	w.fallBack(why)
	if len(said) != 1 || !errors.Is(said[0], why) || w.poll != DefaultPoll {
		t.Errorf("said %v, polls every %s", said, w.poll)
	}
	w.poll = time.Millisecond
	if err := w.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	w.Close()
}

func TestWaitEnds(t *testing.T) {
	t.Parallel()
	tr := newTree(t, 0)
	tr.walk()
	ctx, cancel := context.WithCancelCause(t.Context())
	want := errors.New("enough")
	cancel(want)
	if err := tr.watcher.Wait(ctx); !errors.Is(err, want) {
		t.Errorf("Wait returns %v", err)
	}
}

func TestReaderGone(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	gone := ReaderGone(w)
	select {
	case <-gone:
		t.Fatal("the reader is said to be gone that is there")
	default:
	}
	_ = r.Close()
	select {
	case <-gone:
	case <-time.After(deadline):
		t.Fatal("nobody noticed that the reader is gone")
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	select {
	case <-ReaderGone(file):
		t.Error("a file has no reader that could go")
	default:
	}
}
