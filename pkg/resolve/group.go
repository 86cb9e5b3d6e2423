package resolve

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// addGroup adds a selection or an agent: what has members of its own catalog
// (chapters 06 and 17). See checkMembers for those that are not there.
func (s *session) addGroup(c *draft, l *record.Load) {
	if s.failed[l.Src.File()] != nil {
		c.leftOut++
		return
	}
	if !l.Data.Is(ordjson.Object) {
		c.leftOut++
		s.report(record.SeverityError, l.ID, l.Src, words.Problem{Code: catalog.CodeNoGroup,
			Message: "the file exports no " + string(l.Type) + " object" + catalog.ExportsText(l.Exports),
			Fix:     "export const " + string(l.Type) + " = { name, version, description, tools }"})
		return
	}
	if c.group(l.ID) != nil {
		c.leftOut++
		first := c.members[slices.IndexFunc(c.members,
			func(m *record.Load) bool { return m.ID == l.ID && s.failed[m.Src.File()] == nil })]
		if p := walk.Duplicate(string(l.Type), l.ID, first.Src, l.Src, ""); !s.judged[p.Message] {
			s.report(record.SeverityError, l.ID, l.Src, p)
		}
		return
	}
	c.groups = append(c.groups, groupOf(l))
}

// group finds a selection or an agent that the catalog has already.
func (c *draft) group(id string) *catalog.Group {
	if i := slices.IndexFunc(c.groups, func(g *catalog.Group) bool { return g.ID == id }); i >= 0 {
		return c.groups[i]
	}
	return nil
}

// groupOf is the record of a selection or an agent.
func groupOf(l *record.Load) *catalog.Group {
	text := func(key string) string { return l.Data.Get(key).Str() }
	g := &catalog.Group{
		ID: l.ID, Type: l.Type, Namespace: catalog.NamespaceOf(l), Name: l.ID[strings.LastIndexByte(l.ID, '/')+1:],
		Version: text("version"), Description: text("description"),
		Selections: record.StringsOf(l.Data.Get("selections")),
		Src:        catalog.Src{Path: l.Src.Path}, Hashes: l.Hashes,
	}
	if l.Type == record.TypeAgent {
		g.Model, g.SystemPrompt, g.Tests = text("model"), text("systemPrompt"), l.Data.Get("tests")
		g.SharedLists = record.StringsOf(l.Data.Get("sharedLists"))
	} else {
		g.WhenToUse = text("whenToUse")
	}
	members := model.Agent{Node: model.Root(l.Data)}.Members // those of a selection are written alike
	for i, part := range model.SelectionFields {
		for _, m := range members(part.Field) {
			switch {
			case m.Ref != "":
				g.Members[i] = append(g.Members[i], m.Ref)
			case m.Keyed():
				g.Own = append(g.Own, part.Type+" "+m.Key())
			default:
				g.Own = append(g.Own, part.Type+" "+m.Get("name").Str())
			}
		}
	}
	return g
}
