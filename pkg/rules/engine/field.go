package engine

import (
	"cmp"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Objects is a part of the table of fields: what the objects in one place must
// have.
//
// The place begins with what the pass has a view of (see eachOf), or nothing for
// the exported object; then come names of fields, each after a dot: "tool.meta",
// ".elicitation". "[]" after a name means each element of the field, and the name
// "*" each field.
type Objects struct {
	In     string
	Of     *fields.Object // which fields they may have, one of which may be misspelt, unless the view says it
	Fields []Field
}

// Field is a row of the table: a field, what it must be, and how to write it.
// Without a name it is the object itself that must be so.
type Field struct {
	Code string
	Name string
	Must Kind
	Fix  string

	// When says whether the row is about the object at hand; nil is always.
	When func(p *Pass, object *model.Node) bool

	// Lacking is what to write where the field is missing, Missing where a machine
	// cannot say.
	Lacking func(p *Pass, object *model.Node) ordjson.Value

	// Correct is how a machine corrects the object at hand, where the kind does not
	// say it.
	Correct func(p *Pass, object *model.Node) (safe bool, changes []edit.Change)

	// Propose is a fix for the object at hand, "" where Fix is as good.
	Propose func(p *Pass, object *model.Node) string
}

// fieldChecks are the checks that the family's table makes, by code.
func (f Family) fieldChecks() map[string][]func(*Pass) {
	checks := map[string][]func(*Pass){}
	for _, o := range f.Objects {
		rows := map[string][]Field{}
		for _, field := range o.Fields {
			rows[field.Code] = append(rows[field.Code], field)
		}
		for code, fields := range rows {
			checks[code] = append(checks[code], func(p *Pass) { p.checkFields(o, fields) })
		}
	}
	return checks
}

func (p *Pass) checkFields(o Objects, fields []Field) {
	view, path, _ := strings.Cut(o.In, ".")
	p.eachOf(view, func(n *model.Node, known []string) {
		if known == nil || path != "" {
			known = o.Of.Known()
		}
		eachIn(place{holder: n, value: n.Value}, path, func(at place) {
			for _, f := range fields {
				p.checkField(at, f, known)
			}
		})
	})
}

func (p *Pass) checkField(at place, f Field, known []string) {
	v := at.value
	switch {
	case f.Name == "":
		if !f.Must.is(v) {
			p.Report(at.node(), Found(v)+", expected "+f.Must.expected, f.Fix)
		}
		return
	case !v.Is(ordjson.Object):
		return
	}
	v = v.Get(f.Name)
	switch {
	case f.Must.is(v), f.When != nil && !f.When(p, at.node()):
	case f.Must.optional && !v.Exists() && !(f.Must.misspelt && Misspelt(at.value, f.Name, known) != ""):
	case f.Must.strings && p.elementNoString(at.node().At(f.Name), f.Fix):
	default:
		fix := ""
		if f.Must.propose != nil {
			fix = f.Must.propose(f.Name, v)
		}
		if fix == "" && f.Propose != nil {
			fix = f.Propose(p, at.node())
		}
		p.correct(p.Expect(at.node(), f.Name, known, f.Must.expected, cmp.Or(fix, f.Fix)), at.node(), f)
	}
}

// correct notes how a machine corrects the field of an object. What is misspelt
// Expect has noted.
func (p *Pass) correct(found *Finding, object *model.Node, f Field) {
	v := object.Get(f.Name)
	switch {
	case found == nil || found.changes != nil:
	case f.Correct != nil:
		safe, changes := f.Correct(p, object)
		found.Fixed(safe, changes...)
	case !v.Exists():
		if f.Lacking != nil {
			found.Added(object, f.Name, f.Lacking(p, object))
		}
	case f.Must.correct != nil:
		if meant, safe := f.Must.correct(v); meant.Exists() {
			found.Fixed(safe, SetValue(object.At(f.Name), meant))
		}
	}
}

// Lacks is a value to write where a field is missing, whatever the object.
func Lacks(v ordjson.Value) func(*Pass, *model.Node) ordjson.Value {
	return func(*Pass, *model.Node) ordjson.Value { return v }
}

// place is a value whose node is made only where there is something to say about
// it.
type place struct {
	holder *model.Node
	field  string // of the holder; "" for the holder itself
	value  ordjson.Value
}

func (at place) node() *model.Node {
	if at.field == "" {
		return at.holder
	}
	return at.holder.At(at.field)
}

// eachIn calls f for what a path leads to. What is not there has no fields, and
// nothing in it.
func eachIn(at place, path string, f func(place)) {
	if path == "" {
		f(at)
		return
	}
	name, rest, _ := strings.Cut(path, ".")
	if name == "*" {
		for _, n := range at.node().Fields() {
			eachIn(place{holder: n, value: n.Value}, rest, f)
		}
		return
	}
	name, each := strings.CutSuffix(name, "[]")
	at = place{at.node(), name, at.value.Get(name)}
	if !each {
		eachIn(at, rest, f)
		return
	}
	for _, n := range at.node().Items() {
		eachIn(place{holder: n, value: n.Value}, rest, f)
	}
}

// eachOf calls f for the objects of a view, and the fields that they may have where
// that is not the same for all of them.
func (p *Pass) eachOf(view string, f func(n *model.Node, known []string)) {
	switch view {
	case "":
		f(p.Root, nil)
	case "main":
		f(p.Root, p.MainFields())
	case "tool":
		for i := range p.Tools {
			f(p.Tools[i].Node, p.ToolFields())
		}
	case "parameter": // of tools and queries
		p.EachParam(func(_ *Tool, q *Param) { f(q.Node, nil) })
	case "agent": // of version 3 or later
		if p.Load.Type == record.TypeAgent && p.Spec > Spec20 {
			f(p.Root, nil)
		}
	case "registry": // of a catalog
		if p.IsManifest() {
			f(p.Root, nil)
		}
	case "own tool": // of an agent
		for _, t := range (model.Agent{Node: p.Root}).InlineTools() {
			f(t.Node, nil)
		}
	case "reference": // to a shared list
		for _, r := range p.Refs {
			f(r.Node, nil)
		}
	case "query":
		p.EachQuery(func(q *Query) { f(q.Node, nil) })
	case "prompt": // of main.prompts, or the exported one
		if p.Schema.Node == nil {
			f(p.Root, nil)
			return
		}
		for _, n := range p.Schema.Prompts() {
			f(n.Node, nil)
		}
	default: // the source of a resource, or "resource" for all
		for i := range p.Resources {
			if r := &p.Resources[i]; view == "resource" || view == string(r.Source) {
				f(r.Node, r.Fields())
			}
		}
	}
}
