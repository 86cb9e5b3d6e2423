// Package atomicfile writes files that appear whole or not at all.
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

// Create starts a file that the user has named, with perm before the umask. A
// link is followed, and an existing file keeps its permissions.
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
	// Not os.CreateTemp: only the owner could read its files.
	temp := tempOf(path)
	file, createErr := os.OpenFile(temp, own, perm)
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

// WriteFile is Create for all of a file at once.
func WriteFile(path string, data []byte) error {
	f, err := Create(path, 0o644)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Commit()
}

// CreateOwn is Create for a file whose name the command chooses, in a folder
// that others may have prepared: whatever has that name, be it a link or a
// pipe, is replaced and never followed, and only its owner may read the new
// file.
func CreateOwn(path string) (*File, error) {
	temp := tempOf(path)
	file, err := os.OpenFile(temp, own, ownPerm)
	if err != nil {
		return nil, err
	}
	return &File{path: path, temp: temp, file: file, buffer: bufio.NewWriter(file)}, nil
}

const (
	own     = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	ownPerm = 0o600
)

// Write writes a file of CreateOwn whole, or not at all. name is relative to
// dir, a folder that the user has chosen; both are made if they are missing. No
// folder below dir is reached by a link.
func Write(dir, name string, data []byte) error {
	return write(dir, name, data, (*os.Root).Rename)
}

// WriteNew is Write for a file that must not be there yet: another one, be it written at
// the same time, is fs.ErrExist.
func WriteNew(dir, name string, data []byte) error {
	return write(dir, name, data, (*os.Root).Link)
}

// write writes a file under another name; place gives it its own.
func write(dir, name string, data []byte, place func(root *os.Root, temp, name string) error) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if err := folders(root, filepath.Dir(name)); err != nil {
		return err
	}
	if info, err := root.Lstat(name); err == nil && info.IsDir() {
		return &fs.PathError{Op: "write", Path: filepath.Join(dir, name),
			Err: errors.New("a folder is in the way, remove it")}
	}
	temp := tempOf(name)
	file, err := root.OpenFile(temp, own, ownPerm)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = place(root, temp, name)
	}
	_ = root.Remove(temp) // unless it was renamed
	return err
}

// folders makes a folder below another, and those between them.
func folders(root *os.Root, name string) error {
	if name == "." {
		return nil
	}
	if err := folders(root, filepath.Dir(name)); err != nil {
		return err
	}
	if err := root.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := root.Lstat(name)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "write below", Path: filepath.Join(root.Name(), name),
			Err: errors.New("it is a link or a file, expected a folder: remove it")}
	}
	return err
}

// tempOf is the name of a file while it is written. It cannot be guessed.
func tempOf(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()[:8]+tempSuffix)
}

const tempSuffix = ".tmp"

// IsTemp reports whether a file of that name is one that Create has begun. One
// that is old is of a process that was killed.
func IsTemp(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, tempSuffix)
}

// Temp is the name of the file while it is written, for what writes by name and
// not to an io.Writer; "" if there is none, since it is written directly.
func (f *File) Temp() string { return f.temp }

// Write implements io.Writer.
func (f *File) Write(p []byte) (int, error) { return f.buffer.Write(p) }

// Commit makes what was written durable and moves it to its place. If it fails
// it leaves no file.
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
