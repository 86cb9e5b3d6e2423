package sharedlist

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestDependenciesOfOne(t *testing.T) {
	chain := func(n int, last string) []string {
		var lists []string
		for i := range n {
			if i == n-1 {
				return append(lists, simpleList("l"+strconv.Itoa(i), "1.0.0", last))
			}
			lists = append(lists, simpleList("l"+strconv.Itoa(i), "1.0.0", "l"+strconv.Itoa(i+1)+"@1.0.0"))
		}
		return lists
	}
	tests := []struct {
		name  string
		lists []string
		list  string
		want  string
	}{
		{"sound", []string{simpleList("a", "1.0.0"), simpleList("b", "1.0.0", "a@1.0.0")}, "b", ""},
		{"near miss", []string{simpleList("countries", "1.0.0"), simpleList("b", "1.0.0", "contries@1.0.0")}, "b",
			`LST009 did you mean "countries"?`},
		{"the fault of another", []string{simpleList("a", "1.0.0", "gone@1.0.0"), simpleList("b", "1.0.0", "a@1.0.0")},
			"b", ""},
		{"a circle is told by one", chain(3, "l0@1.0.0"), "l1", ""},
		{"which is the first by name", chain(3, "l0@1.0.0"), "l0", "LST010 l0 -> l1 -> l2 -> l0"},
		{"too long", chain(4, "end@1.0.0")[:3:3], "l0", ""},
		{"four lists", append(chain(3, "end@1.0.0"), simpleList("end", "1.0.0")), "l0", "LST011 l0 -> l1 -> l2 -> end"},
		{"a long circle is told by one too", chain(200, "l0@1.0.0"), "l77", ""},
		{"with its length cut", chain(200, "l0@1.0.0"), "l0", "LST010 -> ... -> l0"},
		{"itself", []string{simpleList("a", "1.0.0", "a@1.0.0")}, "a", "LST010 a -> a"},
	}
	for _, tt := range tests {
		ls := listsOf(t, tt.lists...)
		problems := NewDependencies(ls.Lookup, ls.Names).Of(ls.Lookup(tt.list))
		code, part, _ := strings.Cut(tt.want, " ")
		switch {
		case tt.want == "" && len(problems) > 0:
			t.Errorf("%s: %v", tt.name, problems)
		case tt.want != "" && (len(problems) != 1 || problems[0].Code != code ||
			!strings.Contains(problems[0].Message, part)):
			t.Errorf("%s: %v, want %s", tt.name, problems, tt.want)
		}
		if slices.ContainsFunc(ls.All(), func(l *List) bool { return l.Broken != nil }) {
			t.Errorf("%s: the lists were changed", tt.name)
		}
	}
}

// hostileGraphs are lists whose ways to each other, or whose circles, are far
// more than their dependencies.
func hostileGraphs() map[string][]string {
	const n = 60
	graphs := map[string][]string{}
	for i := range n {
		var all, layer, back []string
		for j := range n {
			if j != i {
				all = append(all, fmt.Sprintf("l%d@1.0.0", j))
			}
			if j/4 == i/4-1 {
				layer = append(layer, fmt.Sprintf("l%d@1.0.0", j))
			}
		}
		if back = []string{"l0@1.0.0"}; i < n-1 {
			back = append(back, fmt.Sprintf("l%d@1.0.0", i+1))
		}
		for name, deps := range map[string][]string{"all of all": all, "layers": layer, "all back to the first": back} {
			graphs[name] = append(graphs[name], simpleList(fmt.Sprintf("l%d", i), "1.0.0", deps...))
		}
	}
	return graphs
}

// Whoever asks for each list of a catalog has each visited once, and not once
// for each list that leads to it.
func TestDependenciesAreVisitedOnce(t *testing.T) {
	for name, lists := range hostileGraphs() {
		ls := listsOf(t, lists...)
		d := NewDependencies(ls.Lookup, ls.Names)
		told := 0
		for range 3 { // LST009, LST010 and LST011
			told = 0
			for _, l := range ls.All() {
				told += len(d.Of(l))
			}
		}
		if len(d.visits) != len(lists) {
			t.Errorf("%s: %d visits of %d lists", name, len(d.visits), len(lists))
		}
		if told == 0 || told > len(ls.CheckDependencies()) {
			t.Errorf("%s: %d problems, more than together", name, told)
		}
	}
}

// Of circles that share lists each is reported that has a list of its own.
func TestSharedCircles(t *testing.T) {
	const n = 1500
	var lists []string
	for i := range n {
		lists = append(lists, simpleList(fmt.Sprintf("l%d", i), "1.0.0", "l0@1.0.0",
			fmt.Sprintf("l%d@1.0.0", min(i+1, n-1))))
	}
	ls := listsOf(t, lists...)
	circles := 0
	for _, p := range ls.CheckDependencies() {
		if p.Code == "LST010" {
			circles++
		}
	}
	if circles != n {
		t.Errorf("%d circles", circles)
	}
	for _, l := range ls.All() {
		if l.Broken == nil || l.Broken.Code != "LST010" {
			t.Fatalf("list %s: %v", l.Name, l.Broken)
		}
	}
}

func BenchmarkDependencies(b *testing.B) {
	for name, lists := range hostileGraphs() {
		ls := listsOf(b, lists...)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				d := NewDependencies(ls.Lookup, ls.Names)
				for _, l := range ls.All() {
					d.Of(l)
				}
			}
		})
	}
}
