package model

import "slices"

// NameSet is a list of names that may be asked for thousands of them. The zero
// NameSet is empty.
type NameSet struct {
	List []string            // in order, without repeats; Add makes it
	set  map[string]struct{} // nil where there are few
}

// manyNames is from how many names on a map finds one faster than looking
// through them.
const manyNames = 32

// NamesOf returns the set of names.
func NamesOf(names []string) *NameSet {
	s := &NameSet{List: make([]string, 0, len(names))}
	for _, name := range names {
		s.Add(name)
	}
	return s
}

// Add adds a name, unless it is there.
func (s *NameSet) Add(name string) {
	if s.Has(name) {
		return
	}
	s.List = append(s.List, name)
	switch {
	case s.set != nil:
		s.set[name] = struct{}{}
	case len(s.List) == manyNames:
		s.set = make(map[string]struct{}, 2*manyNames)
		for _, name := range s.List {
			s.set[name] = struct{}{}
		}
	}
}

// Has reports whether a name is there.
func (s *NameSet) Has(name string) bool {
	if s.set == nil {
		return slices.Contains(s.List, name)
	}
	_, ok := s.set[name]
	return ok
}
