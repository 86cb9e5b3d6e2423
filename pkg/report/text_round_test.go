package report

import (
	"io"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

func TestTextRounds(t *testing.T) {
	bad := &record.Diagnostic{Code: "VAL001", Severity: record.SeverityError, Message: "m",
		Loc: record.Loc{Path: "c/bad.mjs"}}
	broken := &record.Error{Stage: "fmcp-load", Input: "c/broken.mjs", Code: "LOD003", Message: "syntax error"}
	recs := []record.Record{
		bad,
		&record.Round{Root: "c", Changed: 2, Files: []string{"bad.mjs", "good.mjs"}},
		&record.Round{Root: "c", Changed: 1, Files: []string{"bad.mjs"}, Removed: []string{"o\x1bld.mjs"}},
		broken,
		&record.Round{Root: "c", Changed: 1, Files: []string{"broken.mjs"}},
		bad,
		&record.Round{Root: "c", Changed: 500},
		&record.Scan{Root: "c", Path: "good.mjs", Type: record.TypeSchema, Bytes: 7},
		&record.Round{Root: "c", Changed: 1, Files: []string{"good.mjs"}},
	}
	const want = `c/bad.mjs: error VAL001: m
ok      c/good.mjs
-- c: 2 files changed: 1 error
ok      c/bad.mjs
removed c/o\u001bld.mjs
-- c: 1 file changed, 1 file removed: no findings
c/broken.mjs: failed LOD003: syntax error
-- c: 1 file changed: 1 error
c/bad.mjs: error VAL001: m
-- c: 500 files changed: 1 error
schema    c/good.mjs 7 B
-- c: 1 file changed: no findings
3 errors
`
	if got := render(t, false, nil, recs...); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// A snippet shows the file as it is in its round.
func TestTextRoundsForgetSources(t *testing.T) {
	lines := source{"before"}
	found := &record.Diagnostic{Code: "VAL001", Severity: record.SeverityError, Message: "m",
		Loc: record.Loc{Path: "a.mjs", Line: 1, Col: 1}}
	reads := 0
	r := newText(io.Discard, Options{Source: func(*record.Loc) (Lines, bool) { reads++; return lines, true }})
	for range 2 {
		for range 2 {
			if err := r.Record(found, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Record(&record.Round{Root: "."}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if reads != 2 {
		t.Errorf("the source was read %d times in two rounds", reads)
	}
}
