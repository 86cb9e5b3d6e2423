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
	Allow     []string // as Only: what a configuration lets through
	Deny      []string // what is left out, whoever asks for it
	ReadOnly  bool
}

// All reports whether nothing is narrowed.
func (n Narrowing) All() bool {
	return n.Agent == "" && n.Selection == "" && len(n.Only)+len(n.Allow)+len(n.Deny) == 0 && !n.ReadOnly
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
	c, err := n.choose(g)
	if err != nil {
		return nil, err
	}
	kept, named := c.keep(), c.named
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
	for _, set := range n.globs() {
		for _, glob := range set.list {
			flags = append(flags, set.flag+words.Quote(glob))
		}
	}
	if n.ReadOnly {
		flags = append(flags, flagReadOnly)
	}
	return words.List(flags)
}

const (
	flagDeny     = "--deny "
	flagReadOnly = "--read-only"
)

// globs are the lists of globs, with what asks for each.
func (n Narrowing) globs() []globs {
	return []globs{{"--only ", n.Only}, {"allow ", n.Allow}, {flagDeny, n.Deny}}
}

type globs struct {
	flag string
	list []string
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

// offers reports whether it is something that a client asks for.
func (n *Node) offers() bool {
	return n.Type != record.TypeCatalog && !n.supports() && !n.groups()
}

// keep are the nodes of what is in all sets, and what that needs of what is there
// for others. Who is named stays, whatever becomes of its members, and so do the
// selections through which it has some.
func (c *choice) keep() map[*Node]bool {
	wanted := func(m *Node) bool { return c.leftOutBy(m) == "" }
	kept := map[*Node]bool{}
	add := func(m *Node) {
		kept[m] = true
		for _, u := range m.Uses {
			if u.supports() {
				u.reach(kept)
			}
		}
	}
	for _, m := range c.graph.Nodes {
		switch {
		case len(m.queries) > 0:
			for _, q := range m.queries {
				if wanted(q) {
					kept[m] = true
					add(q)
				}
			}
		case m.offers() && wanted(m), m.Type == record.TypeList && c.asks(m.ID) && wanted(m):
			add(m)
		}
	}
	for _, m := range c.graph.Nodes {
		through := func(set asked) bool { return set.nodes[m] }
		if m.groups() && (slices.ContainsFunc(c.sets[:len(c.named)], through) || len(c.named) == 0 && wanted(m)) &&
			(slices.Contains(c.named, m) || m.leads(kept)) {
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
	return slices.ContainsFunc(slices.Concat(n.Only, n.Allow), func(glob string) bool { return MatchID(glob, id) })
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

// LeftOut says, by ID, what leaves out what a narrowing leaves out: "--read-only".
func (x *Index) LeftOut(n Narrowing) (map[string]string, error) {
	g, err := NewGraph(x.Records)
	if err != nil {
		return nil, err
	}
	c, err := n.choose(g)
	if err != nil {
		return nil, err
	}
	kept, left := c.keep(), map[string]string{}
	for _, m := range g.Nodes {
		for _, part := range append([]*Node{m}, m.queries...) {
			if !kept[part] && part.offers() {
				left[part.ID] = c.leftOutBy(part)
			}
		}
	}
	return left, nil
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
