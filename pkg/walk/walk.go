// Package walk knows how a catalog is laid out on disk (chapter 15) and how
// its parts refer to each other.
package walk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// stageScan is the command that walking belongs to, whoever runs it.
const stageScan = "fmcp-scan"

// Options narrow what Walk finds. Files that the user names are found
// whatever the options say.
type Options struct {
	NoIgnore bool     // do not read .gitignore files
	Follow   bool     // follow links that lead out of the root
	Include  []string // globs; where there are any, a file or one of its folders matches one
	Exclude  []string // globs; no file or folder on its path matches one
	All      bool     // find files that are none of a catalog too, such as a README
	Shard    Shard    // find only this part

	Folder func(path string) // called with each folder before it is read, by a path that opens it; may be nil
}

// File is a file that Walk found, or with Err or Note set, something in its
// place that the walk could not, or would not, go into.
type File struct {
	Root  string // as the user gave it; the folder of a file that the user named
	Path  string // slash-separated, relative to Root; "." for Root itself
	Size  int64  // bytes
	Named bool   // the user named this very file

	Err  *record.Error      // LOD001, LOD006, LOD007
	Note *record.Diagnostic // LOD006, LOD007 or LOD047 below a root: skipped, nothing is wrong yet

	rootTail string // the last folders of the absolute root, see Place
}

// NewFile is a file below a root that Walk need not find: an editor may have it before
// it is saved.
func NewFile(root, path string) File { return File{Root: root, Path: path, rootTail: tailOf(root)} }

// NamedFile is the file that Walk finds at the path of a file, whether it is there or not.
func NamedFile(p string) File {
	f := NewFile(filepath.Dir(p), filepath.Base(p))
	f.Named, f.Err = true, f.strange(p)
	return f
}

// Open is the path by which the file can be opened from the current folder.
func (f File) Open() string { return record.Source{Root: f.Root, Path: f.Path}.File() }

// Place is the slash path by which Detect and Namespace judge where in a
// catalog the file lies. A root inside a catalog (providers/NAME, say) hides
// the folders that tell, so a short Path is led by the last folders of Root.
func (f File) Place() string {
	have := strings.Count(f.Path, "/") + 1
	tail := f.rootTail
	for n := strings.Count(tail, "/") + 1; tail != "" && n+have > placeLen; n-- {
		_, tail, _ = strings.Cut(tail, "/")
	}
	return path.Join(tail, f.Path)
}

// PlaceOf is the place of a file by its whole path.
func PlaceOf(path string) string {
	folders := strings.Split(path, "/")
	return strings.Join(folders[max(0, len(folders)-placeLen):], "/")
}

// placeLen is the length, in path elements, of the longest place that a
// catalog gives a meaning to: providers/NAME/skills/FILE.
const placeLen = 4

// Walk finds the files of catalogs under paths and calls emit for each: .mjs
// modules, registry.json, SKILL.md, and the markdown and database files of
// resources folders. A path is a catalog, a folder of several catalogs, any
// folder inside one, or a single file.
//
// Paths come in the order given, the files of each in the byte order of their
// slash paths; only registry.json and _lists/ come first within their folder,
// so that shared lists are known before the schemas that use them. Links are
// followed where they stay below the real path of the root, or with Follow: a
// catalog must not make files of its reader's machine its own. What cannot be
// read is emitted with Err and the walk goes on; Walk
// itself returns the error of emit, of the context, or of a malformed glob.
// Memory is bounded by the largest single folder.
func Walk(ctx context.Context, paths []string, opts Options, emit func(File) error) error {
	include, err := compileGlobs("include", opts.Include)
	if err != nil {
		return err
	}
	exclude, err := compileGlobs("exclude", opts.Exclude)
	if err != nil {
		return err
	}
	ofShard := func(f File) error {
		if !opts.Shard.has(f) {
			return nil
		}
		return emit(f)
	}
	for _, p := range paths {
		w := &walker{ctx: ctx, noIgnore: opts.NoIgnore, follow: opts.Follow, all: opts.All, include: include,
			exclude: exclude, folderRead: opts.Folder, emit: ofShard}
		if err := w.path(p); err != nil {
			return err
		}
	}
	return nil
}

// path walks one path that the user named.
func (w *walker) path(p string) error {
	info, err := os.Stat(p)
	if err != nil {
		return w.namedError(p, err)
	}
	if info.IsDir() {
		return w.tree(p)
	}
	w.root, w.rootTail = filepath.Dir(p), tailOf(filepath.Dir(p))
	f := w.file(filepath.Base(p))
	f.Named, f.Size = true, info.Size()
	f.Err = f.strange(p)
	if !info.Mode().IsRegular() {
		f.Err = fileError(p, "LOD006",
			"is "+kindOf(info.Mode())+", expected a file or a folder; to read from a pipe, name it on standard "+
				"input as -")
	}
	return w.emit(f)
}

// strange is the error about a named file that is none of a catalog, nil for others.
func (f File) strange(p string) *record.Error {
	if candidate(f.Path, true) && (f.Path != oldManifest || f.OldAgent()) {
		return nil
	}
	return fileError(p, "LOD001",
		"is not a file of a catalog: expected a name that ends in .mjs, .md, .db or .sqlite, or registry.json")
}

// namedError emits the error for a path that the user named and that cannot
// be reached.
func (w *walker) namedError(p string, err error) error {
	w.root = filepath.Dir(p)
	f := w.file(filepath.Base(p))
	f.Named = true
	_, lerr := os.Lstat(p)
	switch {
	case lerr == nil && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ELOOP)):
		f.Err = fileError(p, "LOD007", linkMessage(p, err))
	case errors.Is(err, fs.ErrNotExist):
		f.Err = fileError(p, "LOD001", "does not exist"+words.DidYouMean(filepath.Base(p), siblings(p)))
	default:
		f.Err = fileError(p, "LOD001", "cannot be read: "+words.Cause(err).Error())
	}
	return w.emit(f)
}

// siblingLimit bounds the names that are read to make a suggestion.
const siblingLimit = 1000

// siblings are the names in the folder that p would be in. Hidden ones are not
// meant by a name without a dot.
func siblings(p string) []string {
	dir, err := openNoWait(filepath.Dir(p))
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(siblingLimit)
	if err != nil {
		return nil // nothing to suggest
	}
	return slices.DeleteFunc(names, func(n string) bool {
		return strings.HasPrefix(n, ".") && !strings.HasPrefix(filepath.Base(p), ".")
	})
}

func fileError(p, code, what string) *record.Error {
	return &record.Error{Stage: stageScan, Input: p, Code: code, Message: fmt.Sprintf("%q %s", p, what)}
}

// linkMessage says why the link at p leads nowhere.
func linkMessage(p string, err error) string {
	if errors.Is(err, syscall.ELOOP) {
		return "is a symbolic link that leads back to itself: remove it or point it at a file"
	}
	target, rerr := os.Readlink(p)
	if rerr != nil {
		return "is a broken symbolic link: remove it"
	}
	return fmt.Sprintf("is a broken symbolic link, its target %q does not exist: remove it or point it at a file",
		target)
}

// kindOf names a file that is neither regular nor a folder.
func kindOf(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe (FIFO)"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "not a regular file"
}

// tailOf returns the last folders of the absolute form of root as a slash
// path, as many as Place can use.
func tailOf(root string) string {
	abs, err := filepath.Abs(root)
	if err != nil {
		return "" // the current folder is gone; only relative places are known
	}
	parts := strings.Split(strings.Trim(filepath.ToSlash(abs), "/"), "/")
	return strings.Join(parts[max(0, len(parts)-placeLen+1):], "/")
}
