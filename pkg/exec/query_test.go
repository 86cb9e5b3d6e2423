package exec

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Values are bound by the primitive of their parameter, whoever supplies them.
func TestBoundByPrimitive(t *testing.T) {
	for _, tt := range []struct{ value, primitive, source, given, want string }{
		{`"7"`, "number()", "fixed", "", "7"},
		{`"7.50"`, "number()", "fixed", "", "7.50"},
		{`"9007199254740993"`, "number()", "fixed", "", "9007199254740993"},
		{"7", "number()", "fixed", "", "7"},
		{`"true"`, "boolean()", "fixed", "", "true"},
		{"false", "boolean()", "fixed", "", "false"},
		{`"7"`, "string()", "fixed", "", `"7"`},
		{"7", "string()", "fixed", "", `"7"`},
		{`"1"`, "enum(1,2)", "fixed", "", `"1"`},
		{`"seven"`, "number()", "fixed", "", `"seven"`}, // VAL042
		{`"{{USER_PARAM}}"`, "number()", "user", `{"k":5}`, "5"},
		{`"{{USER_PARAM}}"`, "string()", "user", `{"k":"5"}`, `"5"`},
		{`"{{USER_PARAM}}"`, "boolean()", "user", `{"k":true}`, "true"},
		{`"{{USER_PARAM}}"`, "number()", "user", `{}`, "null"},
		{`"-{{USER_PARAM}}"`, "number()", "user", `{"k":5}`, "-5"},
		{`"%{{USER_PARAM}}%"`, "number()", "user", `{"k":5}`, `"%5%"`},
	} {
		options := "[]"
		if tt.want == "null" {
			options = `["optional()"]`
		}
		data := parse(t, `{"name":"db","source":"sqlite","queries":[{"name":"find","sql":"SELECT ?",`+
			`"parameters":[{"key":"k","value":`+tt.value+`,"source":"`+tt.source+`","primitive":"`+tt.primitive+
			`","options":`+options+`}]}]}`)
		rec := catalog.Decode(&record.Resolved{ID: "a/resource/db", Type: record.TypeResource, Data: data})
		list, err := NewQueries(rec.(*catalog.Resource), "")
		if err != nil {
			t.Fatal(err)
		}
		given := ordjson.NewObject()
		if tt.given != "" {
			given = parse(t, tt.given)
		}
		in, errs := CheckInput(list[0], given)
		if errs != nil {
			t.Fatal(errs)
		}
		q, _, err := list[0].statement(in)
		if got := ordjson.Text(q.Params); err != nil || got != "["+tt.want+"]" {
			t.Errorf("%s %s: %s, %v; want %s", tt.value, tt.primitive, got, err, tt.want)
		}
	}
}
