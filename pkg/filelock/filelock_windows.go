package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// try takes the lock of an open file. Closing the file ends it.
func try(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errHeld
	}
	return os.NewSyscallError("LockFileEx", err)
}
