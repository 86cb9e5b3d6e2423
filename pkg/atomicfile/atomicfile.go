// Package atomicfile writes files that appear whole or not at all (DESIGN,
// "Trust").
package atomicfile

import (
	"bufio"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// File is a file that appears whole or not at all: it is written beside its
// place under another name and moved there by Commit. What is not a regular
// file, such as a device or a FIFO, is written directly.
type File struct {
	path   string
	temp   string // "" where written directly
	file   *os.File
	buffer *bufio.Writer
	done   bool
}

// Create starts a file, with perm before the umask. A link is followed, and an
// existing file keeps its permissions.
func Create(path string, perm fs.FileMode) (*File, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, &fs.PathError{Op: "create", Path: path, Err: errors.New("is a directory, expected a file")}
	case err == nil && !info.Mode().IsRegular():
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &File{path: path, file: file, buffer: bufio.NewWriter(file)}, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	// Not os.CreateTemp: that makes files which only their owner can read.
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()[:8]+tempSuffix)
	file, createErr := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if createErr != nil {
		return nil, createErr
	}
	f := &File{path: path, temp: temp, file: file, buffer: bufio.NewWriter(file)}
	if err == nil {
		if err := file.Chmod(info.Mode().Perm()); err != nil {
			f.Abort()
			return nil, err
		}
	}
	return f, nil
}

// Write is Replace, and makes the folders above the file.
func Write(path string, perm fs.FileMode, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return Replace(path, perm, data)
}

// Replace writes a file whole, or not at all; perm is that of a new file.
func Replace(path string, perm fs.FileMode, data []byte) error {
	f, err := Create(path, perm)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Commit()
}

const tempSuffix = ".tmp"

// IsTemp reports whether a file of that name is one that Create has begun. One
// that is old is of a process that was killed.
func IsTemp(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, tempSuffix)
}

// Temp is the name of the file while it is written, for what writes by name and
// not to an io.Writer; "" where there is none, since it is written directly.
func (f *File) Temp() string { return f.temp }

// Write implements io.Writer.
func (f *File) Write(p []byte) (int, error) { return f.buffer.Write(p) }

// Commit makes what was written durable and moves it to its place. Where it
// fails nothing is left behind.
func (f *File) Commit() error {
	if f.done {
		return nil
	}
	defer f.Abort()
	if err := f.buffer.Flush(); err != nil {
		return err
	}
	if f.temp == "" {
		f.done = true
		return f.file.Close()
	}
	if err := f.file.Sync(); err != nil {
		return err
	}
	if err := f.file.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.temp, f.path); err != nil {
		return err
	}
	f.done = true
	return nil
}

// Abort throws away what was written. After Commit it does nothing.
func (f *File) Abort() {
	if f.done {
		return
	}
	f.done = true
	f.file.Close()
	if f.temp != "" {
		os.Remove(f.temp)
	}
}
