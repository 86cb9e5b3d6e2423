package origin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Place is where a file is, or would be.
type Place struct {
	places *Places
	origin string   // "" where the file is not found by one
	schema string   // the schema that asks
	dir    string   // folder that nothing leads out of; links on the way to it are followed
	names  []string // folders below dir, and the file
	shown  string   // the file's folder as messages name it, with slashes
}

// Name is the name of the file.
func (p Place) Name() string { return p.names[len(p.names)-1] }

// String is the place as messages name it, with slashes: below ~ or relative to
// the current folder.
func (p Place) String() string { return p.shown + "/" + p.Name() }

// full is the place as the system names it.
func (p Place) full() string { return filepath.Join(append([]string{p.dir}, p.names...)...) }

// rel is the place below its dir.
func (p Place) rel() string { return filepath.Join(p.names...) }

// errNotRegular is why what is not a regular file is refused: a pipe would wait for
// a writer, a device may do anything.
var errNotRegular = errors.New("not a regular file")

// Open opens the file for reading. The errors are *words.Problem.
func (p Place) Open() (*os.File, error) {
	f, err := p.open()
	if err != nil {
		return nil, p.explain(err)
	}
	return f, nil
}

func (p Place) open() (*os.File, error) {
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	info, err := root.Stat(p.rel())
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		return nil, err
	}
	// A pipe that took the place of the file since must not be waited for.
	f, err := root.OpenFile(p.rel(), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// Path is the file with all links resolved, for libraries that open by name.
// That it is there, a regular file and inside its folder has been seen to. The
// errors are *words.Problem.
func (p Place) Path() (string, error) {
	f, err := p.Open()
	if err != nil {
		return "", err
	}
	_ = f.Close()
	real, err := filepath.EvalSymlinks(p.full())
	if err != nil {
		return "", p.explain(err)
	}
	if real, err = filepath.Abs(real); err != nil {
		return "", p.explain(err)
	}
	return real, nil
}

// Missing reports whether there is no such file. One that is there and cannot
// be read is not missing.
func (p Place) Missing() bool {
	f, err := p.open()
	if err == nil {
		_ = f.Close()
	}
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotRegular)
}

// Make is Path for a file that need not be there: its folder is made. What is
// in the way, a link included, is refused. The errors are *words.Problem.
func (p Place) Make() (string, error) {
	if p.origin == "" || p.origin == model.Global {
		if err := os.MkdirAll(p.dir, 0o755); err != nil {
			return "", p.explain(err)
		}
	}
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return "", p.explain(err)
	}
	defer func() { _ = root.Close() }()
	if err := root.MkdirAll(filepath.Dir(p.rel()), 0o755); err != nil {
		return "", p.explain(err)
	}
	info, err := root.Lstat(p.rel())
	switch {
	case err == nil && !info.Mode().IsRegular():
		return "", p.explain(errNotRegular)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", p.explain(err)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(p.full()))
	if err != nil {
		return "", p.explain(err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", p.explain(err)
	}
	return filepath.Join(dir, p.Name()), nil
}

// explain makes an error with a code of one of the system.
func (p Place) explain(err error) *words.Problem {
	what := fmt.Sprintf("%s (looked for %s%s)", p, p.full(), p.asked())
	if p.String() == p.full() {
		what = p.full() + strings.Replace(p.asked(), ", ", " of ", 1)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &words.Problem{Code: CodeMissing, Message: "there is no file " + what + p.near()}
	case errors.Is(err, errNotRegular):
		return refuse("%s is %s: only regular files are opened", what, errNotRegular)
	case errors.Is(err, fs.ErrPermission):
		return &words.Problem{Code: CodeMissing, Message: what + " cannot be read: permission denied"}
	case escapes(err):
		return refuse("%s is reached by a link that leads out of its folder: put the file itself there", what)
	}
	return &words.Problem{Code: CodeMissing, Message: what + " cannot be opened: " + words.Cause(err).Error()}
}

// escapes reports whether os.Root refused a path; its error has no name.
func escapes(err error) bool { return strings.HasSuffix(err.Error(), "path escapes from parent") }

// asked says by which field the place was found.
func (p Place) asked() string {
	if p.origin == "" {
		return ""
	}
	return ", origin " + p.origin
}

// maxSeen is how many names of a folder are looked at for a file that is not
// there.
const maxSeen = 10_000

// near ends a message about a file that is not there: what is like it, or what
// else is there.
func (p Place) near() string {
	if p.origin == model.Inline && !p.hasSchemaFolder() {
		return "; the schema's own folder is not there either: name the folder that the catalog was resolved from " +
			"by --root"
	}
	names := p.beside()
	for _, name := range names {
		if otherExtension(name, p.Name()) {
			return fmt.Sprintf("; the folder has %s: correct name, or give the file the extension %s",
				words.Quote(name), path.Ext(p.Name()))
		}
	}
	if hint := words.DidYouMean(p.Name(), names); hint != "" {
		return hint
	}
	if other := p.elsewhere(); other != "" {
		return "; " + other
	}
	names = slices.DeleteFunc(names, func(name string) bool { return path.Ext(name) != path.Ext(p.Name()) })
	if len(names) == 0 {
		return ": put the file there"
	}
	return "; the folder has " + words.QuoteList(names) + ": put the file there, or correct the name"
}

// hasSchemaFolder reports whether the folder of the schema is below that of the
// catalog: a catalog's file may have been moved away from it.
func (p Place) hasSchemaFolder() bool {
	const below = 2 // the folder of resources, and the file
	info, err := os.Stat(filepath.Join(append([]string{p.dir}, p.names[:len(p.names)-below]...)...))
	return err == nil && info.IsDir()
}

// beside are the names in the folder of the file, sorted.
func (p Place) beside() []string {
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return nil
	}
	defer func() { _ = root.Close() }()
	dir, err := root.Open(filepath.Dir(p.rel()))
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(maxSeen)
	slices.Sort(names)
	return names
}

// elsewhere names another origin that has the file.
func (p Place) elsewhere() string {
	if p.origin == "" || p.places == nil {
		return ""
	}
	for _, origin := range []string{model.Inline, model.Project, model.Global} {
		if origin == p.origin || origin == model.Inline && p.schema == "" {
			continue
		}
		other, err := p.places.File(origin, p.Name(), path.Ext(p.Name()), p.schema)
		if err == nil && !other.Missing() {
			return other.String() + " is there: write origin: '" + origin + "', or move it"
		}
	}
	return ""
}
