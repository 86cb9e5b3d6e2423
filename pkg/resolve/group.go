package resolve

import (
	"math"
	"path/filepath"
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// addGroup adds a selection or an agent: what has members of its own catalog
// (chapters 06 and 17). See checkMembers for those that are not there.
func (s *session) addGroup(c *draft, h *held) {
	l := h.load
	if s.failed[l.Src.File()] != nil {
		c.leftOut++
		return
	}
	if p := notGroup(l); p != nil {
		c.leftOut++
		s.report(record.SeverityError, l.ID, l.Src, *p)
		return
	}
	if c.group(l.ID) != nil {
		c.leftOut++
		first := c.members[slices.IndexFunc(c.members,
			func(m *held) bool { return m.id == l.ID && s.failed[m.src.File()] == nil })]
		if p := walk.Duplicate(string(l.Type), l.ID, first.src, l.Src, ""); !s.judged[p.Message] {
			s.report(record.SeverityError, l.ID, l.Src, p)
		}
		return
	}
	c.groups = append(c.groups, s.groupOf(c, h))
}

// group is a selection or an agent of a catalog.
type group struct {
	*catalog.Group
	*held
	refs  []memberRef
	wrong map[string][]words.Problem // see ownProblems
	lost  []string                   // IDs of what it defines itself in files that had an error
}

// memberRef is what a member refers to, and where it is written.
type memberRef struct {
	id      string
	pointer string
}

// notGroup says that a file exports no selection or agent, nil where it does.
func notGroup(l *record.Load) *words.Problem {
	if l.Data.Is(ordjson.Object) {
		return nil
	}
	return &words.Problem{Code: catalog.CodeNoGroup,
		Message: "the file exports no " + string(l.Type) + " object" + catalog.ExportsText(l.Exports),
		Fix:     "export const " + string(l.Type) + " = { name, version, description, tools }"}
}

// group finds a selection or an agent that the catalog has already.
func (c *draft) group(id string) *group {
	if i := slices.IndexFunc(c.groups, func(g *group) bool { return g.ID == id }); i >= 0 {
		return c.groups[i]
	}
	return nil
}

// groupOf is a selection or an agent, and adds the prompts and skills that it
// defines itself.
func (s *session) groupOf(c *draft, h *held) *group {
	l := h.load
	text := func(key string) string { return l.Data.Get(key).Str() }
	agent := model.Agent{Node: model.Root(l.Data)} // members of a selection are written alike
	g := &group{held: h, Group: &catalog.Group{
		ID: l.ID, Type: l.Type, Namespace: catalog.NamespaceOf(l), Name: catalog.LastPart(l.ID),
		Version: text("version"), Description: text("description"),
		Selections: record.StringsOf(l.Data.Get("selections")),
		Src:        catalog.Src{Path: l.Src.Path}, Hashes: l.Hashes,
	}}
	if l.Type == record.TypeAgent {
		g.Model, g.SystemPrompt, g.Tests = text("model"), text("systemPrompt"), l.Data.Get("tests")
		g.SharedLists = record.StringsOf(l.Data.Get("sharedLists"))
		g.Hash, g.Elicitation = text("hash"), l.Data.Get("elicitation")
		g.MaxRounds, g.MaxTokens = wholeOr(l.Data.Get("maxRounds"), 10), wholeOr(l.Data.Get("maxTokens"), 4096)
		if hash, tools := walk.AgentHashOf(l.Data, c.hash); len(tools) > 0 {
			g.ToolsHash = hash
		}
	} else {
		g.WhenToUse = text("whenToUse")
	}
	for i, part := range model.SelectionFields {
		for _, m := range agent.MembersAndAbout(part.Field) {
			id := m.Ref
			if id == "" {
				id = s.own(c, g, part.Type, m)
			}
			if id == "" {
				g.Own = append(g.Own, part.Type+" "+m.Name())
				continue
			}
			g.Members[i] = append(g.Members[i], id)
			g.refer(id, part.Type, m.Pointer())
		}
	}
	for _, n := range agent.At("selections").Items() {
		g.refer(n.Str(), catalog.TypeTool, n.Pointer())
	}
	return g
}

// wholeOr is a number, or what holds without one (chapter 06, "Manifest Fields").
func wholeOr(v ordjson.Value, otherwise int) int {
	if n := v.Float(); v.Is(ordjson.Number) && n >= 1 && n == math.Trunc(n) && n <= math.MaxInt32 {
		return int(n)
	}
	return otherwise
}

// refer notes what must be there. Skills and prompts of an agent may be names of
// files instead (decision "Agent members").
func (g *group) refer(id, typ, pointer string) {
	parsed, err := catalog.ParsePrimitiveID(id)
	file := typ != catalog.TypeTool && typ != catalog.TypeResource && (err != nil || parsed.Type != typ)
	if id != "" && (g.Type == record.TypeSelection || !file) {
		g.refs = append(g.refs, memberRef{id, pointer})
	}
}

// own is the ID of what a selection or an agent defines itself: a prompt or a skill
// in a file beside it, or written out (chapters 14 and 17), or a tool or a resource
// of an agent. It is "" for what is not in the input.
func (s *session) own(c *draft, g *group, typ string, m model.Member) string {
	if typ == catalog.TypeTool || typ == catalog.TypeResource {
		return s.ownCallable(c, g, typ, m)
	}
	file := m.File()
	l := s.contents[filepath.Join(filepath.Dir(g.load.Src.File()), file)]
	id := catalog.ID{Namespace: g.Namespace, Type: typ, Name: m.Name()}
	t := &text{id: id, of: &g.file, pointer: m.Pointer(), node: m.Node}
	switch {
	case file != "" && l == nil:
		g.refs = append(g.refs, memberRef{file, m.At("file").Pointer()})
		return ""
	case l != nil && l.Type != record.TypeContent:
		return l.ID
	case l != nil && s.failed[l.Src.File()] != nil:
		c.leftOut++
		g.lost = append(g.lost, id.String())
	case l != nil:
		f := fileOf(l)
		s.addPrompt(c, &text{id: id, of: &f, node: model.Root(l.Data)}, l.Hashes)
	case !m.Get("content").Exists():
		return ""
	case typ == string(record.TypeSkill):
		s.addSkill(c, t, g.load.Hashes)
	default:
		s.addPrompt(c, t, g.load.Hashes)
	}
	return id.String()
}
