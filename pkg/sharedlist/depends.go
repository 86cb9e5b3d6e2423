package sharedlist

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// MaxListDepth is how many lists a chain of dependencies may hold (chapter 03,
// "Dependency Rules" 5).
const MaxListDepth = 3

// ListProblem is a problem and the list that has it.
type ListProblem struct {
	List *List
	words.Problem
	Inherited bool // the list is sound but for one that it depends on
}

// CheckDependencies checks the dependencies of all lists: LST009 (the parent
// is missing, of another version, or does not meet the condition), LST010
// (cycle, reported once), LST011 (chain too long). A list with a problem cannot
// be used from then on. Call it once, after the last Add.
func (ls *Lists) CheckDependencies() []ListProblem {
	w := newDependencyWalk(ls.Lookup, ls.Names)
	for _, l := range ls.order {
		w.visit(l)
	}
	return w.problems
}

// Dependencies is CheckDependencies for whoever asks for one list of a catalog
// at a time: each list is looked at once, whoever depends on it. Unlike
// CheckDependencies it changes no list.
type Dependencies struct {
	walk   *dependencyWalk
	find   func(name string) *List
	copies map[string]*List // by name, nil where there is none
	known  int              // of the walk's problems, how many are in of
	of     map[*List][]words.Problem
}

// NewDependencies are the dependencies of a catalog's lists, which find knows
// by name, nil where there is none; names are theirs.
func NewDependencies(find func(name string) *List, names func() []string) *Dependencies {
	d := &Dependencies{find: find, copies: map[string]*List{}, of: map[*List][]words.Problem{}}
	d.walk = newDependencyWalk(d.lookup, names)
	return d
}

// lookup returns the copy of a list that the walk may change.
func (d *Dependencies) lookup(name string) *List {
	l, known := d.copies[name]
	if !known {
		if l = d.find(name); l != nil {
			l = l.unbroken()
		}
		d.copies[name] = l
	}
	return l
}

// Of returns what is wrong with the dependencies of l, and not what is wrong
// with the lists that it depends on.
func (d *Dependencies) Of(l *List) []words.Problem {
	if l.Name == "" {
		return nil // LST002
	}
	own := d.lookup(l.Name)
	switch {
	case own == nil: // find does not know l, but it may depend on itself
		own = l.unbroken()
		d.copies[l.Name] = own
	case own.Src.File() != l.Src.File(): // the name is another's: LST002
		own = l.unbroken()
	}
	d.walk.visit(own)
	for ; d.known < len(d.walk.problems); d.known++ {
		if p := d.walk.problems[d.known]; !p.Inherited {
			d.of[p.List] = append(d.of[p.List], p.Problem)
		}
	}
	return d.of[own]
}

// unbroken is a copy of the list that is not known to be broken.
func (l *List) unbroken() *List {
	one := *l
	one.Broken = nil
	return &one
}

// dependencyWalk is one depth-first search over the dependencies. It goes
// through each list once, and its work is that of the dependencies, not that of
// the ways between lists.
type dependencyWalk struct {
	lookup   func(name string) *List
	names    func() []string // to suggest
	visits   map[*List]*visit
	chain    []*List                // unfinished lists, each depends on the next
	untold   []int                  // places in chain of the lists that are in no circle so far
	holds    map[*List]*ordjson.Set // see meets
	problems []ListProblem
	speller  words.Speller
}

// visit is what the walk knows of a list.
type visit struct {
	place int   // in chain, -1 where the list is finished
	depth int   // lists in the longest chain from a finished list
	next  *List // of that chain
}

func newDependencyWalk(lookup func(string) *List, names func() []string) *dependencyWalk {
	return &dependencyWalk{lookup: lookup, names: names, visits: map[*List]*visit{}, holds: map[*List]*ordjson.Set{}}
}

func (w *dependencyWalk) fail(l *List, p words.Problem) {
	w.problems = append(w.problems, ListProblem{List: l, Problem: p})
	if l.Broken == nil {
		l.Broken = &p
	}
}

// inherit is fail where a list that l depends on is at fault.
func (w *dependencyWalk) inherit(l *List, p words.Problem) {
	w.fail(l, p)
	w.problems[len(w.problems)-1].Inherited = true
}

// visit returns how many lists the longest chain from l holds.
func (w *dependencyWalk) visit(l *List) int {
	if v := w.visits[l]; v != nil {
		return v.depth
	}
	v := &visit{place: len(w.chain)}
	w.visits[l] = v
	w.untold = append(w.untold, v.place)
	w.chain = append(w.chain, l)
	for _, dep := range l.DependsOn {
		parent, p := w.dependency(l, dep)
		if p != nil {
			w.fail(l, *p)
			continue
		}
		if open := w.visits[parent]; open != nil && open.place >= 0 {
			w.circle(open.place)
			continue
		}
		if depth := w.visit(parent); depth > v.depth {
			v.depth, v.next = depth, parent
		}
		// The members of a cycle are told once, by the cycle itself.
		if parent.Broken != nil && l.Broken == nil {
			w.inherit(l, words.Problem{Code: "LST009", Pointer: dep.Pointer, Fix: "mend " +
				words.Quote(parent.Name) + " first",
				Message: "list " + words.Quote(l.Name) + " depends on " + words.Quote(parent.Name) + " (" +
					parent.Src.File() + "), which cannot be used: " + parent.Broken.Code})
		}
	}
	w.chain = w.chain[:v.place]
	if n := len(w.untold); n > 0 && w.untold[n-1] == v.place {
		w.untold = w.untold[:n-1]
	}
	v.place = -1
	if v.depth++; v.depth > MaxListDepth && l.Broken == nil {
		w.fail(l, w.tooDeep(l))
	}
	return v.depth
}

