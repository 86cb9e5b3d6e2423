package protocol

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

const gradedAt = "2026-05-17T23:16:00-04:00" // on the 18th in UTC

func evidence(t *testing.T, changes ...string) *grade.Evidence {
	t.Helper()
	e := &grade.Evidence{ID: "namespace/file-base", Path: "cat/file-base.mjs", FileHash: hash}
	r := reader{path: "s.json"}
	if e.Scores = r.read(scoresJSON(t, changes...)); e.Scores == nil {
		t.Fatal(r.found)
	}
	return e
}

func TestReport(t *testing.T) {
	const head = `{"schemaId":"namespace/file-base","schemaIdSlug":"namespace_file-base","schemaPath":` +
		`"cat/file-base.mjs","schemaHash":"` + hash + `","date":"2026-05-18","grade":`
	const graded = `"gradedAt":"2026-05-17T23:16:00-04:00","reportedAt":"2026-05-17T23:16:00-04:00"},"dimensions":[`
	failed := &grade.Evidence{ID: "namespace/file-base", Path: "cat/file-base.mjs", Findings: []*record.Diagnostic{
		{Code: "VAL010", Severity: record.SeverityError, Message: "m"},
		{Code: "VAL011", Severity: record.SeverityWarning}}}
	for _, tt := range []struct {
		name, letter string
		evidence     *grade.Evidence
		want         string
	}{
		{"as in chapter 22", "B", evidence(t, "startedAt", `"2026-05-18T03:00:00Z"`), head + `"B","score":3.75,` +
			`"scoringProtocol":"v1","creator":{"skill":"s"},"harness":{"name":"claude-code"},"timestamps":{` +
			`"startedAt":"2026-05-18T03:00:00Z","scoredAt":"2026-05-18T03:15:00Z",` + graded +
			`{"dimension":"whenToUse","score":4,"reasoning":"r"},` +
			`{"dimension":"parameters","score":3.5,"reasoning":""}],` +
			`"validationPassed":true,"validationErrors":[]}`},
		{"scored several times, start unknown", "C",
			evidence(t, "scores", `[{"score":2.1,"runs":[2,2.2]},{"score":3}]`),
			head + `"C","score":2.55,"scoringProtocol":"v1","creator":{"skill":"s"},"harness":{"name":"claude-code"},` +
				`"timestamps":{"startedAt":"2026-05-18T03:15:00Z","scoredAt":"2026-05-18T03:15:00Z",` + graded +
				`{"dimension":"whenToUse","score":2.1,"reasoning":"","runs":[2,2.2],"spread":0.1},` +
				`{"dimension":"parameters","score":3,"reasoning":""}],"validationPassed":true,"validationErrors":[]}`},
		{"failed, without scores and record", "F", failed, `{"schemaId":"namespace/file-base","schemaIdSlug":` +
			`"namespace_file-base","schemaPath":"cat/file-base.mjs","schemaHash":null,"date":"2026-05-18",` +
			`"grade":"F",` +
			`"score":null,"scoringProtocol":"v1","creator":null,"harness":null,"timestamps":{"startedAt":null,` +
			`"scoredAt":null,` + graded + `],"validationPassed":false,"validationErrors":["VAL010: m"]}`},
	} {
		if got := ordjson.Text(Report(tt.evidence, tt.letter, gradedAt)); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// A report is never written over another, but for one that says the same.
func TestWriteReport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "reports")
	other := Report(evidence(t), "B", "2026-05-18T03:17:00Z")
	for _, tt := range []struct {
		report ordjson.Value
		want   string
	}{
		{Report(evidence(t), "B", gradedAt), "namespace_file-base-2026-05-18.json"},
		{Report(evidence(t), "B", gradedAt), "namespace_file-base-2026-05-18.json"},
		{other, "namespace_file-base-2026-05-18-2.json"},
		{Report(evidence(t), "A", gradedAt), "namespace_file-base-2026-05-18-3.json"},
		{other, "namespace_file-base-2026-05-18-2.json"},
	} {
		got, err := WriteReport(dir, tt.report)
		if err != nil || got != filepath.Join(dir, tt.want) {
			t.Fatalf("%s, %v, want %s", got, err, tt.want)
		}
		if b, err := os.ReadFile(got); err != nil || string(b) != ordjson.Pretty(tt.report, "") {
			t.Errorf("%s, %v", b, err)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteReport(file, other); err == nil {
		t.Error("written below a file")
	}
}

// An ID that chapter 16 does not allow may be no name of a file.
func TestFileName(t *testing.T) {
	for slug, want := range map[string]string{
		"a_b": "a_b", "a.b_c": "a.b_c", "für_drei Häfen": "für_drei Häfen",
		"": "schema-e3b0c44298fc1c14", "..": "schema-", ".a": "schema-", "a\x00": "schema-", "a\nb": "schema-",
		`a\b`: "schema-", "\xff": "schema-", strings.Repeat("a", maxName+1): "schema-",
	} {
		dir := t.TempDir()
		path, err := NewFolder(dir).write(slug, "x", ordjson.NewNull())
		if got := filepath.Base(filepath.Dir(path)); err != nil || !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q, %v, want %q", slug, got, err, want)
		}
	}
}

// What is written of scores is read as the same.
func TestWriteScores(t *testing.T) {
	dir := t.TempDir()
	want := evidence(t, "startedAt", `"2026-05-18T03:00:00Z"`, "scores",
		`[{"score":2.1,"reasoning":"r","runs":[2,2.2]},{"score":3,"reasoning":""}]`).Scores
	for range 2 {
		path, err := NewFolder(dir).WriteScores("a/b", want)
		if err != nil || path != filepath.Join(dir, "a_b", "scores.json") {
			t.Fatal(path, err)
		}
	}
	book, err := ReadBook([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	e := &grade.Evidence{ID: "a/b", FileHash: hash}
	found := book.Score(e)
	got := e.Scores
	if got == nil || found != nil || !slices.EqualFunc(got.Dimensions, want.Dimensions,
		func(a, b grade.Dimension) bool {
			return a.Name == b.Name && a.Score == b.Score && a.Reasoning == b.Reasoning &&
				slices.Equal(a.Runs, b.Runs)
		}) || got.StartedAt != want.StartedAt || got.Timestamp != want.Timestamp || got.HarnessName() != "claude-code" {
		t.Errorf("%+v, want %+v: %v", got, want, found)
	}
}

func TestReadReport(t *testing.T) {
	const whole = `{"schemaId":"a/b","schemaHash":"sha256:x","grade":"B","score":3.75,"scoringProtocol":"v1",` +
		`"harness":{"name":"claude-code"},` +
		`"timestamps":{"gradedAt":"2026-05-18T03:16:00Z"}}`
	read := func(text string) *record.Grade {
		v, err := ordjson.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		g, err := ReadReport(v)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	g := read(whole)
	if g == nil || g.SchemaID != "a/b" || g.FileHash != "sha256:x" || g.Grade != "B" || *g.Score != 3.75 ||
		g.Harness != "claude-code" || g.Timestamp != "2026-05-18T03:16:00Z" {
		t.Errorf("%+v", g)
	}
	failed := read(strings.Replace(strings.Replace(whole, "3.75", "null", 1), `"B"`, `"F"`, 1))
	if failed == nil || failed.Grade != "F" || failed.Score != nil {
		t.Errorf("of a schema that fails: %+v", failed)
	}
	for text, want := range map[string]string{
		strings.Replace(whole, "3.75", "9", 1):    "score: found 9, expected a number from 1.0 to 5.0",
		strings.Replace(whole, "3.75", "0.9", 1):  "score: found 0.9, expected a number from 1.0 to 5.0",
		strings.Replace(whole, "3.75", `"4"`, 1):  `score: found "4", expected a number from 1.0 to 5.0`,
		strings.Replace(whole, `"v1"`, `"v9"`, 1): `scoringProtocol: found "v9", expected "v1"`,
	} {
		v, _ := ordjson.Parse(text)
		if g, err := ReadReport(v); g != nil || err == nil || err.Error() != want {
			t.Errorf("%s: %+v, %v; want %s", text, g, err, want)
		}
	}
	for _, text := range []string{`{}`, `[]`, `{"schemaId":"a/b","scoringProtocol":"v1"}`,
		`{"schemaId":"a/b","schemaHash":"12345678","grade":"B"}`} {
		if g := read(text); g != nil {
			t.Errorf("%s: %+v", text, g)
		}
	}
}
