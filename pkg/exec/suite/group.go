package suite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// group is a selection or an agent: what is tested of it are its members, and
// the tests of an agent as far as they need no model (chapters 10 and 17).
type group struct {
	members []record.TestMember
	has     map[string]bool // IDs of members
	missing []string        // IDs of those that the catalog does not have
}

func (g *group) add(id string, typ record.Type) {
	g.members = append(g.members, record.TestMember{ID: id, Type: typ})
	g.has[id] = true
}

// IsAggregate reports whether the case is not a test, but what the tests of a
// selection's or an agent's members come to.
func (c *Case) IsAggregate() bool { return c.group != nil }

// addGroup adds the members of a selection or an agent, its own tests, and
// after them what they come to.
func (p *Plan) addGroup(c *exec.Catalog, id string) {
	if p.seen[id] {
		return
	}
	p.see(id)
	rec, err := c.Group(id)
	if err != nil {
		p.cases = append(p.cases, newCase(id, nil, &words.Problem{Code: exec.CodeBadRecord, Message: err.Error()},
			false))
		return
	}
	g := &group{has: map[string]bool{}}
	p.addMembers(c, g, rec, map[string]bool{id: true})
	tests := rec.Tests.Elems()
	for i, test := range tests {
		p.cases = append(p.cases, agentCase(&question{c, rec, g, test}, i))
	}
	if len(tests) > 0 {
		g.add(id, rec.Type)
	}
	one := newCase(id, nil, nil, false)
	one.group = g
	p.cases = append(p.cases, one)
}

// addMembers adds the members of a group, and those of the selections that it
// names; above are the groups that it is in.
func (p *Plan) addMembers(c *exec.Catalog, g *group, rec *catalog.Group, above map[string]bool) {
	for i, part := range model.SelectionFields {
		for _, id := range rec.Members[i] {
			if !g.has[id] {
				g.add(id, record.Type(part.Type))
				if !p.addMember(c, rec.ID, id, record.Type(part.Type)) {
					g.missing = append(g.missing, id)
				}
			}
		}
	}
	for _, name := range rec.Own { // what the catalog does not have
		typ, own, _ := strings.Cut(name, " ")
		g.add(own, record.Type(typ))
		g.missing = append(g.missing, own)
		p.missing(rec.ID, own, typ, nil)
	}
	for _, id := range rec.Selections {
		switch sub, err := c.Group(id); {
		case above[id]:
		case err != nil:
			g.add(id, record.TypeSelection)
			g.missing = append(g.missing, id)
			p.missing(rec.ID, id, "selection", groups(c))
		default:
			above[id] = true
			p.addMembers(c, g, sub, above)
		}
	}
}

// addMember adds the tests of a member, and reports whether the catalog has it.
func (p *Plan) addMember(c *exec.Catalog, of, id string, typ record.Type) bool {
	if c.Type(id) != typ {
		p.missing(of, id, string(typ), c.Of(typ))
		return false
	}
	switch typ {
	case record.TypeResource:
		p.addWhere(c, func(other string) bool { return belongs(other, id, typ) })
	case record.TypeSkill, record.TypePrompt:
		p.addText(c, id)
	default:
		t, err := c.Target(id)
		p.add(id, t, err)
	}
	return true
}

// belongs says whether the tests of an ID are those of a member: the queries of
// a resource have its ID in front.
func belongs(id, member string, typ record.Type) bool {
	return id == member || typ == record.TypeResource && strings.HasPrefix(id, member+"/")
}

// missing adds a case that fails, since a member is not in the catalog.
func (p *Plan) missing(of, id, noun string, known []string) {
	if p.seen[id] {
		return
	}
	p.see(id)
	p.cases = append(p.cases, newCase(id, nil, &words.Problem{Code: exec.CodeUnknownTool,
		Message: fmt.Sprintf("no %s %s, which %s names%s", noun, words.Quote(id), of,
			p.speller.DidYouMean(id, known))}, false))
}

// maxWrong is how much is said of one test.
const maxWrong = 10

