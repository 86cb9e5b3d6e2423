package rules_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// inCatalogs are places that only rules check which need a whole catalog.
var inCatalogs = regexp.MustCompile(`^(/requires|.*/dependsOn|/meta/name|/skills/[^/]*/file)(/|$)`)

// What the rules let pass in a damaged file, the JSON Schemas let pass too. A place is
// damaged in each way once.
func TestJSONSchemasAllowMutants(t *testing.T) {
	checked := map[string]int{}
	done := map[string]bool{}
	for _, g := range goodFiles(t) {
		for _, mu := range mutants(g.value, "") {
			key := g.export + mu.pointer + mu.how
			if done[key] || len(g.files) == 1 && inCatalogs.MatchString(mu.pointer) {
				continue
			}
			done[key] = true
			file := "../../types/" + g.export + ".schema.json"
			wrong := recordtest.Against(file, []byte(ordjson.Text(mu.value)))
			if wrong == nil {
				continue
			}
			checked[g.export]++
			found, err := rules.Fixtures(g.with(mu.value), g.code)
			if err != nil || len(found) == 0 {
				t.Fatalf("%s/%s, %s %s: %d examples, %v", g.code, g.name, mu.pointer, mu.how, len(found), err)
			}
			isError := func(d *record.Diagnostic) bool {
				return d.Severity == record.SeverityError && (d.Code != "CMP006" || mu.pointer == "/schemaHash")
			}
			if !slices.ContainsFunc(found[0].Found, isError) {
				t.Errorf("%s/%s, %s %s: no rule has an error, but %v", g.code, g.name, mu.pointer, mu.how, wrong)
			}
		}
	}
	for _, export := range []string{"main", "list", "agent", "selection", "skill", "prompt"} {
		if checked[export] < 50 {
			t.Errorf("the JSON Schema of %s refuses %d damages", export, checked[export])
		}
	}
}
