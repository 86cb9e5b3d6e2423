package library

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

const (
	// maxFile is the largest file of a package that is read, in bytes.
	maxFile = 32 << 20
	// maxEntries is how many files of a package are looked at for native code.
	maxEntries = 20_000
)

// Folder is a node_modules folder: packages that the user has installed. Every
// file is opened below it; a link may lead to another place in it, as pnpm's
// do, but not out of it. It may be used by many goroutines.
type Folder struct {
	name string // as the user wrote it
	dir  string // absolute, without links
	root *os.Root

	mu        sync.Mutex
	manifests map[string]*manifest // by folder; nil if it has none
}

// Open opens a node_modules folder, or the folder that holds one.
func Open(name string) (*Folder, error) {
	dir := name
	if info, err := os.Stat(filepath.Join(name, "node_modules")); err == nil && info.IsDir() &&
		filepath.Base(name) != "node_modules" {
		dir = filepath.Join(name, "node_modules")
	}
	abs, err := walk.RealPath(dir)
	if err == nil {
		var root *os.Root
		if root, err = os.OpenRoot(abs); err == nil {
			return &Folder{name: name, dir: abs, root: root, manifests: map[string]*manifest{}}, nil
		}
	}
	return nil, fmt.Errorf("%s: cannot be read: %w", name, words.Cause(err))
}

// Close gives the folder back.
func (f *Folder) Close() error { return f.root.Close() }

// outside is why a path cannot be used that leads out of the folder.
type outside struct{ path string }

func (o *outside) Error() string { return o.path + " leads out of the folder" }

// real follows the links of a path, which has slashes and is relative to the
// folder. It fails with *outside where they lead out of it.
func (f *Folder) real(p string) (string, fs.FileInfo, error) {
	if !filepath.IsLocal(filepath.FromSlash(p)) {
		return "", nil, &outside{p}
	}
	to, err := filepath.EvalSymlinks(filepath.Join(f.dir, filepath.FromSlash(p)))
	if err != nil {
		return "", nil, words.Cause(err)
	}
	rel, err := filepath.Rel(f.dir, to)
	if err != nil || !filepath.IsLocal(rel) {
		return "", nil, &outside{p}
	}
	info, err := f.root.Stat(rel)
	return filepath.ToSlash(rel), info, err
}

// file is real for a regular file.
func (f *Folder) file(p string) (string, error) {
	to, info, err := f.real(p)
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	return to, err
}

// folder is real for a folder.
func (f *Folder) folder(p string) (string, error) {
	to, info, err := f.real(p)
	if err == nil && !info.IsDir() {
		err = fs.ErrNotExist
	}
	return to, err
}

// read reads a file that file has found.
func (f *Folder) read(p string) (string, error) {
	in, err := f.root.Open(filepath.FromSlash(p))
	if err != nil {
		return "", words.Cause(err)
	}
	defer func() { _ = in.Close() }()
	b, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err != nil {
		return "", words.Cause(err)
	}
	if len(b) > maxFile {
		return "", fmt.Errorf("%s is larger than %d MiB", p, maxFile>>20)
	}
	return string(b), nil
}

// nativeFile finds compiled code in the folder of a package, "" if there is
// none. The packages that are installed in it are not looked at.
func (f *Folder) nativeFile(pkg string) string {
	found, n := "", 0
	_ = fs.WalkDir(f.root.FS(), pkg, func(p string, d fs.DirEntry, err error) error {
		n++
		switch {
		case err != nil, d.IsDir() && d.Name() == "node_modules" && p != pkg:
			return fs.SkipDir
		case n > maxEntries:
			return fs.SkipAll
		case d.Name() == "binding.gyp" && path.Dir(p) == pkg, strings.HasSuffix(d.Name(), ".node") && !d.IsDir():
			found = strings.TrimPrefix(p, pkg+"/")
			return fs.SkipAll
		}
		return nil
	})
	return found
}
