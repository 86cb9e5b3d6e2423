package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

// Each reason stands once, whoever has it.
func TestGradesText(t *testing.T) {
	score := 3.25
	fails := func(code, message string) []record.GradeFinding {
		return []record.GradeFinding{{Code: code, Message: message}}
	}
	next := func(command string) []record.GradeStep {
		return []record.GradeStep{{Needs: "a test that passes", Command: command}}
	}
	var many []*record.Grade
	for i := range 14 {
		many = append(many,
			&record.Grade{SchemaID: fmt.Sprintf("n/s%02d", i), Grade: "F", Errors: fails("VAL014", "m")})
	}
	for _, tt := range []struct {
		name   string
		grades []*record.Grade
		want   string
	}{
		{"one that lacks something", []*record.Grade{{SchemaID: "a/b", Missing: []string{"score"}}},
			"1 schema: 1 no grade\n\nno grade\n  score (a/b)\n"},
		{"a shared reason, and one of one's own", []*record.Grade{
			{SchemaID: "a/b", Missing: []string{"score"}, Warnings: fails("CMP006", "w")},
			{SchemaID: "a/c", Grade: "F", Errors: append(fails("VAL014", "m"), fails("VAL014", "more")...)},
			{SchemaID: "a/d", Missing: []string{"score"}},
		}, "3 schemas: 1 F, 2 no grade\n1 warning in 1 schema\n\n" +
			"F\n  VAL014 version (a/c)\n      m; and 1 more\n\n" +
			"no grade\n  score, 2 schemas:\n      a/b, a/d\n"},
		{"graded, with a stage", []*record.Grade{
			{SchemaID: "a/b", Grade: "B", Score: &score, Stage: "stage:api-test", Next: next("test a/b")},
			{SchemaID: "a/c", Grade: "B", Score: &score, Stage: "stage:grade"},
			{SchemaID: "a/d", Grade: "A", Score: &score, Stage: "stage:api-test", Next: next("test a/d")},
		}, "3 schemas: 2 B, 1 A\nstages: 2 api-test, 1 grade\n\nB\n  a/b 3.25, a/c 3.25\n\nA\n  a/d 3.25\n\n" +
			"  next: a test that passes, 2 schemas:\n      a/b 3.25, a/d 3.25\n"},
		{"a tool that fails, and what is stale", []*record.Grade{
			{SchemaID: "a/b", Missing: []string{"score"}, Failing: []record.GradeFailing{{ID: "a/tool/x", Why: "404"}},
				Stale: []record.GradeStale{{What: record.StaleScores}}}},
			"1 schema: 1 no grade\n\nno grade\n  score (a/b)\n\n" +
				"  its tests fail: a/tool/x (a/b)\n      404\n" +
				"  stale: the scores that it had are of another version of the file (a/b)\n"},
		{"more than are shown", many, "14 schemas: 14 F\n\nF\n  VAL014 version, 14 schemas:\n" +
			"      n/s00, n/s01, n/s02, n/s03, n/s04, n/s05, n/s06, n/s07, n/s08, n/s09, n/s10, n/s11 and 2 more\n" +
			"-f ndjson has all that was left out here\n"},
		{"by the Grading-Spec", []*record.Grade{{SchemaID: "a/b", Grade: "B",
			Grading: &record.Grading{Grade: "B", Raw: "A", Max: "B", Stale: []string{"Q-a", "Q-b"}, NoEntry: "why"}}},
			"1 schema: 1 B\n\nB\n  band A, of which a schema that is graded by itself gets B (a/b)\n\n" +
				"  no entry: why (a/b)\n  stale: Q-a, Q-b (a/b)\n"},
		{"rejected", []*record.Grade{{SchemaID: "a/b", Grade: record.GradeRejected,
			Grading: &record.Grading{Grade: "REJECTED", Max: "B", Veto: "malicious-module: line 7"}}},
			"1 schema: 1 REJECTED\n\nREJECTED\n  veto: malicious-module: line 7 (a/b)\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			r := newText(&b, Options{})
			for _, g := range tt.grades {
				if err := r.Record(g, nil); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.Close(); err != nil || b.String() != tt.want {
				t.Errorf("%v, got\n%swant\n%s", err, b.String(), tt.want)
			}
		})
	}
}

// Where fmcp-scan watches, the grades of a round leave with it.
func TestGradesTextRounds(t *testing.T) {
	var b bytes.Buffer
	r := newText(&b, Options{})
	for _, id := range []string{"a/b", "a/c"} {
		_ = r.Record(&record.Grade{SchemaID: id, Grade: "F"}, nil)
		_ = r.Record(&record.Round{}, nil)
		if !strings.Contains(flushed(t, r, &b), "1 schema: 1 F\n\nF\n  "+id+"\n") {
			t.Errorf("%s", b.String())
		}
	}
}

func flushed(t *testing.T, r *text, b *bytes.Buffer) string {
	t.Helper()
	if err := r.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
