package engine

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// Tool is a tool that is an object, and its parameters that are objects.
type Tool struct {
	model.Tool
	Params []Param
	Output *model.Node // nil if there is none that is an object
	Schema *model.Node // output.schema, nil if there is none that is an object
}

// Param is a parameter and its z-block.
type Param struct {
	model.Parameter
	Position ordjson.Value
	Z        ordjson.Value
	Block    *zod.Schema // nil where there is no primitive to read
	Problems []zod.Problem
}

func NewTool(t model.Tool, declared []string) Tool {
	view := Tool{Tool: t, Params: make([]Param, 0, t.Get("parameters").Len())}
	for _, mp := range t.Parameters(declared) {
		if !mp.Is(ordjson.Object) {
			continue
		}
		q := Param{Parameter: mp, Position: mp.Get("position"), Z: mp.Get("z")}
		if q.Z.Get("primitive").Is(ordjson.String) {
			q.Block, q.Problems = zod.Parse(mp.Primitive, mp.Options)
		}
		view.Params = append(view.Params, q)
	}
	if t.Get("output").Is(ordjson.Object) {
		view.Output = t.At("output")
		if view.Output.Get("schema").Is(ordjson.Object) {
			view.Schema = view.Output.At("schema")
		}
	}
	return view
}

// PromptTypes are the types of placeholders that belong in prompts; PH004
// speaks about them.
var PromptTypes = model.ReferenceTypes

// ListPlaceholder returns the first {{list:field}} of text as written, or "".
func ListPlaceholder(text string) string {
	if !strings.Contains(text, "{{") {
		return ""
	}
	for _, ph := range model.Placeholders(text) {
		if !ph.Bare() && ph.Type != "SERVER_PARAM" && IsAlnumName(ph.Type) && !slices.Contains(PromptTypes, ph.Type) {
			return text[ph.Start:ph.End]
		}
	}
	return ""
}

// IsAlnumName tells the name of a list from text that merely has a colon
// between braces, such as JSON in a fixed value.
func IsAlnumName(s string) bool {
	tail := func(c byte) bool { return IsAlnum(c) || c == '_' || c == '-' }
	return Each(s, IsAlnum, tail)
}

func (p *Pass) Declares(list string) bool {
	if p.RefNames == nil {
		p.RefNames = &model.NameSet{}
		for _, r := range p.Refs {
			p.RefNames.Add(r.Ref)
		}
	}
	return p.RefNames.Has(list)
}

// ListVersion is the version of a list as far as it is known.
func (p *Pass) ListVersion(name string) string {
	if p.Ctx.Lists != nil {
		if l := p.Ctx.Lists.Lookup(name); l != nil {
			return l.Version
		}
	}
	return "1.0.0"
}

// BrokenLists returns the values of an enum that look like placeholders without
// being one: {{colours}}, {{colours.slug}}, {{colours:slug}.
func (q *Param) BrokenLists() []string {
	if q.Block == nil || !strings.Contains(q.Primitive, "{{") && !strings.Contains(q.Primitive, "}}") {
		return nil
	}
	var broken []string
	for _, v := range q.Block.Values() {
		if open, end := strings.Contains(v, "{{"),
			strings.Contains(v, "}}"); (open || end) && ListPlaceholder(v) == "" {
			broken = append(broken, v)
		}
	}
	return broken
}

// ListAsMeant reads the list and the field that such a value most likely means.
func ListAsMeant(v string) (list, field string) {
	list, field, _ = strings.Cut(strings.ReplaceAll(strings.Trim(v, "{} "), ":", "."), ".")
	return list, field
}

// InsertKeys are the keys of the tool's insert parameters.
func InsertKeys(t *Tool) *model.NameSet {
	keys := &model.NameSet{}
	for i := range t.Params {
		if t.Params[i].Location == model.Insert {
			keys.Add(t.Params[i].Key)
		}
	}
	return keys
}

// EachCallable calls f for all that has parameters and an output: tools, and
// the queries of resources.
func (p *Pass) EachCallable(f func(*Tool)) {
	for i := range p.Tools {
		f(&p.Tools[i])
	}
	p.EachQuery(func(q *Query) { f(&q.Tool) })
}

// IsQuery reports whether it is the view of a query.
func (t *Tool) IsQuery() bool { return t.Parent().Key() == "queries" }

// EachParam calls f for every parameter that is an object, of tools and of the
// queries of resources.
func (p *Pass) EachParam(f func(*Tool, *Param)) {
	p.EachCallable(func(t *Tool) {
		for j := range t.Params {
			f(t, &t.Params[j])
		}
	})
}

// EachPosition is eachParam for those that have a position object.
func (p *Pass) EachPosition(f func(*Tool, *Param)) {
	p.EachParam(func(t *Tool, q *Param) {
		if q.Position.Is(ordjson.Object) {
			f(t, q)
		}
	})
}

// ZProblems reports what zod found of the given kinds.
func (p *Pass) ZProblems(kinds ...zod.Kind) {
	p.EachParam(func(_ *Tool, q *Param) {
		for _, pr := range q.Problems {
			if slices.Contains(kinds, pr.Kind) {
				p.ZProblem(q, pr)
			}
		}
	})
}

// ZProblem reports one of them. What it says to write is safe where it takes the same
// values.
func (p *Pass) ZProblem(q *Param, pr zod.Problem) {
	at := q.ProblemNode(pr)
	found := p.Report(at, strings.TrimPrefix(pr.Msg, "z.primitive "), pr.Fix)
	primitive, options := q.Primitive, q.Options
	var changes []edit.Change
	if pr.Primitive != "" {
		primitive = pr.Primitive
		changes = append(changes, SetText(q.At("z").At("primitive"), primitive))
	}
	if pr.Options != nil {
		options = slices.Replace(slices.Clone(options), pr.Index, pr.Index+1, pr.Options...)
		changes = append(changes, replaceAll(at, pr.Options))
	}
	if changes != nil {
		block, _ := zod.Parse(primitive, options)
		found.Fixed(zod.Same(q.Block, block) && pr.Kind != zod.IgnoredOption, changes...)
	}
}

// replaceAll puts some texts in the place of one that is an element.
func replaceAll(at *model.Node, texts []string) edit.Change {
	switch len(texts) {
	case 0:
		return edit.Drop(at.Pointer())
	case 1:
		return SetText(at, texts[0])
	}
	return edit.SetAll(at.Pointer(), ordjson.Strings(texts).Elems()...)
}

// ProblemNode is the field that a problem is about. Elements of options that
// are not strings do not count in its index.
func (q *Param) ProblemNode(pr zod.Problem) *model.Node {
	z := q.At("z")
	if pr.Kind == zod.Contradiction {
		return z.At("options")
	}
	if pr.Index < 0 {
		return z.At("primitive")
	}
	at := pr.Index
	for _, item := range z.At("options").Items() {
		if !item.Is(ordjson.String) {
			continue
		}
		if at--; at < 0 {
			return item
		}
	}
	return z.At("options")
}

func HasProblem(q *Param, kind zod.Kind) bool {
	for _, pr := range q.Problems {
		if pr.Kind == kind {
			return true
		}
	}
	return false
}

// UsesRoot reports whether any tool's request is made from root, rather than
// by its executeRequest handler.
func (p *Pass) UsesRoot() bool {
	for _, t := range p.Tools {
		if !p.Handles(t.Name, "executeRequest") {
			return true
		}
	}
	return false
}
