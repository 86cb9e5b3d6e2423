package walk

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// walker walks one root.
type walker struct {
	ctx              context.Context
	noIgnore, follow bool
	all              bool
	include, exclude []Glob
	folderRead       func(string) // may be nil
	emit             func(File) error

	root, rootTail string
	real           string            // absolute root, without links
	linked         map[string]string // folders entered through a link: real path → path to open
}

// folder is a folder on the way from the root to the file at hand.
type folder struct {
	path     string      // slash path relative to the root, "" for the root
	real     string      // absolute, without links
	linked   bool        // a link leads here
	included bool        // it or a folder above matches --include
	ignores  *ignoreFile // the .gitignore files that apply, innermost first
	repo     *repository // that it is in; nil for none
	ignored  bool        // only what git tracks is found in it
}

// entry is what is kept of a directory entry until its turn comes.
type entry struct {
	key  string // name; of a folder, name and slash: what paths are ordered by
	real string // of a followed link to a folder, where it leads
	kind entryKind

	ignored bool // a .gitignore names it, but git tracks it
}

type entryKind uint8

const (
	entryFile entryKind = iota
	entryFolder
	entrySpecial // FIFO, socket or device
	entryBroken  // link that leads nowhere
	entryOutside // link that leads out of the root
)

func (e entry) name() string { return strings.TrimSuffix(e.key, "/") }

// rank puts the catalog's manifest and shared lists before the rest.
func (e entry) rank() int {
	switch e.key {
	case "registry.json":
		return 0
	case "_lists/":
		return 1
	}
	return 2
}

func compareEntries(a, b entry) int {
	if ra, rb := a.rank(), b.rank(); ra != rb {
		return ra - rb
	}
	return strings.Compare(a.key, b.key)
}

// readChunk is how many directory entries are looked at at a time, so that a
// folder of many files costs no more than the entries that are kept of it.
const readChunk = 512

func (w *walker) file(p string) File {
	return File{Root: w.root, Path: p, rootTail: w.rootTail}
}

// tree walks the folder root.
func (w *walker) tree(root string) error {
	w.root, w.rootTail, w.linked = root, tailOf(root), map[string]string{}
	top := folder{}
	top.real, _ = RealPath(root) // a root that is not there is reported when it is read
	w.real = top.real
	if !w.noIgnore && top.real != "" {
		top.repo = repositoryAbove(top.real)
		top.ignores = ignoresAbove(top.real, top.repo)
	}
	return w.folder(top)
}

