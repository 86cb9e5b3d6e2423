//go:build unix

package walk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// rawFile is a regular file that is read once, whole. An os.File would be made
// known to the poller and to the garbage collector, in vain, which is half of
// what reading a schema costs.
type rawFile struct {
	name string
	fd   int
	size int64 // bytes; 0 is also said by files that do not tell
}

func openRaw(name string) (*rawFile, error) {
	var st syscall.Stat_t
	fail := func(op string, err error) (*rawFile, error) {
		return nil, &fs.PathError{Op: op, Path: name, Err: err}
	}
	// Asked first, since opening a device may do something.
	if err := retry(func() error { return syscall.Stat(name, &st) }); err != nil {
		return fail("stat", err)
	}
	if !regular(&st) {
		return nil, irregular(name)
	}
	fd := -1
	err := retry(func() (err error) {
		fd, err = syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
		return err
	})
	if err != nil {
		return fail("open", err)
	}
	f := &rawFile{name, fd, 0}
	if err := retry(func() error { return syscall.Fstat(fd, &st) }); err != nil {
		f.close()
		return fail("stat", err)
	}
	if !regular(&st) { // it took the place of the file meanwhile
		f.close()
		return nil, irregular(name)
	}
	f.size = st.Size
	return f, nil
}

func regular(st *syscall.Stat_t) bool { return st.Mode&syscall.S_IFMT == syscall.S_IFREG }

// irregular says what the file is in the place of a regular one.
func irregular(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	return notRegular(name, info)
}

func (f *rawFile) read(b []byte) (n int, err error) {
	err = retry(func() (err error) {
		n, err = syscall.Read(f.fd, b)
		return err
	})
	if err != nil {
		return 0, &fs.PathError{Op: "read", Path: f.name, Err: err}
	}
	return n, nil
}

func (f *rawFile) close() { _ = syscall.Close(f.fd) }

// retry makes a system call again that a signal interrupted.
func retry(call func() error) error {
	for {
		if err := call(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
