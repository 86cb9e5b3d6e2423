// Package trim makes a copy of a catalog without the primitives whose tests fail
// (chapter 21, "Partial Schema Policy"): what is deployed to production works.
package trim

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// Options are those of New.
type Options struct {
	// Cascade also leaves out what names something that is removed.
	Cascade bool
	// Read returns what a file has, by the path that opens it. The error is for who runs
	// the command.
	Read func(file string) ([]byte, error)
}

// Plan says what becomes of the files of a catalog. It depends on what is in them
// and on the runs, not on the order of either.
type Plan struct {
	Removed  []Removed   // in the order of the files and their sources
	Untested []Untested  // tools and queries that stay though no test of them was made
	Named    []Reference // names of what is removed, in what stays
	Files    []*File     // that change, by their paths
	Unknown  []string    // Spec-IDs that were tested and that no file defines

	opts     Options
	loads    []*record.Load // by their paths
	byFile   map[string]*record.Load
	dirs     walk.Scopes
	scopes   map[string]scope  // by folder
	contents map[string]string // Spec-IDs of agents' prompts, by the file of their content
	defined  map[string]*record.Load
	gone     map[string]string // why, by Spec-ID
	files    map[string]*File  // by path
}

// Removed is a primitive that is taken out.
type Removed struct {
	ID      string // Spec-ID; of a query that of its resource, / and its name
	Path    string // of its file
	Pointer string // in its file, "" where it is all of that
	Line    int    // 0 where none is known
	Why     string
	Of      string // what it names that is removed: with it, and not for a test of its own
	Failed  []grade.Run
}

// Untested is a primitive of which nobody knows whether it works.
type Untested struct {
	ID, Path, Why string
}

// File is a file that is changed or left out.
type File struct {
	Path    string   // by which it can be opened
	Left    string   // why it is left out; "" where it is not
	Text    []byte   // what it becomes
	Note    string   // what its author has to look at
	Short   []string // what it has too little of now to be valid
	Dropped []string

	load               *record.Load
	pointers, handlers []string
}

// New makes the plan from the records of a catalog and from runs of its tests. The
// error is one of reading a file.
func New(loads []*record.Load, runs []grade.Run, opts Options) (*Plan, error) {
	p := &Plan{opts: opts, loads: slices.Clone(loads), dirs: walk.Scopes{},
		byFile: map[string]*record.Load{}, scopes: map[string]scope{},
		contents: map[string]string{}, defined: map[string]*record.Load{}, gone: map[string]string{},
		files: map[string]*File{}}
	slices.SortFunc(p.loads, func(a, b *record.Load) int { return cmp.Compare(a.Src.File(), b.Src.File()) })
	for _, l := range p.loads {
		p.dirs.Add(l)
		p.byFile[l.Src.File()] = l
	}
	p.addScopes()
	of := byPrimitive(runs)
	for _, l := range p.loads {
		if err := p.judge(l, of); err != nil {
			return nil, err
		}
	}
	for id := range of {
		if p.defined[id] == nil {
			p.Unknown = append(p.Unknown, id)
		}
	}
	slices.Sort(p.Unknown)
	p.follow()
	if err := p.edit(); err != nil {
		return nil, err
	}
	p.sort()
	return p, nil
}

// byPrimitive sorts runs by the primitive that they are of.
func byPrimitive(runs []grade.Run) map[string][]grade.Run {
	of := map[string][]grade.Run{}
	for _, r := range runs {
		id := grade.PrimitiveOf(r.ID)
		of[id] = append(of[id], r)
	}
	return of
}

// judge finds the primitives of a file that fail.
func (p *Plan) judge(l *record.Load, runs map[string][]grade.Run) error {
	ev := &grade.Evidence{Load: l, ID: l.ID}
	for _, prim := range catalog.PrimitiveIDs(l) {
		ev.Primitives = append(ev.Primitives, grade.Primitive{ID: prim.ID.String(), Pointer: prim.Pointer})
	}
	if id := p.contents[l.Src.File()]; id != "" && l.Type == record.TypeContent {
		ev.Primitives = append(ev.Primitives, grade.Primitive{ID: id})
	}
	for _, prim := range ev.Primitives {
		ev.Runs = append(ev.Runs, runs[prim.ID]...)
		if p.defined[prim.ID] == nil {
			p.defined[prim.ID] = l
		}
	}
	slices.SortFunc(ev.Runs, grade.Run.Compare)
	p.untested(l, ev)
	for _, prim := range ev.Primitives {
		p.judgeOne(l, ev, prim)
	}
	return p.try(l)
}

