package engine

import (
	"slices"
	"testing"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Each row of the table speaks about its field in each of its objects, once.
func TestObjects(t *testing.T) {
	row := func(name string, must Kind) []Field {
		return []Field{{Code: "SKL001", Name: name, Must: must, Fix: "fix"}}
	}
	for _, c := range []struct {
		name, skill string
		objects     Objects
		want        []string
	}{
		{"missing", `{}`, Objects{Fields: row("a", Text)},
			[]string{"/a skill.a: missing; expected a string that is not empty | fix"}},
		{"blank", `{"a":" "}`, Objects{Fields: row("a", Text)},
			[]string{`/a skill.a: found " ", expected a string that is not empty | fix`}},
		{"right", `{"a":"x"}`, Objects{Fields: row("a", Text)}, nil},
		{"optional", `{}`, Objects{Fields: row("a", Text.Optional())}, nil},
		{"null is there", `{"a":null}`, Objects{Fields: row("a", Text.Optional())},
			[]string{"/a skill.a: found null, expected a string that is not empty | fix"}},
		{"misspelt", `{"descripton":"x"}`,
			Objects{Of: &fields.Object{Fields: []fields.Field{{Name: "description"}}},
				Fields: row("description", Text.Optional())}, nil},
		{"misspelt, to be reported", `{"descripton":"x"}`,
			Objects{Of: &fields.Object{Fields: []fields.Field{{Name: "description"}}},
				Fields: row("description", Text.UnlessMisspelt())},
			[]string{`/descripton skill.descripton: unknown field; expected description, ` +
				`a string that is not empty | ` +
				`rename descripton to description (did you mean "description"?)`}},
		{"the first wrong element", `{"a":["x",1,2]}`, Objects{Fields: row("a", Strings)},
			[]string{"/a/1 skill.a[1]: found 1, expected a string | fix"}},
		{"no element", `{"a":[]}`, Objects{Fields: row("a", Texts.As("texts"))},
			[]string{"/a skill.a: found an empty array, expected texts | fix"}},
		{"inside", `{"a":{"b":[{"c":{}},{"c":{"d":1}},{"c":{"d":true}},7]}}`,
			Objects{In: ".a.b[].c", Fields: row("d", Bool)},
			[]string{"/a/b/0/c/d skill.a.b[0].c.d: missing; expected true or false | fix",
				"/a/b/1/c/d skill.a.b[1].c.d: found 1, expected true or false | fix"}},
		{"nothing inside", `{"a":{"b":{"c":{}}}}`, Objects{In: ".a.b[].c", Fields: row("d", Bool)}, nil},
		{"the elements themselves", `{"a":[{},7]}`, Objects{In: ".a[]", Fields: row("", Object)},
			[]string{"/a/1 skill.a[1]: found 7, expected an object | fix"}},
		{"a near word", `{"a":"nubmer"}`, Objects{Fields: row("a", OneOf("string", "number"))},
			[]string{`/a skill.a: found "nubmer", expected string or number | did you mean "number"? write a: ` +
				`'number'`}},
		{"no near word", `{"a":"x"}`, Objects{Fields: row("a", OneOf("string", "number"))},
			[]string{`/a skill.a: found "x", expected string or number | fix`}},
		{"a name", `{"a":"get_price"}`, Objects{Fields: row("a", Camel)},
			[]string{`/a skill.a: found "get_price", expected letters and digits, ` +
				`a lower-case letter first | write a: 'getPrice'`}},
		{"what must not be there", `{"a":1}`, Objects{Fields: row("a", Absent.As("none"))},
			[]string{"/a skill.a: found 1, expected none | fix"}},
	} {
		v, err := ordjson.Parse(c.skill)
		if err != nil {
			t.Fatal(err)
		}
		if c.objects.Of == nil {
			c.objects.Of = &fields.Object{}
		}
		set := NewSet(Family{
			Text:    "all: error, since 1, chapter 14, on skill\n\nSKL001 name\nS.\nWhy: W.\nFix: F.",
			Objects: []Objects{c.objects},
		})
		var got []string
		for _, f := range set.Check(&record.Load{Type: record.TypeSkill, Data: v}, &Context{}) {
			got = append(got, f.Pointer+" "+f.Message+" | "+f.Fix)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: found\n%q, want\n%q", c.name, got, c.want)
		}
	}
}