// tools are the members that an agent's tests may expect.
func (g *group) tools() []string {
	var ids []string
	for _, m := range g.members {
		if m.Type == record.TypeTool {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// agentCase is a test of an agent. Which tools its model calls, and what it
// answers, needs that model; that the tools which it is to call are there does
// not (chapter 10, "Three-Level Test Model").
func agentCase(q *question, i int) *Case {
	c, g, test := newCase(q.agent.ID, nil, nil, false), q.group, q.test
	c.Index, c.Description, c.question = i, strings.TrimSpace(test.Get(description).Str()), q
	c.expected = slices.DeleteFunc(record.StringsOf(test.Get("expectedTools")), func(s string) bool { return s == "" })
	var wrong []string
	at := "tests[" + strconv.Itoa(i) + "]"
	if !test.Is(ordjson.Object) {
		c.err = &words.Problem{Code: exec.CodeBadTest, Message: at + " is " + test.Kind().String() +
			", expected an object with " + description + ", input and expectedTools"}
		return c
	}
	if strings.TrimSpace(test.Get("input").Str()) == "" {
		wrong = append(wrong, "input is missing, expected what a user would type (TST009)")
	}
	if len(c.expected) == 0 {
		wrong = append(wrong, "expectedTools is missing or empty, expected Spec-IDs of tools (TST010)")
	}
	for _, tool := range c.expected {
		if !slices.Contains(g.tools(), tool) && len(wrong) < maxWrong {
			wrong = append(wrong, "expectedTools has "+words.Quote(tool)+", which is not a tool of the agent"+
				words.DidYouMean(tool, g.tools()))
		}
	}
	if wrong != nil {
		c.err = &words.Problem{Code: exec.CodeBadAgentTest, Message: at + ": " + strings.Join(wrong, "; ")}
	}
	return c
}

// Tally counts the results of a run, in order, and says of each selection and
// agent what those of its members come to.
type Tally struct{ counts map[string]*record.TestCounts } // by Spec-ID

// Add counts a result, or fills in an aggregate.
func (t *Tally) Add(res *Result) {
	if res.Case.IsAggregate() {
		t.fill(res)
		return
	}
	if t.counts == nil {
		t.counts = map[string]*record.TestCounts{}
	}
	n := t.counts[res.ID]
	if n == nil {
		n = &record.TestCounts{}
		t.counts[res.ID] = n
	}
	n.Add(res.Test.Outcome)
}

// fill makes the aggregate of chapter 17: a member passes where a test of it
// does and none fails.
func (t *Tally) fill(res *Result) {
	g := res.Case.group
	members := make([]record.TestMember, len(g.members))
	var failed []string
	passed, checked := 0, 0
	for i, m := range g.members {
		t.sum(&m)
		switch m.Outcome = outcome(m); m.Outcome {
		case record.TestFailed:
			failed = append(failed, m.ID)
		case record.TestPassed:
			passed++
		case record.TestChecked:
			checked++
		}
		members[i] = m
	}
	e := &record.Envelope{ID: res.ID, Data: ordjson.NewNull(), Test: res.Test}
	e.Test.Members, e.Test.Missing, e.Test.Outcome = members, g.missing, record.TestSkipped
	switch {
	case failed != nil:
		e.Test.Outcome = record.TestFailed
		e.Messages = []string{fmt.Sprintf("%s %s: %d of %d members pass; these fail: %s", exec.CodeMembersFail, res.ID,
			passed, len(members), strings.Join(failed, ", "))}
	case passed > 0:
		e.Status, e.Test.Outcome = true, record.TestPassed
	case checked > 0:
		e.Status, e.Test.Outcome = true, record.TestChecked
	default:
		e.Messages = []string{exec.CodeNoTests + " " + res.ID + ": no test of a member was run"}
	}
	res.Envelope = e
}

// sum adds up what was counted of a member: of a resource, all its queries.
func (t *Tally) sum(m *record.TestMember) {
	add := func(n *record.TestCounts) {
		m.Tests, m.Passed, m.Failed = m.Tests+n.Tests, m.Passed+n.Passed, m.Failed+n.Failed
		m.Skipped, m.Checked = m.Skipped+n.Skipped, m.Checked+n.Checked
	}
	if n := t.counts[m.ID]; n != nil {
		add(n)
	}
	if m.Type != record.TypeResource {
		return
	}
	for id, n := range t.counts {
		if id != m.ID && belongs(id, m.ID, m.Type) {
			add(n)
		}
	}
}

func outcome(m record.TestMember) record.TestOutcome {
	switch {
	case m.Failed > 0:
		return record.TestFailed
	case m.Passed > 0:
		return record.TestPassed
	case m.Checked > 0:
		return record.TestChecked
	}
	return record.TestSkipped
}
