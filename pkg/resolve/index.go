package resolve

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Index answers where an ID is defined (chapter 16, "Resolution") and who uses
// a list (chapter 03, "Reverse-Lookup Index"). It keeps names and places only,
// not the records that it is made of. The zero Index is empty.
type Index struct {
	byID  map[string][]Entry
	ids   []string // in input order
	lists []listFacts
	refs  map[string][]Ref // by list

	prompts  map[string][]string // IDs of agents' prompts whose content has not come, by file
	contents map[string]bool     // files that export content
}

// Entry is where an ID is defined.
type Entry struct {
	ID      string
	Type    string // "schema", "tool", "list", ...
	File    string // openable from the current folder
	KeyPath string // "main.tools.simplePrice"
	Schema  string // Schema-File-ID, "" where the file is not a schema
}

// Via says how a list is used.
type Via string

// The ways: in an enum, by a tool whose handlers get the list, by a schema that
// declares it and shows no use, and by another list that depends on it.
const (
	ViaEnum     Via = "enum"
	ViaHandlers Via = "handlers"
	ViaDeclared Via = "declared"
	ViaList     Via = "list"
)

// Ref is one use of a list.
type Ref struct {
	List   string
	Field  string // of the list; "" where the use names none
	Via    Via
	User   string // "etherscan/contracts.mjs::getContractAbi", or the name of a list
	ID     string // Spec-ID of the tool or list, Schema-File-ID for ViaDeclared
	File   string
	Filter string // "etherscanAlias exists", "" for all entries
}

// listFacts are what the index knows of a list.
type listFacts struct {
	name, version, file string
	entries, fields     int
}

// Add takes one record of the stream.
func (x *Index) Add(l *record.Load) {
	if x.byID == nil {
		x.byID, x.refs = map[string][]Entry{}, map[string][]Ref{}
		x.prompts, x.contents = map[string][]string{}, map[string]bool{}
	}
	file := l.Src.File()
	if l.Type == record.TypeSchema {
		x.put(Entry{ID: l.ID, Type: string(l.Type), File: file, KeyPath: "main", Schema: l.ID})
	}
	for _, p := range catalog.PrimitiveIDs(l) {
		e := Entry{ID: p.ID.String(), Type: p.ID.Type, File: file, KeyPath: p.KeyPath}
		if l.Type == record.TypeSchema {
			e.Schema = l.ID
		}
		x.put(e)
	}
	switch l.Type {
	case record.TypeSchema:
		x.addSchema(l)
	case record.TypeList:
		x.addList(l)
	case record.TypeContent:
		x.contents[file] = true
		x.putPrompts(file)
	case record.TypeAgent:
		for _, p := range catalog.ContentPrompts(l) {
			name := filepath.Join(filepath.Dir(file), p.File)
			x.prompts[name] = append(x.prompts[name], p.ID.String())
			x.putPrompts(name)
		}
	}
}

// putPrompts stores the prompts of agents whose content a file is, once that is
// known.
func (x *Index) putPrompts(file string) {
	if !x.contents[file] {
		return
	}
	for _, id := range x.prompts[file] {
		x.put(Entry{ID: id, Type: string(record.TypePrompt), File: file, KeyPath: string(record.TypeContent)})
	}
	delete(x.prompts, file)
}

// put stores an entry with texts of its own, so that the line which a record
// was read from can be freed.
func (x *Index) put(e Entry) {
	e.ID, e.KeyPath, e.File, e.Schema = strings.Clone(e.ID), strings.Clone(e.KeyPath), strings.Clone(e.File),
		strings.Clone(e.Schema)
	if len(x.byID[e.ID]) == 0 {
		x.ids = append(x.ids, e.ID)
	}
	x.byID[e.ID] = append(x.byID[e.ID], e)
}

func (x *Index) addRef(r Ref) {
	r.List, r.Field, r.User, r.ID, r.Filter = strings.Clone(r.List), strings.Clone(r.Field), strings.Clone(r.User),
		strings.Clone(r.ID), strings.Clone(r.Filter)
	x.refs[r.List] = append(x.refs[r.List], r)
}

func (x *Index) addList(l *record.Load) {
	list, _ := sharedlist.NewList(l)
	file := l.Src.File()
	x.lists = append(x.lists, listFacts{
		name: strings.Clone(list.Name), version: strings.Clone(list.Version), file: file,
		entries: len(list.Entries), fields: len(list.Fields),
	})
	for _, d := range list.DependsOn {
		r := Ref{List: d.Ref, Field: d.Condition.Field, Via: ViaList, User: list.Name, ID: list.ID(), File: file}
		if d.Condition.Field != "" {
			r.Filter = d.Condition.Field + " = " + ordjson.Text(d.Condition.Value)
		}
		x.addRef(r)
	}
}

// addSchema adds the uses of lists by the tools of a schema.
func (x *Index) addSchema(l *record.Load) {
	schema := model.NewSchema(l.Data)
	name := catalog.NamespaceOf(l) + "/" + path.Base(l.Src.Path)
	stages, users := newStages(l), users(schema)
	for _, ref := range schema.SharedLists() {
		if ref.Ref == "" {
			continue
		}
		filter, _ := sharedlist.NewFilter(ref)
		use := Ref{List: ref.Ref, File: l.Src.File(), Filter: filter.String()}
		used := false
		for _, t := range users {
			r := use
			r.User, r.ID = name+"::"+t.handlers,
				catalog.ID{Namespace: catalog.NamespaceOf(l), Type: t.typ, Name: t.name}.String()
			fields := slices.Clip(t.enums[ref.Ref])
			for _, f := range fields {
				r.Via, r.Field = ViaEnum, f
				x.addRef(r)
			}
			if len(fields) == 0 && len(stages.of(t.handlers)) > 0 {
				r.Via = ViaHandlers
				x.addRef(r)
				fields = append(fields, "")
			}
			used = used || len(fields) > 0
		}
		if !used {
			use.Via, use.User, use.ID = ViaDeclared, name, l.ID
			x.addRef(use)
		}
	}
}

