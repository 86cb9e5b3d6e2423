package exec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func TestCheckOutput(t *testing.T) {
	tests := []struct{ schema, data, want string }{
		{`{"type":"object","properties":{"a":{"type":"number"}}}`, `{"a":1,"b":2}`, ""},
		{`{"type":"object","properties":{"a":{"type":"number"}}}`, `{}`, ""},
		{`{"type":"object","properties":{"a":{"type":"number"}}}`, `{"a":"1"}`, "data.a is string, expected number"},
		{`{"type":"object"}`, `[]`, "data is array, expected object"},
		{`{"type":"array","items":{"type":"string"}}`, `["a",1,2]`, "data[1] is number, expected string"},
		{`{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}}`,
			`[{"a":"x"},{"a":null},{"a":5}]`,
			"data[1].a is null, expected string (declare nullable: true if null is normal)"},
		{`{"type":"string","nullable":true}`, `null`, ""},
		{`{"type":"string","enum":["a","b"]}`, `"c"`, `data is "c", which is not among the declared values ["a","b"]`},
		{`{"type":"string","enum":["a","b"]}`, `"b"`, ""},
		{`{"type":"boolean"}`, `true`, ""},
		{`{"type":"integer"}`, `12345678901234567890`, ""},
		{`{"type":"integer"}`, `5.0`, ""},
		{`{"type":"integer"}`, `5.5`, "data is number, expected integer"},
		{`{"type":"integer"}`, `"5"`, "data is string, expected integer"},
		{`{"type":"text"}`, `5`, ""},
		{`{}`, `5`, ""},
		{`{"properties":{"a":5},"items":[]}`, `{"a":1}`, ""},
	}
	for _, tt := range tests {
		got := strings.Join(CheckOutput(parse(t, tt.schema), parse(t, tt.data)), "\n")
		if tt.want != "" {
			tt.want = "output schema: " + tt.want
		}
		if got != tt.want {
			t.Errorf("%s with %s:\n got %s\nwant %s", tt.schema, tt.data, got, tt.want)
		}
	}
	if CheckOutput(ordjson.Value{}, parse(t, `5`)) != nil {
		t.Error("no schema gave a warning")
	}
}

func TestCheckOutputIsBounded(t *testing.T) {
	var props, data []string
	for i := range 50 {
		props = append(props, fmt.Sprintf(`"p%d":{"type":"number"}`, i))
		data = append(data, fmt.Sprintf(`"p%d":"x"`, i))
	}
	got := CheckOutput(parse(t, `{"type":"object","properties":{`+strings.Join(props, ",")+`}}`),
		parse(t, `{`+strings.Join(data, ",")+`}`))
	if len(got) != maxWarnings+1 || got[maxWarnings] != "40 more places deviate from the output schema" {
		t.Errorf("%d warnings: %q", len(got), got)
	}
}

func TestParamsFromText(t *testing.T) {
	tl := tool(t, data("GET", root, "/", "", user("limit", "query", "number()", ""),
		user("name", "query", "string()", ""), user("ids", "query", "array()", ""),
		user("on", "query", "boolean()", "")))
	tests := []struct {
		words string
		want  string
	}{
		{`limit=5|name=5|ids=["a",1]|on=true`, `{"limit":5,"name":"5","ids":["a",1],"on":true}`},
		{`name=a=b`, `{"name":"a=b"}`},
		{`name=`, `{"name":""}`},
		{`other=5`, `{"other":"5"}`},
		{`limit=five`, `EXE012 parameter "limit": expected a number`},
		{`ids=a,b`, `EXE012 parameter "ids": expected a JSON array such as ["a","b"]`},
		{`name=a|name=b`, `EXE012 parameter "name" is given twice`},
		{`name`, `EXE012 "name" is not of the form key=value`},
		{`=x`, `EXE012 "=x" is not of the form key=value`},
		{"name=\xff", `EXE012 "name=\xff" is not UTF-8`},
	}
	for _, tt := range tests {
		v, err := ParamsFromText(tl, strings.Split(tt.words, "|"))
		got := ordjson.Text(v)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.words, got, tt.want)
		}
	}
	if v, err := ParamsFromText(tl, nil); err != nil || ordjson.Text(v) != "{}" {
		t.Errorf("%v %v", v, err)
	}
}
