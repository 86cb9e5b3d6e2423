package edit

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/record"
)

func TestApply(t *testing.T) {
	const src = "path: '/a/:b', ä"
	for _, tt := range []struct {
		name  string
		edits []record.Edit
		want  string // of the error where it begins with !
	}{
		{"none", nil, src},
		{"one", []record.Edit{{Start: 10, End: 12, Text: "{{b}}"}}, "path: '/a/{{b}}', ä"},
		{"in any order", []record.Edit{{Start: 10, End: 12, Text: "{{b}}"}, {Start: 0, End: 4, Text: "route"}},
			"route: '/a/{{b}}', ä"},
		{"that touch", []record.Edit{{Start: 4, End: 5, Text: " ="}, {Start: 0, End: 4, Text: "p"}}, "p = '/a/:b', ä"},
		{"an insertion before what is replaced",
			[]record.Edit{{Start: 4, End: 5, Text: "="}, {Start: 4, End: 4, Text: "s"}}, "paths= '/a/:b', ä"},
		{"at both ends", []record.Edit{{Text: "{"}, {Start: 17, End: 17, Text: "}"}}, "{" + src + "}"},
		{"one inside another", []record.Edit{{Start: 0, End: 8}, {Start: 4, End: 5}},
			"!bytes 4 to 5 are changed twice"},
		{"two in one place", []record.Edit{{Start: 4, End: 4, Text: "a"}, {Start: 4, End: 4, Text: "b"}},
			"!bytes 4 to 4 are changed twice"},
		{"behind the end", []record.Edit{{Start: 17, End: 18}}, "!bytes 17 to 18 are not in a file of 17 bytes"},
		{"backwards", []record.Edit{{Start: 4, End: 3}}, "!bytes 4 to 3 are not"},
		{"inside a character", []record.Edit{{Start: 16, End: 17}}, "!bytes 16 to 17 begin or end inside a character"},
	} {
		got, err := Apply(src, tt.edits)
		if err != nil {
			got = "!" + err.Error()
		}
		if got != tt.want && !(err != nil && strings.HasPrefix(got, tt.want)) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestTogether(t *testing.T) {
	groups := [][]record.Edit{
		{{Start: 0, End: 2}, {Start: 8, End: 8}},
		{{Start: 4, End: 6}, {Start: 1, End: 2}}, // in the way with its second
		{{Start: 2, End: 4}},
		{{Start: 8, End: 8}}, // the same place
		{{Start: 4, End: 6}}, // free, since the second is out
	}
	if got, want := Together(groups), []int{0, 2, 4}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Whatever the edits are, they are all made or refused, and what is chosen to be
// made together can be.
func FuzzApply(f *testing.F) {
	f.Add("path: '/a/:b', ä", 10, 12, 0, 4, "x")
	f.Add("a", 0, 0, 0, 0, "")
	f.Add("ä", 1, 2, 0, 1, "ö")
	f.Fuzz(func(t *testing.T, src string, a, b, c, d int, text string) {
		groups := [][]record.Edit{{{Start: a, End: b, Text: text}}, {{Start: c, End: d, Text: text}}}
		for i, group := range groups {
			got, err := Apply(src, group)
			if err != nil {
				return
			}
			if len(got) != len(src)-(group[0].End-group[0].Start)+len(text) ||
				utf8.ValidString(src) && utf8.ValidString(text) && !utf8.ValidString(got) {
				t.Errorf("%d: %q", i, got)
			}
		}
		both := append(groups[0], groups[1]...)
		_, err := Apply(src, both)
		if chosen := Together(groups); (len(chosen) == 2) != (err == nil) {
			t.Errorf("%v are chosen, but all: %v", chosen, err)
		}
	})
}

// A mark is in a line of its own above the code that it is about, in no text of several
// lines, and says nothing that would end the comment.
func TestMark(t *testing.T) {
	for _, tt := range []struct{ name, src, at, want string }{
		{"first line", "a = 1\n", "1", "// fmcp a b\na = 1\n"},
		{"indented", "x = {\n\ta: 1,\n  b: 2 }\n", "2", "x = {\n\ta: 1,\n  // fmcp a b\n  b: 2 }\n"},
		{"Windows", "x = {\r\n  b: 2 }\r\n", "2", "x = {\r\n  // fmcp a b\r\n  b: 2 }\r\n"},
		{"text of several lines", "x = [\n  `a\n${ y }\nb`, 2 ]\n", "2",
			"x = [\n  // fmcp a b\n  `a\n${ y }\nb`, 2 ]\n"},
	} {
		e := Mark(tt.src, strings.LastIndex(tt.src, tt.at), "fmcp a\u2028b")
		if got, err := Apply(tt.src, []record.Edit{e}); err != nil || got != tt.want {
			t.Errorf("%s: %v\n got %q\nwant %q", tt.name, err, got, tt.want)
		}
	}
}

// The mark of what is inserted in lines of its own stands above these.
func TestMarked(t *testing.T) {
	const src = "x = {\n  a: [\n    1\n  ]\n}\n"
	end := strings.Index(src, "]") + 1
	for _, c := range []struct{ name, insert, want string }{
		{"a member", ",\n  b: 2", "x = {\n  a: [\n    1\n  ],\n  // look\n  b: 2\n}\n"},
		{"a member after a comma", "\n  b: 2,", "x = {\n  a: [\n    1\n  ]\n  // look\n  b: 2,\n}\n"},
		{"in the line", ", b: 2", "x = {\n  a: [\n    1\n  // look\n  ], b: 2\n}\n"},
	} {
		got, err := Apply(src, Marked(src, []record.Edit{{Start: end, End: end, Text: c.insert}}, "look"))
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n got %q\nwant %q", c.name, err, got, c.want)
		}
	}
}

// The hash of a schema follows a change where it was right, or came with it.
func TestRenew(t *testing.T) {
	const src = "export const main = { a: 'x', schemaHash: 'HASH' }\n"
	s, err := ReadSource(src, "main")
	if err != nil {
		t.Fatal(err)
	}
	right := strings.Replace(src, "HASH", record.SchemaHash(s.value), 1)
	changed := strings.Replace(right, "'x'", "'y'", 1)
	renewed := Renew(right, changed)
	if s, err = ReadSource(renewed, "main"); err != nil || !s.hashed() || !strings.Contains(renewed, "'y'") {
		t.Errorf("%v: %s", err, renewed)
	}
	for before, after := range map[string]string{
		src:                        strings.Replace(src, "'x'", "'y'", 1), // somebody else's hash
		right:                      right,
		"export const main = {}\n": "export const main = { a: 1 }\n", // none
		"export const list = {}\n": changed,
	} {
		if got := Renew(before, after); got != after {
			t.Errorf("%q became %q", after, got)
		}
	}
	for _, before := range []string{"export const main = { a: 'x' }\n", src} {
		if got := Renew(before, changed); got != renewed {
			t.Errorf("%q with a hash that came with the change: %q", before, got)
		}
	}
}
