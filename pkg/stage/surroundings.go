package stage

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// surroundings is what a file's rules know of the catalog that it is in: its
// shared lists, and, once the last record has come by, all that it defines. The
// lists do not change once a file has seen them: where they do, as of a catalog
// that is watched, there are new surroundings.
type surroundings struct {
	lists  *sharedlist.Lists
	facts  *walk.Facts
	folder *folder
	rules  *rules.Context
	seen   bool // a file uses it

	unreadList string // a file in _lists that cannot be read, "" where all can
}

// surveyor keeps the surroundings of each catalog of the stream, in stream
// order: a schema sees the lists that came before it, which are all where
// fmcp-scan made the stream. Where none came (a single file, say), those in
// the catalog's folder on disk count.
type surveyor struct {
	options  rules.Context // profile and spec
	catalogs map[string]*surroundings
	again    bool            // files come a second time, since fmcp-scan watches them
	unread   map[string]bool // files that came as an error only, or (true) without their export
}

func newSurveyor(profile rules.Profile, spec rules.Spec, libraries []string) *surveyor {
	return &surveyor{
		options:  rules.Context{Profile: profile, Spec: spec, Libraries: libraries},
		catalogs: map[string]*surroundings{}, unread: map[string]bool{},
	}
}

// observe notes what a record adds to its catalog, and tells it its
// surroundings.
func (s *surveyor) observe(it *Item) {
	switch rec := it.Rec.(type) {
	case *record.Scan:
		src := record.Source{Root: rec.Root, Path: rec.Path}
		env := s.of(walk.Root(src))
		env.forget(s.again, src)
		env.facts.AddFile(src)
	case *record.Error:
		file := cmp.Or(locPath(rec), rec.Input)
		s.unread[file] = false
		s.missList(file)
	case *record.Load:
		delete(s.unread, rec.Src.File())
		if rec.Type == record.TypeSchema && !rec.Data.Is(ordjson.Object) {
			s.unread[rec.Src.File()] = true // VAL001: what it was to define nobody knows
		}
		dir := walk.Root(rec.Src)
		if rec.Type == record.TypeList {
			list, _ := sharedlist.NewList(rec)
			if s.add(dir, list); list.Name == "" {
				s.missList(rec.Src.File())
			}
		}
		env := s.of(dir)
		env.seen = env.seen || rec.Type == record.TypeSchema
		env.forget(s.again, rec.Src)
		env.facts.Add(rec)
		it.env = env
	}
}

func locPath(e *record.Error) string {
	if e.Loc == nil {
		return ""
	}
	return e.Loc.Path
}

// missList notes a file of shared lists that cannot be read, or gives its list no
// name: a schema may refer to what it defines.
func (s *surveyor) missList(file string) {
	folder := filepath.Dir(file)
	if filepath.Base(folder) != "_lists" {
		return
	}
	dir := filepath.Dir(folder)
	if s.catalogs[dir] == nil {
		s.catalogs[dir] = s.empty(dir)
	}
	if env := s.catalogs[dir]; !env.seen {
		env.unreadList, env.rules.UnjudgedLists = file, new(atomic.Int32)
	}
}

// tellUnread tells each catalog its files that could not be read, before the
// rules that need all of it have their say.
func (s *surveyor) tellUnread() {
	for dir, env := range s.catalogs {
		var paths []string
		for file, bare := range s.unread {
			rel, err := filepath.Rel(dir, file)
			if err == nil && filepath.IsLocal(rel) && (bare || !env.facts.HasFile(filepath.ToSlash(rel))) {
				paths = append(paths, filepath.ToSlash(rel))
			}
		}
		slices.Sort(paths)
		env.facts.SetUnread(paths)
	}
}

