package rules

import (
	"slices"
	"testing"

	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                 "plain",
		"^[a-z]*$ or a_b":       `^\[a-z\]\*$ or a\_b`,
		"`process[*]` and a|b":  "`process[*]` and a\\|b",
		"one ` alone, a_b":      "one \\` alone, a\\_b",
		"{{SERVER_PARAM:KEY}}":  `{{SERVER\_PARAM:KEY}}`,
		"<b>, `<i>`, \\ and #1": `\<b\>, ` + "`<i>`" + `, \\ and \#1`,
	} {
		if got := Markdown(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestPage(t *testing.T) {
	r, _ := Lookup("VAL032")
	if got := r.HelpURI(); got != "https://github.com/flowmcp/fmcp/blob/main/docs/rules/val.md#val032" {
		t.Error(got)
	}
	r, _ = Lookup("AGT033") // decision Tools of an agent's own; GitHub leaves the apostrophe out of the anchor
	if got := r.ReferenceURI(); got !=
		"https://github.com/flowmcp/fmcp/blob/main/docs/decisions.md#tools-of-an-agents-own" {
		t.Error(got)
	}
	families := Families()
	if !slices.IsSorted(families) || len(slices.Compact(slices.Clone(families))) != len(families) ||
		!slices.Contains(families, "SEC") {
		t.Errorf("%q", families)
	}
}

func TestExamples(t *testing.T) {
	bad, good := Examples([]Fixture{{Name: "bad.mjs"}, {Name: "bad-two"}, {Name: "good.mjs"}, {Name: "good-two.mjs"}})
	if len(bad) != 2 || bad[1].Name != "bad-two" || good.Name != "good.mjs" {
		t.Errorf("%+v, %+v", bad, good)
	}
	if bad, good := Examples(nil); bad != nil || good.Name != "" {
		t.Errorf("%+v, %+v", bad, good)
	}
}

func TestExcerpt(t *testing.T) {
	file := func(lines string) []FixtureFile { return []FixtureFile{{"bad.mjs", lines}} }
	for _, tt := range []struct{ name, text, other, want string }{
		{"a line differs", "a\nb\nc\n", "a\nx\nc\n", "    2  b\n"},
		{"lines apart differ", "a\nb\nc\nd\n", "b\nc\n", "    1  a\n       …\n    4  d\n"},
		{"a line is missing", "a\nb\nc\nd\ne\n", "a\nb\nc\nx\nd\ne\n", "    2  b\n    3  c\n    4  d\n    5  e\n"},
		{"the last line is missing", "a\nb\nc\n", "a\nb\nc\nd\n", "    2  b\n    3  c\n"},
		{"only the hash differs beside", "a\nschemaHash: 1\nb\n", "a\nschemaHash: 2\nx\nb\n",
			"    1  a\n    2  schemaHash: 1\n    3  b\n"},
		{"nothing differs", "a\nb\n", "a\nb\n", "    1  a\n    2  b\n"},
	} {
		if got := Excerpt(&engine.Rule{Code: "VAL001"}, file(tt.text), file(tt.other)); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}
