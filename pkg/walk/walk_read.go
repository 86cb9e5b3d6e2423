package walk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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

// ReadFile returns the content of a regular file, up to limit bytes. It refuses
// what OpenFile refuses.
func ReadFile(name string, limit int64) ([]byte, error) {
	f, size, err := OpenFile(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var b bytes.Buffer
	b.Grow(int(min(size, limit)) + bytes.MinRead)
	_, err = b.ReadFrom(io.LimitReader(f, limit))
	return b.Bytes(), err
}

// RealPath is a path made absolute, without links.
func RealPath(name string) (string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// Inside reports whether a path is a folder or leads into it, whatever links it goes
// through. It need not exist.
func Inside(dir, name string) bool {
	real, err := RealPath(dir)
	if err != nil {
		return false
	}
	to, err := RealPath(name)
	for rest := ""; err != nil; to = filepath.Join(to, rest) {
		parent := filepath.Dir(name)
		if parent == name {
			return false
		}
		name, rest = parent, filepath.Join(filepath.Base(name), rest)
		to, err = RealPath(name)
	}
	return within(to, real)
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
