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
