package tests

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// testCase is one test and what a call with its values would complain about.
type testCase struct {
	*model.Node
	issues []zod.InputIssue
}

// unclear is the block of a parameter that other findings are about: nothing
// can be said of the values that tests give it.
var unclear, _ = zod.Parse("", []string{"optional()"})

// inputField is a parameter as callers see it, lists written out as far as
// they are known.
func inputField(p *engine.Pass, q *engine.Param) zod.Field {
	field := zod.Field{Key: q.Key, Source: q.Source, Z: p.Block(q)}
	if !q.Value.Is(ordjson.String) || q.Source == model.Fixed && strings.Contains(q.Value.Str(), "{{") {
		return zod.Field{Key: q.Key, Source: model.User, Z: unclear} // VAL042, VAL047
	}
	broken := []zod.Kind{zod.BadPrimitive, zod.BadOption, zod.EmptyEnum, zod.MisplacedList, zod.Contradiction}
	if q.Block == nil || len(q.BrokenLists()) > 0 || !q.Z.Get("options").Is(ordjson.Array) ||
		slices.ContainsFunc(broken, func(k zod.Kind) bool { return engine.HasProblem(q, k) }) {
		field.Z = unclear
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
		t.given.Add(engine.TestDescription)
	}
	return t.given.List
}

// node is the parameter of a key that callers give.
func (t *tested) node(key string) *engine.Param {
	if t.byKey == nil {
		t.byKey = make(map[string]*engine.Param, len(t.nodes))
		for _, q := range t.nodes {
			// The first, but that its source may be unclear.
			if first := t.byKey[q.Key]; first == nil || first.Source != model.User && q.Source == model.User {
				t.byKey[q.Key] = q
			}
		}
	}
	return t.byKey[key]
}

// mentions reports whether the request has a {{key}} that nothing declares,
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

// eachIssue calls f for what is wrong with the values of tests in a way.
func eachIssue(p *engine.Pass, kind zod.InputKind, f func(*tested, *testCase, zod.InputIssue)) {
	eachTested(p, func(t *tested) {
		for _, test := range t.tests {
			for _, issue := range test.issues {
				if issue.Kind == kind {
					f(t, test, issue)
				}
			}
		}
	})
}
