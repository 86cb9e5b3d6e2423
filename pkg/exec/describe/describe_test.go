package describe

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// tool is a catalog of one tool, demo/tool/t, with the parameters of an input
// schema and a test.
func tool(t *testing.T, description, properties, required, test string) *exec.Catalog {
	t.Helper()
	props, err := ordjson.Parse(properties)
	if err != nil {
		t.Fatal(err)
	}
	var params []string
	for _, m := range props.Members() {
		params = append(params, `{"key":`+string(ordjson.Append(nil, ordjson.NewString(m.Key)))+
			`,"location":"query","source":"user","value":"{{USER_PARAM}}","primitive":"string()","options":[]}`)
	}
	tests := ""
	if test != "" {
		tests = `"tests":[` + test + `],`
	}
	line := `{"v":1,"kind":"resolved","id":"demo/tool/t","type":"tool","data":{"name":"t","wireName":"t_demo",` +
		`"description":` +
		string(ordjson.Append(nil, ordjson.NewString(description))) +
		`,"method":"GET","root":"https://example.com","path":"/","parameters":[` +
		strings.Join(params, ",") + `],` + tests + `"inputSchema":{"type":"object","properties":` + properties +
		`,"required":` + required + `}}}` + "\n"
	c, err := exec.ReadCatalog(strings.NewReader(line), catalog.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCall(t *testing.T) {
	for _, tt := range []struct{ name, properties, required, test, want string }{
		{"first test", `{"a":{"type":"string"},"b":{"type":"number"}}`, `["a"]`,
			`{"_description":"x","a":"it's","other":1}`, `demo/tool/t 'a=it'\''s'`},
		{"values of other types", `{"a":{"type":"array"}}`, `[]`, `{"a":["x y",1]}`, `demo/tool/t 'a=["x y",1]'`},
		{"no test", `{"a":{"type":"string"},"n":{"type":"number"},"e":{"enum":["p","q"]},"d":{"default":"v"},` +
			`"s":{"examples":["ex"]},"o":{"type":"object"},"free":{}}`,
			`["a","n","e","d","s","o"]`, "", `demo/tool/t a=A n=1 e=p d=v s=ex 'o={}'`},
		{"a test that lacks what is required", `{"city":{"type":"string"},"n":{"type":"number"}}`, `["city"]`,
			`{"CITY":"x","n":2}`, `demo/tool/t city=CITY n=2`},
		{"a key that would be a flag", `{"--allow-private":{"type":"string"}}`, `[]`, `{"--allow-private":"x"}`,
			`demo/tool/t --params '{"--allow-private":"x"}'`},
		{"a shell's words", `{"a":{"type":"string"}}`, `[]`, `{"a":"$(rm -rf ~); echo"}`,
			`demo/tool/t 'a=$(rm -rf ~); echo'`},
	} {
		d, err := Of(tool(t, "T", tt.properties, tt.required, tt.test), "t_demo",
			[]string{"fmcp-exec", "-c", "my catalog"})
		if err != nil {
			t.Fatal(err)
		}
		if want := "fmcp-exec -c 'my catalog' " + tt.want; d.Call != want {
			t.Errorf("%s: %s, want %s", tt.name, d.Call, want)
		}
	}
}

// TestParameters: what the input schema says of a parameter is put in words.
func TestParameters(t *testing.T) {
	for _, tt := range []struct{ property, want string }{
		{`{"type":"string"}`, "string; optional"},
		{`{"type":"string","minLength":1}`, "string; optional; at least 1 character"},
		{`{"type":"string","minLength":1,"maxLength":2}`, "string; optional; 1 to 2 characters"},
		{`{"type":"string","minLength":12,"maxLength":12}`, "string; optional; 12 characters"},
		{`{"type":"number","minimum":1,"maximum":20,"default":5}`, "number; optional; 1 to 20; default 5"},
		{`{"type":"array","items":{"type":"string"},"minItems":2}`, "array of string; optional; at least 2 values"},
		{`{"type":"array","items":{}}`, "array; optional"},
		{`{"enum":["a",2,true]}`, "one of a, 2, true; optional"},
		{`{"type":"string","pattern":"^x$","format":"uri","maxLength":9}`,
			"string; optional; at most 9 characters; matches ^x$; uri"},
		{`{"description":"Says it","examples":["x",["y"]]}`,
			"any value; optional\n     Says it\n     such as x, [\"y\"]"},
		{`{"enum":[` + strings.Repeat("1,", 40) + `2]}`,
			"one of " + strings.Repeat("1, ", 29) + "1 and 11 more (-f ndjson has all); optional"},
	} {
		d, err := Of(tool(t, "T", `{"a":`+tt.property+`}`, `[]`, ""), "demo/tool/t", nil)
		if err != nil {
			t.Fatal(err)
		}
		if text := d.Text(0); !strings.Contains(text, "\nParameters:\n  a  "+tt.want+"\n") {
			t.Errorf("%s: want %q in\n%s", tt.property, tt.want, text)
		}
	}
}

// TestVisible: texts of a catalog do not drive the terminal.
func TestVisible(t *testing.T) {
	c := tool(t, "a\x1b[2Jb\nExample:\n  rm", `{"k\u001b":{"description":"\u001b[1m","examples":["\u001b"]}}`, `[]`,
		`{"k\u001b":"\u0007"}`)
	d, err := Of(c, "demo/tool/t", nil)
	if err != nil {
		t.Fatal(err)
	}
	var list List
	var b strings.Builder
	for e := range Entries(c.Index) {
		if err := list.Add(&e); err != nil {
			t.Fatal(err)
		}
	}
	if err := list.Text(&b, 40); err != nil {
		t.Fatal(err)
	}
	text := d.Text(40) + b.String()
	if strings.ContainsAny(text, "\x1b\x07") || strings.Count(text, "\nExample:") != 1 {
		t.Errorf("%q", text)
	}
	for line := range strings.Lines(text) {
		if len(line) > 60 {
			t.Errorf("not wrapped: %q", line)
		}
	}
}

// A record that cannot be read is there all the same.
func TestUnreadable(t *testing.T) {
	const line = `{"v":2,"kind":"resolved","id":"demo/tool/t","type":"tool","data":{}}` + "\n"
	c, err := exec.ReadCatalog(strings.NewReader(line), catalog.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Of(c, "demo/tool/t", nil); err == nil || !strings.HasPrefix(err.Error(), exec.CodeBadRecord) {
		t.Error(err)
	}
}
