package walk

import (
	"hash/maphash"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Facts is what rules that look beyond one file ask about a catalog: which IDs
// it defines, and in which files. It is gathered while the records stream by
// and keeps hashes of the IDs, not their texts: a catalog of 50,000 schemas
// costs a few megabytes.
type Facts struct {
	Root string // folder of the catalog

	seed   maphash.Seed
	files  []string // paths relative to Root
	order  []uint32 // of files, see inOrder; nil where some have come since
	gone   map[uint32]bool
	ids    table
	spaces table // namespaces
	paths  table
	says   map[uint32]inRegistry // of schemas

	unread map[string]*Unread // by namespace
}

// table has the files, as places in Facts.files, by the hash of a text. Two texts
// of one hash are one in 10¹³ in the largest of catalogs.
type table map[uint64][]uint32

// inRegistry is what a registry repeats of a schema (chapter 15, "Schema Entry
// Fields"): the hashes of its namespace, of its server parameters and of its
// lists, and whether it has handlers.
type inRegistry struct {
	namespace, keys, lists uint64
	handlers               bool
}

// NewFacts returns the facts of an empty catalog in the folder root.
func NewFacts(root string) *Facts {
	return &Facts{Root: root, seed: maphash.MakeSeed(), gone: map[uint32]bool{}, ids: table{}, spaces: table{},
		paths: table{}, says: map[uint32]inRegistry{}}
}

func (f *Facts) put(t table, text string, file uint32) {
	hash := maphash.String(f.seed, text)
	t[hash] = append(t[hash], file)
}

// Path is the path of a file relative to the root of the catalog, with
// slashes; a file outside keeps the path by which it can be opened.
func (f *Facts) Path(src record.Source) string {
	name := src.File()
	if filepath.IsAbs(f.Root) { // then the path is too short to tell where it is
		if abs, err := filepath.Abs(name); err == nil {
			name = abs
		}
	}
	rel, err := filepath.Rel(f.Root, name)
	if err != nil || !filepath.IsLocal(rel) {
		return filepath.ToSlash(src.File())
	}
	return filepath.ToSlash(rel)
}

// AddFile notes a file that is not a module: a database, a markdown file.
func (f *Facts) AddFile(src record.Source) { f.addFile(f.Path(src)) }

func (f *Facts) addFile(path string) uint32 {
	file := uint32(len(f.files))
	f.files = append(f.files, strings.Clone(path)) // a piece of a record would keep all of its line
	f.order = nil
	f.put(f.paths, path, file)
	return file
}

// Add notes a file and the IDs that it defines, of a schema its own too. A file
// that comes a second time has to be removed before.
func (f *Facts) Add(l *record.Load) {
	file := f.addFile(f.Path(l.Src))
	if l.Type == record.TypeSchema {
		f.put(f.ids, l.ID, file)
		schema := model.NewSchema(l.Data)
		f.says[file] = inRegistry{f.hash([]string{schema.Namespace()}), f.hash(schema.RequiredServerParams()),
			f.hash(schema.ListNames()), slices.Contains(l.Exports, "handlers")}
	}
	f.put(f.spaces, catalog.NamespaceOf(l), file)
	catalog.EachID(l, func(id catalog.ID, _ *model.Node) { f.put(f.ids, id.String(), file) })
}

// hash is that of names in whatever order, each counted once.
func (f *Facts) hash(names []string) uint64 {
	return maphash.String(f.seed, strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), "\x00"))
}

// Agrees reports whether an entry of registry.json says nothing else of the
// schema of a path than the schema itself, which need not be read again then.
func (f *Facts) Agrees(path string, registered ordjson.Value) bool {
	for file := range f.under(f.paths, path) {
		schema, ok := f.says[file]
		keys, lists := registered.Get("requiredServerParams"), registered.Get("sharedLists")
		handlers := registered.Get("hasHandlers")
		namespace := registered.Get("namespace")
		return ok && (!namespace.Is(ordjson.String) || f.hash([]string{namespace.Str()}) == schema.namespace) &&
			(!keys.Is(ordjson.Array) || f.hash(record.StringsOf(keys)) == schema.keys) &&
			(!lists.Is(ordjson.Array) || f.hash(record.StringsOf(lists)) == schema.lists) &&
			(!handlers.Is(ordjson.Bool) || handlers.True() == schema.handlers)
	}
	return false
}

