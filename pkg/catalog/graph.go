package catalog

import (
	"iter"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Graph is what the records of a stream need of each other, from agents down to
// lists and libraries.
type Graph struct {
	Nodes []*Node // one for each record, in stream order
	byKey map[key]*Node
}

// Node is a record in a Graph.
type Node struct {
	Type    record.Type
	ID      string
	Uses    []*Node  // in the order of the record; what a resource uses, its queries do
	Tells   []*Node  // of a prompt: what it says that it explains, and can do without
	Missing []string // IDs that it names and no record has
	Owner   *Node    // the resource of a query, which is not among the Nodes

	catalog int     // which of the stream
	queries []*Node // of a resource
	wants   []key   // what becomes Uses
	tells   []key   // what becomes Tells
	reads   bool    // a tool, a query or a resource without queries: it changes nothing
	file    File    // of a tool or a resource
}

// key finds a node. Lists are those of their own catalog (chapter 15, "Isolation
// Guarantees" 1); typ is empty for all that has a Spec-ID of its own.
type key struct {
	catalog int
	typ     record.Type
	id      string
}

// NewGraph makes the graph of resolved records. The error is that of the stream.
func NewGraph(all iter.Seq2[*record.Resolved, error]) (*Graph, error) {
	g := &Graph{byKey: map[key]*Node{}}
	catalog := 0
	for r, err := range all {
		if err != nil {
			return nil, err
		}
		if r.Type == record.TypeCatalog {
			catalog++
		}
		n := &Node{Type: r.Type, ID: r.ID, catalog: catalog}
		g.Nodes = append(g.Nodes, n)
		own := n.read(Decode(r))
		if _, twice := g.byKey[own]; !twice && r.Type != record.TypeCatalog {
			g.byKey[own] = n
			for _, q := range n.queries {
				g.byKey[key{id: q.ID}] = q
			}
		}
	}
	for _, n := range g.Nodes {
		g.link(n)
	}
	return g, nil
}

// read notes what a record needs, and returns what it is found by.
func (n *Node) read(rec Record) key {
	own := key{id: n.ID}
	switch r := rec.(type) {
	case *List:
		own = key{n.catalog, record.TypeList, r.Name}
		n.wantLists(r.DependsOn)
	case *Library:
		own.typ = record.TypeLibrary
	case *Handlers:
		own = File{r.Schema, r.Hashes.File}.key()
		for _, name := range r.Libraries {
			n.wants = append(n.wants, key{typ: record.TypeLibrary, id: name})
		}
	case *Tool:
		n.reads, n.file = r.ReadsOnly(), r.File()
		n.wantCode(&r.Callable, r.SharedLists)
	case *Resource:
		n.reads, n.file = len(r.Queries) == 0, File{r.Schema, r.Hashes.File}
		for _, q := range r.Queries {
			one := &Node{Type: n.Type, ID: q.ID, Owner: n, catalog: n.catalog, reads: q.ReadsOnly()}
			one.wantCode(&q.Callable, r.SharedLists)
			n.queries = append(n.queries, one)
		}
	case *Prompt:
		n.wantAll(r.References)
		n.wantText(&r.Text)
		for _, id := range r.DependsOn {
			n.tells = append(n.tells, key{id: id})
		}
	case *Skill:
		n.wantAll(r.Tools)
		n.wantAll(r.Resources)
		for _, p := range r.Prefill {
			n.wantAll([]string{p.Tool})
		}
		n.wantText(&r.Text)
	case *SkillMD:
		n.wantAll(r.DependsOn)
	case *Group:
		n.wantAll(r.Selections)
		for _, ids := range r.Members {
			n.wantAll(ids)
		}
		for _, own := range r.Own {
			n.wantAll([]string{r.ownID(own)})
		}
		n.wantLists(r.SharedLists)
	}
	return own
}

func (n *Node) wantAll(ids []string) {
	for _, id := range ids {
		n.wants = append(n.wants, key{id: id})
	}
}

// wantText adds what the placeholders of a text stand for. One of another type may
// name a list (decision "Lists in text").
func (n *Node) wantText(t *Text) {
	for _, p := range model.Placeholders(t.Content) {
		ref, ok := p.Reference()
		if !ok {
			n.wantLists([]string{p.Type, p.Name})
		} else if id := t.Meaning(ref); id != "" {
			n.wantAll([]string{id})
		}
	}
}

// wantCode adds the lists and the handlers of a tool or a query.
func (n *Node) wantCode(c *Callable, lists []string) {
	n.wantLists(lists)
	if len(c.Handlers) > 0 {
		n.wants = append(n.wants, c.File().key())
	}
}

// key is that of the handlers of a file.
func (f File) key() key { return key{typ: record.TypeHandlers, id: f.Schema + " " + f.Hash} }

func (n *Node) wantLists(names []string) {
	for _, name := range names {
		n.wants = append(n.wants, key{n.catalog, record.TypeList, name})
	}
}

// ownID is the Spec-ID of one of Own, which is a type and a name (chapter 16,
// "Agent Namespaces").
func (g *Group) ownID(own string) string {
	typ, name, _ := strings.Cut(own, " ")
	return ID{g.Namespace, typ, name}.String()
}

// link finds what a node needs.
func (g *Graph) link(n *Node) {
	seen, missing := map[*Node]bool{}, map[string]bool{}
	find := func(wants []key, found *[]*Node) {
		for _, k := range wants {
			switch u := g.byKey[k]; {
			case u != nil && !seen[u]:
				seen[u] = true
				*found = append(*found, u)
			case u == nil && k.typ == "" && !missing[k.id]:
				missing[k.id] = true
				n.Missing = append(n.Missing, k.id)
			}
		}
	}
	find(n.wants, &n.Uses)
	find(n.tells, &n.Tells)
	for _, q := range n.queries {
		g.link(q)
		for _, u := range q.Uses {
			if !seen[u] {
				seen[u] = true
				n.Uses = append(n.Uses, u)
			}
		}
	}
}

// supports reports whether it is there for others only.
func (n *Node) supports() bool {
	return n.Type == record.TypeList || n.Type == record.TypeLibrary || n.Type == record.TypeHandlers
}

// groups reports whether it is a selection or an agent.
func (n *Node) groups() bool { return n.Type == record.TypeSelection || n.Type == record.TypeAgent }

// reach adds a node to a set, and all that it needs: of a resource all its queries.
func (n *Node) reach(set map[*Node]bool) {
	for rest := []*Node{n}; len(rest) > 0; {
		n, rest = rest[len(rest)-1], rest[:len(rest)-1]
		if set[n] {
			continue
		}
		set[n] = true
		rest = append(append(rest, n.Uses...), n.queries...)
	}
}
