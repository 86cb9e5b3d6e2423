package stage

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// schema is a schema that only lacks its hashes; extra goes into main, enum is
// the primitive of its parameter.
func schema(ns, extra, primitive string) string {
	third := "x" // lists have two values only
	if primitive == "string()" {
		third = "z"
	}
	return `export const main = {
    namespace: '` + ns +
		`', name: 'Test', description: 'A schema', version: '4.0.0', root: 'https://api.example.com', docs: [], tags: [],
    ` + extra + `
    tools: { get: {
        method: 'GET', path: '/get', description: 'Gets',
        parameters: [ { position: { key: 'q', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: '` +
		primitive + `', options: [] } } ],
        output: { mimeType: 'application/json', schema: { type: 'object', properties: { a: { type: 'string', description: 'a' } } } },
        meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'get', aliases: [], alwaysLoad: false },
        tests: [ { _description: '1', q: 'x' }, { _description: '2', q: 'y' }, { _description: '3', q: '` + third + `' } ]
    } }
}
`
}

func list(name string) string {
	return `export const list = {
    meta: { name: '` + name +
		`', version: '1.0.0', description: 'A list', fields: [ { key: 'v', type: 'string', description: 'v' } ], dependsOn: [] },
    entries: [ { v: 'x' }, { v: 'y' } ]
}
`
}

const uses = `sharedLists: [ { ref: 'letters', version: '1.0.0' } ],`

