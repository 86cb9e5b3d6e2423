package stage

import (
	"os"
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// surroundings is what a file's rules know of the catalog that it is in: its
// shared lists. It does not change once a file has seen it.
type surroundings struct {
	lists *catalog.Lists
	rules *rules.Context
	seen  bool // a file uses it
}

// surveyor keeps the surroundings of each catalog of the stream, in stream
// order: a schema sees the lists that came before it, which are all where
// fmcp-scan made the stream. Where none came (a single file, say), those in
// the catalog's folder on disk count.
type surveyor struct {
	options  rules.Context // profile and spec
	catalogs map[string]*surroundings
}

func newSurveyor(profile rules.Profile, spec rules.Spec, libraries []string) *surveyor {
	return &surveyor{
		options:  rules.Context{Profile: profile, Spec: spec, Libraries: libraries},
		catalogs: map[string]*surroundings{},
	}
}

// observe notes a list, and tells a schema its surroundings.
func (s *surveyor) observe(it *Item) {
	load, ok := it.Rec.(*record.Load)
	if !ok {
		return
	}
	dir := catalog.Root(load.Src)
	switch load.Type {
	case record.TypeList:
		if list, _ := catalog.NewList(load); list != nil {
			s.add(dir, list)
		}
	case record.TypeSchema:
		env := s.catalogs[dir]
		if env == nil {
			env = s.fromDisk(dir)
			s.catalogs[dir] = env
		}
		env.seen = true
		it.env = env
	}
}

func (s *surveyor) add(dir string, list *catalog.List) {
	env := s.catalogs[dir]
	switch {
	case env == nil:
		env = s.empty()
	case env.seen:
		// Files that are being checked keep what they have.
		old := env
		env = s.empty()
		for _, l := range old.lists.All() {
			_ = env.lists.Add(l) // they fitted before
		}
	}
	// Two lists of one name are fmcp-resolve's to report; the first counts.
	_ = env.lists.Add(list)
	s.catalogs[dir] = env
}

func (s *surveyor) empty() *surroundings {
	env := &surroundings{lists: &catalog.Lists{}}
	env.rules = &rules.Context{Profile: s.options.Profile, Spec: s.options.Spec, Libraries: s.options.Libraries, Lists: rules.ListsOf(env.lists)}
	return env
}

// fromDisk reads the lists of a catalog's folder. Without one, nothing is
// known of lists, and rules about them stay silent.
func (s *surveyor) fromDisk(dir string) *surroundings {
	env := s.empty()
	names, err := filepath.Glob(filepath.Join(dir, "_lists", "*.mjs"))
	if err != nil || len(names) == 0 {
		if _, err := os.Stat(filepath.Join(dir, "registry.json")); err != nil {
			env.rules.Lists = nil
		}
		return env
	}
	for _, name := range names {
		text, rerr := readModule(name)
		if rerr != nil {
			continue
		}
		mod, err := module.Read(text)
		if err != nil {
			continue
		}
		v, err := mod.Value("list")
		if err != nil {
			continue
		}
		src := record.Source{Root: dir, Path: "_lists/" + filepath.Base(name), FileHash: Hash(text)}
		if list, _ := catalog.NewList(&record.Load{Type: record.TypeList, Src: src, Data: v}); list != nil {
			_ = env.lists.Add(list)
		}
	}
	return env
}
