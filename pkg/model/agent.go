package model

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Agent is the agent export of a manifest (chapter 06).
type Agent struct{ *Node }

// Member is one entry of the tools, resources, prompts or skills of an agent or
// a selection.
type Member struct {
	*Node
	Ref string // the ID that it refers to, as written; "" for a definition of its own
}

// Inline reports whether the member is a key without a slash: its value is the
// definition itself (chapter 06, "Slash Rule").
func (m Member) Inline() bool { return m.Keyed() && !strings.Contains(m.Key(), "/") }

// Keyed reports whether the member is under a key, and not in an array.
func (m Member) Keyed() bool { return m.Parent().Is(ordjson.Object) }

// Name is what a definition is called: its key, or in an array the name that it
// has.
func (m Member) Name() string {
	if m.Keyed() {
		return m.Key()
	}
	return m.Get("name").Str()
}

// File is the file that a prompt or a skill is in, as the manifest has it.
func (m Member) File() string { return m.Get("file").Str() }

// Members returns the entries of a field in order. An object refers to what its
// keys with a slash name, and to what a key without a definition names; an
// array to what its strings name.
func (a Agent) Members(field string) []Member { return members(a.At(field)) }

// MembersAndAbout are the entries of a field, and with those of prompts the field
// about (decision "About an agent").
func (a Agent) MembersAndAbout(field string) []Member {
	list := a.Members(field)
	if about := a.At("about"); field == "prompts" && about.Get("content").Exists() {
		list = append(list, Member{Node: about})
	}
	return list
}

func members(n *Node) []Member {
	var list []Member
	for _, f := range n.Fields() {
		m := Member{Node: f}
		if !m.Inline() || f.Is(ordjson.Null) {
			m.Ref = f.Key()
		}
		list = append(list, m)
	}
	for _, e := range n.Items() {
		list = append(list, Member{Node: e, Ref: e.Str()})
	}
	return list
}

// Tests returns the entries of agent.tests that are objects, in order.
func (a Agent) Tests() []*Node {
	var list []*Node
	for _, t := range a.At("tests").Items() {
		if t.Is(ordjson.Object) {
			list = append(list, t)
		}
	}
	return list
}

// InlineTools returns the tools that the agent defines itself and that are
// objects.
func (a Agent) InlineTools() []Tool {
	var list []Tool
	for _, m := range a.Members("tools") {
		if m.Inline() && m.Is(ordjson.Object) {
			list = append(list, Tool{Node: m.Node, Name: m.Key()})
		}
	}
	return list
}

// FileEntries returns the file fields of the agent's own prompts or skills, in
// order: paths relative to the folder of the manifest.
func (a Agent) FileEntries(field string) []*Node {
	var list []*Node
	for _, m := range a.Members(field) {
		if m.Inline() && strings.TrimSpace(m.Get("file").Str()) != "" {
			list = append(list, m.At("file"))
		}
	}
	return list
}
