package resolve

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// scope is what names without a namespace mean: those of the namespace, the
// selections or the agent in whose folder a text is (chapters 12 and 14).
type scope struct {
	catalog.Scope
	ids map[string]string // by type:name
}

// id is what an entry of requires or prefill means; an ID, and what the scope
// does not have, stays as written.
func (s *scope) id(typ, name string) string {
	if id := s.ids[typ+":"+name]; id != "" {
		return id
	}
	return name
}

// add takes what a name means unless it means something already.
func (s *scope) add(typ, name, id string) {
	if key := typ + ":" + name; s.ids[key] == "" {
		s.ids[key] = id
	}
}

// addMembers takes what the names of members mean.
func (s *scope) addMembers(g *group) {
	for i, part := range model.SelectionFields {
		for _, id := range g.Members[i] {
			s.add(part.Type, catalog.LastPart(id), id)
		}
	}
}

// resolveTexts replaces the names in all texts. Those of a folder share a scope.
func (s *session) resolveTexts(c *draft) {
	if len(c.texts) == 0 {
		return
	}
	scopes := map[string]*scope{}
	at := func(f *file) *scope {
		dir, typ := c.scopeFolder(f)
		if scopes[dir] == nil {
			scopes[dir] = &scope{Scope: catalog.Scope{Type: typ, Of: []string{}}, ids: map[string]string{}}
		}
		return scopes[dir]
	}
	for _, g := range c.groups {
		scope := at(&g.file)
		scope.Of = append(scope.Of, g.ID)
		scope.addMembers(g)
	}
	for _, g := range c.groups { // after the members of their own (decision "Names in an agent's texts")
		for _, id := range g.Selections {
			if selection := c.group(id); selection != nil {
				at(&g.file).addMembers(selection)
			}
		}
	}
	// The field has folders that are not called as the namespace of their schemas
	// is.
	define := func(s *scope, id catalog.ID) {
		if s.Type != catalog.ScopeNamespace {
			return
		}
		s.add(id.Type, id.Name, id.String())
		if !slices.Contains(s.Of, id.Namespace) {
			s.Of = append(s.Of, id.Namespace)
		}
	}
	for _, t := range c.texts {
		define(at(t.of), t.id)
	}
	for _, h := range c.schemas {
		dir, _ := c.scopeFolder(&h.file)
		if scope := scopes[dir]; scope != nil { // a text may name what the file defines
			for _, id := range s.idsOf(h) {
				define(scope, id)
			}
		}
	}
	for _, t := range c.texts {
		t.resolve(at(t.of))
	}
}

// scopeFolder is the folder of a catalog that makes a scope, such as agents/clerk.
// What is in none of them has that of its namespace, or is a selection or an agent
// itself.
func (c *draft) scopeFolder(f *file) (string, catalog.ScopeType) {
	facts := walk.Facts{Root: c.dir}
	parts := strings.Split(facts.Path(f.src), "/")
	if typ := scopeTypes[parts[0]]; typ != "" && len(parts) > 2 {
		return parts[0] + "/" + parts[1], typ
	}
	switch f.typ {
	case record.TypeSelection:
		return f.id, catalog.ScopeSelection
	case record.TypeAgent:
		return f.id, catalog.ScopeAgent
	}
	return "providers/" + f.namespace(), catalog.ScopeNamespace
}

// scopeTypes are the scopes by the folder of a catalog (chapter 14, "Skill
// Types").
var scopeTypes = map[string]catalog.ScopeType{
	"providers": catalog.ScopeNamespace, "selections": catalog.ScopeSelection, "agents": catalog.ScopeAgent,
}
