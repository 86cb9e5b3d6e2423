package engine

import (
	"github.com/flowmcp/fmcp/pkg/model"
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
