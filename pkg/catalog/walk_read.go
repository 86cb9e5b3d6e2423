package catalog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// ErrNotRegular is returned for a FIFO, a device or a socket, none of which is
// ever read: it could block for good, or have no end.
var ErrNotRegular = errors.New("not a regular file")

// ReadFile appends the content of the regular file name to buf. It never
// waits: a FIFO that took the place of a file since it was found is refused
// like any other, with ErrNotRegular.
func ReadFile(buf []byte, name string) ([]byte, error) {
	f, err := openNoWait(name)
	if err != nil {
		return buf, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return buf, err
	}
	if !info.Mode().IsRegular() {
		return buf, &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("%w but %s", ErrNotRegular, nameOf(info.Mode()))}
	}
	// One byte more, so that the end is seen without growing.
	buf = slices.Grow(buf, int(info.Size())+1)
	for {
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) {
			return buf, nil
		}
		if err != nil {
			return buf, err
		}
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, len(buf)/2+1)
		}
	}
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
