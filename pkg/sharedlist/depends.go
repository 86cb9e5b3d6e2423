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
}

// CheckDependencies checks the dependencies of all lists: LST009 (the parent
// is missing, of another version, or does not meet the condition), LST010
// (cycle, reported once), LST011 (chain too long). A list with a problem cannot
// be used from then on. Call it once, after the last Add.
func (ls *Lists) CheckDependencies() []ListProblem {
	d := NewDependencies(ls.Lookup, ls.Names)
	for _, l := range ls.order {
		if l.Broken != nil {
			d.broken[l] = l.Broken
		}
	}
	for _, l := range ls.order {
		d.visit(l)
	}
	for l, p := range d.broken {
		l.Broken = p
	}
	return d.problems
}

// Dependencies are those of a catalog's lists on each other, looked at in one
// depth-first search. It goes through each list once, and its work is that of
// the dependencies, not that of the ways between lists.
type Dependencies struct {
	find     func(name string) *List // nil where there is none
	alone    map[string]*List        // lists that find does not know
	names    func() []string         // to suggest
	visits   map[*List]*visit
	chain    []*List                // unfinished lists, each depends on the next
	fresh    []int                  // places in chain of the lists that are in no circle so far
	holds    map[*List]*ordjson.Set // see meets
	broken   map[*List]*words.Problem
	problems []ListProblem
	own      map[*List][]words.Problem // but for those that a list has by another
	speller  words.Speller
}

// NewDependencies are the dependencies of a catalog's lists, which find knows
// by name; names are theirs.
func NewDependencies(find func(name string) *List, names func() []string) *Dependencies {
	return &Dependencies{
		find: find, names: names, alone: map[string]*List{}, visits: map[*List]*visit{},
		holds:  map[*List]*ordjson.Set{},
		broken: map[*List]*words.Problem{}, own: map[*List][]words.Problem{},
	}
}

func (d *Dependencies) lookup(name string) *List {
	if l := d.find(name); l != nil {
		return l
	}
	return d.alone[name]
}

// Of returns what is wrong with the dependencies of l, and not what is wrong
// with the lists that it depends on. Unlike CheckDependencies it changes no list.
func (d *Dependencies) Of(l *List) []words.Problem {
	if l.Name == "" {
		return nil // LST002
	}
	switch same := d.lookup(l.Name); {
	case same == nil: // but it may depend on itself
		d.alone[l.Name] = l
	case same.Src.File() == l.Src.File(): // else the name is another's: LST002
		l = same
	}
	d.visit(l)
	return d.own[l]
}

// visit is what the walk knows of a list.
type visit struct {
	place int   // in chain, -1 where the list is finished
	depth int   // lists in the longest chain from a finished list
	next  *List // of that chain
}

// inherit notes a problem that l has by a list that it depends on.
func (d *Dependencies) inherit(l *List, p words.Problem) {
	d.problems = append(d.problems, ListProblem{l, p})
	if d.broken[l] == nil {
		d.broken[l] = &p
	}
}

// fail notes a problem of l itself.
func (d *Dependencies) fail(l *List, p words.Problem) {
	d.inherit(l, p)
	d.own[l] = append(d.own[l], p)
}

