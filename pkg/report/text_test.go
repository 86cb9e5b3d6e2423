package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// source is the text of a file as a report asks for it.
type source []string

func TestVisibleLines(t *testing.T) {
	if got, want := VisibleLines("a\x1b[2J\r\n\tb\u202e\n\nc"), "a\\u001b[2J\\u000d\n\tb\\u202e\n\nc"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func (s source) Text(n int) string { return s[n-1] }

// render reports records as text over one source file, "a.mjs".
func render(t *testing.T, color bool, lines source, recs ...record.Record) string {
	t.Helper()
	return renderWide(t, Options{Palette: Palette{On: color}}, lines, recs...)
}

func renderWide(t *testing.T, opts Options, lines source, recs ...record.Record) string {
	t.Helper()
	var b bytes.Buffer
	opts.Source = func(l *record.Loc) (Lines, bool) {
		return lines, l.Path == "a.mjs"
	}
	r, err := New("text", &b, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range recs {
		if err := r.Record(rec, rec.AppendJSON(nil)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func json(t *testing.T, text string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func findingAt(line, col int) *record.Diagnostic {
	return &record.Diagnostic{Code: "VAL001", Severity: record.SeverityError, Message: "m",
		Loc: record.Loc{Path: "a.mjs", Line: line, Col: col, Pointer: "/p"}}
}

func TestText(t *testing.T) {
	long := strings.Repeat("abcdefghi ", 30)
	tests := []struct {
		name string
		src  source
		rec  record.Record
		want string
	}{
		{"finding", source{"one", "two three"}, &record.Diagnostic{
			Code: "VAL032", Severity: record.SeverityWarning, Message: "found 3", Fix: "write 'GET'",
			Loc: record.Loc{Path: "a.mjs", Line: 2, Col: 5},
		}, "a.mjs:2:5: warning VAL032: found 3\n    2 | two three\n      |     ^\n    fix: write 'GET'\n1 warning\n"},
		{"no line", nil, findingAt(0, 0), "a.mjs#/p: error VAL001: m\n1 error\n"},
		{"no source", nil, &record.Diagnostic{
			Code: "LOD006", Severity: record.SeverityInfo, Message: "m",
			Loc: record.Loc{Path: "b.mjs", Line: 1, Col: 1},
		}, "b.mjs:1:1: info LOD006: m\n1 info\n"},
		{"tabs", source{"\t\tab"}, findingAt(1, 4),
			"a.mjs:1:4: error VAL001: m\n    1 | \t\tab\n      | \t\t ^\n1 error\n"},
		{"past the end", source{"ab"}, findingAt(1, 9),
			"a.mjs:1:9: error VAL001: m\n    1 | ab\n      |   ^\n1 error\n"},
		{"column unknown", source{"ab"}, findingAt(1, 0),
			"a.mjs:1:0: error VAL001: m\n    1 | ab\n      | ^\n1 error\n"},
		{"letters", source{"äöü x"}, findingAt(1, 5),
			"a.mjs:1:5: error VAL001: m\n    1 | äöü x\n      |     ^\n1 error\n"},
		{"control characters", source{"\x1b[2J x"}, findingAt(1, 6),
			"a.mjs:1:6: error VAL001: m\n    1 | \\u001b[2J x\n      |           ^\n1 error\n"},
		{"start of a long line", source{long}, findingAt(1, 2),
			"a.mjs:1:2: error VAL001: m\n    1 | " + long[:120] + "\n      |  ^\n1 error\n"},
		{"middle of a long line", source{long}, findingAt(1, 151),
			"a.mjs:1:151: error VAL001: m\n    1 | " + long[90:210] + "\n      | " + strings.Repeat(" ", 60) +
				"^\n1 error\n"},
		{"end of a long line", source{long}, findingAt(1, 300),
			"a.mjs:1:300: error VAL001: m\n    1 | " + long[180:] + "\n      | " + strings.Repeat(" ", 119) +
				"^\n1 error\n"},
		{"failure", source{"x"}, &record.Error{
			Stage: "fmcp-load", Input: "a.mjs", Code: "LOD003", Message: "syntax error",
			Loc: &record.Loc{Path: "a.mjs", Line: 1, Col: 2},
		}, "a.mjs:1:2: failed LOD003: syntax error\n    1 | x\n      |  ^\n1 error\n"},
		{"failure without a place", nil,
			&record.Error{Stage: "fmcp-load", Input: "stdin:3", Code: "LOD020", Message: "m"},
			"stdin:3: failed LOD020: m\n1 error\n"},
		{"scan", nil, &record.Scan{Path: "p/x.mjs", Root: "c", Type: record.TypeSchema, Bytes: 1234},
			"schema    c/p/x.mjs 1.2 kB\n"},
		{"load", nil, &record.Load{
			Type: record.TypeSchema, ID: "a/b", Data: json(t, `{"tools":{"x":{},"y":{}}}`),
			Handlers: []record.Handler{{Name: "x"}},
		}, "schema    a/b 2 tools, 1 handler, evaluated\n"},
		{"load of nothing to count", nil,
			&record.Load{Type: record.TypeAgent, ID: "a", Data: json(t, "{}"), Static: true}, "agent     a\n"},
		{"catalog", nil, &record.Resolved{
			Type: record.TypeCatalog, ID: "c",
			Data: json(t, `{"counts":{"schemas":1,"tools":2,"resources":0,"lists":1,"leftOut":3}}`),
		}, "catalog   c 1 schema, 2 tools, 0 resources, 1 list, 3 left out\n"},
		{"list", nil, &record.Resolved{Type: record.TypeList, ID: "shared/list/l", Data: json(t, `{"entries":[1]}`)},
			"list      shared/list/l 1 value\n"},
		{"tool", nil, &record.Resolved{
			Type: record.TypeTool, ID: "a/tool/b", Data: json(t, `{"wireName":"b_a","description":"Does it"}`),
		}, "tool      a/tool/b b_a Does it\n"},
		{"envelope", nil, &record.Envelope{
			ID: "a/tool/b", Status: true, Data: json(t, `{"x":[1]}`), Duration: 12345 * time.Microsecond,
			Warnings: []string{"w"},
			Request:  &record.HTTPRequest{Method: "GET", URL: "https://h/p"},
		}, "a/tool/b ok 12ms\nGET https://h/p\n  warning: w\n{\n  \"x\": [\n    1\n  ]\n}\n"},
		{"cached envelope", nil, &record.Envelope{
			ID: "a/tool/b", Status: true, Data: ordjson.NewNull(),
			Cache: &record.Cached{State: record.CacheHit, Message: "Cached\u001b", Note: "all"},
		}, "a/tool/b ok 0s\n  Cached\\u001b\n  all\n"},
		{"document", nil, &record.Envelope{
			ID: "a/resource/b/read", Status: true, Data: ordjson.NewString("# A\r\n\n\tb\u001b"),
			Query: &record.Query{Source: "markdown", Name: "read", Params: json(t, "{}")},
		}, "a/resource/b/read ok 0s\nmarkdown read\n# A\n\n\tb\\u001b\n"},
		{"failed envelope", nil, &record.Envelope{ID: "a/tool/b", Messages: []string{"EXE011 b: m"},
			Data: ordjson.NewNull()}, "a/tool/b failed 0s\n  error: EXE011 b: m\n"},
		{"dry run", nil, &record.Envelope{
			ID: "a/tool/b", Status: true, DryRun: true, Data: ordjson.NewNull(),
			Request: &record.HTTPRequest{Method: "POST", URL: "https://h/p",
				Headers: []record.Header{{Name: "Accept", Value: "x"}}, Body: json(t, "1")},
		}, "a/tool/b dry run 0s\nPOST https://h/p\nAccept: x\n\n1\n"},
		{"another record", nil, &record.Request{ID: "a/tool/b"},
			string((&record.Request{ID: "a/tool/b"}).AppendJSON(nil)) + "\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := render(t, false, tt.src, tt.rec); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

// Colours add escape codes and nothing else.
func TestTextColors(t *testing.T) {
	recs := []record.Record{findingAt(1, 1), &record.Grade{SchemaID: "a/b"},
		&record.Scan{Path: "x", Root: "r", Type: record.TypeList}}
	plain, painted := render(t, false, source{"abc"}, recs...), render(t, true, source{"abc"}, recs...)
	if !strings.Contains(painted, "\x1b[1;31merror\x1b[0m") {
		t.Errorf("no colour in %q", painted)
	}
	for i := strings.IndexByte(painted, '\x1b'); i >= 0; i = strings.IndexByte(painted, '\x1b') {
		painted = painted[:i] + painted[i+strings.IndexByte(painted[i:], 'm')+1:]
	}
	if painted != plain {
		t.Errorf("without its colours\n%swant\n%s", painted, plain)
	}
}

// Whatever text a stranger writes into a record, none of it reaches the
// terminal as a control character.
func TestTextIsClean(t *testing.T) {
	bad := "a\x1b[31m\r\n\a\u009b2J\u202eb\u2066c\u2029d\x9b\xffe\x7f"
	data := ordjson.NewObject(
		ordjson.Field("wireName", ordjson.NewString(bad)), ordjson.Field("description", ordjson.NewString(bad)),
		ordjson.Field("counts", ordjson.NewObject(ordjson.Field(bad, ordjson.NewString(bad)))),
		ordjson.Field(bad, ordjson.NewString(bad)),
	)
	typ := record.Type(bad)
	loc := record.Loc{Path: bad, Line: 1, Col: 3, Pointer: bad}
	in := record.Loc{Path: "a.mjs", Line: 1, Col: 3}
	recs := []record.Record{
		&record.Scan{Path: bad, Root: bad, Type: typ}, &record.Load{ID: bad, Type: typ, Data: data},
		&record.Diagnostic{Code: bad, Severity: record.SeverityError, Message: bad, Fix: bad, Subject: bad, Loc: loc},
		&record.Diagnostic{Code: bad, Severity: record.SeverityError, Message: bad,
			Loc: record.Loc{Path: bad, Pointer: bad}},
		&record.Error{Stage: bad, Input: bad, Code: bad, Message: bad, Loc: &in},
		&record.Error{Stage: bad, Input: bad, Code: bad, Message: bad},
		&record.Resolved{ID: bad, Type: typ, Data: data},
		&record.Resolved{ID: bad, Type: record.TypeCatalog, Data: data},
		&record.Resolved{ID: bad, Type: record.TypeList, Data: data}, &record.Request{ID: bad, Params: data, Tag: data},
		&record.Envelope{
			ID: bad, DryRun: true, Status: true, Data: data, Messages: []string{bad}, Warnings: []string{bad},
			Request: &record.HTTPRequest{Method: bad, URL: bad, Headers: []record.Header{{Name: bad, Value: bad}},
				Body: data},
		},
		&record.Envelope{ID: bad, Status: true, Data: ordjson.NewString(bad),
			Query: &record.Query{Source: bad, Name: bad, Params: data}},
		&record.Grade{SchemaID: bad, Grade: bad, Missing: []string{bad},
			Grading: &record.Grading{Raw: bad, Max: bad, Veto: bad, Stale: []string{bad}, NoEntry: bad}},
	}
	for _, rec := range recs {
		out := render(t, false, source{bad}, rec)
		for _, r := range out {
			if r != '\n' && isControl(r) || r == '\ufffd' {
				t.Errorf("%T prints %q: %q", rec, r, out)
				break
			}
		}
	}
}

// No line of a text report begins as a command to the runner of GitHub Actions.
func TestTextIsNoCommand(t *testing.T) {
	const bad = "::error::pwned"
	for _, rec := range []record.Record{
		&record.Error{Input: bad, Code: "LOD001", Message: "a"},
		&record.Diagnostic{Code: "VAL001", Message: "a", Loc: record.Loc{Path: bad}},
		&record.Diagnostic{Code: "VAL001", Message: "a", Fix: bad, Loc: record.Loc{Path: " " + bad}},
		&record.Envelope{ID: bad, Status: true, Data: ordjson.NewString("a\n  " + bad)},
	} {
		for line := range strings.Lines(render(t, false, source{}, rec)) {
			if strings.HasPrefix(strings.TrimLeft(line, " \t"), "::") {
				t.Errorf("%T prints %q", rec, line)
			}
		}
	}
}

func TestClean(t *testing.T) {
	tests := map[string]string{
		"":              "",
		"plain\tä":      "plain\tä",
		"\x1b[0m":       `\u001b[0m`,
		"a\nb\r":        `a\u000ab\u000d`,
		"\u0085\u009b":  `\u0085\u009b`,
		"M\xfcller":     `M\xfcller`,
		"\ufffd":        "\ufffd",
		"\u202eabc":     `\u202eabc`,
		"\ufeffbom":     `\ufeffbom`,
		"a\u061cb":      `a\u061cb`,
		"a\U000E0041":   `a\u{e0041}`,
		"a\U000E0100":   `a\u{e0100}`,
		"👩‍🚀 family 世界": "👩‍🚀 family 世界",
	}
	for in, want := range tests {
		if got := clean(in); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 999_949: "999.9 kB",
		1_500_000: "1.5 MB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestFormats(t *testing.T) {
	for _, f := range Formats() {
		if _, err := New(f, &bytes.Buffer{}, Options{}); err != nil {
			t.Error(err)
		}
	}
	if _, err := New("txt", &bytes.Buffer{}, Options{}); err == nil ||
		!strings.Contains(err.Error(), `did you mean "text"`) {
		t.Errorf("format txt: %v", err)
	}
}

// NDJSON is the stream itself: a line that is known is not written anew.
func TestNDJSON(t *testing.T) {
	var b bytes.Buffer
	r, err := New("ndjson", &b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Record(nil, []byte(`{ "v":1, "kind":"x" }`)); err != nil {
		t.Fatal(err)
	}
	if err := r.Record(&record.Request{ID: "a"}, nil); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 0 {
		t.Error("written before it was flushed")
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if want := "{ \"v\":1, \"kind\":\"x\" }\n" + string((&record.Request{ID: "a"}).AppendJSON(nil)) +
		"\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
