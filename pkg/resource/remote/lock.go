package remote

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// lockWait is the time between two looks at a lock that another process holds.
const lockWait = 20 * time.Millisecond

// lock waits until it has the lock of a file, which it makes if it is missing
// and which stays, since another process may be waiting for it. The lock is the
// system's and ends with the process that holds it, however that ends. It also
// excludes other calls in this process, though it does not order memory as a
// mutex does. What is in its place and no regular file, such as a link, is not
// opened.
func lock(ctx context.Context, name string) (unlock func(), err error) {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "lock", Path: name, Err: errors.New("not a regular file")}
	}
	l := flock.New(name)
	if _, err := l.TryLockContext(ctx, lockWait); err != nil {
		return nil, err
	}
	return func() { _ = l.Unlock() }, nil
}
