package engine

import (
	"github.com/flowmcp/fmcp/pkg/model"
)

// Resolves reports whether the list of a reference can be used; it is false where
// the lists are not known.
func (c *Context) Resolves(ref model.ListRef) bool {
	if c.Lists == nil {
		return false
	}
	_, _, ok := c.Lists.Resolve(ref)
	return ok
}
