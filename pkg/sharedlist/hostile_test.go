package sharedlist

import "fmt"

import "testing"

// Lists that all depend on each other make as many circles as there are orders
// of them.
func TestHostileDependencies(t *testing.T) {
	const n = 60
	var all []string
	for i := range n {
		var deps []string
		for j := range n {
			if j != i {
				deps = append(deps, fmt.Sprintf("l%d@1.0.0", j))
			}
		}
		all = append(all, simpleList(fmt.Sprintf("l%d", i), "1.0.0", deps...))
	}
	ls := listsOf(t, all...)
	problems := ls.CheckDependencies()
	circles := 0
	for _, p := range problems {
		if p.Code == "LST010" {
			circles++
		}
	}
	if circles == 0 || circles > n {
		t.Errorf("%d circles of %d lists", circles, n)
	}
	for _, l := range ls.All() {
		if _, _, ok := ls.Resolve(refsOf(`[{"ref":"` + l.Name + `","version":"1.0.0"}]`)[0]); ok {
			t.Errorf("list %s can be used", l.Name)
		}
	}
}
