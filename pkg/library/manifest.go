package library

import (
	"path"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// manifest is a package.json.
type manifest struct {
	dir  string // its folder
	data ordjson.Value
}

// manifest reads the package.json of a folder, nil if it has none that can be
// read.
func (f *Folder) manifest(dir string) *manifest {
	f.mu.Lock()
	defer f.mu.Unlock()
	m, known := f.manifests[dir]
	if known {
		return m
	}
	if p, err := f.file(path.Join(dir, "package.json")); err == nil {
		if text, err := f.read(p); err == nil {
			if v, err := ordjson.Parse(strings.TrimPrefix(text, "\uFEFF")); err == nil && v.Is(ordjson.Object) {
				m = &manifest{dir: dir, data: v}
			}
		}
	}
	f.manifests[dir] = m
	return m
}

// above returns the first package.json in the folder of a file, or above it,
// that wanted accepts. It does not leave the package.
func (f *Folder) above(dir string, wanted func(*manifest) bool) *manifest {
	for ; !holdsPackages(dir); dir = path.Dir(dir) {
		if m := f.manifest(dir); m != nil && wanted(m) {
			return m
		}
	}
	return nil
}

// holdsPackages reports whether a folder is one that packages are installed in:
// a node_modules, or a scope in it.
func holdsPackages(dir string) bool {
	if strings.HasPrefix(path.Base(dir), "@") {
		dir = path.Dir(dir)
	}
	return dir == "." || path.Base(dir) == "node_modules"
}

// isModule reports whether a file is an ES module by Node's rules.
func (f *Folder) isModule(file string) bool {
	switch path.Ext(file) {
	case ".mjs":
		return true
	case ".js":
		m := f.above(path.Dir(file), func(*manifest) bool { return true })
		return m != nil && m.data.Get("type").Str() == "module"
	}
	return false
}

// pure reports whether a file may be left out where nothing of it is used.
func (f *Folder) pure(file string) bool {
	m := f.above(path.Dir(file), func(m *manifest) bool { return m.data.Get("sideEffects").Exists() })
	return m != nil && m.data.Get("sideEffects").Is(ordjson.Bool) && !m.data.Get("sideEffects").True()
}

// replaced is what the browser field of the package that holds dir puts in the
// place of the first of some keys: to, as seen from scope, or nothing at all.
func (f *Folder) replaced(dir string, keys func(scope string) []string) (scope *manifest, to string, empty bool) {
	scope = f.above(dir, func(m *manifest) bool { return m.data.Get("browser").Is(ordjson.Object) })
	if scope == nil {
		return nil, "", false
	}
	for _, key := range keys(scope.dir) {
		switch v := scope.data.Get("browser").Get(key); {
		case v.Is(ordjson.Bool) && !v.True():
			return scope, "", true
		case v.Str() != "":
			return scope, v.Str(), false
		}
	}
	return nil, "", false
}

// fileKeys are the keys by which a browser field may name a file.
func fileKeys(file string) func(string) []string {
	return func(scope string) []string {
		within := strings.TrimPrefix(file, scope+"/")
		bare := strings.TrimSuffix(within, path.Ext(within))
		return []string{"./" + within, within, "./" + bare, bare, "./" + strings.TrimSuffix(bare, "/index")}
	}
}

// mains are the files that a package may be entered by, the best first. For
// require, a CommonJS file is better than an ES module.
func (m *manifest) mains(require bool) []string {
	keys := []string{"browser", "module", "main"}
	if require {
		keys = []string{"browser", "main", "module"}
	}
	var list []string
	for _, key := range keys {
		if s := m.data.Get(key).Str(); s != "" {
			list = append(list, s)
		}
	}
	return list
}

// conditions of exports and imports that hold in addition to import or require.
var conditions = []string{"module", "browser", "default"}

// exported finds the target of a subpath ("." or "./x") in exports or imports
// (Node, "Package entry points"); "" if there is none.
func exported(v ordjson.Value, subpath string, require bool) string {
	single := !v.Is(ordjson.Object) || v.Len() > 0 && !strings.HasPrefix(v.Members()[0].Key, ".") &&
		!strings.HasPrefix(v.Members()[0].Key, "#")
	if single {
		if subpath != "." {
			return ""
		}
		return chosen(v, "", require)
	}
	if direct := v.Get(subpath); direct.Exists() && !strings.Contains(subpath, "*") {
		return chosen(direct, "", require)
	}
	var best, star string
	var target ordjson.Value
	for _, m := range v.Members() {
		before, after, pattern := strings.Cut(m.Key, "*")
		if !pattern && strings.HasSuffix(m.Key, "/") {
			pattern = true
		}
		if pattern && len(subpath) >= len(before)+len(after) && strings.HasPrefix(subpath, before) &&
			strings.HasSuffix(subpath, after) && len(before) > len(best) {
			best, target, star = before, m.Value, subpath[len(before):len(subpath)-len(after)]
		}
	}
	return chosen(target, star, require)
}

// chosen takes the first target whose conditions hold.
func chosen(v ordjson.Value, star string, require bool) string {
	switch v.Kind() {
	case ordjson.String:
		if strings.HasSuffix(v.Str(), "/") {
			return v.Str() + star
		}
		return strings.ReplaceAll(v.Str(), "*", star)
	case ordjson.Array:
		for _, e := range v.Elems() {
			if t := chosen(e, star, require); t != "" {
				return t
			}
		}
	case ordjson.Object:
		for _, m := range v.Members() {
			if !holds(m.Key, require) {
				continue
			}
			if t := chosen(m.Value, star, require); t != "" {
				return t
			}
		}
	}
	return ""
}

func holds(condition string, require bool) bool {
	for _, c := range conditions {
		if c == condition {
			return true
		}
	}
	return condition == "require" && require || condition == "import" && !require
}
