package engine

import (
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
)

// ListsOf shows the lists of a catalog to the rules.
func ListsOf(lists *sharedlist.Lists) ListSource { return catalogLists{lists} }

type catalogLists struct{ lists *sharedlist.Lists }

func (s catalogLists) List(name string) (ListFacts, bool) {
	l := s.lists.Lookup(name)
	if l == nil {
		return ListFacts{}, false
	}
	return factsOf(l), true
}

// Resolves reports whether the list of a reference can be used; it is false where
// the lists are not known.
func (c *Context) Resolves(ref model.ListRef) bool {
	lists, ok := c.Lists.(catalogLists)
	if ok {
		_, _, ok = lists.lists.Resolve(ref)
	}
	return ok
}

func (s catalogLists) Names() []string { return s.lists.Names() }

func (s catalogLists) All() []ListFacts {
	var all []ListFacts
	for _, l := range s.lists.All() {
		all = append(all, factsOf(l))
	}
	return all
}

func factsOf(l *sharedlist.List) ListFacts {
	return ListFacts{
		List: l, Name: l.Name, Version: l.Version, Fields: l.FieldNames(),
		Values: func(field string) []string { return sharedlist.Values(l.Entries, field) },
	}
}
