package resolve

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func TestInputSchemaTellsModels(t *testing.T) {
	const user, server = `"value":"{{USER_PARAM}}"`, `"value":"{{SERVER_PARAM:K}}"`
	long := `"` + strings.Repeat("x", maxExample) + `"`
	tests := []struct{ name, params, tests, want string }{
		{"description of the parameter",
			`{"position":{"key":"a",` + user +
				`},"z":{"primitive":"string()","description":"of z"},"description":"own"}`, `[]`,
			`{"a":{"type":"string","description":"own"}}`},
		{"description of the z block",
			`{"position":{"key":"a",` + user + `},"z":{"primitive":"string()","description":"of z"}}`, `[]`,
			`{"a":{"type":"string","description":"of z"}}`},
		{"description that is not text",
			`{"position":{"key":"a",` + user + `},"z":{"primitive":"string()"},"description":5}`, `[]`,
			`{"a":{"type":"string"}}`},
		{"three distinct examples", `{"position":{"key":"a",` + user + `},"z":{"primitive":"number()"}}`,
			`[{"a":1},{"a":1.0},{"b":5},{"a":2},{"a":"3"},{"a":3},{"a":4}]`,
			`{"a":{"type":"number","examples":[1,2,3]}}`},
		{"example that the block refuses", `{"position":{"key":"a",` + user + `},"z":{"primitive":"enum(x,y)"}}`,
			`[{"a":"z"},{"a":"y"}]`,
			`{"a":{"type":"string","enum":["x","y"],"examples":["y"]}}`},
		{"long example", `{"position":{"key":"a",` + user + `},"z":{"primitive":"string()"}}`,
			`[{"a":` + long + `},{"a":"y"}]`,
			`{"a":{"type":"string","examples":["y"]}}`},
		{"array of anything", `{"position":{"key":"a",` + user + `},"z":{"primitive":"array()"}}`, `[{"a":["x"]}]`,
			`{"a":{"type":"array","items":{},"examples":[["x"]]}}`},
		{"server parameter", `{"position":{"key":"a",` + server + `},"z":{"primitive":"string()","description":"d"}}`,
			`[{"a":"secret"}]`, `{}`},
		{"tests that are not an array", `{"position":{"key":"a",` + user + `},"z":{"primitive":"string()"}}`, `{"a":1}`,
			`{"a":{"type":"string"}}`},
	}
	for _, tt := range tests {
		main, err := ordjson.Parse(`{"tools":{"x":{"parameters":[` + tt.params + `],"tests":` + tt.tests + `}}}`)
		if err != nil {
			t.Fatal(tt.name, err)
		}
		tool := model.NewSchema(main).Tools()[0]
		got, problems := InputSchema(tool.Parameters(nil), tool.Get("tests"))
		if text := ordjson.Text(got.Get("properties")); text != tt.want || len(problems) > 0 {
			t.Errorf("%s: %s, want %s (%v)", tt.name, text, tt.want, problems)
		}
	}
}

// Callers see the first of two descriptions; that is not a contradiction.
func TestKeyTwiceWithOneDescription(t *testing.T) {
	twice := `{"position":{"key":"a","value":"{{USER_PARAM}}"},"z":{"primitive":"string()"},"description":"first"},` +
		`{"position":{"key":"a","value":"{{USER_PARAM}}"},"z":{"primitive":"string()"}}`
	main, err := ordjson.Parse(`{"tools":{"x":{"parameters":[` + twice + `]}}}`)
	if err != nil {
		t.Fatal(err)
	}
	got, problems := InputSchema(model.NewSchema(main).Tools()[0].Parameters(nil), ordjson.Value{})
	if text := ordjson.Text(got.Get("properties")); text != `{"a":{"type":"string","description":"first"}}` ||
		len(problems) > 0 {
		t.Errorf("%s %v", text, problems)
	}
}
