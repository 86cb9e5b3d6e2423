package stage

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/spool"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// checkCatalogs is the step that passes findings, and the records of files that
// they allow to pass. Files that need the whole catalog wait until the last record
// has come by, or, where fmcp-scan watches, until a round is complete: then come
// their findings, and with Pass or Keep their records, in the order of the input.
func checkCatalogs(opts ValidateOptions) Step {
	j := newCatalogCheck(opts)
	return Step{
		InOrder: j.inOrder,
		Finish: func(_ context.Context, emit func(Batch) bool) error {
			j.noteUnread()
			j.judge(false, emit)
			return errors.Join(j.records.err, j.records.Close())
		},
	}
}

// catalogCheck is checkCatalogs at work.
type catalogCheck struct {
	ValidateOptions
	catalogs map[string]*wholeCatalog // by folder
	unread   map[string]unreadAs      // files of which it is not known what they define
	failed   map[string]bool          // files that have an error-level finding, until their record comes
	records  records                  // that have come by
	waiting  []*waitingFile           // for the whole catalog
	judged   []*waitingFile           // where fmcp-scan watches: those of earlier rounds
	twice    map[string]bool          // messages about what is defined twice
	keys     keyAsks
	again    bool            // files come a second time, since fmcp-scan watches them
	came     map[string]bool // where they do, those of this round
}

func newCatalogCheck(opts ValidateOptions) *catalogCheck {
	return &catalogCheck{ValidateOptions: opts, catalogs: map[string]*wholeCatalog{}, unread: map[string]unreadAs{},
		failed: map[string]bool{}, came: map[string]bool{}}
}

// wholeCatalog is a catalog as it is known when the last record has come by.
type wholeCatalog struct {
	place  int // among the catalogs, in the order in which they came by
	facts  *walk.Facts
	folder *folder
	lists  *catalogLists  // nil until a file comes
	rules  *rules.Context // of the others
}

// unreadAs says why it is not known what a file defines.
type unreadAs int

const (
	anError       unreadAs = iota // there is an error in place of its record
	withoutExport                 // there is no object in its record (VAL001)
)

// defining are the types whose object others refer to by ID.
var defining = []record.Type{record.TypeSchema, record.TypeSelection, record.TypeAgent, record.TypeSkill,
	record.TypePrompt}

func (j *catalogCheck) inOrder(it *Item) (Batch, error) {
	switch rec := it.Rec.(type) {
	case *record.Diagnostic:
		d := j.filter(rec)
		if d == nil {
			return nil, nil
		}
		if d != rec {
			it.Rec, it.Line = d, nil
		}
		if d.Severity == record.SeverityError {
			j.failed[d.Loc.Path] = true
		}
	case *record.Error:
		j.unread[fileOfError(rec)] = anError
	case *record.Scan:
		if src := (record.Source{Root: rec.Root, Path: rec.Path}); j.CatalogRules != rules.NoCatalogRules {
			j.forget(src).facts.AddFile(src)
		}
		if !j.Pass && !j.Keep {
			return nil, nil
		}
	case *checkedFile:
		return j.take(it, rec)
	case *checkedRound:
		it.Rec = rec.Round
		return append(j.round(rec), it), nil
	}
	return Batch{it}, nil
}

// take notes what a file adds to its catalog, and passes its record on unless
// that must wait.
func (j *catalogCheck) take(it *Item, file *checkedFile) (Batch, error) {
	load, name := file.Load, file.Src.File()
	it.Rec = load
	if j.File != nil {
		j.File()
	}
	failed := j.failed[name]
	delete(j.failed, name)
	if j.CatalogRules == rules.NoCatalogRules {
		return j.passOn(nil, it, failed), nil
	}
	c := j.forget(load.Src)
	c.use(file.lists, &j.ValidateOptions)
	c.facts.Add(load)
	if load.Type == record.TypeList {
		c.rules.Forget()
	}
	delete(j.unread, name)
	if slices.Contains(defining, load.Type) && !load.Data.Is(ordjson.Object) {
		j.unread[name] = withoutExport
	}
	j.keys.add(load, j.again)
	if j.again {
		j.came[name] = true
	}
	waits := rules.NeedsCatalog(load)
	var kept spool.Place
	if !j.again && (waits || it.Line != nil) { // what this process has loaded it can load again
		var err error
		if kept, err = j.records.Add(it.AppendJSON(nil)); err != nil {
			return nil, err
		}
		c.folder.came.places[strings.Clone(c.facts.Path(load.Src))] = kept
	}
	if !waits {
		return j.passOn(nil, it, failed), nil
	}
	w := &waitingFile{catalog: c, checkedFile: file, item: it, failed: failed}
	if !j.again {
		w.kept, w.item = kept, nil
		w.Load = &record.Load{Src: load.Src.Clone()} // texts of the record are pieces of its line
	}
	j.waiting = append(j.waiting, w)
	return nil, nil
}

