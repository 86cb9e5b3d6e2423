package resolve

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// named is what gets an MCP name: a tool, or the query of a resource.
type named struct {
	id      catalog.ID
	query   string // "" of a tool
	load    *record.Load
	pointer string
	name    *string // where the name goes
}

// String is how messages name it.
func (n *named) String() string {
	if n.query != "" {
		return n.id.String() + "/" + n.query
	}
	return n.id.String()
}

// wire is what its name is made of. A resource has queries, and two resources
// of a namespace have queries of one name: runSql at least. So the route of a
// query has both names.
func (n *named) wire() wireTool {
	route := n.id.Name
	if n.query != "" {
		route = n.query + "_" + n.id.Name
	}
	return wireTool{route: route, namespace: n.id.Namespace, identity: n.String()}
}

// named are the tools and queries of a catalog.
func (c *draft) named() []*named {
	var list []*named
	for _, t := range c.tools {
		list = append(list, &named{id: t.id, load: t.load, pointer: t.Src.Pointer, name: &t.WireName})
	}
	for _, r := range c.resources {
		for _, q := range r.Queries {
			list = append(list, &named{id: r.id, query: q.Name, load: r.load, pointer: r.Src.Pointer,
				name: &q.WireName})
		}
	}
	return list
}

// nameAll gives every tool and every query its MCP name. Names are unique over
// all catalogs of the stream, because one server serves them all.
func (s *session) nameAll() {
	n := namer{style: s.opts.ToolNames, max: s.opts.MaxName}
	s.dropShared()
	var all []*named
	var wire []wireTool
	for _, c := range s.catalogs {
		for _, t := range c.named() {
			all, wire = append(all, t), append(wire, t.wire())
		}
	}
	names, base := n.names(wire)
	wanted := map[string]*named{}
	for i, t := range all {
		*t.name = names[i]
		first := wanted[base[i]]
		if first == nil {
			wanted[base[i]] = t
			continue
		}
		s.report(record.SeverityWarning, t.id.String(), t.load.Src,
			words.Problem{Code: catalog.CodeWireName, Pointer: t.pointer,
				Message: "tools " + t.String() + " (" + t.load.Src.File() + ") and " + first.String() + " (" +
					first.load.Src.File() + ") both make the MCP name " +
					words.Quote(base[i]) + "; they are called " + words.Quote(names[i]) + " and " +
					words.Quote(*first.name),
				Fix: "rename one of the two"})
	}
}

// dropShared leaves out what an earlier catalog of the stream has under the same
// Spec-ID: a call by ID could reach one only, and one server serves them all.
func (s *session) dropShared() {
	owners := map[catalog.ID]*record.Load{}
	for _, c := range s.catalogs {
		taken := func(id catalog.ID, l *record.Load, pointer string) bool {
			first := owners[id]
			if first == nil {
				owners[id] = l
				return false
			}
			c.leftOut++
			s.report(record.SeverityError, id.String(), l.Src,
				words.Problem{Code: catalog.CodeTwoCatalogs, Pointer: pointer,
					Message: id.Type + " " + id.String() + " is in two catalogs: " + first.Src.File() +
						", which is used, and " + l.Src.File(),
					Fix: "resolve the catalogs one by one, or give one schema another namespace"})
			return true
		}
		c.tools = slices.DeleteFunc(c.tools, func(t *tool) bool { return taken(t.id, t.load, t.Src.Pointer) })
		c.resources = slices.DeleteFunc(c.resources,
			func(r *resource) bool { return taken(r.id, r.load, r.Src.Pointer) })
		c.texts = slices.DeleteFunc(c.texts, func(t *text) bool { return taken(t.id, t.load, t.Src.Pointer) })
	}
}
