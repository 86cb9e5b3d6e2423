// Package filelock lets one of many processes at a time do something. The lock
// is the system's and ends with the process that holds it, however that ends:
// a killed one holds up nobody.
package filelock

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// errHeld is what try returns where another has the lock.
var errHeld = errors.New("held by another")

// The waits between two looks at a lock that is held.
const (
	firstWait = 5 * time.Millisecond
	longWait  = 100 * time.Millisecond
)

// Lock waits until it has the lock of a file, which it makes where it is
// missing and which stays: another process may be waiting for it. It also
// excludes other calls in this process, though it does not order memory as a
// mutex does. What is in its place and no file, such as a link, is not opened. The error is that of the context, or of the file; on systems
// without such locks it is errors.ErrUnsupported.
func Lock(ctx context.Context, name string) (unlock func(), err error) {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "lock", Path: name, Err: errors.New("no regular file")}
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for wait := firstWait; ; wait = min(2*wait, longWait) {
		err := try(f)
		if err == nil {
			return func() { _ = f.Close() }, nil
		}
		if !errors.Is(err, errHeld) {
			_ = f.Close()
			return nil, err
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			_ = f.Close()
			return nil, ctx.Err()
		}
	}
}