// passOn adds the record of a file to what was found about it, if it is to go on.
func (j *catalogCheck) passOn(found Batch, it *Item, failed bool) Batch {
	if j.Keep || j.Pass && !failed {
		return append(found, it)
	}
	return found
}

// of returns the catalog of a file.
func (j *catalogCheck) of(src record.Source) *wholeCatalog {
	dir := walk.Root(src)
	if j.catalogs[dir] == nil {
		facts := walk.NewFacts(dir)
		came := &cameBy{facts: facts, records: &j.records, places: map[string]spool.Place{}}
		j.catalogs[dir] = &wholeCatalog{place: len(j.catalogs), facts: facts,
			folder: &folder{dir: dir, buffers: j.Buffers, came: came}}
	}
	return j.catalogs[dir]
}

// forget is of for a file that comes, perhaps a second time.
func (j *catalogCheck) forget(src record.Source) *wholeCatalog {
	c := j.of(src)
	if j.again {
		c.remove(src)
	}
	return c
}

// use makes rules see the lists as they are now.
func (c *wholeCatalog) use(lists *catalogLists, opts *ValidateOptions) {
	if c.lists != lists {
		c.lists, c.rules = lists, opts.context(c.facts, c.folder)
		c.rules.Lists, c.rules.UnjudgedLists = lists.rules.Lists, lists.rules.UnjudgedLists
	}
}

// judge checks the files that wait, and emits what is found about them and
// about the catalogs; again says that they will be judged again.
func (j *catalogCheck) judge(again bool, emit func(Batch) bool) {
	if j.CatalogRules == rules.NoCatalogRules {
		return
	}
	// Parts of a catalog may come in any order: what is found does not depend on it.
	slices.SortStableFunc(j.waiting, (*waitingFile).compare)
	for _, w := range j.waiting {
		it := j.item(w)
		if it == nil {
			return
		}
		found := j.whole(w, it)
		if again {
			w.said = textOf(found)
		}
		if !emit(j.passOn(found, it, w.failed)) {
			return
		}
	}
	inBatches(slices.Concat(j.unjudged(), j.definedTwice(), j.sharedKeys()), emit)
}

// whole checks the record of a file by the rules that need the whole catalog, as it is
// now: lists may have come after the file.
func (j *catalogCheck) whole(w *waitingFile, it *Item) Batch {
	file := *w.checkedFile
	file.Load = it.Rec.(*record.Load)
	var out Batch
	for _, d := range j.diagnostics(&file, rules.CheckCatalog(file.Load, w.catalog.rules), nil, true) {
		if d = j.filter(d); d != nil {
			w.failed = w.failed || d.Severity == record.SeverityError && d.Loc.Path == file.Src.File()
			out = append(out, New(d))
		}
	}
	return out
}

// noteUnread gives each catalog its files that could not be read, before the
// rules that need all of it run.
func (j *catalogCheck) noteUnread() {
	for dir, c := range j.catalogs {
		var paths []string
		for file, why := range j.unread {
			rel, err := filepath.Rel(dir, file)
			if err == nil && filepath.IsLocal(rel) &&
				(why == withoutExport || !c.facts.HasFile(filepath.ToSlash(rel))) {
				paths = append(paths, filepath.ToSlash(rel))
			}
		}
		slices.Sort(paths)
		c.facts.SetUnread(paths)
		c.folder.came.unread = paths
	}
}

// unjudged says of the files that could not be read what was not judged for
// them, in place of blaming who refers to them.
func (j *catalogCheck) unjudged() []*record.Diagnostic {
	var list []*record.Diagnostic
	report := func(subject, file string, n int, what, not string) {
		d := j.filter(&record.Diagnostic{
			Code: catalog.CodeUnjudged, Severity: record.SeverityInfo, Subject: subject,
			Message: words.Count(n, "reference") + " to " + what +
				" could not be checked, since this file cannot be " + not,
			Fix: "correct the file, and validate again", Loc: record.Loc{Path: file},
		})
		if d != nil {
			list = append(list, d)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(j.catalogs)) {
		c := j.catalogs[dir]
		if l := c.lists; l != nil && l.unread != "" && l.rules.UnjudgedLists.Load() > 0 {
			report(l.unread, l.unread, int(l.rules.UnjudgedLists.Load()), "shared lists", "used")
		}
		for _, u := range c.facts.Unjudged() {
			report(walk.SchemaFileID(u.Namespace, u.Path), filepath.Join(dir, filepath.FromSlash(u.Path)), u.Unjudged,
				u.Namespace+"/…", "read")
		}
	}
	return list
}