// folder walks what is in f.
func (w *walker) folder(f folder) error {
	if w.folderRead != nil {
		w.folderRead(w.file(f.path).Open())
	}
	if !w.noIgnore {
		if f.path != "" && isRepository(f.real) { // a submodule
			f.repo = &repository{top: f.real}
		}
		f.ignores = f.ignores.enter(filepath.Join(w.root, filepath.FromSlash(f.path)), f.path)
	}
	entries, err := w.read(f)
	if err != nil {
		bad := w.file(path.Join(f.path, "."))
		bad.Err = fileError(bad.Open(), "LOD001", "cannot be read: "+words.Cause(err).Error())
		if err := w.emit(bad); err != nil {
			return err
		}
	}
	slices.SortFunc(entries, compareEntries)
	for _, e := range entries {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		p := path.Join(f.path, e.name())
		if e.kind == entryFolder {
			err = w.enter(f, e, p)
		} else {
			err = w.emit(w.found(e, p))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// found makes the File of an entry that is not a folder.
func (w *walker) found(e entry, p string) File {
	f := w.file(p)
	open := f.Open()
	if e.kind == entryOutside {
		f.Note = w.outside(open)
		return f
	}
	info, err := os.Stat(open)
	switch {
	case e.kind == entryBroken && err != nil:
		f.Err = fileError(open, "LOD007", linkMessage(open, err))
	case err != nil:
		f.Err = fileError(open, "LOD001", "cannot be read: "+words.Cause(err).Error())
	case !info.Mode().IsRegular():
		f.Note = &record.Diagnostic{
			Code: "LOD006", Severity: record.SeverityInfo,
			Message: fmt.Sprintf("%q is %s, expected a file; it is not opened", open, kindOf(info.Mode())),
			Fix:     "remove it from the catalog, or leave it out with --exclude",
			Loc:     record.Loc{Path: open},
		}
	default:
		f.Size = info.Size()
	}
	return f
}

// outside is the note about a link that leads out of the root.
func (w *walker) outside(open string) *record.Diagnostic {
	target, err := os.Readlink(open)
	if err != nil {
		target = "a place that cannot be read"
	}
	return &record.Diagnostic{
		Code: "LOD047", Severity: record.SeverityWarning,
		Message: fmt.Sprintf("%q is a link to %q, which is not below %q: it is not followed", open, target, w.root),
		Fix:     "put the file itself there; if you trust the link, fmcp-scan --follow follows it",
		Loc:     record.Loc{Path: open},
	}
}

// enter walks the folder e at p in parent, unless a link led to it that would
// have it walked without end, or twice.
func (w *walker) enter(parent folder, e entry, p string) error {
	f := folder{
		path:     p,
		real:     filepath.Join(parent.real, e.name()),
		linked:   parent.linked || e.real != "",
		included: parent.included || matchAny(w.include, p),
		ignores:  parent.ignores,
		repo:     parent.repo,
		ignored:  e.ignored,
	}
	if e.real != "" {
		f.real = e.real
		// The link is a loop where it leads to a folder that it is in itself.
		if within(parent.real, f.real) {
			return w.skipLink(p, record.SeverityWarning,
				"leads to a folder that contains it, which would be read without end",
				"remove the link, or leave it out with --exclude")
		}
	}
	if f.linked {
		if first, seen := w.linked[f.real]; seen {
			return w.skipLink(p, record.SeverityInfo,
				fmt.Sprintf("is the same folder as %q, which has been read", first),
				"remove one of the links, or leave it out with --exclude")
		}
		w.linked[f.real] = w.file(p).Open()
	}
	return w.folder(f)
}

// skipLink emits the note that the folder at p is not walked.
func (w *walker) skipLink(p string, s record.Severity, what, fix string) error {
	f := w.file(p)
	f.Note = &record.Diagnostic{
		Code: "LOD007", Severity: s, Message: fmt.Sprintf("%q %s", f.Open(), what), Fix: fix,
		Loc: record.Loc{Path: f.Open()},
	}
	return w.emit(f)
}

// within reports whether the real path p is dir or is in it.
func within(p, dir string) bool {
	rest, ok := strings.CutPrefix(p, strings.TrimSuffix(dir, string(filepath.Separator)))
	return ok && (rest == "" || rest[0] == filepath.Separator)
}

// read returns the entries of f that the walk goes on to, in no order. If it
// fails half-way, it returns what it has.
func (w *walker) read(f folder) ([]entry, error) {
	dir, err := openNoWait(filepath.Join(w.root, filepath.FromSlash(f.path)))
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	var entries []entry
	resources := holdsResources(f.path) || holdsResources(path.Base(w.rootTail))
	for {
		chunk, err := dir.ReadDir(readChunk)
		for _, d := range chunk {
			if e, ok := w.keep(f, d, resources); ok {
				entries = append(entries, e)
			}
		}
		if errors.Is(err, io.EOF) {
			return entries, nil
		}
		if err != nil {
			return entries, err
		}
	}
}

// keep decides whether a directory entry concerns the walk.
func (w *walker) keep(f folder, d fs.DirEntry, resources bool) (entry, bool) {
	name, mode := d.Name(), d.Type()
	if mode.IsRegular() && !w.wanted(name, resources) {
		return entry{}, false
	}
	p := path.Join(f.path, name)
	e := entry{key: name}
	switch {
	case mode.IsDir():
		e.kind, e.key = entryFolder, name+"/"
	case mode&fs.ModeSymlink != 0:
		var ok bool
		if e, ok = w.link(p, name, resources); !ok {
			return entry{}, false
		}
	case !mode.IsRegular():
		e.kind = entrySpecial
	}
	isFolder := e.kind == entryFolder
	if (isFolder || e.kind == entryOutside) && (name == ".git" || name == "node_modules") {
		return entry{}, false
	}
	if matchAny(w.exclude, p) {
		return entry{}, false
	}
	if f.ignored || f.ignores.ignored(p, isFolder) {
		if !f.repo.tracks(filepath.Join(f.real, name), isFolder) {
			return entry{}, false
		}
		e.ignored = true
	}
	if !isFolder && len(w.include) > 0 && !f.included && !matchAny(w.include, p) {
		return entry{}, false
	}
	return e, true
}

// wanted reports whether the walk is for files of a name.
func (w *walker) wanted(name string, resources bool) bool { return w.all || candidate(name, resources) }

// link finds out what the link at p leads to.
func (w *walker) link(p, name string, resources bool) (entry, bool) {
	open := w.file(p).Open()
	info, err := os.Stat(open)
	switch {
	case err != nil:
		// Editors lock a file by a broken link to their process.
		lock := strings.HasPrefix(name, ".#")
		concerns := candidate(name, resources) || path.Ext(name) == ""
		kind := entryFile // which found reports as unreadable
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ELOOP) {
			kind = entryBroken
		}
		return entry{key: name, kind: kind}, concerns && !lock
	case !info.IsDir() && !info.Mode().IsRegular():
		return entry{key: name, kind: entrySpecial}, true
	case !info.IsDir() && !w.wanted(name, resources):
		return entry{}, false
	}
	real, err := RealPath(open)
	switch {
	case !w.follow && (err != nil || !within(real, w.real)):
		return entry{key: name, kind: entryOutside}, true
	case info.IsDir() && err == nil:
		return entry{key: name + "/", real: real, kind: entryFolder}, true
	}
	return entry{key: name, kind: entryFile}, true
}

// ComparePaths orders two files as Walk does that finds both, by their slash paths.
func ComparePaths(a, b string) int {
	start := 0 // of the first part that differs
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			start = i + 1
		}
	}
	at := func(s string) entry {
		if end := strings.IndexByte(s[start:], '/'); end >= 0 {
			return entry{key: s[start : start+end+1]}
		}
		return entry{key: s[start:]}
	}
	return compareEntries(at(a), at(b))
}
