package model

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Source says where the value of a parameter comes from (chapter 02, "Value
// Types").
type Source uint8

// The sources of a parameter's value.
const (
	Fixed  Source = iota // written in the schema
	User                 // {{USER_PARAM}}
	Server               // text with {{SERVER_PARAM:KEY}}, or a bare {{KEY}}
)

var sourceNames = [...]string{"fixed", "user", "server"}

// String returns "fixed", "user" or "server".
func (s Source) String() string { return sourceNames[s] }

// SourceNamed is the source that String returns name for; Fixed for other texts.
func SourceNamed(name string) Source {
	return Source(max(0, slices.Index(sourceNames[:], name)))
}

// Location says where a parameter goes in the request.
type Location string

// The locations of chapter 02.
const (
	Insert Location = "insert"
	Query  Location = "query"
	Body   Location = "body"
)

// Parameter is one entry of tool.parameters (chapter 02).
type Parameter struct {
	*Node
	Key       string
	Value     ordjson.Value // position.value as written: a string in a valid schema
	Location  Location
	Source    Source
	Bare      string // the KEY of a value {{KEY}} that no one declares, see SourceOf
	Primitive string
	Options   []string

	// The description for callers, "" for none (docs/decisions.md,
	// "Descriptions of parameters").
	Description string
}

// Parameters returns the tool's parameters in order.
func (t Tool) Parameters(declared []string) []Parameter {
	items := t.At("parameters").Items()
	params := make([]Parameter, len(items))
	for i, n := range items {
		params[i] = newParameter(n, declared)
	}
	return params
}

// newParameter views one parameter; declared are the schema's
// requiredServerParams, which decide how a bare {{KEY}} reads (decision "Bare server parameters").
func newParameter(n *Node, declared []string) Parameter {
	pos, z := n.Get("position"), n.Get("z")
	p := Parameter{
		Node:      n,
		Key:       pos.Get("key").Str(),
		Value:     pos.Get("value"),
		Location:  Location(pos.Get("location").Str()),
		Primitive: z.Get("primitive").Str(),

		Description: cmp.Or(n.Get("description").Str(), z.Get("description").Str()),
	}
	if options := z.Get("options").Elems(); len(options) > 0 {
		p.Options = make([]string, 0, len(options))
		for _, o := range options {
			if o.Is(ordjson.String) {
				p.Options = append(p.Options, o.Str())
			}
		}
	}
	p.Source, p.Bare = SourceOf(p.Value.Str(), declared)
	return p
}

// Given is a parameter of a tool that no schema declares: the runtime
// adds the tool, and the caller gives the value.
func Given(key, primitive string, options ...string) Parameter {
	return Parameter{Key: key, Value: ordjson.NewString(userParam), Source: User, Primitive: primitive,
		Options: options}
}

// userParam is what stands for the caller's value.
const userParam = "{{USER_PARAM}}"

// Template is the value that a request is built from: position.value, with the
// caller's value where a bare {{KEY}} stands for it.
func (p Parameter) Template() ordjson.Value {
	if p.Bare != "" {
		return ordjson.NewString(userParam)
	}
	return p.Value
}

// SourceOf says where a position.value comes from. A bare {{KEY}} is a server
// parameter if KEY is declared (decision "Bare server parameters"). One that is
// not declared is a mistake (CMP002); public schemas mean the caller's value by
// it ({{LIMIT}}, {{CITY}}), so that is how it is read, and bare names it.
func SourceOf(value string, declared []string) (source Source, bare string) {
	switch {
	case value == userParam: // nearly all are
		return User, ""
	case !strings.Contains(value, "{{"):
		return Fixed, ""
	}
	list := Placeholders(value)
	for _, ph := range list {
		if ph.Bare() && ph.Name == "USER_PARAM" {
			return User, ""
		}
	}
	if len(list) == 1 && list[0].Bare() && len(strings.TrimSpace(value)) == list[0].End-list[0].Start &&
		isEnvName(list[0].Name) && !slices.Contains(declared, list[0].Name) {
		return User, list[0].Name
	}
	if len(ServerKeys(value, declared)) > 0 {
		return Server, ""
	}
	return Fixed, ""
}

// ServerKeys returns the names of the server parameters that text asks for, in
// order and without repeats: {{SERVER_PARAM:KEY}}, and bare {{KEY}} where KEY
// looks like an environment variable (decision "Bare server parameters").
func ServerKeys(text string, declared []string) []string {
	var keys NameSet
	for _, ph := range Placeholders(text) {
		if key, ok := ph.ServerKey(declared); ok {
			keys.Add(key)
		}
	}
	return keys.List
}

// InsertKeys returns the keys of the parameters that go into the path.
func InsertKeys(params []Parameter) []string {
	var keys []string
	for _, p := range params {
		if p.Location == Insert {
			keys = append(keys, p.Key)
		}
	}
	return keys
}
