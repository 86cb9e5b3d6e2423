package survey

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
)

// Graph is who uses what in a catalog, from agents down to libraries.
type Graph struct {
	nodes  []*node // by type and ID
	cycles [][]*node
}

// node is a part of a catalog. Handlers are those of the tool that has them.
type node struct {
	*catalog.Node
	uses  []edge // in the order of the nodes
	place int    // in nodes
	cycle int    // which, from 1; 0 for none
}

// edge is that one uses another. What a prompt only explains, it can do without.
type edge struct {
	to       *node
	explains bool
}

// order is in which order types are drawn, from who uses to what is used.
var order = []record.Type{record.TypeAgent, record.TypeSelection, record.TypeSkill, record.TypeSkillMD,
	record.TypePrompt, record.TypeTool, record.TypeResource, record.TypeList, record.TypeLibrary}

// Draw makes the graph of an Index.
func Draw(x *catalog.Index) (*Graph, error) {
	all, err := catalog.NewGraph(x.Records)
	if err != nil {
		return nil, err
	}
	g := &Graph{}
	of := map[*catalog.Node]*node{}
	for _, n := range all.Nodes {
		if slices.Contains(order, n.Type) {
			of[n] = &node{Node: n}
			g.nodes = append(g.nodes, of[n])
		}
	}
	slices.SortStableFunc(g.nodes, func(a, b *node) int {
		return cmp.Or(slices.Index(order, a.Type)-slices.Index(order, b.Type), strings.Compare(a.ID, b.ID))
	})
	for i, n := range g.nodes {
		n.place = i
	}
	for _, n := range g.nodes {
		seen := map[*node]bool{}
		n.link(n.Uses, of, seen, false)
		n.link(n.Tells, of, seen, true)
		slices.SortFunc(n.uses, func(a, b edge) int { return a.to.place - b.to.place })
	}
	g.findCycles()
	return g, nil
}

// link adds edges to what a node uses: through its handlers to their libraries, and
// to the resource of a query.
func (n *node) link(uses []*catalog.Node, of map[*catalog.Node]*node, seen map[*node]bool, explains bool) {
	for _, u := range uses {
		if u.Owner != nil {
			u = u.Owner
		}
		to := of[u]
		switch {
		case to == nil:
			n.link(u.Uses, of, seen, explains)
		case !seen[to]:
			seen[to] = true
			n.uses = append(n.uses, edge{to, explains})
		}
	}
}

// findCycles numbers the groups of nodes that all use each other, through others or
// not (Tarjan's strongly connected components).
func (g *Graph) findCycles() {
	t := &tarjan{index: make([]int, len(g.nodes)), low: make([]int, len(g.nodes)), open: make([]bool, len(g.nodes))}
	for _, n := range g.nodes {
		if t.index[n.place] == 0 {
			t.visit(n)
		}
	}
	slices.SortFunc(t.found, func(a, b []*node) int { return a[0].place - b[0].place })
	g.cycles = t.found
	for i, cycle := range g.cycles {
		for _, n := range cycle {
			n.cycle = i + 1
		}
	}
}

type tarjan struct {
	index, low []int // of nodes, by place; 0 where not visited
	open       []bool
	stack      []*node
	next       int
	found      [][]*node
}

func (t *tarjan) visit(n *node) {
	at := n.place
	t.next++
	t.index[at], t.low[at], t.open[at] = t.next, t.next, true
	t.stack = append(t.stack, n)
	itself := false
	for _, e := range n.uses {
		to := e.to.place
		itself = itself || e.to == n
		if t.index[to] == 0 {
			t.visit(e.to)
			t.low[at] = min(t.low[at], t.low[to])
		} else if t.open[to] {
			t.low[at] = min(t.low[at], t.index[to])
		}
	}
	if t.low[at] != t.index[at] {
		return
	}
	from := slices.Index(t.stack, n)
	group := slices.Clone(t.stack[from:])
	t.stack = t.stack[:from]
	for _, m := range group {
		t.open[m.place] = false
	}
	if len(group) > 1 || itself {
		slices.SortFunc(group, func(a, b *node) int { return a.place - b.place })
		t.found = append(t.found, group)
	}
}

// inCycle reports whether an edge is a part of a cycle.
func (n *node) inCycle(e edge) bool { return n.cycle > 0 && n.cycle == e.to.cycle }

// joined are the nodes that use something or are used.
func (g *Graph) joined() []*node {
	used := make([]bool, len(g.nodes))
	for _, n := range g.nodes {
		for _, e := range n.uses {
			used[n.place], used[e.to.place] = true, true
		}
	}
	return slices.DeleteFunc(slices.Clone(g.nodes), func(n *node) bool { return !used[n.place] })
}

