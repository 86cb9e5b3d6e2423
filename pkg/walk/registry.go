package walk

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// listed are where a registry names its files, and what these are (chapter 15).
var listed = []struct {
	section, field string
	typ            record.Type
}{
	{"shared", "file", record.TypeList}, {"schemas", "file", record.TypeSchema},
	{"agents", "manifest", record.TypeAgent}, {"selections", "file", record.TypeSelection},
}

// Listed says where a registry lists files of a type, "" where nowhere.
func Listed(t record.Type) (section, field string) {
	for _, l := range listed {
		if l.typ == t {
			return l.section, l.field
		}
	}
	return "", ""
}

// ListedFiles are the paths that a registry lists.
func ListedFiles(registry ordjson.Value) []string {
	var paths []string
	for _, l := range listed {
		for _, e := range registry.Get(l.section).Elems() {
			paths = append(paths, e.Get(l.field).Str())
		}
	}
	return paths
}

// Registry is a catalog of which the registry is written: its folder, what its
// registry says now, Missing for none, and what it has.
type Registry struct {
	Dir   string
	Was   ordjson.Value
	Loads []*record.Load
}

// Registries sorts load records into catalogs, in the order of their folders.
func Registries(loads []*record.Load) []*Registry {
	dirs, byDir := Scopes{}, map[string]*Registry{}
	for _, l := range loads {
		dirs.Add(l)
	}
	var list []*Registry
	for _, l := range loads {
		dir := dirs.Root(l.Src)
		if byDir[dir] == nil {
			byDir[dir] = &Registry{Dir: dir}
			list = append(list, byDir[dir])
		}
		if byDir[dir].Loads = append(byDir[dir].Loads, l); IsRegistry(l) {
			byDir[dir].Was = l.Data
		}
	}
	slices.SortFunc(list, func(a, b *Registry) int { return strings.Compare(a.Dir, b.Dir) })
	return list
}

// Build is the registry of the catalog (chapter 15, "Registry Manifest Format"). What
// only the author knows stays: description, versions, names of schemas, descriptions of
// agents, unknown fields, and the order of the entries. Those whose file is gone go, and
// new ones come last. A registry without contentHash gets none. read reads a file of the
// catalog.
func (r *Registry) Build(read func(name string) []byte) ordjson.Value {
	v, text := r.Was, func(s string) ordjson.Value { return ordjson.NewString(s) }
	if !v.Is(ordjson.Object) {
		v = ordjson.NewObject(ordjson.Field("name", text(FolderName(r.Dir))), ordjson.Field("version", text("1.0.0")),
			ordjson.Field("description", text("")), ordjson.Field("schemaSpec", text(SpecVersion)),
			ordjson.Field("contentHash", text("")))
	}
	v = v.With("name", text(FolderName(r.Dir)))
	for _, l := range listed {
		entries := r.entries(v.Get(l.section), l.field, l.typ)
		if len(entries) > 0 || v.Get(l.section).Exists() || l.typ != record.TypeSelection {
			v = v.With(l.section, ordjson.NewArray(entries...))
		}
	}
	if v.Get("contentHash").Exists() {
		if hash := ContentHash(v, read); hash != "" {
			v = v.With("contentHash", text(hash))
		}
	}
	return v
}

// SpecVersion is the version of the specification that a new registry names.
const SpecVersion = "4.2.0"

// entries are those of the files of a type.
func (r *Registry) entries(was ordjson.Value, field string, typ record.Type) []ordjson.Value {
	files := map[string]*record.Load{}
	var names []string
	for _, l := range r.Loads {
		rel, err := filepath.Rel(r.Dir, l.Src.File())
		if name := filepath.ToSlash(rel); err == nil && l.Type == typ {
			files[name] = l
			names = append(names, name)
		}
	}
	var entries []ordjson.Value
	for _, e := range was.Elems() {
		name := path.Clean(e.Get(field).Str())
		if files[name] == nil && typ == record.TypeAgent { // the field has manifest.json
			name = path.Join(path.Dir(name), "agent.mjs")
		}
		if l := files[name]; l != nil {
			entries = append(entries, entryOf(e, field, name, l))
			delete(files, name)
		}
	}
	slices.SortFunc(names, ordjson.CompareUTF16)
	for _, name := range names {
		if l := files[name]; l != nil && l.Data.Is(ordjson.Object) {
			entries = append(entries, entryOf(ordjson.NewObject(), field, name, l))
		}
	}
	return entries
}