func (w *dependencyWalk) tooDeep(l *List) words.Problem {
	var names []string
	for one := l; one != nil; one = w.visits[one].next {
		names = append(names, one.Name)
	}
	return words.Problem{Code: "LST011", Pointer: "/meta/dependsOn",
		Fix: "depend on a list nearer to the root, or copy the fields that are needed",
		Message: "the dependencies of list " + words.Quote(l.Name) + " make a chain of " + strconv.Itoa(len(names)) +
			" lists, at most " +
			strconv.Itoa(MaxListDepth) + " are allowed: " + chainText(names)}
}

// maxShared is how many lists a circle may have that is told although some of
// them are in another one that was.
const maxShared = 1000

// circle reports the lists of the chain from at on, unless each of them is in a
// circle that was told: lists that all depend on each other make more than can
// be, and those left show once that is mended. So do long ones that share lists
// with one that was told.
func (w *dependencyWalk) circle(at int) {
	fresh, _ := slices.BinarySearch(w.untold, at)
	members, untold := w.chain[at:], w.untold[fresh:]
	if len(untold) == 0 {
		return
	}
	w.untold = w.untold[:fresh]
	if len(untold) == len(members) || len(members) <= maxShared {
		w.cycle(slices.Clone(members))
		return
	}
	for _, place := range untold {
		if l := w.chain[place]; l.Broken == nil {
			l.Broken = &words.Problem{Code: "LST010", Pointer: "/meta/dependsOn",
				Fix: "mend the circle that is reported first",
				Message: "list " + words.Quote(l.Name) + " is in a circle of " + strconv.Itoa(len(members)) +
					" lists that depend on each other"}
		}
	}
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
	p := words.Problem{Code: "LST010", Pointer: "/meta/dependsOn", Fix: "remove one of these dependencies",
		Message: "lists depend on each other in a circle: " + chainText(append(names, names[0])) + cycleFiles(members)}
	w.fail(members[0], p)
	for _, l := range members[1:] {
		if l.Broken == nil {
			l.Broken = &p
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

// dependency returns the parent list that dep asks for.
func (w *dependencyWalk) dependency(l *List, dep Dependency) (*List, *words.Problem) {
	bad := func(msg, fix string) (*List, *words.Problem) {
		return nil, &words.Problem{Code: "LST009", Message: "list " + words.Quote(l.Name) + " depends on " + msg,
			Fix: fix, Pointer: dep.Pointer}
	}
	parent := w.lookup(dep.Ref)
	switch {
	case dep.Ref == "":
		return bad("a list without a name: ref is missing", "write { ref, version }")
	case parent == nil:
		return bad(words.Quote(dep.Ref)+", which is not in the catalog"+w.speller.DidYouMean(dep.Ref, w.names()),
			"add the list to _lists/, or correct ref")
	case dep.Version != parent.Version:
		return bad("version "+words.Quote(dep.Version)+" of "+words.Quote(dep.Ref)+", "+parent.Src.File()+" has "+
			parent.Version, "pin the dependency to "+parent.Version)
	case !w.meets(parent, dep.Condition):
		c := dep.Condition
		return bad("an entry of "+words.Quote(dep.Ref)+" ("+parent.Src.File()+") where "+c.Field+" is "+
			ordjson.Text(c.Value)+"; there is none",
			"correct the condition, or add the entry")
	}
	return parent, nil
}

// meets reports whether an entry of the list meets the condition. What the
// entries hold is gathered once: a thousand dependencies may ask.
func (w *dependencyWalk) meets(l *List, c Condition) bool {
	if c.Field == "" {
		return true
	}
	set := w.holds[l]
	if set == nil {
		set = &ordjson.Set{}
		for _, e := range l.Entries {
			for _, m := range e.Members() {
				set.Add(held(m.Key, m.Value))
			}
		}
		w.holds[l] = set
	}
	return c.Value.Exists() && set.Has(held(c.Field, c.Value))
}

func held(field string, v ordjson.Value) ordjson.Value {
	return ordjson.NewArray(ordjson.NewString(field), v)
}

// maxChain is how many names of a chain a message shows.
const maxChain = 8

// chainText prints list names as "a -> b -> c", cut short where hostile input
// made it long.
func chainText(names []string) string {
	if len(names) > maxChain {
		names = append(names[:maxChain-1:maxChain-1], "...", names[len(names)-1])
	}
	return strings.Join(names, " -> ")
}
