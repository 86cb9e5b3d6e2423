package watch

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// On a file system that does not notify all roots are polled, and it is said
// once why. The test is for no other at its time, since it says that of the
// file system of the temporary folder.
func TestRemote(t *testing.T) {
	roots := []string{t.TempDir(), t.TempDir()}
	if err := remote(roots[0]); err != nil {
		t.Fatalf("the temporary folder is not fit for tests of notification: %v", err)
	}
	var stat syscall.Statfs_t
	if err := syscall.Statfs(roots[0], &stat); err != nil {
		t.Fatal(err)
	}
	remoteTypes[uint32(stat.Type)] = "TESTFS"
	defer delete(remoteTypes, uint32(stat.Type))
	var said []error
	w := New(roots, 0, func(err error) { said = append(said, err) })
	defer w.Close()
	w.Folder(roots[0])
	if len(said) != 1 || !strings.Contains(said[0].Error(), "TESTFS file system") || w.poll != DefaultPoll {
		t.Fatalf("said %v, polls every %s", said, w.poll)
	}
	w.poll = time.Millisecond
	if err := w.Wait(t.Context()); err != nil {
		t.Error(err)
	}
}
