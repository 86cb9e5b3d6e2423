package resolve

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/spool"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// addFile adds what a schema makes, or leaves it out.
func (s *session) addFile(c *draft, h *held, p *part) {
	c.know(h.namespace(), p.hashed)
	if p.None {
		s.apart[h.namespace()] = true
	}
	if s.failed[h.src.File()] != nil {
		c.leftOut++
	} else {
		s.addSchema(c, &h.file, p)
		for _, one := range p.Prompts {
			id := catalog.ID{Namespace: h.namespace(), Type: string(record.TypePrompt), Name: one.Name}
			s.addPrompt(c, &text{id: id, of: &h.file, pointer: one.Pointer, node: model.Root(one.Data)}, p.Hashes)
		}
		if !p.None {
			s.asks.AddAsks(walk.Asker{ID: h.id, Src: h.src}, walk.Asks{Domain: p.Domain, Keys: p.Keys})
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
	c.leftOut += p.LeftOut
	for _, one := range p.Findings {
		if one.List != "" {
			one.Message += s.elsewhere(one.List)
		}
		d := s.report(one.Severity, one.Subject, f.src, one.Problem)
		d.Loc.Line, d.Loc.Col = one.Line, one.Col
	}
	for _, name := range p.Libraries {
		if !s.carried[name] {
			s.carried[name] = true
			c.packages = append(c.packages, s.library(name))
		}
	}
	kept, handled := false, false
	added := func(typ string, one *catalog.PartOf, at spool.Place) *tool {
		id := catalog.ID{Namespace: f.namespace(), Type: typ, Name: one.Name}.String()
		if !s.first(c, typ, id, f, one.Pointer) {
			c.leftOut++
			return nil
		}
		kept, handled = true, handled || one.Handled
		return &tool{id: id, of: f, at: at, routes: strings.HasPrefix(one.Pointer, "/routes/")}
	}
	for i := range p.Tools {
		if t := added(catalog.TypeTool, &p.Tools[i], p.at[i]); t != nil {
			c.tools = append(c.tools, t)
		}
	}
	for i := range p.Resources {
		one := &p.Resources[i]
		if t := added(catalog.TypeResource, one, p.at[len(p.Tools)+i]); t != nil {
			r := &resource{tool: *t}
			for _, name := range one.Queries {
				r.queries = append(r.queries, query{name: name})
			}
			c.resources = append(c.resources, r)
		}
	}
	if handled && p.Handlers {
		c.handlers = append(c.handlers, p.at[len(p.at)-1])
	}
	if kept {
		c.kept++
	}
}

// first reports whether an ID is not taken yet, and takes it.
func (s *session) first(c *draft, typ, id string, f *file, pointer string) bool {
	if first := c.byID[id]; first != nil {
		if p := walk.Duplicate(typ, id, first.src, f.src, pointer); !s.judged[p.Message] {
			s.report(record.SeverityError, id, f.src, p)
		}
		return false
	}
	c.byID[id] = f
	return true
}
