package model

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Schema is the main export of a schema file (chapter 01).
type Schema struct{ *Node }

// Tool is one entry of main.tools, or of the deprecated main.routes.
type Tool struct {
	*Node
	Name string
}

// Methods are those that a tool may have (chapter 01, "method").
var Methods = []string{"GET", "POST", "PUT", "DELETE"}

// MaxTools is how many tools a schema has at most (chapter 01; VAL031).
const MaxTools = 8

// NewSchema views an exported main.
func NewSchema(main ordjson.Value) Schema { return Schema{Root(main)} }

// ToolsKey is "tools", or "routes" in a schema that has only those
// (VAL018), the key under which Tools finds its entries.
func (s Schema) ToolsKey() string {
	if !s.Get("tools").Exists() && s.Get("routes").Exists() {
		return "routes"
	}
	return "tools"
}

// Tools returns the tools in order.
func (s Schema) Tools() []Tool {
	fields := s.At(s.ToolsKey()).Fields()
	tools := make([]Tool, len(fields))
	for i, f := range fields {
		tools[i] = Tool{Node: f, Name: f.Key()}
	}
	return tools
}

// Namespace is main.namespace.
func (s Schema) Namespace() string { return s.Get("namespace").Str() }

// ServerParamName is what an entry of main.requiredServerParams means: a name,
// which the field also writes as in a placeholder, SERVER_PARAM:KEY (CMP019).
func ServerParamName(entry string) string { return strings.TrimPrefix(entry, "SERVER_PARAM:") }

// ListNames returns the names of the shared lists that the schema refers to.
func (s Schema) ListNames() []string {
	var names []string
	for _, r := range s.SharedLists() {
		names = append(names, r.Ref)
	}
	return names
}

// RequiredServerParams are the names of main.requiredServerParams.
func (s Schema) RequiredServerParams() []string {
	var names []string
	for _, e := range s.Get("requiredServerParams").Elems() {
		if e.Is(ordjson.String) {
			names = append(names, ServerParamName(e.Str()))
		}
	}
	return names
}

// ListRef is one entry of main.sharedLists (chapter 03).
type ListRef struct {
	*Node
	Ref     string        // name of the list
	Version string        // required version
	Filter  ordjson.Value // Missing if there is none
	Legacy  bool          // written as name and field (decision "List references")
}

// Named is the field that names the list.
func (r ListRef) Named() *Node {
	if r.Get("ref").Exists() {
		return r.At("ref")
	}
	return r.At("name")
}

// SharedLists returns the references to shared lists in order.
func (s Schema) SharedLists() []ListRef {
	var refs []ListRef
	for _, n := range s.At("sharedLists").Items() {
		r := ListRef{Node: n, Ref: n.Get("ref").Str(), Version: n.Get("version").Str(), Filter: n.Get("filter")}
		if r.Ref == "" && n.Get("name").Is(ordjson.String) {
			r.Ref, r.Legacy = n.Get("name").Str(), true
		}
		if r.Filter.Get("field").Exists() && !r.Filter.Get("key").Exists() {
			r.Legacy = true
		}
		refs = append(refs, r)
	}
	return refs
}

// IsIdent reports whether a key of an object may stand without quotes: a name in
// ASCII.
func IsIdent(s string) bool {
	for i, c := range s {
		letter := c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
