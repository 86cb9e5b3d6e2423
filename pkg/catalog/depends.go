package catalog

import (
	"slices"
	"strconv"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/suggest"
)

// MaxListDepth is how many lists a chain of dependencies may hold (chapter 03,
// "Dependency Rules" 5).
const MaxListDepth = 3

// ListProblem is a problem and the list that has it.
type ListProblem struct {
	List *List
	Problem
	Inherited bool // the list is sound but for one that it depends on
}

// CheckDependencies checks the dependencies of all lists: LST009 (the parent
// is missing, of another version, or does not meet the condition), LST010
// (cycle, reported once), LST011 (chain too long). A list with a problem cannot
// be used from then on. Call it once, after the last Add.
func (ls *Lists) CheckDependencies() []ListProblem {
	w := dependencyWalk{lists: ls, depth: map[*List]int{}, open: map[*List]int{}, circled: map[*List]bool{}}
	for _, l := range ls.order {
		w.visit(l)
	}
	return w.problems
}

// horizon is how far CheckList follows dependencies. Whoever depends on lists
// beyond it has too long a chain, whatever they are.
const horizon = 2 * (MaxListDepth + 1)

// CheckList is CheckDependencies for one list of a catalog: it returns what is
// wrong with l, and not what is wrong with the lists that it depends on. find
// knows the others by name, nil where there is none; names are theirs. Unlike
// CheckDependencies it changes nothing.
func CheckList(l *List, find func(name string) *List, names func() []string) []Problem {
	ls := &Lists{others: names}
	cut := ls.addWithParents(l, find)
	own := ls.Lookup(l.Name)
	if own == nil {
		return nil // without a name: LST002
	}
	w := dependencyWalk{lists: ls, depth: map[*List]int{}, open: map[*List]int{}, circled: map[*List]bool{}}
	w.visit(own)
	var problems []Problem
	for _, p := range w.problems {
		if p.List == own && !p.Inherited {
			problems = append(problems, p.Problem)
		}
	}
	if cut && len(problems) == 0 {
		problems = append(problems, w.tooDeep(own))
	}
	return problems
}

// addWithParents adds copies of l and of the lists that it depends on, as far
// as the horizon. It reports whether there are some beyond.
func (ls *Lists) addWithParents(l *List, find func(string) *List) (cut bool) {
	level := []*List{l}
	for depth := 0; len(level) > 0; depth++ {
		var next []*List
		for _, l := range level {
			one := *l
			one.broken = nil
			if depth == horizon {
				cut = cut || len(one.DependsOn) > 0
				one.DependsOn = nil
			}
			if ls.Lookup(one.Name) != nil || ls.Add(&one) != nil {
				continue
			}
			for _, dep := range one.DependsOn {
				if parent := find(dep.Ref); parent != nil && ls.Lookup(dep.Ref) == nil {
					next = append(next, parent)
				}
			}
		}
		level = next
	}
	return cut
}

// dependencyWalk is one depth-first search over the dependencies.
type dependencyWalk struct {
	lists    *Lists
	depth    map[*List]int // lists in the longest chain from a finished list
	open     map[*List]int // place of an unfinished list in chain
	chain    []*List
	circled  map[*List]bool // in a circle that was told
	told     []bool         // of each of chain, whether it is
	problems []ListProblem
}

func (w *dependencyWalk) fail(l *List, p Problem) {
	w.problems = append(w.problems, ListProblem{List: l, Problem: p})
	if l.broken == nil {
		l.broken = &p
	}
}

// inherit is fail where a list that l depends on is at fault.
func (w *dependencyWalk) inherit(l *List, p Problem) {
	w.fail(l, p)
	w.problems[len(w.problems)-1].Inherited = true
}

// visit returns how many lists the longest chain from l holds.
func (w *dependencyWalk) visit(l *List) int {
	if d, ok := w.depth[l]; ok {
		return d
	}
	w.open[l] = len(w.chain)
	w.chain, w.told = append(w.chain, l), append(w.told, w.circled[l])
	deepest := 0
	for _, dep := range l.DependsOn {
		parent, p := w.lists.dependency(l, dep)
		if p != nil {
			w.fail(l, *p)
			continue
		}
		if at, ok := w.open[parent]; ok {
			w.circle(at)
			continue
		}
		deepest = max(deepest, w.visit(parent))
		// The members of a cycle are told once, by the cycle itself.
		if parent.broken != nil && l.broken == nil {
			w.inherit(l, Problem{Code: "LST009", Pointer: dep.Pointer, Fix: "mend " + strconv.Quote(parent.Name) + " first",
				Message: "list " + strconv.Quote(l.Name) + " depends on " + strconv.Quote(parent.Name) + " (" + parent.Src.File() + "), which cannot be used: " + parent.broken.Code})
		}
	}
	w.chain, w.told = w.chain[:len(w.chain)-1], w.told[:len(w.told)-1]
	delete(w.open, l)
	w.depth[l] = deepest + 1
	if deepest+1 > MaxListDepth && l.broken == nil {
		w.fail(l, w.tooDeep(l))
	}
	return deepest + 1
}

