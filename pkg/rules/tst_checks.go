package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// minTests is the least number of tests (chapter 10, "Test Count Guidelines").
const minTests = 3

// maxIssues is how much of what is wrong with one test is told. It may have more
// keys than anybody reads findings.
const maxIssues = 100

// maxOfAll is for how many issues of all tests together that holds: of each test
// behind them the first is told. Tests and parameters multiply.
const maxOfAll = 2000

// testDescription is the one key of a test that is no parameter's.
const testDescription = "_description"

// tested is a tool or a resource query with its tests.
type tested struct {
	tool
	noun   string      // "tool" or "query"
	fields []zod.Field // the parameters that have a key, as the input knows them
	nodes  []*param    // the same, as they are written
	whole  bool        // every parameter has a key, so that there can be no other
	tests  []*testCase // those that are objects

	given     *model.NameSet    // see keys
	uses      map[string]*use   // see useOf
	byKey     map[string]*param // see node
	mentioned *model.NameSet    // see mentions
}

// testCase is one test and what a call with its values would complain about.
type testCase struct {
	*model.Node
	issues []zod.InputIssue
}

// eachTested calls f for every tool and query of a schema.
func (p *Pass) eachTested(f func(*tested)) {
	for _, t := range keep(&p.kept, func() []*tested { return p.newTested() }) {
		f(t)
	}
}

func (p *Pass) newTested() []*tested {
	var list []*tested
	p.eachCallable(func(t *tool) {
		noun := "tool"
		if t.isQuery() {
			noun = "query"
		}
		list = append(list, p.testsOf(*t, noun))
	})
	return list
}

func (p *Pass) testsOf(t tool, noun string) *tested {
	view := &tested{tool: t, noun: noun, nodes: make([]*param, 0, len(t.params)), fields: make([]zod.Field, 0, len(t.params))}
	for i := range t.params {
		if q := &t.params[i]; q.Key != "" {
			view.nodes = append(view.nodes, q)
			view.fields = append(view.fields, p.inputField(q))
		}
	}
	parameters := t.Get("parameters")
	view.whole = parameters.Is(ordjson.Array) && len(view.fields) == parameters.Len()
	input := zod.NewInput(view.fields)
	input.Speller = &p.speller
	left := maxOfAll
	for _, test := range t.At("tests").Items() {
		if test.Is(ordjson.Object) {
			issues := input.Issues(test.Value, max(1, min(maxIssues, left)), testDescription)
			left -= len(issues)
			view.tests = append(view.tests, &testCase{test, issues})
		}
	}
	return view
}

// unclear is the block of a parameter that other findings are about: nothing
// can be said of the values that tests give it.
var unclear, _ = zod.Parse("", []string{"optional()"})

// inputField is a parameter as callers see it, lists written out as far as
// they are known.
func (p *Pass) inputField(q *param) zod.Field {
	field := zod.Field{Key: q.Key, Source: q.Source, Z: q.block}
	if !q.Value.Is(ordjson.String) || q.Source == model.Fixed && strings.Contains(q.Value.Str(), "{{") {
		return zod.Field{Key: q.Key, Source: model.User, Z: unclear} // VAL042, VAL047
	}
	broken := []zod.Kind{zod.BadPrimitive, zod.BadOption, zod.EmptyEnum, zod.MisplacedList, zod.Contradiction}
	if q.block == nil || len(q.brokenLists()) > 0 || !q.z.Get("options").Is(ordjson.Array) || slices.ContainsFunc(broken, func(k zod.Kind) bool { return hasProblem(q, k) }) {
		field.Z = unclear
	} else if len(q.block.Lists()) > 0 {
		if z := p.ctx.interpolated.get(p, q).z; z != nil {
			field.Z = z
		}
	}
	return field
}

// keys are the keys that a test may have, _description the last.
func (t *tested) keys() []string {
	if t.given == nil {
		t.given = &model.NameSet{}
		for _, f := range t.fields {
			if f.Source == model.User {
				t.given.Add(f.Key)
			}
		}
		t.given.Add(testDescription)
	}
	return t.given.List
}

// node is the parameter of a key that callers give.
func (t *tested) node(key string) *param {
	if t.byKey == nil {
		t.byKey = make(map[string]*param, len(t.nodes))
		for _, q := range t.nodes {
			// The first, but that its source may be unclear.
			if first := t.byKey[q.Key]; first == nil || first.Source != model.User && q.Source == model.User {
				t.byKey[q.Key] = q
			}
		}
	}
	return t.byKey[key]
}

// mentions reports whether the request has a {{key}} that nobody declares,
// which is CMP002.
func (t *tested) mentions(key string) bool {
	if t.mentioned == nil {
		t.mentioned = &model.NameSet{}
		t.mention(t.Get("path").Str())
		for _, q := range t.nodes {
			t.mention(q.Value.Str())
		}
	}
	return t.mentioned.Has(key)
}

func (t *tested) mention(text string) {
	for _, ph := range model.Placeholders(text) {
		if ph.Bare() {
			t.mentioned.Add(ph.Name)
		}
	}
}

