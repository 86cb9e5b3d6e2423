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
	"github.com/flowmcp/fmcp/pkg/zod"
)

// Integrity is what the hash in the manifest of an agent is, and what that of
// its tools is now (chapter 06, "Integrity Verification").
type Integrity struct {
	Load       *record.Load // of the manifest
	Stored     string       // "" where the manifest has none
	Calculated string       // "" where a tool is not there
	Tools      []walk.HashedTool
}

// The states of the hash of an agent.
const (
	IntegrityValid    = "valid"
	IntegrityMismatch = "mismatch"
	IntegrityAbsent   = "absent"
)

// State is one of the above.
func (g *Integrity) State() string {
	switch g.Stored {
	case g.Calculated:
		return IntegrityValid
	case "":
		return IntegrityAbsent
	}
	return IntegrityMismatch
}

// Name is that of the agent.
func (g *Integrity) Name() string { return catalog.LastPart(g.Load.ID) }

// Integrity calculates the hash of an agent's tools. The agent is named as its
// folder is, or by its Spec-ID; the error is a *words.Problem where there is none,
// or where what the hash is made of is not there.
func (r *Resolver) Integrity(name string) (*Integrity, error) {
	s := &session{Resolver: r}
	s.group()
	var names []string
	for _, c := range s.catalogs {
		for _, h := range c.members {
			l := h.load
			if l.Type != record.TypeAgent {
				continue
			}
			if names = append(names, catalog.LastPart(l.ID)); catalog.IsAgent(l.ID, name) {
				g := s.integrity(c, l)
				return g, g.check()
			}
		}
	}
	return nil, &words.Problem{Code: catalog.CodeUnknownID, Message: "the input has no agent " + words.Quote(name) +
		words.DidYouMean(name, names), Fix: "it has " + words.List(names)}
}

// integrity is that of an agent of the catalog.
func (s *session) integrity(c *draft, l *record.Load) *Integrity {
	for _, h := range c.schemas {
		schema := s.open(h)
		c.know(h.namespace(), c.hashesOf(schema, definedIDs(schema)))
	}
	g := &Integrity{Load: l, Stored: l.Data.Get("hash").Str()}
	g.Calculated, g.Tools = walk.AgentHashOf(l.Data, c.hash)
	return g
}

// hash is the hash of a tool that an agent refers to.
func (c *draft) hash(id catalog.ID) walk.HashedTool {
	if t := c.hashed[id]; t != nil {
		return *t
	}
	return walk.HashedTool{}
}

// check says why there is no hash.
func (g *Integrity) check() error {
	if p := notGroup(g.Load); p != nil {
		return p
	}
	if g.Load.Data.Get("tools").Is(ordjson.Array) {
		return &words.Problem{Code: "AGT006", Fix: "write tools: { 'namespace/tool/name': null }",
			Message: g.Load.Src.File() + ": agent.tools: found an array, expected an object: the hash is made of its " +
				"keys whose value is null"}
	}
	i := slices.IndexFunc(g.Tools, func(t walk.HashedTool) bool { return t.Hash == "" })
	if i < 0 {
		return nil
	}
	return &words.Problem{Code: "AGT007", Message: g.Load.Src.File() + ": agent.tools: found " +
		words.Quote(g.Tools[i].ID) + ", which the input does not define, so that there is no hash",
		Fix: "correct the ID, or give the whole catalog as input"}
}

// ToolChange is a tool whose hash is another than it was, or that the agent had
// not, or has no more.
type ToolChange struct {
	ID            string
	Expected, Got string // hashes; "" where the agent refers to no such tool
	Fields        []FieldChange
}

// FieldChange is a part of a tool's interface that changed.
type FieldChange struct {
	Field string // parameters, method, path, output, version, namespace, sharedListRefs
	How   string // "new optional parameter added", "" where there is no word for it
	What  string // the names or values that it is about
}

// Changes are what makes the hashes of two states of an agent differ, in the
// order of the tools' IDs.
func (g *Integrity) Changes(was *Integrity) []ToolChange {
	var list []ToolChange
	old := map[string]walk.HashedTool{}
	for _, t := range was.Tools {
		old[t.ID] = t
	}
	for _, t := range g.Tools {
		o, there := old[t.ID]
		if delete(old, t.ID); there && o.Hash == t.Hash {
			continue
		}
		c := ToolChange{ID: t.ID, Expected: o.Hash, Got: t.Hash}
		if there {
			c.Fields = fieldChanges(o.Hashed, t.Hashed)
		}
		list = append(list, c)
	}
	for _, t := range old {
		list = append(list, ToolChange{ID: t.ID, Expected: t.Hash})
	}
	slices.SortFunc(list, func(a, b ToolChange) int { return ordjson.CompareUTF16(a.ID, b.ID) })
	return list
}

// fieldChanges compares what two hashes of a tool are of.
func fieldChanges(was, is ordjson.Value) (list []FieldChange) {
	for _, field := range []string{"parameters", "method", "path", "output"} {
		a, b := was.Get("tool").Get(field), is.Get("tool").Get(field)
		switch {
		case ordjson.Text(a) == ordjson.Text(b):
		case field == "parameters":
			list = append(list, parameterChanges(was.Get("tool"), is.Get("tool")))
		case field == "output":
			list = append(list, FieldChange{Field: field})
		default:
			list = append(list, FieldChange{field, "", shownValue(a) + ", now " + shownValue(b)})
		}
	}
	for _, field := range []string{"namespace", "version", "sharedListRefs"} {
		if a, b := was.Get(field), is.Get(field); ordjson.Text(a) != ordjson.Text(b) {
			list = append(list, FieldChange{field, "", shownValue(a) + ", now " + shownValue(b)})
		}
	}
	return list
}

func shownValue(v ordjson.Value) string {
	if !v.Exists() {
		return "none"
	}
	return words.Brief(ordjson.Text(v))
}

// The words of chapter 06 for what became of parameters.
const (
	addedOptional = "new optional parameter added"
	addedRequired = "new required parameter added"
	removed       = "parameter removed"
	changed       = "parameter changed"
)

// parameterChanges says what became of the parameters of a tool.
func parameterChanges(was, is ordjson.Value) FieldChange {
	view := func(tool ordjson.Value) []model.Parameter { return model.Tool{Node: model.Root(tool)}.Parameters(nil) }
	find := func(list []model.Parameter, key string) int {
		return slices.IndexFunc(list, func(p model.Parameter) bool { return p.Key == key })
	}
	old, now, keys := view(was), view(is), map[string][]string{}
	for _, p := range now {
		how := changed
		switch i := find(old, p.Key); {
		case i >= 0 && ordjson.Text(old[i].Node.Value) == ordjson.Text(p.Node.Value):
			continue
		case i < 0 && optional(p):
			how = addedOptional
		case i < 0:
			how = addedRequired
		}
		keys[how] = append(keys[how], p.Key)
	}
	for _, p := range old {
		if find(now, p.Key) < 0 {
			keys[removed] = append(keys[removed], p.Key)
		}
	}
	c := FieldChange{Field: "parameters"}
	for _, how := range []string{addedOptional, addedRequired, removed, changed} {
		if keys[how] != nil {
			c.How += ", " + how
			c.What += ", " + strings.Join(keys[how], ", ")
		}
	}
	c.How, c.What = strings.TrimPrefix(c.How, ", "), strings.TrimPrefix(c.What, ", ")
	return c
}

// optional reports whether a caller may leave a parameter out.
func optional(p model.Parameter) bool {
	block, _ := zod.Parse(p.Primitive, p.Options)
	return p.Source != model.User || block.Optional()
}
