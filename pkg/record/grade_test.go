package record_test

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
)

func TestGradeText(t *testing.T) {
	score := 4.2
	tests := []struct {
		name string
		rec  record.Grade
		want string
	}{
		{
			"graded",
			record.Grade{SchemaID: "a/b", Validator: "validation/4.2", Timestamp: "2026-05-11T09:00:00Z", Score: &score,
				Primitives: []string{"a/tool/c"}, Grade: "A",
				Warnings: []record.GradeFinding{{Code: "VAL100", Message: nasty, Pointer: "/tools/c"}}},
			`{"v":1,"kind":"grade","id":"a/b","schemaId":"a/b","validatorVersion":"validation/4.2",` +
				`"timestamp":"2026-05-11T09:00:00Z",` +
				`"deterministic":{"status":"PASS","errors":[],"warnings":[{"code":"VAL100","message":` +
				ordjson.Text(ordjson.NewString(nasty)) + `,"pointer":"/tools/c"}]},` +
				`"probabilistic":{"score":4.2},"primitives":["a/tool/c"],"grade":"A"}`,
		},
		{
			"scores missing",
			record.Grade{SchemaID: "a/b", Validator: "validation/4.2", Missing: []string{"probabilistic.score"}},
			`{"v":1,"kind":"grade","id":"a/b","schemaId":"a/b","validatorVersion":"validation/4.2",` +
				`"deterministic":{"status":"PASS","errors":[],"warnings":[]},"missing":["probabilistic.score"],` +
				`"primitives":[]}`,
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
