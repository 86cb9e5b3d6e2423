package report

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// options are those of the tests: warnings fail no test unless strict.
var (
	options = Options{Tool: "fmcp-validate", Version: "0.1.0"}
	strict  = Options{Tool: "fmcp-validate", Version: "0.1.0",
		Fails: func(s record.Severity) bool { return s >= record.SeverityWarning }}
)

// write reports records in a format, with a Flush behind each: it may come at
// any time.
func write(t *testing.T, format string, opts Options, recs ...record.Record) string {
	t.Helper()
	var b bytes.Buffer
	r, err := New(format, &b, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range recs {
		if err := r.Record(rec, nil); err != nil {
			t.Fatal(err)
		}
		if err := r.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hostile is text that no format may be broken by: what each of them uses to
// end something, control characters, half characters, and no end.
const hostile = "a%b,c:d\r\ne::error::f]]>\"'&<x>\x00\x1b[31m\u202e#\\ # SKIP\n...\n---\n\xff\xed\xa0\x80\ufffe é漢😀"

// cases are what every format has to write.
var cases = map[string][]record.Record{
	"empty": nil,
	"one":   {warningAt("a.mjs", 2)},
	"all severities": {
		&record.Diagnostic{Code: "VAL032", Severity: record.SeverityError, Message: "found {{x}}", Fix: "write 'GET'",
			Subject: "ns/a",
			Loc:     record.Loc{Path: "dir/a.mjs", Line: 13, Col: 5, Pointer: "/tools/paint/method"}},
		warningAt("dir/a.mjs", 20),
		&record.Diagnostic{Code: "CMP010", Severity: record.SeverityInfo, Message: "m", Subject: "ns/b",
			Loc: record.Loc{Path: "dir/b.mjs", Pointer: "/name"}},
	},
	"edits": {
		&record.Diagnostic{Code: "CMP003", Severity: record.SeverityError, Message: "m", Subject: "ns/a",
			Loc: record.Loc{Path: "a b.mjs", Line: 2, Col: 1, Pointer: "/tools/a/path"},
			Edits: []record.Edit{{Start: 7, End: 9, Text: "{{b}}", Safe: true},
				{Start: 20, End: 20, Text: ",", Safe: true}}},
		&record.Diagnostic{Code: "CMP004", Severity: record.SeverityWarning, Message: hostile, Subject: hostile,
			Loc:   record.Loc{Path: hostile, Pointer: "/a"},
			Edits: []record.Edit{{Start: 3, End: 9}}},
		&record.Diagnostic{Code: "CMP004", Severity: record.SeverityWarning, Message: "m",
			Loc:   record.Loc{Path: "a.mjs"},
			Edits: []record.Edit{{Start: 1, End: 2, Text: hostile}}},
	},
	"errors": {
		&record.Error{Stage: "fmcp-load", Input: "c/x y.mjs", Code: "LOD003", Message: "syntax error",
			Loc: &record.Loc{Path: "c/x y.mjs", Line: 3, Col: 7}},
		&record.Error{Stage: "fmcp-load", Input: "/abs/gone.mjs", Code: "LOD001", Message: "cannot be read"},
		&record.Error{Stage: "fmcp-load", Input: "stdin:7", Code: "LOD020", Message: "not JSON"},
		&record.Error{Stage: "fmcp-load", Input: "old.ndjson:9", Code: "LOD020", Message: "not JSON"},
	},
	"hostile": {
		&record.Diagnostic{Code: "XXX" + hostile, Severity: record.SeverityError, Message: hostile, Fix: hostile,
			Subject: hostile,
			Loc:     record.Loc{Path: hostile, Line: 1, Col: 1, Pointer: "/" + hostile}},
		&record.Error{Stage: hostile, Input: hostile, Code: hostile, Message: hostile},
	},
	"long": {&record.Diagnostic{Code: "VAL013", Severity: record.SeverityError,
		Message: strings.Repeat("long ", 1<<15), Loc: record.Loc{Path: "a.mjs", Line: 1, Col: 1}}},
	"bare": {&record.Diagnostic{Code: "VAL013", Severity: record.SeverityError}},
	"not ours": {&record.Diagnostic{Code: "ESL001", Severity: record.SeverityWarning, Message: "m",
		Loc: record.Loc{Path: "a.js", Line: 1, Col: 1}}},
	"other kinds": {&record.Envelope{ID: "a/tool/b"}, &record.Grade{SchemaID: "a/b"}, &record.Resolved{ID: "x"}, nil},
	"files": {
		&record.Scan{Path: "clean.mjs", Root: "c"},
		&record.Load{Type: record.TypeSchema, ID: "ns/clean", Src: record.Source{Path: "clean.mjs", Root: "c"},
			Data: ordjson.NewNull()},
		warningAt("c/dirty.mjs", 1),
		&record.Load{Type: record.TypeSchema, ID: "ns/dirty", Src: record.Source{Path: "dirty.mjs", Root: "c"},
			Data: ordjson.NewNull()},
	},
	"twins": {warningAt("a.mjs", 1), warningAt("a.mjs", 9), warningAt("b.mjs", 1), warningAt("a.mjs", 12)},
}

func warningAt(path string, line int) *record.Diagnostic {
	return &record.Diagnostic{Code: "CMP006", Severity: record.SeverityWarning, Message: "main.schemaHash: missing",
		Fix:     "write it",
		Subject: "ns/a", Loc: record.Loc{Path: path, Line: line, Col: 21, Pointer: "/schemaHash"}}
}

// everyCase runs check over what a format writes for every case.
func everyCase(t *testing.T, format string, check func(t *testing.T, name, out string)) {
	for name, recs := range cases {
		t.Run(name, func(t *testing.T) {
			out := write(t, format, options, recs...)
			if again := write(t, format, options, recs...); again != out {
				t.Errorf("a second run writes something else:\n%s\n%s", out, again)
			}
			if i := strings.IndexFunc(out, func(r rune) bool { return r != '\n' && isControl(r) }); i >= 0 {
				t.Errorf("a control character at byte %d: %q", i, out[max(0, i-20):i+4])
			}
			check(t, name, out)
		})
	}
}

func TestNew(t *testing.T) {
	if want := []string{"text", "ndjson", "sarif", "junit", "github", "tap"}; !slices.Equal(Formats(), want) {
		t.Errorf("%q, want %q", Formats(), want)
	}
	_, err := New("sarfi", nil, Options{})
	if want := `format "sarfi" is not one of text, ndjson, sarif, junit, github, tap (did you mean "sarif"?)`; err ==
		nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestLocOf(t *testing.T) {
	for input, want := range map[string]record.Loc{
		"stdin":          {},
		"stdin:12":       {},
		"a.ndjson:3":     {Path: "a.ndjson", Line: 3, Col: 1},
		"a.mjs":          {Path: "a.mjs"},
		"odd:3":          {Path: "odd:3"},
		"stdin:x":        {Path: "stdin:x"},
		"c:\\a.ndjson:3": {Path: "c:\\a.ndjson", Line: 3, Col: 1},
	} {
		if got := locOf(&record.Error{Input: input}); got != want {
			t.Errorf("%s: %+v, want %+v", input, got, want)
		}
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