// judgeOne takes out a primitive that fails, or the queries of a resource that do: the
// resource goes with the last of them.
func (p *Plan) judgeOne(l *record.Load, ev *grade.Evidence, prim grade.Primitive) {
	queries, _ := ordjson.Lookup(l.Data, prim.Pointer+"/queries")
	failing := slices.DeleteFunc(ev.Failing(), func(t grade.Tested) bool {
		query := strings.TrimPrefix(t.ID, prim.ID+"/")
		return grade.PrimitiveOf(t.ID) != prim.ID || t.ID != prim.ID && !queries.Get(query).Exists()
	})
	whole := len(failing) == queries.Len() || len(failing) > 0 && failing[0].ID == prim.ID
	for _, t := range failing {
		r := Removed{ID: t.ID, Path: l.Src.File(), Pointer: prim.Pointer, Why: t.Why,
			Failed: slices.DeleteFunc(slices.Clone(ev.Runs), func(r grade.Run) bool {
				return r.ID != t.ID || r.Outcome != grade.Fail && r.Outcome != grade.Mismatch
			})}
		if !whole {
			r.Pointer += "/queries" + ordjson.Pointer(strings.TrimPrefix(t.ID, prim.ID+"/"))
		}
		p.remove(l, r)
		if p.gone[t.ID] = t.Why; whole {
			p.gone[prim.ID] = t.Why
		}
	}
}

// untested notes the tools and the queries of a file of which no test was made.
func (p *Plan) untested(l *record.Load, ev *grade.Evidence) {
	if l.Type != record.TypeSchema {
		return
	}
	tested := ev.Tested()
	for _, c := range grade.Callables(l) {
		why := "no test of it was run"
		if i := slices.IndexFunc(tested, func(t grade.Tested) bool { return t.ID == c.ID }); i >= 0 {
			if why = tested[i].Why; tested[i].Outcome != grade.Skipped {
				continue
			}
		}
		p.Untested = append(p.Untested, Untested{c.ID, l.Src.File(), why})
	}
}

// remove takes a primitive out of its file, with its handlers.
func (p *Plan) remove(l *record.Load, r Removed) {
	r.Line, _ = l.Find().Value(r.Pointer)
	p.Removed = append(p.Removed, r)
	f := p.file(l)
	if r.Pointer == "" {
		p.leave(f, r.ID+" is all that it has")
		return
	}
	f.take(r.Pointer)
	if parts := strings.Split(r.Pointer, "/"); l.Type == record.TypeSchema && parts[1] != "prompts" {
		f.handlers = append(f.handlers, strings.SplitN(r.ID, "/", 3)[2])
	}
}

// takes reports whether something is taken out, or what holds it.
func (f *File) takes(pointer string) bool {
	return slices.ContainsFunc(f.pointers, func(p string) bool { return strings.HasPrefix(pointer+"/", p+"/") })
}

// take notes what is taken out of a file.
func (f *File) take(pointer string) {
	if !f.takes(pointer) {
		f.pointers = slices.DeleteFunc(f.pointers, func(p string) bool { return strings.HasPrefix(p, pointer+"/") })
		f.pointers = append(f.pointers, pointer)
	}
}

// file is what becomes of a file.
func (p *Plan) file(l *record.Load) *File {
	path := l.Src.File()
	if p.files[path] == nil {
		p.files[path] = &File{Path: path, load: l}
	}
	return p.files[path]
}

// leave leaves a file out, and all that it defines.
func (p *Plan) leave(f *File, why string) {
	if f.Left != "" {
		return
	}
	f.Left = why
	for _, prim := range catalog.PrimitiveIDs(f.load) {
		if id := prim.ID.String(); p.gone[id] == "" {
			p.gone[id] = f.Path + " is left out"
		}
	}
}

// sort puts what was found into the order in which it is told.
func (p *Plan) sort() {
	for _, f := range p.files {
		p.Files = append(p.Files, f)
	}
	slices.SortFunc(p.Files, func(a, b *File) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortStableFunc(p.Removed, func(a, b Removed) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.ID, b.ID))
	})
	slices.SortStableFunc(p.Named, func(a, b Reference) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.ID, b.ID), cmp.Compare(a.To, b.To),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Pointer, b.Pointer))
	})
}

// dir is the folder of a catalog that a file belongs to, such as providers/coingecko:
// what a name without a namespace means there, it means in all of the folder.
func (p *Plan) dir(l *record.Load) string {
	root := p.dirs.Root(l.Src)
	rel, err := filepath.Rel(root, l.Src.File())
	if parts := strings.Split(filepath.ToSlash(rel), "/"); err == nil && len(parts) > 2 {
		return filepath.Join(root, parts[0], parts[1])
	}
	return filepath.Dir(l.Src.File())
}
