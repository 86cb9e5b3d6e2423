package resolve

import (
	"bytes"
	"cmp"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/spool"
)

// profileSpec is the field profile of a catalog that follows the specification.
const profileSpec = "spec"

// records yields the catalog's record, its lists, its tools and its resources, and
// reports whether more are wanted.
func (s *session) records(c *draft, yield func(record.Type, []byte) bool) bool {
	about := &catalog.Catalog{Name: c.name(), ToolNames: string(s.opts.ToolNames), Profile: profileSpec,
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
	rest := []catalog.Record{}
	for _, t := range c.texts {
		rest = append(rest, t.Record)
	}
	for _, b := range c.bundles {
		rest = append(rest, b.SkillMD)
	}
	for _, g := range c.groups {
		rest = append(rest, g.Group)
	}
	each := func(n int, line func(i int) (record.Type, []byte)) bool {
		for i := range n {
			if typ, text := line(i); s.err != nil || !yield(typ, text) {
				return false
			}
		}
		return true
	}
	made := func(list []catalog.Record) bool {
		return each(len(list), func(i int) (record.Type, []byte) {
			rec := catalog.Encode(list[i])
			return rec.Type, rec.AppendJSON(nil)
		})
	}
	kept := func(typ record.Type, list []spool.Place) bool {
		return each(len(list), func(i int) (record.Type, []byte) { return typ, s.text(list[i], nil) })
	}
	return made(all) && kept(record.TypeLibrary, c.packages) && kept(record.TypeHandlers, c.handlers) &&
		each(len(c.tools), func(i int) (record.Type, []byte) { return record.TypeTool, s.toolLine(c.tools[i]) }) &&
		each(len(c.resources), func(i int) (record.Type, []byte) {
			return record.TypeResource, s.resourceLine(c.resources[i])
		}) &&
		made(rest)
}

// noName is in the record of a tool that has none yet.
const noName = `"wireName":""`

// toolLine is the record of a tool with its name.
func (s *session) toolLine(t *tool) []byte {
	n := named{tool: t}
	s.buffer = s.text(t.at, s.buffer)
	// All before it is texts, in which each " has a \ before it.
	before, after, ok := bytes.Cut(s.buffer, []byte(noName))
	if !ok { // of a part that no fmcp-resolve has written
		return s.changed(t.id)
	}
	line := make([]byte, 0, len(s.buffer)+DefaultMaxName)
	line = append(append(line, before...), noName[:len(noName)-1]...)
	line = append(line, s.namer().name(n.wire(), t.digits)...)
	return append(append(line, '"'), after...)
}

// resourceLine is the record of a resource with the names of its queries.
func (s *session) resourceLine(r *resource) []byte {
	_, rec, _, _ := record.Decode(string(s.text(r.at, nil)))
	var whole *catalog.Resource
	if resolved, ok := rec.(*record.Resolved); ok {
		whole, _ = catalog.Decode(resolved).(*catalog.Resource)
	}
	if whole == nil || len(whole.Queries) != len(r.queries) { // the spool has failed, or somebody has changed a part
		return s.changed(r.id)
	}
	for i := range r.queries {
		n := named{&r.tool, &r.queries[i]}
		whole.Queries[i].WireName = s.namer().name(n.wire(), n.query.digits)
	}
	return catalog.Encode(whole).AppendJSON(nil)
}

// changed is the line of a record of a part that somebody has changed: there is none.
func (s *session) changed(id string) []byte {
	s.err = cmp.Or(s.err, mismatch("the record of %s is not what fmcp-resolve --part wrote: make the part again", id))
	return nil
}
