package walk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// ErrNotRegular is returned for a FIFO, a device or a socket, none of which is
// ever read: it could block for good, or have no end.
var ErrNotRegular = errors.New("not a regular file")

// OpenFile opens a regular file for reading and returns its size in bytes. It
// never waits: a FIFO that took the place of a file since it was found is
// refused like any other, with ErrNotRegular.
func OpenFile(name string) (*os.File, int64, error) {
	// Asked first, since opening a device may do something.
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = notRegular(name, info)
	}
	if err != nil {
		return nil, 0, err
	}
	f, err := openNoWait(name)
	if err != nil {
		return nil, 0, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = notRegular(name, info)
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// ReadFile appends the content of a regular file to buf, up to limit bytes. It
// refuses what OpenFile refuses.
func ReadFile(buf []byte, name string, limit int64) ([]byte, error) {
	f, err := openRaw(name)
	if err != nil {
		return buf, err
	}
	defer f.close()
	buf = slices.Grow(buf, int(min(f.size, limit)))
	for left := f.size; ; {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, 512)
		}
		n, err := f.read(buf[len(buf):min(int64(cap(buf)), int64(len(buf))+limit)])
		if err != nil {
			return buf, err
		}
		buf, limit, left = buf[:len(buf)+n], limit-int64(n), left-int64(n)
		// A file that tells its size is read once it has as many bytes: asking
		// for more is a system call for each file of a catalog.
		if n == 0 || limit == 0 || left == 0 {
			return buf, nil
		}
	}
}

func notRegular(name string, info fs.FileInfo) error {
	return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("%w but %s", ErrNotRegular, nameOf(info.Mode()))}
}

func nameOf(m fs.FileMode) string {
	if m.IsDir() {
		return "a folder"
	}
	return kindOf(m)
}

// openNoWait opens name for reading without waiting for a writer, which
// opening a FIFO would.
func openNoWait(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
