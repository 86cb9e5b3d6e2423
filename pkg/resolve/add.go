package resolve

import (
	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// addFile adds what a schema makes, or leaves it out.
func (s *session) addFile(c *draft, h *held, p *part) {
	c.know(h.namespace(), p.hashed)
	if p.none {
		s.apart[h.namespace()] = true
	}
	if s.failed[h.src.File()] != nil {
		c.leftOut++
	} else {
		s.addSchema(c, &h.file, p)
		for _, one := range p.prompts {
			s.addPrompt(c, &text{id: one.id, of: &h.file, pointer: one.pointer, node: model.Root(one.data)}, p.hashes)
		}
		if !p.none {
			s.asks.AddAsks(walk.Asker{ID: h.id, Src: h.src}, p.asks)
		}
	}
	for _, id := range p.ids {
		if c.byID[id.String()] == nil {
			s.defined[id.String()] = true
		}
	}
}

// know notes the hashes of tools that agents refer to. Of two files that define one the
// first counts.
func (c *draft) know(namespace string, hashed map[string]*walk.HashedTool) {
	for name, t := range hashed {
		if id := (catalog.ID{Namespace: namespace, Type: catalog.TypeTool, Name: name}); c.hashed[id] == nil {
			c.hashed[id] = t
		}
	}
}

// addSchema adds the tools and the resources of a part. Of two that have one Spec-ID
// the first is kept, so that the rest of the catalog can be served while the author
// fixes it.
func (s *session) addSchema(c *draft, f *file, p *part) {
	c.leftOut += p.leftOut
	for _, one := range p.findings {
		if one.list != "" {
			one.Message += s.elsewhere(one.list)
		}
		s.report(one.severity, one.subject, f.src, one.Problem)
	}
	for _, name := range p.libraries {
		if !s.carried[name] {
			s.carried[name] = true
			c.packages = append(c.packages, s.library(name))
		}
	}
	kept, handled := false, false
	added := func(typ string, m *made) *tool {
		id := catalog.ID{Namespace: f.namespace(), Type: typ, Name: m.name}
		if !s.first(c, id, f, m.pointer) {
			c.leftOut++
			return nil
		}
		kept, handled = true, handled || m.handled
		return &tool{id: id.String(), of: f, pointer: m.pointer, at: m.at}
	}
	for i := range p.tools {
		if t := added(catalog.TypeTool, &p.tools[i]); t != nil {
			c.tools = append(c.tools, t)
		}
	}
	for i := range p.resources {
		r := &p.resources[i]
		if t := added(catalog.TypeResource, r); t != nil {
			one := &resource{tool: *t}
			for _, name := range r.queries {
				one.queries = append(one.queries, query{name: name})
			}
			c.resources = append(c.resources, one)
		}
	}
	if handled && p.handlers.Size() > 0 {
		c.handlers = append(c.handlers, p.handlers)
	}
	if kept {
		c.kept++
	}
}

// first reports whether an ID is not taken yet, and takes it.
func (s *session) first(c *draft, id catalog.ID, f *file, pointer string) bool {
	name := id.String()
	if first := c.byID[name]; first != nil {
		if p := walk.Duplicate(id.Type, name, first.src, f.src, pointer); !s.judged[p.Message] {
			s.report(record.SeverityError, name, f.src, p)
		}
		return false
	}
	c.byID[name] = f
	return true
}
