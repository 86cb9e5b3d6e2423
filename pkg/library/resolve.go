package library

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// target is what an import leads to.
type target struct {
	file    string // real, in the folder
	empty   bool   // the browser field of a package leaves it out
	builtin string // a part of Node that the sandbox has
}

// refusal is why an import cannot be, whether or not a try stands around it.
type refusal struct{ msg string }

func (r *refusal) Error() string { return r.msg }

func refuse(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// resolve finds what spec means in a file of dir, by Node's rules with the
// browser's conditions. Where a require of it may fail and be caught, the
// error is no *refusal.
func (f *Folder) resolve(dir, spec string, require bool) (target, error) {
	scope, to, empty := f.replaced(dir, func(string) []string { return []string{spec} })
	switch {
	case scope == nil || strings.HasPrefix(spec, "."):
		return f.lookup(dir, spec, require)
	case empty:
		return target{empty: true}, nil
	}
	return f.lookup(scope.dir, to, require)
}

// lookup is resolve without what a browser field says of packages.
func (f *Folder) lookup(dir, spec string, require bool) (target, error) {
	switch {
	case strings.HasPrefix(spec, "/") || strings.Contains(spec, "\\"):
		return target{}, refuse("%q is not a path in a package", spec)
	case spec == "." || spec == ".." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../"):
		t, err := f.load(path.Join(dir, spec), strings.HasSuffix(spec, "/") || strings.HasSuffix(spec, "."), require)
		return f.browser(t, err, require)
	case strings.HasPrefix(spec, "#"):
		return f.imported(dir, spec, require)
	}
	if name, ok := strings.CutPrefix(spec, "node:"); ok {
		return builtin(name)
	}
	if i := strings.Index(spec, ":"); i >= 0 {
		return target{}, refuse("%q is a URL, expected a package", spec)
	}
	t, err := f.installed(dir, spec, require)
	if errors.Is(err, fs.ErrNotExist) {
		if name, _, _ := strings.Cut(spec, "/"); slices.Contains(builtins, name) {
			return builtin(spec)
		}
		return target{}, fmt.Errorf("%s is not installed", spec)
	}
	return f.browser(t, err, require)
}

// builtin is a part of Node.
func builtin(name string) (target, error) {
	if slices.Contains(sandbox.Builtins, name) {
		return target{builtin: name}, nil
	}
	return target{}, fmt.Errorf("%s is a part of Node, which the sandbox does not have", name)
}

// browser follows the browser field for a file that was found.
func (f *Folder) browser(t target, err error, require bool) (target, error) {
	if err != nil || t.empty {
		return t, err
	}
	scope, to, empty := f.replaced(path.Dir(t.file), fileKeys(t.file))
	switch {
	case scope == nil:
		return t, nil
	case empty:
		return target{empty: true}, nil
	case !strings.HasPrefix(to, "."):
		if p, err := f.load(path.Join(scope.dir, to), false, require); err == nil {
			return p, nil
		}
		return f.installed(scope.dir, to, require)
	}
	return f.load(path.Join(scope.dir, to), false, require)
}

// imported resolves a name of the imports field.
func (f *Folder) imported(dir, spec string, require bool) (target, error) {
	m := f.above(dir, func(m *manifest) bool { return m.data.Get("imports").Exists() })
	if m == nil {
		return target{}, fmt.Errorf("%s is in no imports field", spec)
	}
	to := exported(m.data.Get("imports"), spec, require)
	switch {
	case to == "":
		return target{}, fmt.Errorf("%s is not in the imports field of %s", spec, m.dir)
	case strings.HasPrefix(to, "./"):
		return f.load(path.Join(m.dir, to), false, require)
	}
	return f.installed(m.dir, to, require)
}

// split takes a package's name off a specifier.
func split(spec string) (name, subpath string) {
	parts := strings.SplitN(spec, "/", 3)
	n := 1
	if strings.HasPrefix(spec, "@") && len(parts) > 1 {
		n = 2
	}
	name = strings.Join(parts[:n], "/")
	return name, strings.TrimPrefix(spec, name)
}

// installed looks for a package in the node_modules folders from dir up to
// the one that this is.
func (f *Folder) installed(dir, spec string, require bool) (target, error) {
	name, subpath := split(spec)
	if self := f.above(dir, func(m *manifest) bool { return m.data.Get("name").Exists() }); self != nil &&
		self.data.Get("name").Str() == name && self.data.Get("exports").Exists() {
		return f.enter(self.dir, subpath, require)
	}
	for {
		at := path.Join(dir, "node_modules", name)
		if dir == "." {
			at = name
		}
		if path.Base(dir) != "node_modules" {
			to, err := f.folder(at)
			var out *outside
			switch {
			case err == nil:
				return f.enter(to, subpath, require)
			case errors.As(err, &out):
				return target{}, refuse("%v, as the link of a package under development does: install a copy", out)
			}
		}
		if dir == "." {
			return target{}, fs.ErrNotExist
		}
		dir = path.Dir(dir)
	}
}

// enter resolves a subpath ("" or "/x") of a package.
func (f *Folder) enter(pkg, subpath string, require bool) (target, error) {
	m := f.manifest(pkg)
	if m != nil && m.data.Get("exports").Exists() && m.data.Get("exports").Kind().String() != "null" {
		to := exported(m.data.Get("exports"), "."+subpath, require)
		if to == "" {
			return target{}, fmt.Errorf("%s does not export .%s", pkg, subpath)
		}
		file, err := f.file(path.Join(pkg, to))
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("there is no %s", path.Join(pkg, to))
		}
		return target{file: file}, err
	}
	if subpath != "" {
		return f.load(path.Join(pkg, subpath), strings.HasSuffix(subpath, "/"), require)
	}
	return f.directory(pkg, require)
}

// extensions are tried after a path that is not a file.
var extensions = []string{".js", ".mjs", ".cjs", ".json"}

// load resolves a path to a file, or to the one that a folder is entered by.
func (f *Folder) load(p string, folder, require bool) (target, error) {
	if !folder {
		for _, ext := range append([]string{""}, extensions...) {
			file, err := f.file(p + ext)
			var out *outside
			if errors.As(err, &out) {
				return target{}, refuse("%v", out)
			}
			if err == nil {
				return target{file: file}, nil
			}
		}
	}
	dir, err := f.folder(p)
	if err != nil {
		return target{}, fmt.Errorf("there is no %s", p)
	}
	return f.directory(dir, require)
}

// directory resolves a folder: by its package.json, or its index.
func (f *Folder) directory(dir string, require bool) (target, error) {
	var tries []string
	if m := f.manifest(dir); m != nil {
		tries = m.mains(require)
	}
	for _, try := range append(tries, "index") {
		p := path.Join(dir, try)
		for _, ext := range append([]string{""}, extensions...) {
			if file, err := f.file(p + ext); err == nil {
				return target{file: file}, nil
			}
		}
		if p == dir {
			continue
		}
		for _, ext := range extensions {
			if file, err := f.file(path.Join(p, "index") + ext); err == nil {
				return target{file: file}, nil
			}
		}
	}
	return target{}, fmt.Errorf("%s has no file to enter it by", dir)
}

// builtins are the parts of Node that have no prefix.
var builtins = []string{
	"assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants",
	"crypto", "dgram", "diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2",
	"https", "inspector", "module", "net", "os", "path", "perf_hooks", "process", "punycode",
	"querystring", "readline", "repl", "stream", "string_decoder", "sys", "timers", "tls",
	"trace_events", "tty", "url", "util", "v8", "vm", "wasi", "worker_threads", "zlib",
}
