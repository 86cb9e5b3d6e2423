//go:build unix

package walk

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Nothing that could block is ever opened: this test would hang.
func TestWalkSpecialFiles(t *testing.T) {
	dir, err := os.MkdirTemp("", "walk") // short: the path of a socket has 108 bytes at most
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	plant(t, dir, "a.mjs", "z.mjs", "dev.mjs->/dev/zero", "linked.mjs->pipe.mjs")
	for _, name := range []string{"pipe.mjs", ".gitignore", "other"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("unix", filepath.Join(dir, "sock.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	equal(t, walkAll(t, Options{}, dir), []string{
		".gitignore LOD006 info", "a.mjs", "dev.mjs LOD006 info", "linked.mjs LOD006 info",
		"other LOD006 info", "pipe.mjs LOD006 info", "sock.mjs LOD006 info", "z.mjs",
	})
	for name, kind := range map[string]string{"pipe.mjs": "FIFO", "dev.mjs": "device", "sock.mjs": "socket",
		"linked.mjs": "FIFO"} {
		err := Walk(context.Background(), []string{filepath.Join(dir, name)}, Options{}, func(f File) error {
			if f.Err == nil || f.Err.Code != "LOD006" || !strings.Contains(f.Err.Message, kind) {
				t.Errorf("%s: %+v", name, f.Err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		if _, err := ReadFile(filepath.Join(dir, name), 1<<20); !errors.Is(err, ErrNotRegular) {
			t.Errorf("reading %s: %v", name, err)
		}
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "a.mjs=export const main = {}", "empty.mjs", "folder/")
	for limit, want := range map[int64]string{1 << 20: "export const main = {}", 6: "export", 0: ""} {
		if got, err := ReadFile(filepath.Join(dir, "a.mjs"), limit); err != nil || string(got) != want {
			t.Errorf("%d bytes: %q %v", limit, got, err)
		}
	}
	if got, err := ReadFile(filepath.Join(dir, "empty.mjs"), 1<<20); err != nil || got == nil || len(got) != 0 {
		t.Errorf("%q %v", got, err)
	}
	if _, err := ReadFile(filepath.Join(dir, "folder"), 1<<20); !errors.Is(err, ErrNotRegular) {
		t.Errorf("folder: %v", err)
	}
	if _, err := ReadFile(filepath.Join(dir, "none"), 1<<20); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	// A size that the system does not tell: the file must still be read whole.
	if got, err := ReadFile("/proc/self/status", 1<<20); err == nil && len(got) < 100 {
		t.Errorf("%d bytes", len(got))
	}
}
