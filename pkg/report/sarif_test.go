package report

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	gosarif "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// sarifSchema is the JSON Schema that OASIS publishes for version 2.1.0. It
// comes with go-sarif, as a constant of its own source: our copy of it could be
// anything.
var sarifSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3")
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly")
	dir, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(),
		filepath.Join(strings.TrimSpace(string(dir)), "pkg/report/v210/sarif/schema.go"), nil, 0)
	if err != nil {
		return nil, err
	}
	literal, err := strconv.Unquote(file.Scope.Lookup("schema").Decl.(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value)
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(literal))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("sarif.json", doc); err != nil {
		return nil, err
	}
	return compiler.Compile("sarif.json")
})

// checkSARIF holds a report against the schema.
func checkSARIF(t *testing.T, out string) error {
	t.Helper()
	schema, err := sarifSchema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
	if err != nil {
		return err
	}
	return schema.Validate(doc)
}

func TestSARIFIsValid(t *testing.T) {
	everyCase(t, "sarif", func(t *testing.T, _, out string) {
		if err := checkSARIF(t, out); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		if _, err := gosarif.FromBytes([]byte(out)); err != nil {
			t.Errorf("go-sarif cannot read it: %v", err)
		}
		root, err := ordjson.Parse(out)
		if err != nil {
			t.Fatal(err)
		}
		run := root.Get("runs").Index(0)
		ids := run.Get("tool").Get("driver").Get("rules").Elems()
		for _, r := range run.Get("results").Elems() {
			if at := int(r.Get("ruleIndex").Float()); ids[at].Get("id").Str() != r.Get("ruleId").Str() {
				t.Errorf("rule %d is not %s", at, r.Get("ruleId").Str())
			}
		}
	})
}

// The test of the test: what the schema forbids is found.
func TestSARIFSchemaRefuses(t *testing.T) {
	good := write(t, "sarif", options, cases["all severities"]...)
	for old, broken := range map[string]string{
		`"level":"error"`:   `"level":"fatal"`,
		`"ruleId"`:          `"rule"`,
		`"startLine":13`:    `"startLine":0`,
		`"version":"2.1.0"`: `"version":"2.1"`,
	} {
		bad := strings.Replace(good, old, broken, 1)
		if bad == good {
			t.Fatalf("%s is not in\n%s", old, good)
		}
		if checkSARIF(t, bad) == nil {
			t.Errorf("%s is accepted", broken)
		}
	}
}

func TestSARIF(t *testing.T) {
	run := sarifRun(t, cases["all severities"]...)
	result := run.Get("results").Index(0)
	for pointer, want := range map[string]string{
		"/ruleId":       `"VAL032"`,
		"/level":        `"error"`,
		"/message/text": `"found {{x}}\nfix: write 'GET'"`,
		"/locations/0/physicalLocation/artifactLocation/uri": `"dir/a.mjs"`,
		"/locations/0/physicalLocation/region":               `{"startLine":13,"startColumn":5}`,
		"/locations/0/logicalLocations/0": `{"name":"a",` +
			`"fullyQualifiedName":"ns/a","kind":"module"}`,
		"/locations/0/logicalLocations/1": `{"name":"method",` +
			`"fullyQualifiedName":"ns/a#/tools/paint/method","kind":"property"}`,
	} {
		if got, _ := ordjson.Lookup(result, pointer); ordjson.Text(got) != want {
			t.Errorf("%s: %s, want %s", pointer, ordjson.Text(got), want)
		}
	}
	rule := run.Get("tool").Get("driver").Get("rules").Index(0)
	for pointer, want := range map[string]string{
		"/id":                         `"VAL032"`,
		"/name":                       `"tool-method"`,
		"/shortDescription/text":      `"tool.method is GET, POST, PUT or DELETE."`,
		"/helpUri":                    `"https://github.com/flowmcp/fmcp/blob/main/docs/rules/val.md#val032"`,
		"/defaultConfiguration/level": `"error"`,
	} {
		if got, _ := ordjson.Lookup(rule, pointer); ordjson.Text(got) != want {
			t.Errorf("%s: %s, want %s", pointer, ordjson.Text(got), want)
		}
	}
	if r := run.Get("results").Index(2); r.Get("locations").Index(0).Get("physicalLocation").Get("region").Exists() ||
		r.Get("level").Str() != "note" {
		t.Errorf("without a line: %s", ordjson.Text(r))
	}
	if !run.Get("invocations").Index(0).Get("executionSuccessful").True() {
		t.Error("findings are no failure of the run")
	}
}

// sarifRun is the run of a report of records.
func sarifRun(t *testing.T, recs ...record.Record) ordjson.Value {
	t.Helper()
	root, err := ordjson.Parse(write(t, "sarif", options, recs...))
	if err != nil {
		t.Fatal(err)
	}
	return root.Get("runs").Index(0)
}