// Remove forgets a file and what it defines.
func (f *Facts) Remove(path string) {
	for _, file := range f.paths[maphash.String(f.seed, path)] {
		f.gone[file] = true
	}
	if len(f.gone) > maxGone && len(f.gone) > len(f.files)/2 {
		f.sweep()
	}
}

// maxGone is how many files that are gone are kept for the time being.
const maxGone = 1000

// sweep drops what is gone: a file that is changed all day comes thousands of times.
func (f *Facts) sweep() {
	place := make([]uint32, len(f.files))
	var files []string
	says := map[uint32]inRegistry{}
	for i, path := range f.files {
		if from := uint32(i); !f.gone[from] {
			place[i] = uint32(len(files))
			if s, ok := f.says[from]; ok {
				says[place[i]] = s
			}
			files = append(files, path)
		}
	}
	for _, t := range []table{f.ids, f.spaces, f.paths} {
		for hash, list := range t {
			var left []uint32
			for _, file := range list {
				if !f.gone[file] {
					left = append(left, place[file])
				}
			}
			if t[hash] = left; left == nil {
				delete(t, hash)
			}
		}
	}
	f.files, f.order, f.says, f.gone = files, nil, says, map[uint32]bool{}
}

// Has reports whether a file of the catalog defines the ID.
func (f *Facts) Has(id string) bool { return f.holds(f.ids, id) }

// FilesOf returns the paths of the files that define the ID, in the order of a walk.
func (f *Facts) FilesOf(id string) []string { return f.named(f.ids, id) }

// FilesOfNamespace returns the paths of the files that define something in a
// namespace, whatever their folder is called.
func (f *Facts) FilesOfNamespace(namespace string) []string { return f.named(f.spaces, namespace) }

// HasFile reports whether the catalog has a file of that path.
func (f *Facts) HasFile(path string) bool { return f.holds(f.paths, path) }

// holds makes no paths: a registry may ask for thousands.
func (f *Facts) holds(t table, text string) bool {
	for range f.under(t, text) {
		return true
	}
	return false
}

func (f *Facts) named(t table, text string) []string {
	var paths []string
	for file := range f.under(t, text) {
		paths = append(paths, f.files[file])
	}
	slices.SortFunc(paths, ComparePaths)
	return paths
}

// under are the files of a text, but for those that are gone.
func (f *Facts) under(t table, text string) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for _, file := range t[maphash.String(f.seed, text)] {
			if !f.gone[file] && !yield(file) {
				return
			}
		}
	}
}

// Files returns the paths of all files in the order of a walk.
func (f *Facts) Files() iter.Seq[string] { return f.present(f.inOrder()) }

// FilesIn returns the paths of the files below a folder of the catalog, in the order
// of a walk.
func (f *Facts) FilesIn(dir string) iter.Seq[string] {
	if dir == "." {
		return f.Files()
	}
	order, within := f.inOrder(), dir+"/"
	first, _ := slices.BinarySearchFunc(order, within, func(file uint32, to string) int {
		if strings.HasPrefix(f.files[file], to) {
			return 0
		}
		return ComparePaths(f.files[file], to)
	})
	after := first
	for after < len(order) && strings.HasPrefix(f.files[order[after]], within) {
		after++
	}
	return f.present(order[first:after])
}

func (f *Facts) present(files []uint32) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, file := range files {
			if !f.gone[file] && !yield(f.files[file]) {
				return
			}
		}
	}
}

// inOrder are the files in the order of a walk: where parts of a catalog were put
// together, they came in another, and what is found must not depend on that.
func (f *Facts) inOrder() []uint32 {
	if f.order == nil {
		f.order = make([]uint32, len(f.files))
		for i := range f.order {
			f.order[i] = uint32(i)
		}
		slices.SortFunc(f.order, func(a, b uint32) int { return ComparePaths(f.files[a], f.files[b]) })
	}
	return f.order
}