func checkTestCount(p *Pass) {
	p.eachTested(func(t *tested) {
		tests := t.Get("tests")
		known := toolFields
		if t.noun == "query" {
			// Of a query without any test RES011 speaks (decision "Number of tests").
			if tests.Len() == 0 || !tests.Is(ordjson.Array) {
				return
			}
			known = queryFields
		}
		const fix = "write tests: [ { _description: 'what it shows', key: value }, … ] with three cases that differ"
		switch {
		case !tests.Is(ordjson.Array):
			p.expect(t.Node, "tests", known, "an array of at least 3 tests", fix)
		case tests.Len() < minTests:
			p.report(t.At("tests"), found(tests)+", expected at least 3 tests",
				"add tests until there are three: a basic case, an edge case, and one that cuts across")
		}
	})
}

// agentTestFields are those of chapter 10, "Agent Test Fields".
var agentTestFields = []string{testDescription, "input", "expectedTools", "expectedContent"}

func checkTestDescription(p *Pass) {
	if p.load.Type == record.TypeAgent {
		for _, test := range p.root.At("tests").Items() {
			p.testDescription(test, agentTestFields)
		}
		return
	}
	p.eachTested(func(t *tested) {
		known := t.keys()
		for _, test := range t.At("tests").Items() {
			p.testDescription(test, known)
		}
	})
}

func (p *Pass) testDescription(test *model.Node, known []string) {
	const fix = "write _description: 'what this test shows'"
	if !test.Is(ordjson.Object) {
		p.report(test, found(test.Value)+", expected an object with _description and values", "write { _description: 'what it shows', key: value }")
		return
	}
	p.expectText(test, testDescription, known, fix)
}

// eachIssue calls f for what is wrong with the values of tests in a way.
func (p *Pass) eachIssue(kind zod.InputKind, f func(*tested, *testCase, zod.InputIssue)) {
	p.eachTested(func(t *tested) {
		for _, test := range t.tests {
			for _, issue := range test.issues {
				if issue.Kind == kind {
					f(t, test, issue)
				}
			}
		}
	})
}

func checkTestRequired(p *Pass) {
	p.eachIssue(zod.MissingKey, func(t *tested, test *testCase, issue zod.InputIssue) {
		if bare := t.node(issue.Key).Bare; bare != "" && test.Get(bare).Exists() {
			// The field writes value: '{{LEAGUE}}' (CMP002) and gives LEAGUE.
			p.report(test.At(bare), "found the name in position.value, expected the key "+issue.Key, "rename "+bare+" to "+issue.Key)
			return
		}
		p.expect(test.Node, issue.Key, t.keys(), issue.Msg+" for the required parameter",
			"give "+short(issue.Key)+", or write 'optional()' into its z.options")
	})
}

// The tests of queries have a code of their own for the same rule.
func checkTestValue(p *Pass)      { p.testValues("tool") }
func checkQueryTestValue(p *Pass) { p.testValues("query") }

func (p *Pass) testValues(noun string) {
	p.eachIssue(zod.RefusedValue, func(t *tested, test *testCase, issue zod.InputIssue) {
		if t.noun != noun {
			return
		}
		p.report(test.At(issue.Key), "the value does not pass z: "+issue.Msg,
			"give a value that "+short(t.node(issue.Key).Primitive)+" and its options accept, or correct the z block")
	})
}

func checkTestKeys(p *Pass) {
	p.eachIssue(zod.HiddenKey, func(t *tested, test *testCase, issue zod.InputIssue) {
		p.report(test.At(issue.Key), "found a value for a "+issue.Field.Source.String()+" parameter, expected user parameters only",
			"remove it; the value is set without the caller")
	})
	p.eachIssue(zod.UnknownKey, func(t *tested, test *testCase, issue zod.InputIssue) {
		at := test.At(issue.Key)
		if at.Within(maxPlace) == at && p.told(at.Pointer()) || !t.whole || t.mentions(issue.Key) {
			return
		}
		fix := p.didYouMean(issue.Key, t.keys(), "remove it; known are "+words.List(t.keys()))
		p.report(at, "found a key that the "+t.noun+" "+short(t.Name)+" has no user parameter for", fix)
	})
}

func checkTestVariety(p *Pass) {
	p.eachTested(func(t *tested) {
		for i := range t.fields {
			if message, lacks := t.lacksVariety(i); lacks {
				p.report(t.nodes[i].Node, message, "use another value of "+t.fields[i].Key+" in one of the tests")
			}
		}
	})
}

// use is what tests give for a key.
type use struct {
	tests  int    // that give it
	first  string // value
	differ bool   // another value comes behind it
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
	return "the " + strconv.Itoa(len(t.tests)) + " tests give no other value than " + u.first + ", expected several of its values", true
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
	switch strings.ToLower(strings.Join(partsOf(key), "")) {
	case "chain", "chainid", "chainname", "chainslug", "chainindex", "blockchain", "evmchain":
		return true
	}
	return false
}

func checkTestOptional(p *Pass) {
	p.eachTested(func(t *tested) {
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
			p.report(t.At("tests"), "no test gives the optional "+words.List(unused.List), "give "+unused.List[0]+" in one of the tests")
		}
	})
}

func checkExpectedContent(p *Pass) {
	const fix = "write expectedContent: [ 'text of the answer' ]"
	for _, test := range p.root.At("tests").Items() {
		switch content := test.Get("expectedContent"); {
		case !test.Is(ordjson.Object): // TST002
		case !content.Is(ordjson.Array) || content.Len() == 0:
			p.expect(test, "expectedContent", agentTestFields, "an array of texts that the answer must have", fix)
		default:
			p.arrayOfStrings(test.At("expectedContent"), fix)
		}
	}
}
