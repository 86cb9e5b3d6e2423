package resolve

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// named is what gets an MCP name: a tool, or the query of a resource.
type named struct {
	*tool
	query *query // nil of a tool
}

// String is how messages name it.
func (n named) String() string {
	if n.query != nil {
		return n.id + "/" + n.query.name
	}
	return n.id
}

// wire is what its name is made of. A resource has queries, and two resources
// of a namespace have queries of one name: runSql at least. So the route of a
// query has both names.
func (n named) wire() wireTool {
	namespace, _, route := parts(n.id)
	if n.query != nil {
		route = n.query.name + "_" + route
	}
	return wireTool{route: route, namespace: namespace, identity: n.String()}
}

// parts are those of the Spec-ID of a primitive, whose name may be any text.
func parts(id string) (namespace, typ, name string) {
	namespace, rest, _ := strings.Cut(id, "/")
	typ, name, _ = strings.Cut(rest, "/")
	return namespace, typ, name
}

// digits is how many its name has of a hash.
func (n named) digits() *uint8 {
	if n.query != nil {
		return &n.query.digits
	}
	return &n.tool.digits
}

// named are the tools and queries of a catalog.
func (c *draft) named(list []named) []named {
	for _, t := range c.tools {
		list = append(list, named{tool: t})
	}
	for _, r := range c.resources {
		for i := range r.queries {
			list = append(list, named{&r.tool, &r.queries[i]})
		}
	}
	return list
}

// nameAll finds the MCP name of every tool and every query. Names are unique over
// all catalogs of the stream, because one server serves them all.
func (s *session) nameAll() {
	s.dropShared()
	var all []named
	for _, c := range s.catalogs {
		all = c.named(all)
	}
	n := s.namer()
	wire := func(i int) wireTool { return all[i].wire() }
	digits := n.digits(len(all), wire)
	for i, t := range all {
		*t.digits() = digits[i]
	}
	for _, group := range equal(len(all), func(i int) string { return n.base(wire(i)) }) {
		first := all[group[0]]
		for _, i := range group[1:] {
			t := all[i]
			s.report(record.SeverityWarning, t.id, t.of.src,
				words.Problem{Code: catalog.CodeWireName, Pointer: t.pointer(),
					Message: "tools " + t.String() + " (" + t.of.src.File() + ") and " + first.String() + " (" +
						first.of.src.File() + ") both make the MCP name " +
						words.Quote(n.base(t.wire())) + "; they are called " +
						words.Quote(n.name(t.wire(), *t.digits())) + " and " +
						words.Quote(n.name(first.wire(), *first.digits())),
					Fix: "rename one of the two"})
		}
	}
}

func (s *session) namer() namer { return namer{style: s.opts.ToolNames, max: s.opts.MaxName} }

// dropShared leaves out what an earlier catalog of the stream has under the same
// Spec-ID: a call by ID could reach one only, and one server serves them all.
func (s *session) dropShared() {
	for i, c := range s.catalogs {
		if i == 0 {
			s.taken = c.byID
			continue
		}
		c.byID = nil
		taken := func(id string, f *file, pointer func() string) bool {
			first := s.taken[id]
			if first == nil {
				s.taken[id] = f
				return false
			}
			c.leftOut++
			_, typ, _ := parts(id)
			s.report(record.SeverityError, id, f.src,
				words.Problem{Code: catalog.CodeTwoCatalogs, Pointer: pointer(),
					Message: typ + " " + id + " is in two catalogs: " + first.src.File() +
						", which is used, and " + f.src.File(),
					Fix: "resolve the catalogs one by one, or give one schema another namespace"})
			return true
		}
		c.tools = slices.DeleteFunc(c.tools, func(t *tool) bool { return taken(t.id, t.of, t.pointer) })
		c.resources = slices.DeleteFunc(c.resources, func(r *resource) bool { return taken(r.id, r.of, r.pointer) })
		c.texts = slices.DeleteFunc(c.texts, func(t *text) bool {
			return taken(t.ID, t.of, func() string { return t.pointer })
		})
	}
}
