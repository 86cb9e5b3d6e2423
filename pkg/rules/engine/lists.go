package engine

import (
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
