package model

import (
	"slices"
	"strconv"
	"testing"
)

// A NameSet keeps order and has each name once, few or many.
func TestNameSet(t *testing.T) {
	for _, n := range []int{0, 1, manyNames - 1, manyNames, 10 * manyNames} {
		var names []string
		for i := range n {
			names = append(names, strconv.Itoa(n-i))
		}
		s := NamesOf(append(names, names...))
		if !slices.Equal(s.List, names) {
			t.Errorf("%d names: %q, want %q", n, s.List, names)
		}
		for _, name := range names {
			if !s.Has(name) {
				t.Errorf("of %d names %q is not there", n, name)
			}
		}
		if s.Has("") || s.Has("0") {
			t.Errorf("of %d names there is one too many", n)
		}
	}
	if new(NameSet).Has("a") {
		t.Error("an empty set has a name")
	}
}