// shapes are those of Graphviz and the brackets of Mermaid, by type.
var shapes = map[record.Type][3]string{
	record.TypeAgent: {"doubleoctagon", "[[", "]]"}, record.TypeSelection: {"folder", "[/", "/]"},
	record.TypeSkill: {"note", "(", ")"}, record.TypePrompt: {"note", "(", ")"},
	record.TypeSkillMD: {"note", "(", ")"},
	record.TypeTool:    {"box", "[", "]"}, record.TypeResource: {"cylinder", "[(", ")]"},
	record.TypeList: {"tab", "{{", "}}"}, record.TypeLibrary: {"component", "([", "])"},
}

// DOT is the graph for Graphviz. Cycles are red, what is only explained is dashed.
func (g *Graph) DOT() string {
	var b strings.Builder
	b.WriteString("digraph catalog {\n  rankdir=LR;\n")
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace
	for _, n := range g.joined() {
		fmt.Fprintf(&b, "  n%d [label=\"%s\", shape=%s];\n", n.place, escape(report.Visible(n.ID)), shapes[n.Type][0])
	}
	for _, n := range g.nodes {
		for _, e := range n.uses {
			style := ""
			if e.explains {
				style = " [style=dashed]"
			}
			if n.inCycle(e) {
				style = " [color=red]"
			}
			fmt.Fprintf(&b, "  n%d -> n%d%s;\n", n.place, e.to.place, style)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// Mermaid is the graph for pages that draw Mermaid. Edges of cycles say so.
func (g *Graph) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	escape := strings.NewReplacer("#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "`", "#96;", `\`,
		"#92;").Replace
	for _, n := range g.joined() {
		shape := shapes[n.Type]
		fmt.Fprintf(&b, "  n%d%s\"%s\"%s\n", n.place, shape[1], escape(report.Visible(n.ID)), shape[2])
	}
	for _, n := range g.nodes {
		for _, e := range n.uses {
			arrow := "-->"
			if e.explains {
				arrow = "-.->"
			}
			if n.inCycle(e) {
				arrow += "|cycle|"
			}
			fmt.Fprintf(&b, "  n%d %s n%d\n", n.place, arrow, e.to.place)
		}
	}
	return b.String()
}

// Text is who uses what, and the cycles.
func (g *Graph) Text() string {
	var b strings.Builder
	line := func(text string) { b.WriteString(report.Visible(text) + "\n") }
	for _, n := range g.nodes {
		if len(n.uses) == 0 && len(n.Missing) == 0 {
			continue
		}
		line(string(n.Type) + " " + n.ID)
		for _, e := range n.uses {
			verb := "  uses "
			if e.explains {
				verb = "  explains "
			}
			line(verb + e.to.ID)
		}
		for _, id := range n.Missing {
			line("  names " + id + ", which is not there")
		}
	}
	for _, cycle := range g.cycles {
		line("cycle: " + strings.Join(ids(cycle), ", "))
	}
	if b.Len() == 0 {
		return "nothing uses anything\n"
	}
	return b.String()
}

func ids(nodes []*node) []string {
	var list []string
	for _, n := range nodes {
		list = append(list, n.ID)
	}
	return list
}

// Lines are an object for each node, those that use nothing and are not used among
// them.
func (g *Graph) Lines() []ordjson.Value {
	lines := make([]ordjson.Value, len(g.nodes))
	for i, n := range g.nodes {
		var uses, explains []string
		for _, e := range n.uses {
			if e.explains {
				explains = append(explains, e.to.ID)
			} else {
				uses = append(uses, e.to.ID)
			}
		}
		line := []ordjson.Member{ordjson.Field("id", ordjson.NewString(n.ID)),
			ordjson.Field("type", ordjson.NewString(string(n.Type))), ordjson.Field("uses", ordjson.Strings(uses))}
		if explains != nil {
			line = append(line, ordjson.Field("explains", ordjson.Strings(explains)))
		}
		if n.Missing != nil {
			line = append(line, ordjson.Field("missing", ordjson.Strings(n.Missing)))
		}
		if n.cycle > 0 {
			line = append(line, ordjson.Field("cycle", ordjson.NewInt(n.cycle)))
		}
		lines[i] = ordjson.NewObject(line...)
	}
	return lines
}

// JSON is one object of all nodes and cycles.
func (g *Graph) JSON() string {
	var cycles []ordjson.Value
	for _, cycle := range g.cycles {
		cycles = append(cycles, ordjson.Strings(ids(cycle)))
	}
	return ordjson.Text(ordjson.NewObject(ordjson.Field("nodes", ordjson.NewArray(g.Lines()...)),
		ordjson.Field("cycles", ordjson.NewArray(cycles...)))) + "\n"
}
