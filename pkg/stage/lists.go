package stage

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// catalogLists are the shared lists of a catalog. They do not change once a schema
// has seen them: where they do, as of a catalog that is watched, there are new
// ones.
type catalogLists struct {
	lists  *sharedlist.Lists
	folder *folder
	rules  *rules.Context // for rules that look at one file
	seen   bool           // a schema uses it
	unread string         // a file in _lists that cannot be read, "" where all can
}

// listsInStream keeps the lists of each catalog: a schema sees the lists that came
// before it, which are all where fmcp-scan made the stream, and those in the catalog's
// folder on disk: where none came (a single file, say), or some have yet to come
// (decision "Evidence in any order").
type listsInStream struct {
	opts     ValidateOptions
	catalogs map[string]*catalogLists // by folder
	again    bool                     // a round is over: the next step may be at work on all of them
	code     *codeFound               // in the file whose findings came last
}

// inOrder notes what a record adds to the lists of its catalog, and gives files
// and rounds the lists as they are then.
func (s *listsInStream) inOrder(it *Item) (Batch, error) {
	switch rec := it.Rec.(type) {
	case *record.Error:
		s.miss(fileOfError(rec))
	case *record.Diagnostic:
		if s.code.explains(rec) {
			return nil, nil
		}
		s.code = s.code.with(rec)
	case *record.Load:
		dir := walk.Root(rec.Src)
		if rec.Type == record.TypeList {
			list, _ := sharedlist.NewList(rec)
			if s.add(dir, list); list.Name == "" {
				s.miss(rec.Src.File())
			}
		}
		c := s.of(dir)
		if c.rules.Lists == nil && walk.IsRegistry(rec) { // a catalog without lists, whose folder is elsewhere
			c = s.without(dir, "")
			s.catalogs[dir] = c
		}
		c.seen = c.seen || rec.Type == record.TypeSchema
		it.Rec = &checkedFile{Load: rec, lists: c, code: s.code.of(rec)}
		s.code = nil
	case *record.Round:
		for _, path := range rec.Removed {
			s.remove(record.Source{Root: rec.Root, Path: path})
		}
		s.again = true
		it.Rec = &checkedRound{rec, maps.Clone(s.catalogs)}
	}
	return Batch{it}, nil
}

func fileOfError(e *record.Error) string {
	if e.Loc == nil {
		return e.Input
	}
	return cmp.Or(e.Loc.Path, e.Input)
}

// of returns the lists of a catalog's folder.
func (s *listsInStream) of(dir string) *catalogLists {
	if s.catalogs[dir] == nil {
		s.catalogs[dir] = s.fromDisk(dir)
	}
	return s.catalogs[dir]
}

// miss notes a file of shared lists that cannot be read, or gives its list no
// name: a schema may refer to what it defines.
func (s *listsInStream) miss(file string) {
	folder := filepath.Dir(file)
	dir := filepath.Dir(folder)
	old := s.catalogs[dir]
	if filepath.Base(folder) != "_lists" || old != nil && old.seen {
		return
	}
	c := s.without(dir, "")
	c.unread, c.rules.UnjudgedLists = file, new(atomic.Int32)
	s.catalogs[dir] = c
}

// add adds a list, or puts it in the place of what its file defined before.
func (s *listsInStream) add(dir string, list *sharedlist.List) {
	c := s.catalogs[dir]
	if c == nil {
		s.catalogs[dir] = s.fromDisk(dir)
	}
	if c == nil || c.seen || s.again {
		c = s.without(dir, list.Src.File())
	}
	// Two lists of one name are fmcp-resolve's to report; the first counts.
	_ = c.lists.Add(list)
	s.catalogs[dir] = c
}

// remove forgets the list of a file that is gone.
func (s *listsInStream) remove(src record.Source) {
	dir := walk.Root(src)
	c := s.catalogs[dir]
	isOf := func(l *sharedlist.List) bool { return l.Src.File() == src.File() }
	if c != nil && slices.ContainsFunc(c.lists.All(), isOf) {
		s.catalogs[dir] = s.without(dir, src.File())
	}
}

// without are the lists of a folder but for that of a file. Files that are being
// checked keep what they have.
func (s *listsInStream) without(dir, file string) *catalogLists {
	c := s.empty(dir)
	if old := s.catalogs[dir]; old != nil {
		for _, l := range old.lists.All() {
			if l.Src.File() != file {
				_ = c.lists.Add(l) // they fitted before
			}
		}
	}
	return c
}

func (s *listsInStream) empty(dir string) *catalogLists {
	c := &catalogLists{lists: &sharedlist.Lists{}, folder: &folder{dir: dir, buffers: s.opts.Buffers}}
	c.rules = s.opts.context(walk.NewFacts(dir), c.folder) // only paths are asked for there
	c.rules.Lists = c.lists
	return c
}

// context is what rules know of the catalog, but for its lists.
func (o *ValidateOptions) context(facts *walk.Facts, files *folder) *rules.Context {
	return &rules.Context{
		Profile: o.Profile, Spec: o.Spec, Libraries: o.Libraries, CatalogRules: o.CatalogRules,
		Catalog: facts, Files: files, Stored: stored,
	}
}

// fromDisk reads the lists of a catalog's folder. Without one, nothing is
// known of lists, and rules about them stay silent.
func (s *listsInStream) fromDisk(dir string) *catalogLists {
	c := s.empty(dir)
	names, err := filepath.Glob(filepath.Join(dir, "_lists", "*.mjs"))
	if err != nil || len(names) == 0 {
		if _, err := os.Stat(filepath.Join(dir, "registry.json")); err != nil {
			c.rules.Lists = nil
		}
		return c
	}
	for _, name := range names {
		// A link that leads out of the catalog is not loaded.
		load := c.folder.load("_lists/" + filepath.Base(name))
		if load == nil || !slices.Contains(load.Exports, "list") {
			continue
		}
		if list, _ := sharedlist.NewList(load); list != nil {
			_ = c.lists.Add(list)
		}
	}
	return c
}
