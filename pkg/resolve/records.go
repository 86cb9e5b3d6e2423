package resolve

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
)

// records yields the catalog's record, its lists, its tools and its resources, and
// reports whether more are wanted.
func (s *session) records(c *draft, yield func(catalog.Record) bool) bool {
	about := &catalog.Catalog{Name: c.name(), ToolNames: string(s.opts.ToolNames), Profile: "spec",
		Counts: catalog.Counts{
			Schemas: c.kept, Tools: len(c.tools), Resources: len(c.resources), LeftOut: c.leftOut,
		}}
	if s.opts.Community {
		about.Profile = record.ProfileCommunity
	}
	about.Version, about.Description = c.registry.Get("version").Str(), c.registry.Get("description").Str()
	about.SchemaSpec = c.registry.Get("schemaSpec").Str()
	all := []catalog.Record{about}
	for _, l := range c.lists.All() {
		if l.Broken == nil {
			all = append(all, listOf(l))
			about.Counts.Lists++
		}
	}
	for _, l := range c.packages {
		all = append(all, l)
	}
	for _, h := range c.handlers {
		all = append(all, h)
	}
	each := func(all []catalog.Record) bool {
		return !slices.ContainsFunc(all, func(r catalog.Record) bool { return !yield(r) })
	}
	if !each(all) || !s.tools(c, yield) {
		return false
	}
	all = nil
	for _, r := range c.resources {
		all = append(all, r.Resource)
	}
	for _, t := range c.texts {
		all = append(all, t.Record)
	}
	for _, b := range c.bundles {
		all = append(all, b.SkillMD)
	}
	for _, g := range c.groups {
		all = append(all, g.Group)
	}
	return each(all)
}

// trim lets go of what a tool is made of, but for what its name and its place among
// the others depend on.
func (t *tool) trim() {
	t.Tool = &catalog.Tool{Callable: catalog.Callable{ID: t.ID, Handlers: t.Handlers, Src: t.Src}}
	t.trimmed = true
}

// tools yields the tools of a catalog: those that were trimmed are made again, with
// the names that they have got.
func (s *session) tools(c *draft, yield func(catalog.Record) bool) bool {
	var of *record.Load // whose tools are in whole
	var whole map[string]model.Tool
	var b *builder
	for _, t := range c.tools {
		one := t.Tool
		if t.trimmed {
			if of != t.load {
				of, b, whole = t.load, s.builder(c, s.opened(t.load), nil), map[string]model.Tool{}
				for _, m := range b.schema.Tools() {
					whole[m.Name] = m
				}
			}
			one = b.build(whole[t.id.Name]).Tool
			one.WireName = t.WireName
		}
		if !yield(one) {
			return false
		}
	}
	return true
}
