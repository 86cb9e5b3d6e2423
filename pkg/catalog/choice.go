package catalog

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// choice is what a narrowing asks of a graph.
type choice struct {
	Narrowing
	graph  *Graph
	named  []*Node          // the agent and the selection
	sets   []asked          // what is wanted is in all of them; the first are those of named
	denied map[*Node]string // and by what
}

// asked is what a field asks for, with what that needs.
type asked struct {
	flag  string // in messages
	nodes map[*Node]bool
}

func (n Narrowing) choose(g *Graph) (*choice, error) {
	c := &choice{Narrowing: n, graph: g, denied: map[*Node]string{}}
	for _, want := range []struct {
		typ  record.Type
		name string
	}{{record.TypeAgent, n.Agent}, {record.TypeSelection, n.Selection}} {
		if want.name == "" {
			continue
		}
		m, err := g.group(want.typ, want.name)
		if err != nil {
			return nil, err
		}
		set := asked{"--" + string(want.typ) + " " + want.name, map[*Node]bool{}}
		m.reach(set.nodes)
		c.named, c.sets = append(c.named, m), append(c.sets, set)
	}
	for _, globs := range n.globs() {
		set := asked{globs.flag + strings.Join(globs.list, ","), map[*Node]bool{}}
		for _, glob := range globs.list {
			found, err := g.match(globs.flag, glob)
			if err != nil {
				return nil, err
			}
			for _, m := range found {
				if m.reach(set.nodes); globs.flag == flagDeny {
					c.denied[m] = flagDeny + glob
				}
			}
		}
		if len(globs.list) > 0 && globs.flag != flagDeny {
			c.sets = append(c.sets, set)
		}
	}
	return c, nil
}

// leftOutBy is what leaves a node out, "" where it is wanted.
func (c *choice) leftOutBy(m *Node) string {
	if by := c.denied[m]; by != "" {
		return by
	}
	if m.Owner != nil && c.denied[m.Owner] != "" {
		return c.denied[m.Owner]
	}
	for _, set := range c.sets {
		if !set.nodes[m] {
			return set.flag
		}
	}
	if callable := m.Type == record.TypeTool || m.Type == record.TypeResource; c.ReadOnly && callable && !m.reads {
		return flagReadOnly
	}
	return ""
}

// match finds what a glob matches, which must be something; but a rule that denies
// may be about what there is none of.
func (g *Graph) match(flag, glob string) (found []*Node, err error) {
	if _, err := path.Match(glob, ""); err != nil {
		return nil, narrowf("%s%s is not a glob: a [ has no ]", flag, words.Quote(glob))
	}
	var ids []string
	take := func(n *Node) bool {
		ids = append(ids, n.ID)
		if !MatchID(glob, n.ID) {
			return false
		}
		found = append(found, n)
		return true
	}
	for _, n := range g.Nodes {
		if n.Type != record.TypeCatalog && n.Type != record.TypeHandlers && n.Type != record.TypeLibrary && !take(n) {
			for _, q := range n.queries {
				take(q)
			}
		}
	}
	if found == nil && (flag != flagDeny || !isGlob(glob)) {
		return nil, narrowf("%s%s matches no ID of the catalog%s", flag, words.Quote(glob), nearID(glob, ids))
	}
	return found, nil
}

func isGlob(s string) bool { return strings.ContainsAny(s, "*?[") }

// nearID suggests an ID, or for a glob the namespace of one.
func nearID(glob string, ids []string) string {
	if !isGlob(glob) {
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
