package remote

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// That a lock excludes other processes, and ends with one that is killed, is
// tested by downloads: TestProcessKilled and TestProcesses.

func TestLockWithinProcess(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	var inside, done atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			unlock, err := lock(t.Context(), name)
			if err != nil {
				t.Error(err)
				return
			}
			defer unlock()
			if n := inside.Add(1); n != 1 {
				t.Errorf("%d hold the lock", n)
			}
			runtime.Gosched()
			inside.Add(-1)
			done.Add(1)
		})
	}
	wg.Wait()
	if n := done.Load(); n != 16 {
		t.Errorf("%d of 16", n)
	}
}

func TestLockErrors(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "lock")
	unlock, err := lock(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := lock(short, name); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while another holds it: %v", err)
	}
	unlock()
	if unlock, err = lock(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	unlock()
	if _, err := lock(t.Context(), filepath.Join(dir, "none", "lock")); err == nil {
		t.Error("a lock in no folder")
	}
	// A link may lead to a file of the user's, which must not be made or
	// locked.
	link := filepath.Join(dir, "link")
	if err := os.Symlink("victim", link); err != nil {
		t.Fatal(err)
	}
	if _, err := lock(t.Context(), link); err == nil {
		t.Error("locked through a link")
	}
	if _, err := os.Lstat(filepath.Join(dir, "victim")); err == nil {
		t.Error("the target was made")
	}
}
