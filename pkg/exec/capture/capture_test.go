package capture_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/capture"
	"github.com/flowmcp/fmcp/pkg/exec/suite"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

var began = time.Date(2026, 2, 17, 10, 30, 0, 5e6, time.UTC)

// result is that of a test of a tool; calls take index+1 tenths of a second.
func result(id string, index int, outcome record.TestOutcome) *suite.Result {
	namespace, _, _ := strings.Cut(id, "/")
	res := &suite.Result{
		Envelope: &record.Envelope{ID: id, Status: outcome == record.TestPassed, Data: ordjson.NewNull(),
			Duration: time.Duration(index+1) * 100 * time.Millisecond,
			Test:     &record.Test{Index: index, Mode: record.TestRun, Outcome: outcome}},
		Case: &suite.Case{Target: &exec.Tool{Tool: catalog.Tool{Callable: catalog.Callable{ID: id,
			Name: strings.TrimPrefix(id, namespace+"/tool/")}}}, Index: index, Description: "what it shows"},
		Params: ordjson.NewObject(ordjson.Field("n", ordjson.NewInt(index))),
		Began:  began.Add(time.Duration(index) * time.Second), Called: outcome != record.TestSkipped,
	}
	switch outcome {
	case record.TestPassed:
		res.Data = ordjson.NewArray(ordjson.NewInt(index))
	case record.TestFailed:
		res.Messages, res.Warnings = []string{"EXE041 x: m"}, []string{"w"}
		res.Test.Mismatches = []string{"output schema: m"}
	}
	return res
}

func TestLayout(t *testing.T) {
	dir := t.TempDir()
	run, err := capture.Start(filepath.Join(dir, "captures"), record.TestRun, began)
	if err != nil {
		t.Fatal(err)
	}
	for _, res := range []*suite.Result{
		result("coins/tool/price", 0, record.TestPassed), result("coins/tool/price", 1, record.TestFailed),
		result("coins/tool/list", 0, record.TestSkipped), result("tides/tool//a/../:b", 2, record.TestPassed),
		result("keys/tool/x", 0, record.TestSkipped),
	} {
		if err := run.Add(res); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // a second time there is nothing left to write
		if err := run.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"coins/price-0.json": `{"namespace":"coins","routeName":"price","testIndex":0,"_description":"what it shows",` +
			`"userParams":{"n":0},"responseTime":100,"timestamp":"2026-02-17T10:30:00.005Z",` +
			`"response":{"status":true,"messages":[],"data":[0]},"id":"coins/tool/price"}`,
		"coins/price-1.json": `{"namespace":"coins","routeName":"price","testIndex":1,"_description":"what it shows",` +
			`"userParams":{"n":1},"responseTime":200,"timestamp":"2026-02-17T10:30:01.005Z",` +
			`"response":{"status":false,"messages":["EXE041 x: m"],"data":null},"id":"coins/tool/price",` +
			`"warnings":["w","output schema: m"]}`,
		"coins/metrics.json": `{"namespace":"coins","mode":"run","startedAt":"2026-02-17T10:30:00.005Z",` +
			`"finishedAt":"2026-02-17T10:30:01.205Z","tests":3,"passed":1,"failed":1,"skipped":1,"mismatched":1,` +
			`"responseTime":{"min":100,"mean":150,"max":200},"dataBytes":{"mean":3,"max":4},` +
			`"routes":[{"routeName":"price","id":"coins/tool/price","tests":2,"passed":1,"failed":1,` +
			`"skipped":0,"mismatched":1,` +
			`"responseTime":{"min":100,"mean":150,"max":200},"dataBytes":{"mean":3,"max":4}},{"routeName":"list",` +
			`"id":"coins/tool/list","tests":1,"passed":0,"failed":0,"skipped":1}]}`,
		"tides/%2Fa%2F%2E%2E%2F%3Ab-2.json": `{"namespace":"tides","routeName":"/a/../:b","testIndex":2,` +
			`"_description":"what it shows",` +
			`"userParams":{"n":2},"responseTime":300,"timestamp":"2026-02-17T10:30:02.005Z",` +
			`"response":{"status":true,"messages":[],"data":[2]},"id":"tides/tool//a/../:b"}`,
		"keys/metrics.json": `{"namespace":"keys","mode":"run","tests":1,"passed":0,"failed":0,` +
			`"skipped":1,"routes":[{"routeName":"x","id":"keys/tool/x","tests":1,"passed":0,"failed":0,"skipped":1}]}`,
	} {
		text, err := os.ReadFile(filepath.Join(dir, "captures", "2026-02-17T10-30-00.005Z", name))
		v, perr := ordjson.Parse(string(text))
		if got := ordjson.Text(v); err != nil || perr != nil || got != want || !strings.HasSuffix(string(text), "}\n") {
			t.Errorf("%s: %v %v\n%s\nwant\n%s", name, err, perr, got, want)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "captures", "*", "*", "*"))
	if err != nil || len(files) != 6 {
		t.Errorf("%d files, want 6: %v %v", len(files), files, err)
	}
}

// TestRunsApart: runs that begin in the same millisecond have folders of their
// own, and what is there stays.
func TestRunsApart(t *testing.T) {
	dir := t.TempDir()
	for i, want := range []string{"2026-02-17T10-30-00.005Z", "2026-02-17T10-30-00.006Z", "2026-02-17T10-30-00.007Z"} {
		run, err := capture.Start(dir, record.TestRun, began)
		if err != nil || filepath.Base(run.Dir()) != want {
			t.Fatalf("%d: %v %v", i, run, err)
		}
	}
}

func TestCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := capture.Start(file, record.TestRun, began); err == nil ||
		!strings.HasPrefix(err.Error(), "--capture: ") {
		t.Error(err)
	}
	run, err := capture.Start(t.TempDir(), record.TestRun, began)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(run.Dir(), "coins"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run.Add(result("coins/tool/price", 0, record.TestPassed)); err == nil ||
		!strings.HasPrefix(err.Error(), "--capture: ") {
		t.Error(err)
	}
	if err := run.Close(); err == nil || !strings.HasPrefix(err.Error(), "--capture: ") {
		t.Error(err)
	}
}
