package resolve

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Text is the answer of fmcp-resolve agent verify in the words of chapter 06,
// "Verification CLI". changes are those since the state of the catalog that the
// user has named as the one before; known tells that there is one.
func (g *Integrity) Text(changes []ToolChange, known bool) string {
	head := "Agent " + words.Quote(g.Name()) + ": "
	tools := words.Count(len(g.Tools), "tool")
	switch g.State() {
	case IntegrityValid:
		return head + tools + ", all hashes valid\n"
	case IntegrityAbsent:
		return head + tools + ", no hash stored\n  - calculated " + g.Calculated +
			"\n  Recommendation: Run `fmcp-resolve agent rehash " + g.Name() + "` to store it\n"
	}
	var b strings.Builder
	b.WriteString(head + "HASH MISMATCH\n")
	if len(changes) == 0 {
		b.WriteString("  - agent.hash: expected " + g.Stored + " got " + g.Calculated + "\n")
		why := "the manifest stores one hash for " + tools +
			"; --was FOLDER, the catalog as it was, tells which changed"
		if known {
			why = "the tools are what they are in the catalog of --was: the hash is older than that, or was never right"
		}
		b.WriteString("  - Not known which: " + why + "\n")
	}
	for _, c := range changes {
		switch {
		case c.Expected == "":
			b.WriteString("  - " + c.ID + ": added to agent.tools, " + c.Got + "\n")
		case c.Got == "":
			b.WriteString("  - " + c.ID + ": removed from agent.tools, " + c.Expected + "\n")
		default:
			b.WriteString("  - " + c.ID + ": expected " + c.Expected + " got " + c.Got + "\n")
		}
		for _, f := range c.Fields {
			b.WriteString("  - " + f.text() + "\n")
		}
	}
	return b.String() + "  Recommendation: Review changes and run `fmcp-resolve agent rehash " + g.Name() + "`\n"
}

// text is a change as chapter 06 words it: Tool parameters changed (new optional
// parameter added), and what it is about.
func (f FieldChange) text() string {
	s := "Tool " + f.Field + " changed"
	if f.How != "" {
		s += " (" + f.How + ")"
	}
	if f.What != "" {
		s += ": " + f.What
	}
	return s
}

// JSON is the same as one line of NDJSON.
func (g *Integrity) JSON(changes []ToolChange) ordjson.Value {
	f := fields{}
	f.str("id", g.Load.ID)
	f.str("state", g.State())
	f.str("file", g.Load.Src.File())
	f.optional("stored", g.Stored)
	f.str("calculated", g.Calculated)
	var tools, list []ordjson.Value
	for _, t := range g.Tools {
		tools = append(tools, ordjson.NewObject(ordjson.Field("id", ordjson.NewString(t.ID)),
			ordjson.Field("hash", ordjson.NewString(t.Hash))))
	}
	f.value("tools", ordjson.NewArray(tools...))
	for _, c := range changes {
		list = append(list, c.json())
	}
	if list != nil {
		f.value("changes", ordjson.NewArray(list...))
	}
	return ordjson.NewObject(f...)
}

func (c ToolChange) json() ordjson.Value {
	f := fields{}
	f.str("id", c.ID)
	f.optional("expected", c.Expected)
	f.optional("got", c.Got)
	var list []ordjson.Value
	for _, one := range c.Fields {
		inner := fields{}
		inner.str("field", one.Field)
		inner.optional("how", one.How)
		inner.optional("what", one.What)
		list = append(list, ordjson.NewObject(inner...))
	}
	f.value("fields", ordjson.NewArray(list...))
	return ordjson.NewObject(f...)
}
