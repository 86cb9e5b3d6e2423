// Package scaffold makes the first version of a file of a catalog: of a schema from
// requests that are known to work, of all else from what the catalog has.
package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
)

// File is a file of a catalog that is not written yet.
type File struct {
	ID    string
	Path  string // in the catalog, with slashes
	Text  string
	Keys  []string // environment variables that calls need
	Notes []string // what its author should look at
}

// Write writes the file into a catalog that has no file there. It is the author's and
// not ours, so it has the permissions of any new file.
func (f *File) Write(dir string) (path string, err error) {
	path = filepath.Join(dir, filepath.FromSlash(f.Path))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return path, err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return path, fmt.Errorf("%s is there already and was left as it is: edit it, or give another name", path)
	} else if err != nil {
		return path, err
	}
	_, err = out.WriteString(f.Text)
	if err = errors.Join(err, out.Close()); err != nil {
		return path, errors.Join(err, os.Remove(path))
	}
	return path, nil
}

// WriteAll writes some files into a catalog that has none of them. otherwise is what to do
// where it has.
func WriteAll(dir string, files []*File, otherwise string) (paths []string, err error) {
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if _, err := os.Lstat(path); err == nil {
			return nil, fmt.Errorf("%s is there already, and nothing was written: %s", path, otherwise)
		}
	}
	for _, f := range files {
		path, err := f.Write(dir)
		if err != nil {
			return paths, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// JSON is the answer about the file, written at a path.
func (f *File) JSON(path string) ordjson.Value {
	return ordjson.NewObject(text("id", f.ID), text("path", path),
		ordjson.Field("keys", ordjson.Strings(f.Keys)), ordjson.Field("notes", ordjson.Strings(f.Notes)))
}

// Summary is JSON for people.
func (f *File) Summary(path string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "wrote %s: %s\n", path, f.ID)
	if len(f.Keys) > 0 {
		fmt.Fprintf(&b, "  calls need the environment variables %s\n", words.List(f.Keys))
	}
	for _, note := range f.Notes {
		fmt.Fprintf(&b, "  %s\n", note)
	}
	return b.String()
}

// export is the text of a module with one export.
func export(name string, v ordjson.Value) string {
	return "export const " + name + " = " + edit.Literal(v) + "\n"
}

// splitID reads namespace/name, the name of which is to be matched.
func splitID(id, example string, is func(string) bool, to func(string) string) (namespace, name string, err error) {
	namespace, name, ok := strings.Cut(id, "/")
	if !ok || !catalog.IsNamespace(namespace) || !is(name) {
		near := ""
		if n, m := engine.ToNamespace(namespace), to(name); ok && n != "" && m != "" {
			near = fmt.Sprintf(` (did you mean "%s/%s"?)`, n, m)
		}
		return "", "", fmt.Errorf("%s is no name of what is to be made%s: expected a namespace and a name, such as %s",
			words.Quote(id), near, example)
	}
	return namespace, name, nil
}

// Variable is the environment variable of a key of a namespace.
func Variable(namespace, key string) string {
	return strings.ToUpper(strings.Join(append(engine.PartsOf(namespace), engine.PartsOf(key)...), "_"))
}

func text(key, value string) ordjson.Member { return ordjson.Field(key, ordjson.NewString(value)) }
func bools(key string, b bool) ordjson.Member {
	return ordjson.Field(key, ordjson.NewBool(b))
}