// output runs steps over a source and returns what came out, a line each.
func output(t *testing.T, source Source, steps ...Step) string {
	t.Helper()
	var b bytes.Buffer
	err := Run(t.Context(), Options{Jobs: 4}, source, steps, func(it *Item) error {
		b.Write(it.AppendJSON(nil))
		b.WriteByte('\n')
		return nil
	}, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	recordtest.Lines(t, b.Bytes())
	return b.String()
}

// brief names records by kind and what tells them apart.
func brief(t *testing.T, lines string) string {
	t.Helper()
	var names []string
	for line := range strings.Lines(lines) {
		_, rec, v, err := record.Decode(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		switch r := rec.(type) {
		case *record.Scan:
			names = append(names, "scan "+r.Path)
		case *record.Load:
			names = append(names, "load "+r.ID)
		case *record.Diagnostic:
			names = append(names, fmt.Sprintf("%s:%d", r.Code, r.Loc.Line))
		case *record.Error:
			names = append(names, "error "+r.Code)
		default:
			names = append(names, v.Get("kind").Str()+" "+v.Get("id").Str())
		}
	}
	return strings.Join(names, ", ")
}

func walked(dir string) Source { return Walk([]string{dir}, walk.Options{}, nil) }

// feed is the source of what an earlier command printed.
func feed(text string) Source {
	return Lines(strings.NewReader(text), "stdin", "test", 0, false, &Tally{})
}

func judge(pass, keep bool) []Step {
	return Validate(ValidateOptions{Profile: "spec", Pass: pass, Keep: keep})
}

// Findings come before the record that they are about, wherever they were made.
func TestFindingsComeFirst(t *testing.T) {
	dir := write(t, map[string]string{
		"providers/a/a.mjs": schema("a", "", "string()"),
		"providers/b/b.mjs": schema("b", "wrong: [ 'x' ].join(),", "string()"),
		"providers/c/c.mjs": schema("c", "", "string()") + "function f() { return eval( 'x' ) }\n",
	})
	scanned := output(t, walked(dir), Scan(ScanOptions{}))
	if got, want := brief(t, scanned),
		"scan providers/a/a.mjs, scan providers/b/b.mjs, SEC"; !strings.HasPrefix(got, want) ||
		!strings.HasSuffix(got, ", scan providers/c/c.mjs") {
		t.Errorf("scanned %s", got)
	}
	loaded := output(t, feed(scanned), Loading("test")...)
	if got := brief(t, loaded); !strings.HasPrefix(got, "load a/a, LOD010:3, load b/b, SEC") {
		t.Errorf("loaded %s", got)
	}
	kept := brief(t, output(t, feed(loaded), append([]Step{Decode("test", record.KindLoad)}, judge(false, true)...)...))
	if !strings.HasPrefix(kept, "CMP006:1, CMP005:1, load a/a, LOD010:3, ") || !strings.Contains(kept, "VAL003:3, ") {
		t.Errorf("validated %s", kept)
	}
	passed := brief(t, output(t, feed(loaded),
		append([]Step{Decode("test", record.KindLoad)}, judge(true, false)...)...))
	if !strings.Contains(passed, "load a/a") || strings.Contains(passed, "load b/b") ||
		strings.Contains(passed, "load c/c") {
		t.Errorf("passed on %s", passed)
	}
	// One process or three: the same.
	for _, how := range []struct{ pass, keep bool }{{}, {pass: true}, {keep: true}} {
		inProcess := output(t, walked(dir), append(Loading("test"), judge(how.pass, how.keep)...)...)
		piped := output(t, feed(output(t, feed(output(t, walked(dir), Scan(ScanOptions{}))), Loading("test")...)),
			append(Loading("test"), judge(how.pass, how.keep)...)...)
		if inProcess != piped {
			t.Errorf("in one process\n%sin three\n%s", inProcess, piped)
		}
	}
}

// An error-level finding of an earlier command holds a record back, also where
// rules find nothing.
func TestFailuresOfEarlierCommands(t *testing.T) {
	dir := write(t, map[string]string{"providers/a/a.mjs": schema("a", "", "string()"),
		"providers/b/b.mjs": schema("b", "", "string()")})
	scanned := output(t, walked(dir), Scan(ScanOptions{}))
	for severity, want := range map[record.Severity]int{record.SeverityError: 1, record.SeverityWarning: 2,
		record.SeverityInfo: 2} {
		d := &record.Diagnostic{Code: "SEC001", Severity: severity, Message: "m", Fix: "f", Subject: "a/a",
			Loc: record.Loc{Path: filepath.Join(dir, "providers/a/a.mjs")}}
		out := brief(t, output(t, feed(string(d.AppendJSON(nil))+"\n"+scanned),
			append(Loading("test"), judge(true, false)...)...))
		if n := strings.Count(out, "load "); n != want {
			t.Errorf("after a finding of severity %s, %d records pass, want %d: %s", severity, n, want, out)
		}
	}
}

// Lists are those of the stream, in stream order, and those on disk where the
// stream has none.
func TestListsInStream(t *testing.T) {
	files := map[string]string{
		"_lists/letters.mjs": list("letters"),
		"providers/a/a.mjs":  schema("a", uses, "enum({{letters:v}})"),
		"registry.json":      `{"name":"c"}`,
	}
	dir := write(t, files)
	file := filepath.Join(dir, "providers/a/a.mjs")
	unknown := func(out string) bool { return strings.Contains(out, `"code":"VAL072"`) }
	steps := func() []Step { return append(Loading("test"), judge(false, false)...) }
	if out := output(t, walked(dir), steps()...); unknown(out) {
		t.Errorf("whole catalog: %s", out)
	}
	if out := output(t, walked(file), steps()...); unknown(out) {
		t.Errorf("a single schema, its list on disk: %s", out)
	}
	loaded := output(t, walked(dir), Loading("test")...)
	if err := os.Remove(filepath.Join(dir, "_lists/letters.mjs")); err != nil {
		t.Fatal(err)
	}
	if out := output(t, feed(loaded), steps()...); unknown(out) {
		t.Errorf("the list in the stream only: %s", out)
	}
	if out := output(t, walked(file), steps()...); !unknown(out) {
		t.Errorf("a catalog without the list: %s", out)
	}
	// A list of the folder is known before its record has come: the order is any.
	for _, name := range []string{"words", "letters"} {
		file := filepath.Join(dir, "_lists", name+".mjs")
		if err := os.WriteFile(file, []byte(list(name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	words := output(t, walked(filepath.Join(dir, "_lists/words.mjs")), Loading("test")...)
	if out := output(t, feed(words+lineOf(loaded, "schema")+lineOf(loaded, "list")), steps()...); unknown(out) {
		t.Errorf("a schema between two lists: %s", out)
	}
	if err := os.Remove(filepath.Join(dir, "_lists/letters.mjs")); err != nil {
		t.Fatal(err)
	}
	// A list that is in the stream only, after the schema, is not seen by it, but by the next.
	schema := lineOf(loaded, "schema")
	out := output(t, feed(schema+lineOf(loaded, "list")+schema), steps()...)
	if n := strings.Count(out, `"code":"VAL072"`); n != 1 {
		t.Errorf("list between two schemas: %d findings, want 1: %s", n, out)
	}
	// Without catalog around it, nothing is known of lists.
	alone := write(t, map[string]string{"a.mjs": files["providers/a/a.mjs"]})
	if out := output(t, walked(filepath.Join(alone, "a.mjs")), steps()...); unknown(out) {
		t.Errorf("a schema alone: %s", out)
	}
}

// lineOf is the line of the record of a type.
func lineOf(lines, typ string) string {
	for line := range strings.Lines(lines) {
		if strings.Contains(line, `"type":"`+typ+`"`) {
			return line
		}
	}
	return ""
}

// A file that is not what was scanned any more is not loaded; where its record
// is left, findings have the lines that it had.
func TestChangedSource(t *testing.T) {
	dir := write(t, map[string]string{"providers/a/a.mjs": schema("a", "wrong: 1,", "string()"),
		"providers/b/b.mjs": schema("b", "", "string()")})
	scanned := output(t, walked(dir), Scan(ScanOptions{}))
	loaded := output(t, feed(scanned), Loading("test")...)
	if err := os.WriteFile(filepath.Join(dir, "providers/a/a.mjs"), []byte("// new\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "providers/b/b.mjs")); err != nil {
		t.Fatal(err)
	}
	out := output(t, feed(scanned), Loading("test")...)
	if brief(t, out) != "error LOD005, error LOD005" || !strings.Contains(out, "changed after") ||
		!strings.Contains(out, "vanished after") {
		t.Errorf("loaded: %s", out)
	}
	if out := brief(t, output(t, feed(loaded),
		append(Loading("test"), judge(false, false)...)...)); !strings.Contains(out,
		"VAL003:3") {
		t.Errorf("validated: %s", out)
	}
}

// A scan record that someone wrote by hand has no hash; its load record does.
func TestScanRecordWithoutHash(t *testing.T) {
	dir := write(t, map[string]string{"providers/a/a.mjs": schema("a", "", "string()")})
	scan := &record.Scan{Path: "providers/a/a.mjs", Root: dir, Type: record.TypeSchema}
	want := output(t, walked(dir), Loading("test")...)
	if got := output(t, feed(string(scan.AppendJSON(nil))+"\n"), Loading("test")...); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestGrade(t *testing.T) {
	dir := write(t, map[string]string{
		"providers/a/a.mjs": schema("a", "", "string()"), "providers/b/b.mjs": schema("b", "wrong: 1,", "string()"),
		"_lists/letters.mjs": list("letters"),
	})
	graded := func(source Source, steps ...Step) string {
		var b bytes.Buffer
		emit := func(it *Item) error {
			b.Write(append(it.AppendJSON(nil), '\n'))
			return nil
		}
		steps = append(steps, Join(Grade(func(e *grade.Evidence) (*record.Grade, error) {
			return grade.Report(e), nil
		}))...)
		if err := Run(t.Context(), Options{Jobs: 4}, source, steps, emit, func() error { return nil }); err != nil {
			t.Fatal(err)
		}
		recordtest.Lines(t, b.Bytes())
		return b.String()
	}
	whole := graded(walked(dir), append(Loading("test"), judge(false, true)...)...)
	if got := brief(t, whole); got != "grade a/a, grade b/b" {
		t.Errorf("reports %s", got)
	}
	if strings.Count(whole, `"VAL003"`) != 1 {
		t.Errorf("reports %s", whole)
	}
	// Behind fmcp-validate --pass the record of b is missing, its findings are not,
	// and those of a come twice.
	passed := output(t, walked(dir), append(Loading("test"), judge(true, false)...)...)
	piped := graded(feed(passed), append(Loading("test"), judge(false, true)...)...)
	if got := brief(t, piped); got != "grade a/a, grade b/b" {
		t.Errorf("reports behind --pass: %s", got)
	}
	a, _, _ := strings.Cut(whole, "\n")
	if first, _, _ := strings.Cut(piped, "\n"); first != a {
		t.Errorf("got\n%s\nwant\n%s", first, a)
	}
}

func TestCatalogRoot(t *testing.T) {
	tests := []struct{ root, path, want string }{
		{"c", "providers/a/a.mjs", "c"},
		{"c", "_lists/l.mjs", "c"},
		{"c/providers", "a/a.mjs", "c"},
		{"c/providers/a", "a.mjs", "c"},
		{".", "providers/a/a.mjs", "."},
		{"/x/c", "agents/p/agent.mjs", "/x/c"},
		{"/", "providers/a/a.mjs", "/"},
	}
	for _, tt := range tests {
		if got := walk.Root(record.Source{Root: tt.root, Path: tt.path}); got != tt.want {
			t.Errorf("%s in %s is of the catalog %s, want %s", tt.path, tt.root, got, tt.want)
		}
	}
}

// Every type of file has an id.
func TestIDs(t *testing.T) {
	dir := write(t, map[string]string{
		"registry.json":            `{"name":"cat"}`,
		"_lists/letters.mjs":       list("letters"),
		"agents/p/agent.mjs":       `export const agent = { name: 'painter' }`,
		"providers/a/a.mjs":        schema("a", "", "string()"),
		"providers/b/unnamed.mjs":  `export const main = {}`,
		"selections/s.mjs":         `export const selection = { namespace: 'a', name: 'few' }`,
		"providers/a/skills/s.mjs": `export const skill = { name: 'how' }`,
	})
	got := strings.Split(brief(t, output(t, walked(dir), Loading("test")...)), ", ")
	for _, want := range []string{"load cat", "load shared/list/letters", "load painter/agent/painter", "load a/a",
		"load b/unnamed", "load a/selection/few", "load a/skill/how"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q among %q", want, got)
		}
	}
}
