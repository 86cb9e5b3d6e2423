package resource

import (
	"syscall"
	"testing"
)

// mountSmall mounts a file system of a size on a folder; false where the test
// may not.
func mountSmall(t *testing.T, dir, size string) bool {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		return false
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return true
}