// user is what may use a list: a tool, or a query of a resource.
type user struct {
	model.Tool
	typ, name string // of the Spec-ID, the resource's for a query
	handlers  string // name of its handlers: getTides, tokenLookup/bySymbol
	enums     map[string][]string
}

func users(schema model.Schema) []user {
	var list []user
	for _, t := range schema.Tools() {
		list = append(list, user{t, catalog.TypeTool, t.Name, t.Name, enumFields(t)})
	}
	for _, r := range schema.Resources() {
		for _, q := range r.Queries() {
			list = append(list, user{q.Tool(), catalog.TypeResource, r.Name, r.Name + "/" + q.Name,
				enumFields(q.Tool())})
		}
	}
	return list
}

// enumFields are the fields that the tool's enums take, by list.
func enumFields(t model.Tool) map[string][]string {
	fields := map[string][]string{}
	for _, p := range t.Parameters(nil) {
		for _, ph := range model.Placeholders(p.Primitive) {
			if !slices.Contains(fields[ph.Type], ph.Name) {
				fields[ph.Type] = append(fields[ph.Type], ph.Name)
			}
		}
	}
	return fields
}

// Find returns where an ID is defined: in more than one place where files
// disagree. The error is a *Problem: ID001 to ID006 for what is not an ID,
// LOD037 for what nothing defines, with the nearest IDs.
func (x *Index) Find(id string) ([]Entry, error) {
	if e := x.byID[id]; len(e) > 0 {
		return e, nil
	}
	parsed, err := catalog.ParseID(id)
	if err != nil {
		return nil, err
	}
	near := x.nearest(parsed)
	if parsed.IsFile() {
		if short := x.shortFor(parsed); short != nil {
			return nil, short
		}
	}
	fix := "list all IDs with: fmcp-resolve CATALOG | jq -r .id"
	if len(near) > 0 {
		fix = "did you mean " + strings.Join(near, ", ") + "?"
	}
	return nil, &words.Problem{Code: catalog.CodeUnknownID, Message: "nothing in the input defines " + id + ": " +
		x.missing(parsed), Fix: fix}
}

// shortFor is the problem of an ID that no file has, but a part of a file once
// its type is written: the short form (chapter 16, "No Short Form").
func (x *Index) shortFor(id catalog.ID) *words.Problem {
	for _, full := range x.ids {
		parts := strings.Split(full, "/")
		if len(parts) == 3 && parts[0] == id.Namespace && parts[2] == id.Name {
			return catalog.ShortForm(id, "did you mean "+full+"?")
		}
	}
	return nil
}

// missing says which segment of an ID is the first that the input does not have.
func (x *Index) missing(id catalog.ID) string {
	if !slices.ContainsFunc(x.ids, func(known string) bool { return strings.HasPrefix(known, id.Namespace+"/") }) {
		return "it has no namespace " + words.Quote(id.Namespace)
	}
	typ := id.Type
	if id.IsFile() {
		typ = string(record.TypeSchema)
	}
	return "its namespace " + id.Namespace + " has no " + typ + " " + words.Quote(id.Name)
}

// nearestCount is how many IDs a message proposes.
const nearestCount = 3

// nearest returns up to three IDs close to one that is not there: those of the
// same name elsewhere, the one that differs by a typing error, and the first of
// the same namespace.
func (x *Index) nearest(want catalog.ID) []string {
	var near []string
	add := func(id string) {
		if len(near) < nearestCount && !slices.Contains(near, id) {
			near = append(near, id)
		}
	}
	if id, ok := words.Closest(want.String(), x.ids); ok {
		add(id)
	}
	for _, id := range x.ids {
		if strings.HasSuffix(id, "/"+want.Name) {
			add(id)
		}
	}
	for _, id := range x.ids {
		if strings.HasPrefix(id, want.Namespace+"/") {
			add(id)
		}
	}
	return near
}

// Refs returns the uses of a list, ordered by user and field. The error is a
// *Problem where the input has neither the list nor a use of it.
func (x *Index) Refs(list string) ([]Ref, error) {
	list = strings.TrimPrefix(list, catalog.SharedNamespace+"/"+string(record.TypeList)+"/")
	refs := slices.Clone(x.refs[list])
	known := slices.ContainsFunc(x.lists, func(f listFacts) bool { return f.name == list })
	if !known && len(refs) == 0 {
		names := make([]string, len(x.lists))
		for i, f := range x.lists {
			names[i] = f.name
		}
		fix := "name the folder that has the lists"
		if len(names) > 0 {
			fix = "use one of " + strings.Join(names, ", ")
		}
		return nil, &words.Problem{Code: "VAL072", Message: "there is no list " + words.Quote(list) +
			" in the input" + words.DidYouMean(list, names),
			Fix: fix}
	}
	slices.SortStableFunc(refs, func(a, b Ref) int {
		return cmp.Or(cmp.Compare(a.User, b.User), cmp.Compare(a.Field, b.Field), cmp.Compare(a.File, b.File))
	})
	return refs, nil
}
