package engine

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Callable names what a finding keeps from being called. The zero Callable is
// the whole schema. Names may be empty, so Depth says which of them count.
type Callable struct {
	Depth   int    // 0 is the schema, 1 all of a section, 2 a tool or a resource, 3 a query
	Section string // "tools" or "resources"
	Name    string // of the tool or the resource
	Query   string // of the resource
}

// The sections of a schema that hold what is called.
const (
	ToolSection     = "tools" // routes too
	ResourceSection = "resources"
)

// callableAt is what a value belongs to. Tools need root and headers, which are
// beside them, perhaps under a misspelt name.
func callableAt(at *model.Node) Callable {
	var way []string // the keys from the root
	for n := at; n.Parent() != nil; n = n.Parent() {
		way = append(way, n.Key())
	}
	slices.Reverse(way)
	switch {
	case len(way) == 0:
		return Callable{}
	case way[0] == "sharedLists":
		return Callable{}
	case way[0] == "tools" || way[0] == "routes":
		if len(way) == 1 {
			return Callable{}
		}
		return Callable{Depth: 2, Section: ToolSection, Name: way[1]}
	case way[0] != ResourceSection:
		return Callable{Depth: 1, Section: ToolSection}
	case len(way) == 1:
		return Callable{Depth: 1, Section: ResourceSection}
	}
	c := Callable{Depth: 2, Section: ResourceSection, Name: way[1]}
	if len(way) > 3 && way[2] == "queries" {
		c.Depth, c.Query = 3, way[3]
	}
	return c
}

// ToolOf is the tool that a value belongs to; its name is "" where it belongs to
// none.
func ToolOf(at *model.Node) string {
	if c := callableAt(at); c.Section == ToolSection {
		return c.Name
	}
	return ""
}

// Block marks the rule of a code, after those of lesser codes: what it finds
// keeps something from being called where the condition holds for the place.
func (s *Set) Block(code string, holds func(p *Pass, at *model.Node) bool) {
	rule, _ := s.Lookup(code)
	rule.blocks = holds
	for t := range s.byType {
		if rule.on(t) {
			s.blocking[t] = append(s.blocking[t], rule)
		}
	}
}

// MayBlock reports whether findings of the rule may keep something from being
// called.
func (r *Rule) MayBlock() bool { return r.blocks != nil }

// blocked is what a finding of the current rule about a place keeps from being
// called.
func (p *Pass) blocked(at *model.Node) *Callable {
	if p.Rule.blocks == nil || !p.Rule.blocks(p, at) {
		return nil
	}
	c := callableAt(at)
	return &c
}

// Blocking returns what keeps a schema, or a part of it, from being called: the
// findings that have Blocks. It looks at older versions as at the newest, since
// they are called alike.
func (s *Set) Blocking(load *record.Load, ctx *Context) []Finding {
	p := s.newPass(load, ctx)
	if p.Spec != Spec42 && load.Data.Is(ordjson.Object) {
		p.Spec, p.Resources = Spec42, p.newResources()
	}
	p.run(s.blocking[load.Type])
	return slices.DeleteFunc(p.Findings, func(f Finding) bool { return f.Blocks == nil })
}
