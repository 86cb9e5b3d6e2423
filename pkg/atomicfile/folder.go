package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Folder is a folder that appears whole or not at all: it is filled beside its place
// under another name and moved there by Commit.
type Folder struct {
	path, temp string
	replace    bool
}

// CreateFolder starts a folder, and makes those that it is in. What is there is only
// replaced where that is asked for, and then as a whole.
func CreateFolder(path string, replace bool) (*Folder, error) {
	path = filepath.Clean(path)
	if _, err := os.Lstat(path); err == nil && !replace {
		return nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	f := &Folder{path: path, temp: tempOf(path), replace: replace}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return f, os.Mkdir(f.temp, 0o755)
}

// Path is the name of a file of the folder while it is filled.
func (f *Folder) Path(name string) string { return filepath.Join(f.temp, filepath.FromSlash(name)) }

// Write writes a file, whose name is relative to the folder and leads nowhere else.
func (f *Folder) Write(name string, data []byte, perm fs.FileMode) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return &fs.PathError{Op: "write", Path: name, Err: errors.New("the path leads out of the folder")}
	}
	to := f.Path(name)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(to, own, perm)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Sync(), file.Close())
}

// Commit moves the folder to its place. If it fails, what was there stays.
func (f *Folder) Commit() error {
	defer f.Abort()
	if !f.replace {
		// A rename would replace an empty folder that somebody has made meanwhile.
		if _, err := os.Lstat(f.path); err == nil {
			return &fs.PathError{Op: "create", Path: f.path, Err: fs.ErrExist}
		}
		return os.Rename(f.temp, f.path)
	}
	old := tempOf(f.path)
	if err := os.Rename(f.path, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(f.temp, f.path); err != nil {
		return errors.Join(err, os.Rename(old, f.path))
	}
	return os.RemoveAll(old)
}

// Abort throws away what was written. After Commit it does nothing.
func (f *Folder) Abort() { _ = os.RemoveAll(f.temp) }
