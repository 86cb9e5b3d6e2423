package record_test

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
)

func TestGradeText(t *testing.T) {
	score, hash := 4.2, record.Hash(nil)
	tests := []struct {
		name string
		rec  record.Grade
		want string
	}{
		{
			"graded",
			record.Grade{SchemaID: "a/b", Path: "c/b.mjs", FileHash: hash, Validator: "validation/4.2",
				Timestamp: "2026-05-11T09:00:00Z", Score: &score, Harness: "claude-code", Stage: "stage:production",
				Dimensions: []record.GradeDimension{{Name: "whenToUse", Score: 4.5, Reasoning: nasty},
					{Name: "parameters", Score: 3.9}},
				Next:       []record.GradeStep{{Needs: "n", Command: "mv a b"}, {Needs: nasty, Command: "true"}},
				Primitives: []string{"a/tool/c"}, Grade: "A",
				Warnings: []record.GradeFinding{{Code: "VAL100", Message: nasty, Pointer: "/tools/c", Line: 7}}},
			`{"v":1,"kind":"grade","id":"a/b","schemaId":"a/b","path":"c/b.mjs","fileHash":"` + hash + `",` +
				`"validatorVersion":"validation/4.2",` +
				`"timestamp":"2026-05-11T09:00:00Z",` +
				`"deterministic":{"status":"PASS","errors":[],"warnings":[{"code":"VAL100","message":` +
				ordjson.Text(ordjson.NewString(nasty)) + `,"pointer":"/tools/c","line":7}]},` +
				`"probabilistic":{"score":4.2,"harness":"claude-code"},"dimensions":[{"dimension":"whenToUse",` +
				`"score":4.5,"reasoning":` + ordjson.Text(ordjson.NewString(nasty)) + `},{"dimension":"parameters",` +
				`"score":3.9,"reasoning":""}],"primitives":["a/tool/c"],"grade":"A","stage":"stage:production",` +
				`"next":[{"needs":"n","command":"mv a b"},{"needs":` + ordjson.Text(ordjson.NewString(nasty)) +
				`,"command":"true"}]}`,
		},
		{
			"scores missing",
			record.Grade{SchemaID: "a/b", Validator: "validation/4.2", Missing: []string{"probabilistic.score"}},
			`{"v":1,"kind":"grade","id":"a/b","schemaId":"a/b","validatorVersion":"validation/4.2",` +
				`"deterministic":{"status":"PASS","errors":[],"warnings":[]},"missing":["probabilistic.score"],` +
				`"primitives":[]}`,
		},
		{
			"failing",
			record.Grade{SchemaID: "a/b", Validator: "validation/4.2", Missing: []string{"m"},
				Failing: []record.GradeFailing{{ID: "a/tool/c", Why: nasty}, {ID: "a/resource/d/e", Why: "w"}}},
			`{"v":1,"kind":"grade","id":"a/b","schemaId":"a/b","validatorVersion":"validation/4.2",` +
				`"deterministic":{"status":"PASS","errors":[],"warnings":[]},"missing":["m"],"primitives":[],` +
				`"failing":[{"id":"a/tool/c","why":` + ordjson.Text(ordjson.NewString(nasty)) +
				`},{"id":"a/resource/d/e","why":"w"}]}`,
		},
		{
			"stale",
			record.Grade{SchemaID: "a/b", Validator: "validation/4.2", Missing: []string{"m"},
				Stale: []record.GradeStale{{What: record.StaleGrade, Grade: "A", Score: &score, FileHash: hash},
					{What: record.StaleScores, FileHash: hash}}},
			`{"v":1,"kind":"grade","id":"a/b","schemaId":"a/b","validatorVersion":"validation/4.2",` +
				`"deterministic":{"status":"PASS","errors":[],"warnings":[]},"missing":["m"],"primitives":[],` +
				`"stale":[{"what":"grade","grade":"A","score":4.2,"fileHash":"` + hash + `"},` +
				`{"what":"scores","fileHash":"` + hash + `"}]}`,
		},
		{
			"by the Grading-Spec",
			record.Grade{SchemaID: "a/b", Validator: "validation/4.2", Grade: "B",
				Grading: &record.Grading{Mean: &score, Raw: "A", Max: "B", Stale: []string{"Q-a"}, NoEntry: nasty}},
			`{"v":1,"kind":"grade","id":"a/b","schemaId":"a/b","validatorVersion":"validation/4.2",` +
				`"deterministic":{"status":"PASS","errors":[],"warnings":[]},"primitives":[],"grade":"B",` +
				`"grading":{"spec":"gradingSpec/2.0.0","mean":4.2,"rawGrade":"A","maxAttainableGrade":"B",` +
				`"stale":["Q-a"],"noEntry":` + ordjson.Text(ordjson.NewString(nasty)) + `}}`,
		},
		{
			"rejected",
			record.Grade{SchemaID: "a/b", Validator: "validation/4.2", Grade: record.GradeRejected,
				Grading: &record.Grading{Max: "B", Veto: "v", Entry: ordjson.NewObject()}},
			`{"v":1,"kind":"grade","id":"a/b","schemaId":"a/b","validatorVersion":"validation/4.2",` +
				`"deterministic":{"status":"PASS","errors":[],"warnings":[]},"primitives":[],"grade":"REJECTED",` +
				`"grading":{"spec":"gradingSpec/2.0.0","maxAttainableGrade":"B","veto":"v","entry":{}}}`,
		},
		{
			"failed",
			record.Grade{SchemaID: "a/b", Validator: "validation/4.2", Grade: "F",
				Errors: []record.GradeFinding{{Code: "VAL001", Message: "m"}}},
			`{"v":1,"kind":"grade","id":"a/b","schemaId":"a/b","validatorVersion":"validation/4.2",` +
				`"deterministic":{"status":"FAIL","errors":[{"code":"VAL001","message":"m","pointer":""}],` +
				`"warnings":[]},"primitives":[],"grade":"F"}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			line := tt.rec.AppendJSON(nil)
			if string(line) != tt.want {
				t.Errorf("%s\nwant %s", line, tt.want)
			}
			if err := recordtest.Check(line); err != nil {
				t.Error(err)
			}
		})
	}
}