// entryOf is the entry of a file, as far as it is not there already.
func entryOf(e ordjson.Value, field, file string, l *record.Load) ordjson.Value {
	if !l.Data.Is(ordjson.Object) {
		return e // VAL001 and the like are about the file
	}
	set := func(key string, v ordjson.Value) {
		if !ordjson.Equal(e.Get(key), v) {
			e = e.With(key, v)
		}
	}
	own := func(key, s string) { // of what the author may have written otherwise
		if strings.TrimSpace(e.Get(key).Str()) == "" {
			set(key, ordjson.NewString(s))
		}
	}
	names := func(key string, list []string) {
		if now := record.StringsOf(e.Get(key)); !e.Get(key).Is(ordjson.Array) || !sameSet(now, list) {
			set(key, ordjson.Strings(list))
		}
	}
	at := func() {
		if path.Clean(e.Get(field).Str()) != file {
			set(field, ordjson.NewString(file))
		}
	}
	switch l.Type {
	case record.TypeList:
		at()
		set("name", ordjson.NewString(l.Data.Get("meta").Get("name").Str()))
	case record.TypeSchema:
		schema := model.NewSchema(l.Data)
		set("namespace", ordjson.NewString(catalog.NamespaceOf(l)))
		at()
		own("name", l.Data.Get("name").Str())
		names("requiredServerParams", schema.RequiredServerParams())
		set("hasHandlers", ordjson.NewBool(slices.Contains(l.Exports, "handlers")))
		names("sharedLists", schema.ListNames())
	case record.TypeAgent:
		set("name", ordjson.NewString(path.Base(path.Dir(file))))
		own("description", l.Data.Get("description").Str())
		at()
	case record.TypeSelection:
		own("name", l.Data.Get("name").Str())
		own("description", l.Data.Get("description").Str())
		at()
	}
	return e
}

func sameSet(a, b []string) bool {
	sorted := func(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }
	return slices.Equal(sorted(a), sorted(b))
}

// ListRegistry is where the registry of the shared lists is (chapter 03, "List
// Registry").
const ListRegistry = "_lists/_registry.json"

// ListEntry is what that says of a list: file is its path in the catalog.
func ListEntry(file string, l *record.Load) ordjson.Value {
	meta := l.Data.Get("meta")
	return ordjson.NewObject(
		ordjson.Field("name", ordjson.NewString(meta.Get("name").Str())),
		ordjson.Field("version", ordjson.NewString(meta.Get("version").Str())),
		ordjson.Field("file", ordjson.NewString(file)),
		ordjson.Field("entryCount", ordjson.NewInt(l.Data.Get("entries").Len())),
		ordjson.Field("hash", ordjson.NewString(l.Src.FileHash)),
	)
}

// BuildLists is the registry of the shared lists.
func (r *Registry) BuildLists(specVersion string) ordjson.Value {
	var lists []ordjson.Value
	for _, l := range r.Loads {
		rel, err := filepath.Rel(r.Dir, l.Src.File())
		if err == nil && l.Type == record.TypeList && l.Data.Is(ordjson.Object) {
			lists = append(lists, ListEntry(filepath.ToSlash(rel), l))
		}
	}
	slices.SortFunc(lists, func(a, b ordjson.Value) int {
		return ordjson.CompareUTF16(a.Get("file").Str(), b.Get("file").Str())
	})
	return ordjson.NewObject(ordjson.Field("specVersion", ordjson.NewString(specVersion)),
		ordjson.Field("lists", ordjson.NewArray(lists...)))
}
