package tests

import (
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// tested is a tool or a resource query with its tests.
type tested struct {
	engine.Tool
	noun   string          // "tool" or "query"
	fields []zod.Field     // the parameters that have a key, as the input knows them
	nodes  []*engine.Param // the same, as they are written
	whole  bool            // every parameter has a key, so that there can be no other
	tests  []*testCase     // those that are objects

	given     *model.NameSet           // see keys
	uses      map[string]*use          // see useOf
	byKey     map[string]*engine.Param // see node
	mentioned *model.NameSet           // see mentions
}

// eachTested calls f for every tool and query of a schema.
func eachTested(p *engine.Pass, f func(*tested)) {
	for _, t := range engine.Keep(&p.Kept, func() []*tested { return newTested(p) }) {
		f(t)
	}
}

func newTested(p *engine.Pass) []*tested {
	var list []*tested
	p.EachCallable(func(t *engine.Tool) {
		noun := "tool"
		if t.IsQuery() {
			noun = "query"
		}
		list = append(list, testsOf(p, *t, noun))
	})
	return list
}

func testsOf(p *engine.Pass, t engine.Tool, noun string) *tested {
	view := &tested{Tool: t, noun: noun, nodes: make([]*engine.Param, 0, len(t.Params)),
		fields: make([]zod.Field, 0, len(t.Params))}
	for i := range t.Params {
		if q := &t.Params[i]; q.Key != "" {
			view.nodes = append(view.nodes, q)
			view.fields = append(view.fields, inputField(p, q))
		}
	}
	parameters := t.Get("parameters")
	view.whole = parameters.Is(ordjson.Array) && len(view.fields) == parameters.Len()
	input := zod.NewInput(view.fields)
	input.Speller = &p.Speller
	left := engine.MaxFindings // of each test after them one: tests and parameters multiply
	for _, test := range t.At("tests").Items() {
		if test.Is(ordjson.Object) {
			issues := input.Issues(test.Value, max(1, left), engine.TestDescription)
			left -= len(issues)
			view.tests = append(view.tests, &testCase{test, issues})
		}
	}
	return view
}

func checkTestCount(p *engine.Pass) {
	eachTested(p, func(t *tested) {
		// Of a query without any test RES011 speaks (decision "Number of tests").
		tests := t.Get("tests")
		if !tests.Is(ordjson.Array) || tests.Len() >= engine.MinTests || tests.Len() == 0 && t.noun == "query" {
			return
		}
		if p.Spec == engine.Spec20 {
			if tests.Len() == 0 {
				p.Report(t.At("tests"), "found no tests, expected at least 1", "add a test of a basic case")
			}
			return
		}
		p.Report(t.At("tests"), engine.Found(tests)+", expected at least 3 tests",
			"add tests until there are three: a basic case, an edge case, and one that cuts across")
	})
}

// checkTestDescription looks at the tests of tools and queries, which know more
// keys than those of agents.
func checkTestDescription(p *engine.Pass) {
	eachTested(p, func(t *tested) {
		for _, test := range t.At("tests").Items() {
			if !test.Is(ordjson.Object) {
				p.Report(test, engine.Found(test.Value)+", expected an object with _description and values",
					"write { _description: 'what it shows', key: value }")
				continue
			}
			p.ExpectText(test, engine.TestDescription, t.keys(), "write _description: 'what this test shows'")
		}
	})
}

func checkTestRequired(p *engine.Pass) {
	eachIssue(p, zod.MissingKey, func(t *tested, test *testCase, issue zod.InputIssue) {
		switch bare := t.node(issue.Key).Bare; {
		case bare != "" && test.Get(bare).Exists():
			// The field writes value: '{{LEAGUE}}' (CMP002) and gives LEAGUE.
			p.Report(test.At(bare), "found the name in position.value, expected the key "+issue.Key,
				"rename "+bare+" to "+issue.Key).Fixed(true, p.RenameValue(test.Node, bare, t.node(issue.Key))...)
			return
		case bare != "" && !p.Community() && t.useOf(issue.Key).tests == 0:
			return // CMP002: most likely the server gives it
		}
		p.Expect(test.Node, issue.Key, t.keys(), issue.Msg+" for the required parameter",
			"give "+words.Brief(issue.Key)+", or write 'optional()' into its z.options")
	})
}

// The tests of queries have a code of their own for the same rule.
func checkTestValue(p *engine.Pass) { testValues(p, "tool") }

func checkQueryTestValue(p *engine.Pass) { testValues(p, "query") }

func testValues(p *engine.Pass, noun string) {
	eachIssue(p, zod.RefusedValue, func(t *tested, test *testCase, issue zod.InputIssue) {
		if t.noun != noun {
			return
		}
		found := p.Report(test.At(issue.Key), "the value does not pass z: "+issue.Msg,
			"give a value that "+words.Brief(t.node(issue.Key).Primitive)+
				" and its options accept, or correct the z block")
		if v, ok := engine.Typed(p.Block(t.node(issue.Key)), test.Get(issue.Key)); ok {
			found.Fixed(true, engine.SetValue(test.At(issue.Key), v))
		}
	})
}

func checkTestKeys(p *engine.Pass) {
	eachIssue(p, zod.HiddenKey, func(t *tested, test *testCase, issue zod.InputIssue) {
		p.Report(test.At(issue.Key), "found a value for a "+issue.Field.Source.String()+
			" parameter, expected user parameters only",
			"remove it; the value is set without the caller").Fixed(true, edit.Drop(test.At(issue.Key).Pointer()))
	})
	eachIssue(p, zod.UnknownKey, func(t *tested, test *testCase, issue zod.InputIssue) {
		at := test.At(issue.Key)
		if at.Within(engine.MaxPlace) == at && p.Told(at.Pointer()) || !t.whole || t.mentions(issue.Key) {
			return
		}
		fix, changes := "remove it; known are "+words.List(t.keys()), []edit.Change(nil)
		if near, ok := p.Speller.Closest(issue.Key, t.keys()); ok {
			fix = "did you mean " + strconv.Quote(near) + "?"
			if !test.Get(near).Exists() {
				changes = append(changes, engine.RenameKey(at, near))
			}
		}
		p.Report(at, "found a key that the "+t.noun+" "+words.Brief(t.Name)+" has no user parameter for", fix).
			Fixed(true, changes...)
	})
}

func checkTestVariety(p *engine.Pass) {
	eachTested(p, func(t *tested) {
		for i := range t.fields {
			if message, lacks := t.lacksVariety(i); lacks {
				p.Report(t.nodes[i].Node, message, "use another value of "+t.fields[i].Key+" in one of the tests")
			}
		}
	})
}

// use is what tests give for a key.
type use struct {
	tests  int    // that give it
	first  string // value
	differ bool   // another value comes after it
}

func (u *use) note(v ordjson.Value) {
	text := ordjson.Text(v)
	if u.first == "" {
		u.first = text
	}
	u.differ = u.differ || u.first != text
}

// useOf is what the tests together give for a key.
func (t *tested) useOf(key string) use {
	if t.uses == nil {
		t.uses = map[string]*use{}
		for _, test := range t.tests {
			for _, m := range test.Members() {
				u := t.uses[m.Key]
				if u == nil {
					u = &use{}
					t.uses[m.Key] = u
				}
				u.tests++
				u.note(m.Value)
			}
		}
	}
	if u := t.uses[key]; u != nil {
		return *u
	}
	return use{}
}

// lacksVariety reports whether a parameter has several ways and the tests, where
// there are several, keep to one value, and says so. That a test lacks it
// altogether is TST003 or TST008.
func (t *tested) lacksVariety(i int) (message string, lacks bool) {
	f := &t.fields[i]
	if f.Source != model.User || f.Z == unclear || len(t.tests) < 2 || !hasWays(f) {
		return "", false
	}
	u := t.useOf(f.Key)
	if d, ok := f.Z.Default(); ok && u.tests < len(t.tests) {
		u.note(d)
	}
	if u.first == "" || u.differ {
		return "", false
	}
	return "the " + strconv.Itoa(len(t.tests)) + " tests give no other value than " + u.first +
		", expected several of its values", true
}

// hasWays reports whether a parameter is an enum or a chain.
func hasWays(f *zod.Field) bool {
	switch f.Z.Type() {
	case zod.Enum:
		return len(f.Z.Values()) > 1 || len(f.Z.Lists()) > 0
	case zod.Text, zod.Number:
		return isChain(f.Key)
	}
	return false
}

// isChain reports whether a parameter chooses a blockchain, by its key
// (chapter 10, "Tool with enum/chain parameters").
func isChain(key string) bool {
	if !strings.Contains(strings.ToLower(key), "chain") { // as of nearly all parameters
		return false
	}
	switch strings.ToLower(strings.Join(engine.PartsOf(key), "")) {
	case "chain", "chainid", "chainname", "chainslug", "chainindex", "blockchain", "evmchain":
		return true
	}
	return false
}

func checkTestOptional(p *engine.Pass) {
	eachTested(p, func(t *tested) {
		unused := &model.NameSet{}
		for i, f := range t.fields {
			if f.Source != model.User || f.Z == unclear || !f.Z.Optional() || t.useOf(f.Key).tests > 0 {
				continue
			}
			if _, lacks := t.lacksVariety(i); !lacks {
				unused.Add(f.Key)
			}
		}
		if len(unused.List) > 0 && len(t.tests) > 0 {
			p.Report(t.At("tests"), "no test gives the optional "+words.List(unused.List),
				"give "+unused.List[0]+" in one of the tests")
		}
	})
}
