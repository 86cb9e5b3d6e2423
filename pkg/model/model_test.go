package model

import (
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func parse(t *testing.T, text string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestServerKeys(t *testing.T) {
	tests := []struct{ text, declared, want string }{
		{"Bearer {{SERVER_PARAM:KEY}}", "", "KEY"},
		{"{{SERVER_PARAM: KEY }}{{SERVER_PARAM:OTHER}}{{SERVER_PARAM:KEY}}", "", "KEY OTHER"},
		{"{{SERVER_PARAM:}}", "", ""},
		{"{{API_KEY}}", "", "API_KEY"}, // written as an environment variable
		{"{{apiKey}}", "", ""},
		{"{{apiKey}}", "apiKey", "apiKey"},
		{"{{USER_PARAM}}", "USER_PARAM", ""},
		{"{{tool:API_KEY}}", "API_KEY", ""},
		{"{{KEY2}} {{2KEY}} {{}}", "", "KEY2"},
		{"no key", "", ""},
	}
	for _, tt := range tests {
		if got := strings.Join(ServerKeys(tt.text, strings.Fields(tt.declared)), " "); got != tt.want {
			t.Errorf("ServerKeys(%q, %s) = %s, want %s", tt.text, tt.declared, got, tt.want)
		}
	}
}

func TestSourceOf(t *testing.T) {
	tests := []struct {
		value, declared string
		source          Source
		bare            string
	}{
		{"{{USER_PARAM}}", "", User, ""},
		{" {{USER_PARAM}} ", "", User, ""},
		{"0x{{USER_PARAM}}", "", User, ""},
		{"{{SERVER_PARAM:K}}", "", Server, ""},
		{"Bearer {{TOKEN}}", "", Server, ""},
		{"{{TOKEN}}", "TOKEN", Server, ""},
		{"{{LIMIT}}", "TOKEN", User, "LIMIT"}, // CMP002: the field means the caller's value
		{" {{LIMIT}} ", "", User, "LIMIT"},
		{"{{key}}", "", Fixed, ""},
		{"{{key}}", "key", Server, ""},
		{"fixed", "", Fixed, ""},
		{"", "", Fixed, ""},
	}
	for _, tt := range tests {
		source, bare := SourceOf(tt.value, strings.Fields(tt.declared))
		if source != tt.source || bare != tt.bare {
			t.Errorf("SourceOf(%q, %s) = %s, %q; want %s, %q", tt.value, tt.declared, source, bare, tt.source, tt.bare)
		}
	}
}

// A request is built from what the author wrote, but where a bare {{KEY}}
// stands for the caller's value.
func TestTemplate(t *testing.T) {
	tests := map[string]string{`"{{LIMIT}}"`: `"{{USER_PARAM}}"`, `"Bearer {{TOKEN}}"`: `"Bearer {{TOKEN}}"`,
		`"x"`: `"x"`, `5`: `5`}
	for value, want := range tests {
		tool := NewSchema(parse(t, `{"tools":{"a":{"parameters":[{"position":{"key":"k","value":`+value+
			`}}]}}}`)).Tools()[0]
		if got := ordjson.Text(tool.Parameters(nil)[0].Template()); got != want {
			t.Errorf("template of %s is %s, want %s", value, got, want)
		}
	}
}

func TestNode(t *testing.T) {
	root := Root(parse(t, `{"tools":{"get-abi":{"parameters":[{"a/b":1},{"~":2}]}},"0":3,"a":null}`))
	tests := []struct {
		node          *Node
		pointer, path string
		exists        bool
	}{
		{root, "", "main", true},
		{root.At("tools"), "/tools", "main.tools", true},
		{root.At("none"), "/none", "main.none", false},
		{root.At("none").At("deeper"), "/none/deeper", "main.none.deeper", false},
		{root.At("0"), "/0", "main['0']", true},
		{root.At("tools").Fields()[0].At("parameters").Items()[0].Fields()[0], "/tools/get-abi/parameters/0/a~1b",
			"main.tools['get-abi'].parameters[0]['a/b']", true},
		{root.At("tools").At("get-abi").At("parameters").Items()[1].At("~"), "/tools/get-abi/parameters/1/~0",
			"main.tools['get-abi'].parameters[1]['~']", true},
	}
	for _, tt := range tests {
		if got := tt.node.Pointer(); got != tt.pointer {
			t.Errorf("pointer %q, want %q", got, tt.pointer)
		}
		if got := tt.node.Path("main"); got != tt.path {
			t.Errorf("path %s, want %s", got, tt.path)
		}
		if tt.node.Exists() != tt.exists {
			t.Errorf("%s exists: %v", tt.path, tt.node.Exists())
		}
		if v, _ := ordjson.Lookup(root.Value, tt.pointer); tt.exists && !ordjson.Equal(v, tt.node.Value) {
			t.Errorf("%s leads to %s", tt.pointer, ordjson.Text(v))
		}
	}
	if root.Parent() != nil || root.At("a").Parent() != root || root.At("a").Key() != "a" || root.Key() != "" {
		t.Error("parents and keys do not hold")
	}
	if n := len(root.At("a").Fields()) + len(root.At("a").Items()) + len(root.At("0").Items()); n != 0 {
		t.Errorf("scalars have %d parts", n)
	}
}

func TestSchema(t *testing.T) {
	s := NewSchema(parse(t, `{
		"namespace":"n","requiredServerParams":["A",1,"B"],
		"sharedLists":[{"ref":"l","version":"1.0.0"},{"name":"old","version":"2.0.0"},
			{"ref":"f","filter":{"field":"x","value":1}},{"ref":"g","filter":{"key":"x"}},3],
		"tools":{"z":{"parameters":[
			{"position":{"key":"id","value":"{{USER_PARAM}}","location":"insert"},
				"z":{"primitive":"string()","options":["min(1)",2]}},
			{"position":{"key":"k","value":"Bearer {{A}}","location":"query"}},
			{"position":{"key":"f","value":5,"location":"body"}},
			"no object"]},"a":{}}}`))
	if s.Namespace() != "n" || !slices.Equal(s.RequiredServerParams(), []string{"A", "B"}) || s.ToolsKey() != "tools" {
		t.Errorf("%s %q %s", s.Namespace(), s.RequiredServerParams(), s.ToolsKey())
	}
	refs := s.SharedLists()
	var names []string
	for _, r := range refs {
		name := r.Ref + " " + r.Version
		if r.Legacy {
			name += " legacy"
		}
		names = append(names, name)
	}
	if want := []string{"l 1.0.0", "old 2.0.0 legacy", "f  legacy", "g ", " "}; !slices.Equal(names, want) {
		t.Errorf("lists %q, want %q", names, want)
	}
	tools := s.Tools()
	if len(tools) != 2 || tools[0].Name != "z" || tools[1].Name != "a" || len(tools[1].Parameters(nil)) != 0 {
		t.Fatalf("tools %+v", tools)
	}
	params := tools[0].Parameters(s.RequiredServerParams())
	if len(params) != 4 {
		t.Fatalf("%d parameters", len(params))
	}
	id := params[0]
	if id.Key != "id" || id.Source != User || id.Location != Insert || id.Primitive != "string()" ||
		!slices.Equal(id.Options, []string{"min(1)"}) {
		t.Errorf("%+v", id)
	}
	if params[1].Source != Server || params[2].Source != Fixed || params[2].Location != Body || params[3].Key != "" {
		t.Errorf("%+v", params[1:])
	}
	if id.Pointer() != "/tools/z/parameters/0" || !slices.Equal(InsertKeys(params), []string{"id"}) {
		t.Errorf("%s %q", id.Pointer(), InsertKeys(params))
	}
}

// A schema of before version 4 has routes; with both, tools count.
func TestToolsKey(t *testing.T) {
	tests := map[string]string{`{}`: "tools", `{"routes":{"a":{}}}`: "routes", `{"routes":{},"tools":{}}`: "tools",
		`3`: "tools"}
	for text, want := range tests {
		if got := NewSchema(parse(t, text)).ToolsKey(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
