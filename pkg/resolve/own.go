package resolve

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// ownCallable adds a tool or a resource that an agent defines itself (chapter 06,
// "Slash Rule"), as that of a schema which has nothing else: its namespace is the
// agent's name (chapter 16, "Agent Namespaces"). It returns its ID, "" for what is
// no definition.
func (s *session) ownCallable(c *draft, g *group, typ string, m model.Member) string {
	if g.Type != record.TypeAgent || !m.Inline() || !m.Is(ordjson.Object) {
		return ""
	}
	id := catalog.ID{Namespace: g.Namespace, Type: typ, Name: m.Key()}
	if typ == catalog.TypeTool {
		if problems := g.ownProblems(m); problems != nil {
			s.reportAll(&g.file, problems)
			g.lost = append(g.lost, id.String())
			c.leftOut++
			return id.String()
		}
	}
	from := len(s.diags)
	l, p := ownSchema(c, g, typ, m), &part{}
	s.makeSchema(c, l, p)
	f := fileOf(l)
	s.addSchema(c, &f, p)
	for _, d := range s.diags[from:] {
		if rest, ok := strings.CutPrefix(d.Message, "main."); ok {
			d.Message = string(record.TypeAgent) + "." + rest
		}
	}
	if c.byID[id.String()] == nil {
		g.lost = append(g.lost, id.String())
	}
	return id.String()
}

// ownProblems are what keeps a tool of an agent's own from being called: what
// chapter 06 asks of it, and a root, which a schema has beside its tools (decision
// "Tools of an agent's own").
func (g *group) ownProblems(m model.Member) []words.Problem {
	if g.wrong == nil {
		g.wrong = map[string][]words.Problem{}
		for _, f := range rules.Check(g.load, &rules.Context{}) {
			if code := f.Rule.Code; code == "AGT019" || code == "AGT033" {
				name := slices.Collect(ordjson.PointerKeys(f.Pointer))[1] // /tools/NAME/…
				g.wrong[name] = append(g.wrong[name], f.Problem())
			}
		}
	}
	return g.wrong[m.Key()]
}

// ownSchema is the schema that one definition of an agent would be the only part
// of. Places in it are places in the manifest.
func ownSchema(c *draft, g *group, typ string, m model.Member) *record.Load {
	var refs []ordjson.Value
	for _, name := range slices.Sorted(maps.Keys(enumFields(model.Tool{Node: m.Node}))) {
		if !slices.Contains(g.SharedLists, name) {
			continue
		}
		ref := []ordjson.Member{ordjson.Field("ref", ordjson.NewString(name))}
		if l := c.lists.Lookup(name); l != nil {
			ref = append(ref, ordjson.Field("version", ordjson.NewString(l.Version)))
		}
		refs = append(refs, ordjson.NewObject(ref...))
	}
	section, value, root := rules.ToolSection, m.Node.Value, m.Get("root")
	if typ == catalog.TypeResource {
		section, value, root = rules.ResourceSection, ownResource(value), ordjson.NewString("")
	}
	l := *g.load
	l.Type, l.ID = record.TypeSchema, walk.SchemaFileID(g.Namespace, l.Src.Path)
	l.Data = ordjson.NewObject(
		ordjson.Field("namespace", ordjson.NewString(g.Namespace)),
		ordjson.Field("root", root),
		ordjson.Field("sharedLists", ordjson.NewArray(refs...)),
		ordjson.Field(section, ordjson.NewObject(ordjson.Field(m.Key(), value))),
	)
	return &l
}

// ownResource is a resource as chapter 13 writes it: the sample of chapter 06 has
// its source and its file in one object.
func ownResource(v ordjson.Value) ordjson.Value {
	source := v.Get("source")
	if !source.Is(ordjson.Object) {
		return v
	}
	v = v.With("source", source.Get("type"))
	for _, field := range []ordjson.Member{
		ordjson.Field("origin", ordjson.NewString(model.Inline)),
		ordjson.Field("name", ordjson.NewString(path.Base(source.Get("path").Str()))),
		ordjson.Field("mode", ordjson.NewString(model.InMemory)),
	} {
		if !slices.ContainsFunc(v.Members(), func(m ordjson.Member) bool { return m.Key == field.Key }) {
			v = v.With(field.Key, field.Value)
		}
	}
	return v
}