// visit returns how many lists the longest chain from l holds.
func (d *Dependencies) visit(l *List) int {
	if v := d.visits[l]; v != nil {
		return v.depth
	}
	v := &visit{place: len(d.chain)}
	d.visits[l] = v
	d.fresh = append(d.fresh, v.place)
	d.chain = append(d.chain, l)
	for _, dep := range l.DependsOn {
		parent, p := d.dependency(l, dep)
		if p != nil {
			d.fail(l, *p)
			continue
		}
		if open := d.visits[parent]; open != nil && open.place >= 0 {
			d.circle(open.place)
			continue
		}
		if depth := d.visit(parent); depth > v.depth {
			v.depth, v.next = depth, parent
		}
		// The members of a cycle are told once, by the cycle itself.
		if d.broken[parent] != nil && d.broken[l] == nil {
			d.inherit(l, words.Problem{Code: "LST009", Pointer: dep.Pointer,
				Fix: "correct " + words.Quote(parent.Name) + " first",
				Message: "list " + words.Quote(l.Name) + " depends on " + words.Quote(parent.Name) + " (" +
					parent.Src.File() + "), which cannot be used: " + d.broken[parent].Code})
		}
	}
	d.chain = d.chain[:v.place]
	if n := len(d.fresh); n > 0 && d.fresh[n-1] == v.place {
		d.fresh = d.fresh[:n-1]
	}
	v.place = -1
	if v.depth++; v.depth > MaxListDepth && d.broken[l] == nil {
		d.fail(l, d.tooDeep(l))
	}
	return v.depth
}

func (d *Dependencies) tooDeep(l *List) words.Problem {
	var names []string
	for one := l; one != nil; one = d.visits[one].next {
		names = append(names, one.Name)
	}
	return words.Problem{Code: "LST011", Pointer: "/meta/dependsOn",
		Fix: "depend on a list nearer to the root, or copy the fields that are needed",
		Message: "the dependencies of list " + words.Quote(l.Name) + " make a chain of " + strconv.Itoa(len(names)) +
			" lists, at most " +
			strconv.Itoa(MaxListDepth) + " are allowed: " + chainText(names)}
}

// circle reports the lists of the chain from at on, unless each of them is in a
// circle that was reported: lists that all depend on each other make more than
// can be, and those left show once that one is corrected.
func (d *Dependencies) circle(at int) {
	first, _ := slices.BinarySearch(d.fresh, at)
	if first < len(d.fresh) {
		d.fresh = d.fresh[:first]
		d.cycle(slices.Clone(d.chain[at:]))
	}
}

// cycle reports the members, starting with the least name so that the message
// does not depend on the order of the input.
func (d *Dependencies) cycle(members []*List) {
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
	d.fail(members[0], p)
	for _, l := range members[1:] {
		if d.broken[l] == nil {
			d.broken[l] = &p
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
func (d *Dependencies) dependency(l *List, dep Dependency) (*List, *words.Problem) {
	bad := func(msg, fix string) (*List, *words.Problem) {
		return nil, &words.Problem{Code: "LST009", Message: "list " + words.Quote(l.Name) + " depends on " + msg,
			Fix: fix, Pointer: dep.Pointer}
	}
	parent := d.lookup(dep.Ref)
	switch {
	case dep.Ref == "":
		return bad("a list without a name: ref is missing", "write { ref, version }")
	case parent == nil:
		return bad(words.Quote(dep.Ref)+", which is not in the catalog"+d.speller.DidYouMean(dep.Ref, d.names()),
			"add the list to _lists/, or correct ref")
	case !Compatible(parent.Version, dep.Version):
		return bad("version "+words.Quote(dep.Version)+" of "+words.Quote(dep.Ref)+", "+parent.Src.File()+" has "+
			parent.Version, "pin the dependency to "+parent.Version)
	case !d.meets(parent, dep.Condition):
		c := dep.Condition
		return bad("an entry of "+words.Quote(dep.Ref)+" ("+parent.Src.File()+") where "+c.Field+" is "+
			ordjson.Text(c.Value)+"; there is none",
			"correct the condition, or add the entry")
	}
	return parent, nil
}

// meets reports whether an entry of the list meets the condition. What the
// entries hold is gathered once: a thousand dependencies may ask.
func (d *Dependencies) meets(l *List, c Condition) bool {
	if c.Field == "" {
		return true
	}
	set := d.holds[l]
	if set == nil {
		set = &ordjson.Set{}
		for _, e := range l.Entries {
			for _, m := range e.Members() {
				set.Add(held(m.Key, m.Value))
			}
		}
		d.holds[l] = set
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