func TestSARIFNotifications(t *testing.T) {
	run := sarifRun(t, cases["errors"]...)
	invocation := run.Get("invocations").Index(0)
	list := invocation.Get("toolExecutionNotifications")
	if invocation.Get("executionSuccessful").True() || list.Len() != 4 || run.Get("results").Len() != 0 {
		t.Fatalf("%s", ordjson.Text(run))
	}
	for i, want := range []string{
		`[{"physicalLocation":{"artifactLocation":{"uri":"c/x%20y.mjs"},"region":{"startLine":3,"startColumn":7}}}]`,
		`[{"physicalLocation":{"artifactLocation":{"uri":"file:///abs/gone.mjs"}}}]`,
		`[]`,
		`[{"physicalLocation":{"artifactLocation":{"uri":"old.ndjson"},"region":{"startLine":9,"startColumn":1}}}]`,
	} {
		if got := ordjson.Text(list.Index(i).Get("locations")); got != want {
			t.Errorf("%d: %s, want %s", i, got, want)
		}
	}
}

// Edits are fixes whose regions count bytes; one that only deletes inserts nothing.
func TestSARIFFixes(t *testing.T) {
	results := sarifRun(t, cases["edits"]...).Get("results")
	want := `[{"description":{"text":"fmcp-validate --fix corrects it"},"artifactChanges":[{"artifactLocation":` +
		`{"uri":"a%20b.mjs"},"replacements":[{"deletedRegion":{"byteOffset":7,"byteLength":2},"insertedContent":` +
		`{"text":"{{b}}"}},{"deletedRegion":{"byteOffset":20,"byteLength":0},"insertedContent":{"text":","}}]}]}]`
	if got := ordjson.Text(results.Index(0).Get("fixes")); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	changes := results.Index(1).Get("fixes").Index(0).Get("artifactChanges").Index(0)
	if got := ordjson.Text(changes.Get("replacements")); got !=
		`[{"deletedRegion":{"byteOffset":3,"byteLength":6}}]` {
		t.Errorf("%s", got)
	}
	// What no report may show, and what has no edits.
	for _, result := range []ordjson.Value{results.Index(2), sarifRun(t, cases["one"]...).Get("results").Index(0)} {
		if !result.Exists() || result.Get("fixes").Exists() {
			t.Errorf("%s", ordjson.Text(result))
		}
	}
}

// A fingerprint stays when lines move, and differs where the rule, the object
// or the place in it does.
func TestFingerprint(t *testing.T) {
	of := func(change func(*record.Diagnostic)) string {
		d := warningAt("a.mjs", 2)
		change(d)
		f, _ := findingOf(d)
		return fingerprint(&f)
	}
	base := of(func(*record.Diagnostic) {})
	if moved := of(func(d *record.Diagnostic) { d.Loc.Line, d.Loc.Col, d.Message = 90, 1, "other" }); moved != base {
		t.Errorf("%s, moved %s", base, moved)
	}
	seen := map[string]bool{base: true}
	for _, change := range []func(*record.Diagnostic){
		func(d *record.Diagnostic) { d.Code = "CMP005" },
		func(d *record.Diagnostic) { d.Subject = "ns/b" },
		func(d *record.Diagnostic) { d.Subject = "" },
		func(d *record.Diagnostic) { d.Loc.Pointer = "/name" },
	} {
		if f := of(change); seen[f] {
			t.Errorf("%s is that of another", f)
		} else {
			seen[f] = true
		}
	}
}

func TestURIOf(t *testing.T) {
	for path, want := range map[string]string{
		"dir/a b.mjs": "dir/a%20b.mjs",
		"/a/ü.mjs":    "file:///a/%C3%BC.mjs",
		"//a":         "file:///a",
		"a:b.mjs":     "./a:b.mjs",
		"../x#y?z%":   "../x%23y%3Fz%25",
		"\x01\xff":    "%01%FF",
	} {
		for _, dir := range []string{"", "/home", "/a/ü"} {
			if got := uriOf(path, dir); got != want {
				t.Errorf("%q in %q: %s, want %s", path, dir, got, want)
			}
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	for dir, want := range map[string]string{"/": "repo/c/x.mjs", "/repo": "c/x.mjs", "/repo/c/": "x.mjs",
		"/rep": "file:///repo/c/x.mjs", "/repo/d": "file:///repo/c/x.mjs"} {
		if got := uriOf("/repo/c/x.mjs", dir); got != want {
			t.Errorf("in %q: %s, want %s", dir, got, want)
		}
	}
}

// Results leave as they come; what is held back does not grow with them.
func TestSARIFStreams(t *testing.T) {
	var b bytes.Buffer
	s := newSARIF(&b, options)
	for range 1000 {
		if err := s.Record(warningAt("a.mjs", 1), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), `"ruleId"`); n != 1000 || len(s.rules.list) != 1 || len(s.notifications) != 0 {
		t.Errorf("%d results were written, %d rules and %d notifications are held", n, len(s.rules.list),
			len(s.notifications))
	}
}

// A text of a schema makes no link in a report.
func TestSARIFMessageHasNoLink(t *testing.T) {
	for in, want := range map[string]string{
		"main.parameters[0]: found":   "main.parameters[0]: found",
		"see [the docs](https://x.y)": `see \[the docs\](https://x.y)`,
		`a\[b](c)`:                    `a\\\[b\](c)`,
	} {
		if got := message(in).Get("text").Str(); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
