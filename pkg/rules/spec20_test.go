package rules_test

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// Version 2 asks for one test of each route, and its handlers have two stages.
func TestSpec20(t *testing.T) {
	for _, c := range []struct{ name, tests, stage, want string }{
		{"whole", `,"tests":[{"_description":"d"}]`, "postRequest", ""},
		{"no tests", ``, "preRequest", "TST001 main.routes.a.tests: missing; expected an array of at least 1 test"},
		{"empty tests", `,"tests":[]`, "preRequest", "TST001 main.routes.a.tests: found no tests, expected at least 1"},
		{"third stage", `,"tests":[{"_description":"d"}]`, "executeRequest",
			`VAL005 handlers: found "a" with a stage "executeRequest", expected one of preRequest, postRequest`},
	} {
		l := load(t, mainOf("2.0.0",
			`"routes":{"a":{"method":"GET","path":"/","description":"d","parameters":[]`+c.tests+`}}`))
		l.Handlers = []record.Handler{{Name: "a", Stages: []string{c.stage}}}
		var got []string
		for _, f := range rules.Check(l, &rules.Context{Spec: rules.Spec20}) {
			got = append(got, f.Rule.Code+" "+f.Message)
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