// unjudged says of the files that could not be read what was not judged for
// them, in place of blaming who refers to them.
func (s *surveyor) unjudged() []*record.Diagnostic {
	var list []*record.Diagnostic
	for _, dir := range slices.Sorted(maps.Keys(s.catalogs)) {
		env := s.catalogs[dir]
		if env.unreadList != "" && env.rules.UnjudgedLists.Load() > 0 {
			list = append(list, &record.Diagnostic{
				Code: catalog.CodeUnjudged, Severity: record.SeverityInfo, Subject: env.unreadList,
				Message: words.Count(int(env.rules.UnjudgedLists.Load()), "reference") +
					" to shared lists could not be checked, since this file cannot be used",
				Fix: "correct the file, and validate again", Loc: record.Loc{Path: env.unreadList},
			})
		}
		for _, u := range env.facts.Unjudged() {
			list = append(list, &record.Diagnostic{
				Code: catalog.CodeUnjudged, Severity: record.SeverityInfo,
				Subject: walk.SchemaFileID(u.Namespace, u.Path),
				Message: words.Count(u.Unjudged, "reference") + " to " + u.Namespace +
					"/… could not be checked, since this file cannot be read",
				Fix: "correct the file, and validate again",
				Loc: record.Loc{Path: filepath.Join(dir, filepath.FromSlash(u.Path))},
			})
		}
	}
	return list
}

// of returns the surroundings of a catalog's folder.
func (s *surveyor) of(dir string) *surroundings {
	env := s.catalogs[dir]
	if env == nil {
		env = s.fromDisk(dir)
		s.catalogs[dir] = env
	}
	return env
}

func (env *surroundings) forget(again bool, src record.Source) {
	if again {
		env.facts.Remove(env.facts.Path(src))
	}
}

// lookAgain makes all folders be read anew.
func (s *surveyor) lookAgain() {
	for _, env := range s.catalogs {
		env.folder.forget()
		env.rules.Forget()
	}
}

// remove forgets a file that is no more.
func (s *surveyor) remove(src record.Source) {
	dir := walk.Root(src)
	env := s.of(dir)
	env.facts.Remove(env.facts.Path(src))
	if slices.ContainsFunc(env.lists.All(), func(l *sharedlist.List) bool { return l.Src.File() == src.File() }) {
		s.catalogs[dir] = s.without(dir, src)
	}
}

// without are the surroundings of a folder but for the list of a file. Files
// that are being checked keep what they have.
func (s *surveyor) without(dir string, src record.Source) *surroundings {
	old, env := s.catalogs[dir], s.empty(dir)
	env.facts, env.rules.Catalog = old.facts, old.facts
	for _, l := range old.lists.All() {
		if l.Src.File() != src.File() {
			_ = env.lists.Add(l) // they fitted before
		}
	}
	return env
}

func (s *surveyor) add(dir string, list *sharedlist.List) {
	env := s.catalogs[dir]
	switch {
	case env == nil:
		env = s.empty(dir)
	case env.seen:
		env = s.without(dir, list.Src) // what it was before it changed
	}
	// Two lists of one name are fmcp-resolve's to report; the first counts.
	_ = env.lists.Add(list)
	env.rules.Forget()
	s.catalogs[dir] = env
}

func (s *surveyor) empty(dir string) *surroundings {
	env := &surroundings{lists: &sharedlist.Lists{}, facts: walk.NewFacts(dir), folder: &folder{dir: dir}}
	env.rules = &rules.Context{
		Profile: s.options.Profile, Spec: s.options.Spec, Libraries: s.options.Libraries,
		Lists: env.lists, Catalog: env.facts, Files: env.folder, Stored: stored,
	}
	return env
}

// fromDisk reads the lists of a catalog's folder. Without one, nothing is
// known of lists, and rules about them stay silent.
func (s *surveyor) fromDisk(dir string) *surroundings {
	env := s.empty(dir)
	names, err := filepath.Glob(filepath.Join(dir, "_lists", "*.mjs"))
	if err != nil || len(names) == 0 {
		if _, err := os.Stat(filepath.Join(dir, "registry.json")); err != nil {
			env.rules.Lists = nil
		}
		return env
	}
	for _, name := range names {
		// A link that leads out of the catalog is not loaded.
		load := env.folder.load("_lists/" + filepath.Base(name))
		if load == nil || !slices.Contains(load.Exports, "list") {
			continue
		}
		if list, _ := sharedlist.NewList(load); list != nil {
			_ = env.lists.Add(list)
		}
	}
	return env
}
