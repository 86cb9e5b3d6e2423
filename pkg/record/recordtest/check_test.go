package recordtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record/schema"
)

const sha = "sha256:0000000000000000000000000000000000000000000000000000000000000000"

func TestCheck(t *testing.T) {
	tests := []struct{ name, line, want string }{ // want "" for valid
		{"scan", `{"v":1,"kind":"scan","path":"a","root":".","type":"schema","bytes":0,"fileHash":"` + sha + `"}`, ""},
		{"grade, passed", `{"v":1,"kind":"grade","id":"a/b","schemaId":"a/b","validatorVersion":"validation/4.2",` +
			`"timestamp":"2026-05-11T09:00:00Z","deterministic":{"status":"PASS","errors":[],` +
			`"warnings":[{"code":"VAL100","message":"m","pointer":"/tools/b"}]},"probabilistic":{"score":4.2},` +
			`"primitives":["a/tool/b"],"grade":"A"}`, ""},
		{"grade, scores missing",
			`{"v":1,"kind":"grade","id":"a/b","schemaId":"a/b","validatorVersion":"validation/4.2",` +
				`"deterministic":{"status":"PASS","errors":[],"warnings":[]},"missing":["probabilistic.score"],` +
				`"primitives":[]}`, ""},
		{"grade, failed", `{"v":1,"kind":"grade","id":"a/b","schemaId":"a/b","validatorVersion":"validation/4.2",` +
			`"deterministic":{"status":"FAIL","errors":[{"code":"VAL001","message":"m","pointer":""}],"warnings":[]},` +
			`"primitives":[],"grade":"F"}`, ""},
		{"round", `{"v":1,"kind":"round","root":"c","changed":1,"files":["a.mjs"],"removed":[]}`, ""},
		{"round without removed", `{"v":1,"kind":"round","root":"c","changed":1}`, "missing property 'removed'"},
		{"not JSON", `{`, "not JSON"},
		{"two lines", "{\n}", "one line"},
		{"not an object", `[]`, `no record has the kind ""`},
		{"unknown kind", `{"v":1,"kind":"scam"}`, `no record has the kind "scam"`},
		{"kind that is a path", `{"v":1,"kind":"../schema/scan"}`, "no record has the kind"},
		{"missing field", `{"v":1,"kind":"request"}`, "missing property 'id'"},
		{"wrong version", `{"v":2,"kind":"request","id":"a"}`, "value must be 1"},
		{"wrong type", `{"v":1,"kind":"request","id":7}`, "want string"},
		{"unlisted field", `{"v":1,"kind":"request","id":"a","parms":{}}`,
			`field "parms" is not in request.schema.json (did you mean "params"?)`},
		{"hash", `{"v":1,"kind":"scan","path":"a","root":".","type":"schema","bytes":0,"fileHash":"abc"}`,
			"does not match pattern"},
		{"severity off", `{"v":1,"kind":"diagnostic","code":"VAL001","severity":"off","message":"m","subject":"",` +
			`"loc":{"path":"","pointer":""}}`, "'/severity'"},
		{"line without column", `{"v":1,"kind":"diagnostic","code":"VAL001","severity":"info","message":"m",` +
			`"subject":"","loc":{"path":"a","line":1,"pointer":""}}`, "'col'"},
		{"malformed pointer", `{"v":1,"kind":"diagnostic","code":"VAL001","severity":"info","message":"m",` +
			`"subject":"","loc":{"path":"a","pointer":"tools"}}`, "json-pointer"},
		{"success with messages", `{"v":1,"kind":"envelope","id":"a","status":true,"messages":["m"],"data":1,` +
			`"durationMs":0}`, "'/messages/0'"},
		{"failure without messages", `{"v":1,"kind":"envelope","id":"a","status":false,"messages":[],"data":null,` +
			`"durationMs":0}`, "'/messages'"},
		{"failure with data", `{"v":1,"kind":"envelope","id":"a","status":false,"messages":["m"],"data":1,` +
			`"durationMs":0}`, "'/data'"},
		{"tool without a wire name", `{"v":1,"kind":"resolved","id":"a/tool/b","type":"tool","data":{}}`, "'wireName'"},
		{"list without entries", `{"v":1,"kind":"resolved","id":"shared/list/b","type":"list","data":{"name":"b"}}`,
			"'entries'"},
		{"grade of a tool",
			`{"v":1,"kind":"grade","id":"a/tool/b","schemaId":"a/b","validatorVersion":"validation/4.2",` +
				`"deterministic":{"status":"PASS","errors":[],"warnings":[]},"primitives":[],"grade":"A"}`, "'/id'"},
		{"neither grade nor missing", `{"v":1,"kind":"grade","id":"a/b","schemaId":"a/b",` +
			`"validatorVersion":"validation/4.2","deterministic":{"status":"PASS","errors":[],"warnings":[]},` +
			`"primitives":[]}`, "'missing'"},
		{"passed with errors",
			`{"v":1,"kind":"grade","id":"a/b","schemaId":"a/b","validatorVersion":"validation/4.2",` +
				`"deterministic":{"status":"PASS","errors":[{"code":"VAL001","message":"m","pointer":""}],` +
				`"warnings":[]},"primitives":[],"grade":"A"}`, "'/deterministic/errors'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Check([]byte(tt.line))
			if tt.want == "" && err != nil {
				t.Errorf("a valid record is refused: %v", err)
			}
			if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want an error with %q", err, tt.want)
			}
		})
	}
}

// recorder is a testing.TB that only remembers that the test failed.
type recorder struct {
	testing.TB
	errors int
}

func (*recorder) Helper()                 {}
func (r *recorder) Errorf(string, ...any) { r.errors++ }

func TestLines(t *testing.T) {
	good := `{"v":1,"kind":"request","id":"a"}` + "\n"
	for output, want := range map[string]struct{ lines, errors int }{
		"":                      {0, 0},
		good + good:             {2, 0},
		good + "{}\n" + good:    {3, 1},
		strings.TrimSpace(good): {1, 1},
		good + "\n":             {2, 1},
	} {
		r := &recorder{TB: t}
		if n := Lines(r, []byte(output)); n != want.lines || r.errors != want.errors {
			t.Errorf("%q: %d lines, %d errors; want %+v", output, n, r.errors, want)
		}
	}
}

func TestEveryKindHasASchema(t *testing.T) {
	for _, kind := range []string{"scan", "load", "diagnostic", "resolved", "request", "envelope", "grade", "error",
		"round"} {
		if _, ok := schema.For(kind); !ok {
			t.Errorf("%s has none", kind)
			continue
		}
		c, err := compiled(kind)
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		for _, f := range []string{"v", "kind"} {
			if _, ok := c.schema.Properties[f]; !ok {
				t.Errorf("%s does not name %q", kind, f)
			}
		}
	}
	for _, kind := range []string{"", ".", "schema", "../record"} {
		if _, ok := schema.For(kind); ok {
			t.Errorf("%q has a schema", kind)
		}
	}
}

func TestAgainst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	schema := `{"$schema":"https://json-schema.org/draft/2020-12/schema","properties":{"at":{"type":"string",` +
		`"format":"date-time"}},"required":["at"]}`
	if err := os.WriteFile(path, []byte(schema), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, valid := range map[string]bool{
		`{"at":"2026-05-29T15:34:00Z"}`: true, `{"at":"today"}`: false, `{}`: false, `{`: false,
	} {
		if err := Against(path, []byte(text)); (err == nil) != valid {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := Against(path+"x", []byte("{}")); err == nil {
		t.Error("a schema that is not there")
	}
}
