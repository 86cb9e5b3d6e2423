//go:build unix

package exec

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What others have put in the place of a file is replaced: a pipe would wait for
// a reader, a link would have its target overwritten.
func TestCachePrepared(t *testing.T) {
	c := newCached(t)
	tl := c.tool(preloadHour)
	c.call(tl, `{}`, "miss", 1)
	path, victim := filepath.Join(c.dir, "demo", "find.json"), filepath.Join(t.TempDir(), "victim")
	for i, put := range []func() error{
		func() error { return syscall.Mkfifo(path, 0o600) },
		func() error { return os.Symlink(victim, path) },
	} {
		if err := errors.Join(os.Remove(path), put()); err != nil {
			t.Fatal(err)
		}
		c.call(tl, `{}`, "miss", int64(i+2))
		c.call(tl, `{}`, "hit", int64(i+2))
	}
	if _, err := os.Lstat(victim); err == nil {
		t.Error("written through the link")
	}
	// A folder that is a link is not written into.
	outside := t.TempDir()
	if err := errors.Join(os.RemoveAll(filepath.Dir(path)), os.Symlink(outside, filepath.Dir(path))); err != nil {
		t.Fatal(err)
	}
	if e := c.call(tl, `{}`, "miss", 4); !e.Status || len(e.Warnings) != 1 {
		t.Errorf("%s", e.AppendJSON(nil))
	}
	if list, err := os.ReadDir(outside); err != nil || len(list) > 0 {
		t.Errorf("%v was written outside: %v", list, err)
	}
}
