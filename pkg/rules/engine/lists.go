package engine

import (
	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// LacksList reports whether the catalog has no list of a name. Where it may be in
// a file that cannot be read, the reference is counted, and nothing is known.
func (c *Context) LacksList(name string) bool {
	if c.Lists == nil || c.Lists.Lookup(name) != nil {
		return false
	}
	if c.UnjudgedLists != nil {
		c.UnjudgedLists.Add(1)
		return false
	}
	return true
}

// Resolves reports whether the list of a reference can be used; it is false where
// the lists are not known.
func (c *Context) Resolves(ref model.ListRef) bool {
	if c.Lists == nil {
		return false
	}
	_, _, ok := c.Lists.Resolve(ref)
	return ok
}

// DeclareList adds a list of the catalog to main.sharedLists; a Missing filter is none.
func (p *Pass) DeclareList(name string, filter ordjson.Value) edit.Change {
	members := []ordjson.Member{ordjson.Field("ref", ordjson.NewString(name)),
		ordjson.Field("version", ordjson.NewString(p.ListVersion(name)))}
	if filter.Exists() {
		members = append(members, ordjson.Field("filter", filter))
	}
	ref := ordjson.NewObject(members...)
	if p.Schema.Get("sharedLists").Exists() {
		return edit.Append("/sharedLists", ref)
	}
	return AddMember(p.Schema.Node, "sharedLists", ordjson.NewArray(ref), "headers", "tags", "root")
}
