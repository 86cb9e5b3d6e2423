package catalog

import (
	"bytes"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Narrowing says which part of a catalog is wanted: what all of its fields ask for.
// The zero value is all.
type Narrowing struct {
	Agent     string // name or Spec-ID
	Selection string // Spec-ID
	Only      []string
	ReadOnly  bool
}

// All reports whether nothing is narrowed.
func (n Narrowing) All() bool {
	return n.Agent == "" && n.Selection == "" && len(n.Only) == 0 && !n.ReadOnly
}

// NarrowError says that a narrowing asks for what a catalog does not have.
type NarrowError struct{ Msg string }

// Error returns the message.
func (e *NarrowError) Error() string { return e.Msg }

func narrowf(format string, args ...any) error { return &NarrowError{fmt.Sprintf(format, args...)} }

// MatchID reports whether a glob is one of an ID, where * stands for anything.
func MatchID(glob, id string) bool {
	flat := strings.NewReplacer("/", "\x00").Replace
	ok, _ := path.Match(flat(glob), flat(id))
	return ok
}

// Narrow returns the records that are wanted, with all that they need, in stream
// order. The catalog's record says what it was narrowed by; a resource has the
// queries that are wanted, and a selection or an agent the members. The records are
// read twice, so that those of others need not be held.
func (n Narrowing) Narrow(all iter.Seq2[*record.Resolved, error]) ([]*record.Resolved, error) {
	g, err := NewGraph(all)
	if err != nil {
		return nil, err
	}
	named, sets, err := n.sets(g)
	if err != nil {
		return nil, err
	}
	kept := n.keep(g, named, sets)
	if !slices.ContainsFunc(g.Nodes, func(m *Node) bool { return kept[m] && m.offers() }) {
		return nil, narrowf("%s: nothing in the catalog is left", n.Flags())
	}
	n.Agent, n.Selection = "", ""
	for _, m := range named {
		if m.Type == record.TypeAgent {
			n.Agent = m.ID
		} else {
			n.Selection = m.ID
		}
	}
	return n.write(g, kept, all)
}

// Flags are the flags that ask for it, as in "--agent x --read-only".
func (n Narrowing) Flags() string {
	var flags []string
	if n.Agent != "" {
		flags = append(flags, "--agent "+n.Agent)
	}
	if n.Selection != "" {
		flags = append(flags, "--selection "+n.Selection)
	}
	for _, glob := range n.Only {
		flags = append(flags, "--only "+words.Quote(glob))
	}
	if n.ReadOnly {
		flags = append(flags, "--read-only")
	}
	return words.List(flags)
}

// sets are what each field asks for, with what that needs, and the agent and the
// selection that are named.
func (n Narrowing) sets(g *Graph) (named []*Node, sets []map[*Node]bool, err error) {
	for _, want := range []struct {
		typ  record.Type
		name string
	}{{record.TypeAgent, n.Agent}, {record.TypeSelection, n.Selection}} {
		if want.name == "" {
			continue
		}
		m, err := g.group(want.typ, want.name)
		if err != nil {
			return nil, nil, err
		}
		set := map[*Node]bool{}
		m.reach(set)
		named, sets = append(named, m), append(sets, set)
	}
	if len(n.Only) > 0 {
		set := map[*Node]bool{}
		for _, glob := range n.Only {
			if err := g.match(glob, set); err != nil {
				return nil, nil, err
			}
		}
		sets = append(sets, set)
	}
	return named, sets, nil
}

// group finds an agent by its name or its Spec-ID, and a selection by its Spec-ID
// (chapter 16, "No Short Form").
func (g *Graph) group(typ record.Type, name string) (*Node, error) {
	var known []string
	for _, n := range g.Nodes {
		if n.Type != typ {
			continue
		}
		if n.ID == name || typ == record.TypeAgent && IsAgent(n.ID, name) {
			return n, nil
		}
		if typ == record.TypeAgent && !strings.Contains(name, "/") {
			known = append(known, LastPart(n.ID))
		} else {
			known = append(known, n.ID)
		}
	}
	if known == nil {
		return nil, narrowf("--%s %s: the catalog has no %s", typ, name, typ)
	}
	return nil, narrowf("--%s %s: the catalog has no such %s%s; it has %s", typ, name, typ,
		words.DidYouMean(name, known), words.List(known))
}

// match adds what a glob matches to a set, with what that needs.
func (g *Graph) match(glob string, set map[*Node]bool) error {
	if _, err := path.Match(glob, ""); err != nil {
		return narrowf("--only %s is not a glob: a [ has no ]", words.Quote(glob))
	}
	var ids []string
	found := false
	take := func(n *Node) bool {
		ids = append(ids, n.ID)
		if !MatchID(glob, n.ID) {
			return false
		}
		found = true
		n.reach(set)
		return true
	}
	for _, n := range g.Nodes {
		if n.Type != record.TypeCatalog && n.Type != record.TypeHandlers && n.Type != record.TypeLibrary && !take(n) {
			for _, q := range n.queries {
				take(q)
			}
		}
	}
	if !found {
		return narrowf("--only %s matches no ID of the catalog%s", words.Quote(glob), nearID(glob, ids))
	}
	return nil
}

// nearID suggests an ID, or for a glob the namespace of one.
func nearID(glob string, ids []string) string {
	if !strings.ContainsAny(glob, "*?[") {
		return words.DidYouMean(glob, ids)
	}
	namespace, rest, _ := strings.Cut(glob, "/")
	var known []string
	for _, id := range ids {
		ns, _, _ := strings.Cut(id, "/")
		known = append(known, ns)
	}
	slices.Sort(known)
	if near, ok := words.Closest(namespace, slices.Compact(known)); ok && near != namespace {
		return fmt.Sprintf(" (did you mean %q?)", near+"/"+rest)
	}
	return ""
}

// offers reports whether it is something that a client asks for.
func (n *Node) offers() bool {
	return n.Type != record.TypeCatalog && !n.supports() && !n.groups()
}

// keep are the nodes of what is in all sets, and what that needs of what is there
// for others. Who is named stays, whatever becomes of its members, and so do the
// selections through which it has some.
func (n Narrowing) keep(g *Graph, named []*Node, sets []map[*Node]bool) map[*Node]bool {
	wanted := func(m *Node) bool {
		callable := m.Type == record.TypeTool || m.Type == record.TypeResource
		return (!n.ReadOnly || !callable || m.reads) &&
			!slices.ContainsFunc(sets, func(set map[*Node]bool) bool { return !set[m] })
	}
	kept := map[*Node]bool{}
	add := func(m *Node) {
		kept[m] = true
		for _, u := range m.Uses {
			if u.supports() {
				u.reach(kept)
			}
		}
	}
	for _, m := range g.Nodes {
		switch {
		case len(m.queries) > 0:
			for _, q := range m.queries {
				if wanted(q) {
					kept[m] = true
					add(q)
				}
			}
		case m.offers() && wanted(m), m.Type == record.TypeList && n.asks(m.ID) && wanted(m):
			add(m)
		}
	}
	for _, m := range g.Nodes {
		through := func(set map[*Node]bool) bool { return set[m] }
		if m.groups() && (slices.ContainsFunc(sets[:len(named)], through) || len(named) == 0 && wanted(m)) &&
			(slices.Contains(named, m) || m.leads(kept)) {
			add(m)
		}
	}
	return kept
}

// leads reports whether a group has something that is kept, through others or not.
func (n *Node) leads(kept map[*Node]bool) bool {
	set := map[*Node]bool{}
	n.reach(set)
	for m := range set {
		if kept[m] && m.offers() {
			return true
		}
	}
	return false
}

// asks reports whether an ID is matched itself.
func (n Narrowing) asks(id string) bool {
	return slices.ContainsFunc(n.Only, func(glob string) bool { return MatchID(glob, id) })
}

// write returns the records of the nodes that are kept. What a record says of
// others is corrected: counts, queries, members.
func (n Narrowing) write(g *Graph, kept map[*Node]bool, all iter.Seq2[*record.Resolved, error]) (
	[]*record.Resolved, error) {
	parts := make([]part, g.Nodes[len(g.Nodes)-1].catalog+1)
	for _, m := range g.Nodes {
		if kept[m] {
			parts[m.catalog].add(m)
		}
	}
	var out []*record.Resolved
	at := 0
	for r, err := range all {
		if err != nil {
			return nil, err
		}
		m := g.Nodes[at]
		at++
		switch rec := Decode(r).(type) {
		case *Catalog:
			if p := parts[m.catalog]; p.any {
				p.counts.Schemas, p.counts.LeftOut = len(p.files), rec.Counts.LeftOut
				rec.Counts, rec.Narrowed = p.counts, append(rec.Narrowed, n)
				out = append(out, Encode(rec))
			}
		case *Resource:
			if kept[m] {
				rec.Queries = slices.DeleteFunc(rec.Queries, func(q *Query) bool {
					return !slices.ContainsFunc(m.queries, func(o *Node) bool { return o.ID == q.ID && kept[o] })
				})
				out = append(out, Encode(rec))
			}
		case *Group:
			if kept[m] {
				g.cutMembers(rec, kept)
				out = append(out, Encode(rec))
			}
		default:
			if kept[m] {
				out = append(out, r)
			}
		}
	}
	return out, nil
}

// part is what is left of one catalog of the stream.
type part struct {
	any    bool
	counts Counts
	files  map[File]bool // that tools and resources are of
}

func (p *part) add(m *Node) {
	p.any = true
	switch m.Type {
	case record.TypeTool:
		p.counts.Tools++
	case record.TypeResource:
		p.counts.Resources++
	case record.TypeList:
		p.counts.Lists++
	}
	if m.file != (File{}) {
		if p.files == nil {
			p.files = map[File]bool{}
		}
		p.files[m.file] = true
	}
}

// cutMembers takes the members out of a group that are not kept. Those that no
// record has stay: that they are missing is said where the group is used.
func (g *Graph) cutMembers(r *Group, kept map[*Node]bool) {
	gone := func(id string) bool { m := g.byKey[key{id: id}]; return m != nil && !kept[m] }
	for i := range r.Members {
		r.Members[i] = slices.DeleteFunc(r.Members[i], gone)
	}
	r.Selections = slices.DeleteFunc(r.Selections, gone)
	r.Own = slices.DeleteFunc(r.Own, func(own string) bool { return gone(r.ownID(own)) })
}

// Narrow is the Index of the records that are wanted. They are held in memory.
func (x *Index) Narrow(n Narrowing) (*Index, error) {
	if n.All() {
		return x, nil
	}
	recs, err := n.Narrow(x.Records)
	if err != nil {
		return nil, err
	}
	var b []byte
	for _, r := range recs {
		b = append(r.AppendJSON(b), '\n')
	}
	y, err := Read(bytes.NewReader(b),
		ReadOptions{Name: x.Arrival.Name, Wrong: func(e *record.Error) error { return e }})
	if err != nil {
		return nil, err
	}
	y.Arrival = x.Arrival
	return y, nil
}

// Records are those of the Index, in stream order.
func (x *Index) Records(yield func(*record.Resolved, error) bool) {
	for at := range x.lines {
		r, err := x.resolved(at)
		if !yield(r, err) || err != nil {
			return
		}
	}
}
