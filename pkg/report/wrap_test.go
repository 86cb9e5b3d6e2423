package report

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

func TestWrap(t *testing.T) {
	tests := []struct {
		text              string
		width, at, indent int
		want              string
	}{
		{"a b c", 0, 90, 4, "a b c"},
		{"a b c", 5, 0, 2, "a b c"},
		{"aa bb cc", 5, 0, 2, "aa bb\n  cc"},
		{"aa bb", 7, 6, 2, "\n  aa bb"},
		{"aa  bb cc", 6, 0, 2, "aa  bb\n  cc"},
		{"äöü äöü", 6, 0, 1, "äöü\n äöü"},
		{"https://example.com/long x", 10, 2, 2, "https://example.com/long\n  x"},
	}
	for _, tt := range tests {
		if got := Wrap(tt.text, tt.width, tt.at, tt.indent); got != tt.want {
			t.Errorf("Wrap(%q, %d, %d, %d) = %q, want %q", tt.text, tt.width, tt.at, tt.indent, got, tt.want)
		}
	}
}

// TestTextGroups: an empty line parts the findings of files, and in a terminal
// what is too long hangs below its place.
func TestTextGroups(t *testing.T) {
	in := func(path string, line int) *record.Diagnostic {
		d := findingAt(line, 1)
		d.Loc.Path, d.Message = path, "found seven words where six were expected"
		return d
	}
	lines := source{strings.Repeat("abcdefghi ", 9)}
	fixed := in("a.mjs", 1)
	fixed.Fix = "take one of the words out, whichever you like least"
	recs := []record.Record{fixed, in("b.mjs", 2), in("b.mjs", 3),
		&record.Error{Input: "stdin:3", Code: "LOD020", Message: "m"},
		&record.Error{Input: "stdin:4", Code: "LOD020", Message: "m"}}
	const narrow = `a.mjs:1:1: error VAL001: found seven words
    where six were expected
    1 | abcdefghi abcdefghi abcdefghi abcd
      | ^
    fix: take one of the words out,
         whichever you like least

b.mjs:2:1: error VAL001: found seven words
    where six were expected
b.mjs:3:1: error VAL001: found seven words
    where six were expected

stdin:3: failed LOD020: m
stdin:4: failed LOD020: m

5 errors
`
	if got := renderWide(t, Options{Width: 42}, lines, recs...); got != narrow {
		t.Errorf("got\n%swant\n%s", got, narrow)
	}
	for line := range strings.Lines(renderWide(t, Options{}, lines, recs...)) {
		if strings.Contains(line, "found") && !strings.HasSuffix(line, "where six were expected\n") {
			t.Errorf("wrapped without a terminal: %q", line)
		}
	}
}