func (w *dependencyWalk) tooDeep(l *List) Problem {
	return Problem{Code: "LST011", Pointer: "/meta/dependsOn", Fix: "depend on a list nearer to the root, or copy the fields that are needed",
		Message: "the dependencies of list " + strconv.Quote(l.Name) + " make a chain of " + strconv.Itoa(w.depth[l]) + " lists, at most " +
			strconv.Itoa(MaxListDepth) + " are allowed: " + chainText(w.longest(l))}
}

// circle reports the lists of the chain from at on, unless each of them is in a
// circle that was told: lists that all depend on each other make more than can
// be, and those left show once that is mended.
func (w *dependencyWalk) circle(at int) {
	if !slices.Contains(w.told[at:], false) {
		return
	}
	for i := at; i < len(w.chain); i++ {
		w.told[i], w.circled[w.chain[i]] = true, true
	}
	w.cycle(slices.Clone(w.chain[at:]))
}

// cycle reports the members, starting with the least name so that the message
// does not depend on the order of the input.
func (w *dependencyWalk) cycle(members []*List) {
	least := 0
	for i, l := range members {
		if l.Name < members[least].Name {
			least = i
		}
	}
	members = append(members[least:], members[:least]...)
	names := make([]string, 0, len(members)+1)
	for _, l := range members {
		names = append(names, l.Name)
	}
	p := Problem{Code: "LST010", Pointer: "/meta/dependsOn", Fix: "remove one of these dependencies",
		Message: "lists depend on each other in a circle: " + chainText(append(names, names[0])) + cycleFiles(members)}
	w.fail(members[0], p)
	for _, l := range members[1:] {
		if l.broken == nil {
			l.broken = &p
		}
	}
}

// cycleFiles names the files of a cycle's first two lists.
func cycleFiles(members []*List) string {
	s := " (" + members[0].Src.File()
	if len(members) > 1 {
		s += ", " + members[1].Src.File()
	}
	return s + ")"
}

// longest returns the names along the longest chain from l.
func (w *dependencyWalk) longest(l *List) []string {
	names := []string{l.Name}
	for len(names) <= w.depth[l]+len(w.depth) {
		var next *List
		for _, dep := range l.DependsOn {
			if parent := w.lists.Lookup(dep.Ref); parent != nil && (next == nil || w.depth[parent] > w.depth[next]) {
				next = parent
			}
		}
		if next == nil {
			return names
		}
		names = append(names, next.Name)
		l = next
	}
	return names
}

// dependency returns the parent list that dep asks for.
func (ls *Lists) dependency(l *List, dep Dependency) (*List, *Problem) {
	bad := func(msg, fix string) (*List, *Problem) {
		return nil, &Problem{Code: "LST009", Message: "list " + strconv.Quote(l.Name) + " depends on " + msg, Fix: fix, Pointer: dep.Pointer}
	}
	parent := ls.Lookup(dep.Ref)
	switch {
	case dep.Ref == "":
		return bad("a list without a name: ref is missing", "write { ref, version }")
	case parent == nil:
		return bad(strconv.Quote(dep.Ref)+", which is not in the catalog"+suggest.DidYouMean(dep.Ref, ls.names()), "add the list to _lists/, or correct ref")
	case dep.Version != parent.Version:
		return bad("version "+strconv.Quote(dep.Version)+" of "+strconv.Quote(dep.Ref)+", "+parent.Src.File()+" has "+parent.Version, "pin the dependency to "+parent.Version)
	}
	c := dep.Condition
	if c.Field == "" {
		return parent, nil
	}
	for _, e := range parent.Entries {
		if v := e.Get(c.Field); v.Exists() && ordjson.Equal(v, c.Value) {
			return parent, nil
		}
	}
	return bad("an entry of "+strconv.Quote(dep.Ref)+" ("+parent.Src.File()+") where "+c.Field+" is "+ordjson.Text(c.Value)+"; there is none",
		"correct the condition, or add the entry")
}
