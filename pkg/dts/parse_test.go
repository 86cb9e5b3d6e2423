package dts

import (
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// TestValid: whatever a schema says, its declaration is TypeScript that declares and
// does nothing.
func TestValid(t *testing.T) {
	for _, text := range []string{
		"*/ evil() /*", "\u2028evil()\n", "\\", "`${evil()}`", "\" + evil() + \"", "</script>", "ä😀", "*\\/", "**/",
		"//",
		"class", "__proto__", "0", "-1", "a b", "",
	} {
		s := ordjson.NewString(text)
		about := ordjson.Field("description", s)
		leaf := ordjson.NewObject(about, ordjson.Field("type", s), ordjson.Field("default", s),
			ordjson.Field("pattern", s), ordjson.Field("examples", ordjson.NewArray(s)))
		enum := ordjson.NewObject(about,
			ordjson.Field("enum", ordjson.NewArray(s, ordjson.NewObject(), ordjson.NewNull())))
		schema := ordjson.NewObject(about, ordjson.Field("type", ordjson.NewString("object")),
			ordjson.Field("properties", ordjson.NewObject(ordjson.Field(text, leaf), ordjson.Field(text+"2", enum))),
			ordjson.Field("required", ordjson.NewArray(s)))
		checkValid(t, text, schema)
	}
}

func checkValid(t *testing.T, name string, schema ordjson.Value) {
	t.Helper()
	got := Declare(Tool{Name: name, Description: name, Input: schema,
		Output: ordjson.NewObject(ordjson.Field("schema", schema))})
	r := api.Transform(got, api.TransformOptions{Loader: api.LoaderTS})
	if len(r.Errors) > 0 || strings.TrimSpace(string(r.Code)) != "" {
		t.Errorf("%q: %v %s\n%s", name, r.Errors, r.Code, got)
	}
}

func FuzzDeclare(f *testing.F) {
	f.Add("a", `{"type":"object","properties":{"a":{"enum":[1,-2.5e3,"x",true,null,[],{}]},"b":{"items":{}}},`+
		`"required":["a"]}`)
	f.Add("*/", `{"type":"array","nullable":true,"items":{"properties":{"*/":{"description":"*/ /*","default":"*/"}}}}`)
	f.Fuzz(func(t *testing.T, name, text string) {
		if schema, err := ordjson.Parse(text); err == nil && len(text) < 1000 {
			checkValid(t, name, schema)
		}
	})
}

// TestLongOutput: an output that takes too much is described less deep.
func TestLongOutput(t *testing.T) {
	leaf := ordjson.NewObject(ordjson.Field("type", ordjson.NewString("number")))
	wide := func(of ordjson.Value, n int) ordjson.Value {
		var members []ordjson.Member
		for i := range n {
			members = append(members, ordjson.Field(strings.Repeat("k", i+1), of))
		}
		return ordjson.NewObject(ordjson.Field("type", ordjson.NewString("object")),
			ordjson.Field("properties", ordjson.NewObject(members...)))
	}
	for _, tt := range []struct {
		schema ordjson.Value
		want   string
	}{
		{wide(wide(leaf, 3), 3), "kk: {\n    k: number;"},
		{wide(wide(leaf, 40), 30), "kk: Record<string, unknown>;"},
		{wide(leaf, 200), "Promise<Record<string, unknown>>"},
	} {
		got := Declare(Tool{Name: "t", Output: ordjson.NewObject(ordjson.Field("schema", tt.schema))})
		if !strings.Contains(got, tt.want) || len(got) > maxOutput+100 {
			t.Errorf("%d bytes without %q: %.300s", len(got), tt.want, got)
		}
	}
}
