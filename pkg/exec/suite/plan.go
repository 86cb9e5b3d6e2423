// Package suite runs the tests that schemas have in them (chapter 10): it finds
// out which are meant, makes the calls, and says how each came out.
package suite

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Case is one test of a tool. As a record it is the request of its call.
type Case struct {
	*record.Request
	Target      exec.Target // nil where it cannot be used
	Index       int         // in tests; negative if there is none to run
	Description string

	err  *words.Problem // why it cannot be run
	skip bool           // … which is not a failure

	question *question // of a test of an agent
	expected []string  // by a test of an agent: the tools to be called
	text     *textTest // it is of a skill or a prompt
	group    *group    // it is the aggregate of a selection or an agent
}

// Plan collects the tests to run, each tool's once, in the order in which they
// are asked for.
type Plan struct {
	cases   []*Case
	seen    map[string]bool // Spec-IDs
	speller words.Speller   // of members that are in no catalog
}

// Cases are the tests, those of a tool one after the other.
func (p *Plan) Cases() []*Case { return p.cases }

// HandlerSchemas are the Schema-File-IDs of the tested tools that have handlers.
func (p *Plan) HandlerSchemas() []string {
	var ids []string
	for _, c := range p.cases {
		if c.Target != nil && len(c.Target.Record().Handlers) > 0 {
			ids = append(ids, c.Target.Record().Schema)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// All adds the tools, skills, prompts, selections and agents of a catalog, or of the files of it
// that are below a folder; under is relative to the catalog, "" for all, and may
// be a file. It returns how many those are.
func (p *Plan) All(c *exec.Catalog, under string) int {
	below := func(file string) bool {
		return file == under || strings.HasPrefix(file, strings.TrimSuffix(under, "/")+"/")
	}
	n := p.addWhere(c, func(id string) bool {
		if under == "" {
			return true
		}
		t, err := c.Target(id)
		return err == nil && below(t.Record().Src.Path)
	})
	n += p.addTexts(c, func(id string) bool {
		if under == "" {
			return true
		}
		rec, err := c.Record(id)
		return err == nil && below(rec.(catalog.Delivered).Body().Src.Path)
	})
	return n + p.addGroups(c, func(id string) bool {
		if under == "" {
			return true
		}
		rec, err := c.Group(id)
		return err == nil && below(rec.Src.Path)
	})
}

// groups are the Spec-IDs of the selections and agents, in stream order.
func groups(c *exec.Catalog) []string { return c.Of(record.TypeSelection, record.TypeAgent) }

// addGroups adds the selections and agents that are wanted.
func (p *Plan) addGroups(c *exec.Catalog, wanted func(id string) bool) int {
	n := 0
	for _, id := range groups(c) {
		if wanted(id) {
			p.addGroup(c, id)
			n++
		}
	}
	return n
}

// Target adds what a word of the command line names in a catalog: the Spec-ID
// or the MCP name of a tool, the Spec-ID of a skill, a prompt, or a selection or an
// agent, whose members are tested, a Schema-File-ID, or a glob over Spec-IDs. The
// error says what the catalog has in its place.
func (p *Plan) Target(c *exec.Catalog, target string) error {
	if strings.ContainsAny(target, "*?[") {
		if _, err := path.Match(target, ""); err != nil {
			return fmt.Errorf("%q is not a glob: a [ has no ]", target)
		}
		wanted := func(id string) bool { return matches(target, id) }
		if p.addWhere(c, wanted)+p.addTexts(c, wanted)+p.addGroups(c, wanted) == 0 {
			return fmt.Errorf("nothing matches %q%s", target, nearNamespace(c, target))
		}
		return nil
	}
	if slices.Contains(groups(c), target) {
		p.addGroup(c, target)
		return nil
	}
	if slices.Contains(texts(c), target) {
		p.addText(c, target)
		return nil
	}
	if parts := strings.Split(target, "/"); len(parts) == 3 && (parts[1] == string(record.TypeSelection) ||
		parts[1] == string(record.TypeAgent)) {
		return fmt.Errorf("no %s %q%s", parts[1], target, words.DidYouMean(target, groups(c)))
	}
	t, err := c.Target(target)
	if err == nil {
		p.add(t.Record().ID, t, nil)
		return nil
	}
	if slices.Contains(c.IDs(), target) {
		p.add(target, nil, err)
		return nil
	}
	if p.addWhere(c, func(id string) bool { return belongs(id, target, record.TypeResource) }) > 0 {
		return nil // a resource: its queries
	}
	inSchema := func(id string) bool { t, err := c.Target(id); return err == nil && t.Record().Schema == target }
	if strings.Count(target, "/") == 1 && p.addWhere(c, inSchema) > 0 {
		return nil
	}
	return err
}

// matches matches the three parts of an ID one by one: the public catalogs have
// tools whose names hold slashes.
func matches(glob, id string) bool {
	globs, parts := strings.SplitN(glob, "/", 3), strings.SplitN(id, "/", 3)
	if len(globs) != len(parts) {
		return false
	}
	for i, part := range parts {
		flat := strings.NewReplacer("/", "\x00")
		if ok, _ := path.Match(flat.Replace(globs[i]), flat.Replace(part)); !ok {
			return false
		}
	}
	return true
}

// nearNamespace suggests a namespace for the one of a glob.
func nearNamespace(c *exec.Catalog, glob string) string {
	if len(c.IDs()) == 0 {
		return ": the catalog has none"
	}
	var namespaces []string
	for _, id := range c.IDs() {
		ns, _, _ := strings.Cut(id, "/")
		namespaces = append(namespaces, ns)
	}
	first := namespaces[0]
	slices.Sort(namespaces)
	namespaces = slices.Compact(namespaces)
	ns, _, _ := strings.Cut(glob, "/")
	if slices.Contains(namespaces, ns) || strings.ContainsAny(ns, "*?[") {
		return ": a glob has three parts, such as " + first + "/tool/*"
	}
	return words.DidYouMean(ns, namespaces)
}

// addWhere adds the tools that are wanted. The records of the others are not
// read.
func (p *Plan) addWhere(c *exec.Catalog, wanted func(id string) bool) int {
	n := 0
	for _, id := range c.IDs() {
		if wanted(id) {
			t, err := c.Target(id)
			p.add(id, t, err)
			n++
		}
	}
	return n
}

func (p *Plan) see(id string) {
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.seen[id] = true
}

// add adds the tests of one tool.
func (p *Plan) add(id string, t exec.Target, err error) {
	if p.seen[id] {
		return
	}
	p.see(id)
	if t == nil {
		p.cases = append(p.cases, newCase(id, nil, failure(err), false))
		return
	}
	tests := t.Record().Tests
	switch {
	case tests.Exists() && !tests.Is(ordjson.Array):
		p.cases = append(p.cases, newCase(id, t, &words.Problem{Code: exec.CodeBadTest, Message: "tests is " +
			tests.Kind().String() + ", expected an array"}, false))
	case tests.Len() == 0:
		p.cases = append(p.cases, newCase(id, t, &words.Problem{Code: exec.CodeNoTests,
			Message: "the tool has no tests: write three that differ (TST001)"}, true))
	}
	for i, test := range tests.Elems() {
		p.cases = append(p.cases, testCase(t, i, test))
	}
}

func newCase(id string, t exec.Target, err *words.Problem, skip bool) *Case {
	return &Case{Request: &record.Request{ID: id}, Target: t, Index: -1, err: err, skip: skip}
}

// description is the one key of a test that is not a parameter's.
const description = "_description"

func testCase(t exec.Target, i int, test ordjson.Value) *Case {
	c := newCase(t.Record().ID, t, nil, false)
	c.Index, c.Description = i, strings.TrimSpace(test.Get(description).Str())
	var params []ordjson.Member
	for _, m := range test.Members() {
		if m.Key != description {
			params = append(params, m)
		}
	}
	c.Params = ordjson.NewObject(params...)
	if !test.Is(ordjson.Object) {
		c.err = &words.Problem{Code: exec.CodeBadTest, Message: "tests[" + strconv.Itoa(i) + "] is " +
			test.Kind().String() + ", expected an object with " + description + " and values"}
	}
	return c
}

func failure(err error) *words.Problem {
	if e, ok := err.(*words.Problem); ok {
		return e
	}
	return &words.Problem{Code: exec.CodeInternal, Message: err.Error()}
}
