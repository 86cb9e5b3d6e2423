package model

import "github.com/flowmcp/fmcp/pkg/ordjson"

// Prompt is the prompt export of a file, or an entry of main.prompts (chapter
// 12).
type Prompt struct{ *Node }

// Prompts returns the entries of main.prompts that are objects, in order.
func (s Schema) Prompts() []Prompt {
	var list []Prompt
	for _, n := range s.At("prompts").Fields() {
		if n.Is(ordjson.Object) {
			list = append(list, Prompt{n})
		}
	}
	return list
}

// Name is prompt.name, "" if it is not a string.
func (p Prompt) Name() string { return p.Get("name").Str() }

// Namespace is prompt.namespace, or prompt.provider, which older prompts have in
// the place of namespace and agent (decision "Agents that export main").
func (p Prompt) Namespace() *Node {
	if p.Get("provider").Exists() && !p.Get("namespace").Exists() && !p.Get("agent").Exists() {
		return p.At("provider")
	}
	return p.At("namespace")
}

// DependsOn returns the entries of prompt.dependsOn that are strings, in order.
func (p Prompt) DependsOn() []*Node { return stringsOf(p.At("dependsOn")) }

// References returns the entries of prompt.references that are strings, in
// order.
func (p Prompt) References() []*Node { return stringsOf(p.At("references")) }
