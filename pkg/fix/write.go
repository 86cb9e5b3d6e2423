package fix

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// errLinked is why a file is not written. What a link leads to was not named, or has a
// name of its own in the catalog.
var errLinked = errors.New("a link leads to it, and links are not followed to write: name the file itself")

// place is where a file is. No link below the folder that the user named leads there.
func place(src record.Source) (string, error) {
	root, err := walk.RealPath(src.Root)
	if err != nil {
		return "", err
	}
	real, err := walk.RealPath(src.File())
	if err == nil && real != filepath.Join(root, filepath.FromSlash(src.Path)) {
		err = errLinked
	}
	return real, err
}

// Write writes the file in its place, whole or not at all.
func (f *File) Write() error {
	if f.New {
		return atomicfile.WriteNew(f.Src.Root, f.Src.Path, []byte(f.After))
	}
	real, err := place(f.Src)
	if err != nil {
		return err
	}
	info, err := os.Stat(real)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o200 == 0 {
		return errors.New("it is read-only: chmod u+w allows to change it")
	}
	text, err := walk.ReadFile(real, stage.MaxFile)
	if err != nil {
		return err
	}
	if string(text) != f.Before {
		return errChanged
	}
	for _, m := range f.More {
		if err := m.write(f.Src.Root); err != nil {
			return err
		}
	}
	return atomicfile.WriteFile(real, []byte(f.After))
}

// Diff is what changes in the file, as a patch for the folder in which the command
// runs, or for the folder that was walked where that is elsewhere.
func (f *File) Diff() (string, error) {
	name := filepath.Clean(f.Src.File())
	if !filepath.IsLocal(name) {
		name = f.Src.Path
	}
	text, err := edit.Diff(filepath.ToSlash(name), f.Before, f.After)
	for _, m := range f.More {
		patch, moreErr := m.diff(f.Src.Root)
		if text += patch; err == nil {
			err = moreErr
		}
	}
	return text, err
}

// Copy copies the files of a catalog below a path, or one file, to a folder that is not
// there yet. It returns the path of the copy.
func Copy(ctx context.Context, path, dir string) (string, error) {
	to, err := atomicfile.CreateFolder(dir, false)
	if err != nil {
		return "", err
	}
	defer to.Abort()
	err = walk.Walk(ctx, []string{path}, walk.Options{}, func(f walk.File) error {
		if f.Err != nil || f.Note != nil {
			return nil // said where the copy is not validated: the original has no more than that
		}
		info, err := os.Stat(f.Open())
		if err != nil {
			return err
		}
		b, err := os.ReadFile(f.Open())
		if err != nil {
			return err
		}
		if f.Named {
			dir = filepath.Join(dir, filepath.Base(path))
		}
		return to.Write(f.Path, b, info.Mode().Perm()|0o200)
	})
	if err != nil {
		return "", err
	}
	return dir, to.Commit()
}
