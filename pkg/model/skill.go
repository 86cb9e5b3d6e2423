package model

import "github.com/flowmcp/fmcp/pkg/ordjson"

// Skill is the skill export of a file, or a skill that a selection holds
// inline (chapters 14 and 17).
type Skill struct{ *Node }

// InputType is the type of an input of a skill.
type InputType string

// The types of inputs (chapter 14, "Input Parameter Fields").
const (
	InputString  InputType = "string"
	InputNumber  InputType = "number"
	InputBoolean InputType = "boolean"
	InputEnum    InputType = "enum"
)

// Content is skill.content, "" if it is not a string.
func (s Skill) Content() string { return s.Get("content").Str() }

// Inputs returns the entries of skill.input that are objects, in order.
func (s Skill) Inputs() []*Node {
	var list []*Node
	for _, n := range s.At("input").Items() {
		if n.Is(ordjson.Object) {
			list = append(list, n)
		}
	}
	return list
}

// InputKeys are the names that {{input:key}} can mean in the skill.
func (s Skill) InputKeys() []string {
	var keys []string
	for _, n := range s.Inputs() {
		if key := n.Get("key").Str(); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}

// Requires returns the entries of skill.requires.tools or
// skill.requires.resources that are strings, in order.
func (s Skill) Requires(field string) []*Node {
	return stringsOf(s.At("requires").At(field))
}

// Prefill returns skill.prefill[].tool where it is a string, in order: the
// tools that are called before the skill is delivered (chapter 18).
func (s Skill) Prefill() []*Node {
	var list []*Node
	for _, n := range s.At("prefill").Items() {
		if n.Get("tool").Is(ordjson.String) {
			list = append(list, n.At("tool"))
		}
	}
	return list
}

// stringsOf returns the elements of an array that are strings.
func stringsOf(n *Node) []*Node {
	var list []*Node
	for _, e := range n.Items() {
		if e.Is(ordjson.String) {
			list = append(list, e)
		}
	}
	return list
}
