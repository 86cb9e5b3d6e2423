package record_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
)

var sha = "sha256:" + strings.Repeat("0af1", 16)

func parse(t testing.TB, s string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// nasty is text that every field must survive.
const nasty = "größe \"x\\y\"\n\t\x00 \u2028 😀 </script>"

// samples has every kind and every optional field, present and absent.
func samples(t testing.TB) map[string]record.Record {
	hashes := record.Hashes{Schema: "0af1b2c3", Main: sha, File: sha}
	src := record.Source{Path: "providers/coingecko/simple-price.mjs", Root: "../cat", FileHash: sha}
	tool := `{"schema":"coingecko/simple-price","namespace":"coingecko","name":"simplePrice",` +
		`"wireName":"simple_price_coingecko","description":"d",` +
		`"method":"GET","root":"https://example.com","path":"/p/{{id}}","headers":{"Accept":"*/*"},` +
		`"parameters":[{"key":"id","location":"insert","source":"user","value":"{{USER_PARAM}}",` +
		`"primitive":"string()","options":[]}],` +
		`"serverParams":["KEY"],"inputSchema":{"type":"object","properties":{"id":{"type":"string"}},` +
		`"required":["id"]},` +
		`"src":{"path":"a.mjs","pointer":"/tools/simplePrice"},"hashes":{"schemaHash":"0af1b2c3","mainHash":"` + sha +
		`","fileHash":"` + sha + `"}}`
	list := `{"name":"evmChains","version":"1.0.0","fields":[],"entries":[{"alias":"ETH"}],"src":{"path":"l.mjs"},` +
		`"hashes":{}}`
	skillmd := `{"namespace":"a","name":"b","description":"","frontmatter":{},"documents":[{"uri":` +
		`"resource://skills/b/document","mimeType":"text/markdown","path":"SKILL.md","hash":"` + sha +
		`","content":"x"}],"src":{"path":"b/SKILL.md"},"hashes":{}}`
	catalog := `{"name":"demo","counts":{"schemas":1,"tools":2,"lists":0},"toolNames":"snake"}`
	return map[string]record.Record{
		"scan": &record.Scan{Path: "a/" + nasty, Root: ".", Type: record.TypeSchema, Namespace: "a",
			Bytes: 1 << 40, FileHash: sha},
		"scan without namespace": &record.Scan{Path: "a.mjs", Root: "", Type: record.TypeDatabase, FileHash: sha},
		"load": &record.Load{
			Type: record.TypeSchema, ID: "coingecko/simple-price", Src: src, Static: true, Hashes: hashes,
			Data:    parse(t, `{"z":1,"a":{"10":12345678901234567890,"9":[null,-0,1.50]},"s":"\ud800"}`),
			Exports: []string{"main", "handlers"},
			Handlers: []record.Handler{{Name: "simplePrice", Stages: []string{"preRequest", "postRequest"}},
				{Name: "res/query", Stages: []string{"executeRequest"}}},
			Ignores: []record.Ignore{{Line: 3, Col: 5, For: 4, Codes: []string{"VAL107", "CMP010"}, Reason: nasty},
				{Line: 9, Col: 1, For: 9, Codes: nil}},
			Reviews:     []record.Review{{Line: 7, Col: 2, Text: nasty}, {Line: 8, Col: 1}},
			ContentName: nasty,
			Fetches:     true,
		},
		"load without export": &record.Load{Type: record.TypeList, ID: "x", Src: src, Data: ordjson.NewNull(),
			Hashes: record.Hashes{Main: sha, File: sha}},
		"load with empty handlers": &record.Load{Type: record.TypeSchema, ID: "x/y", Src: src, Data: parse(t, `{}`),
			Exports: []string{"main", "handlers"}, Handlers: []record.Handler{}, Hashes: hashes},
		"diagnostic": &record.Diagnostic{Code: "VAL010", Severity: record.SeverityError, Message: nasty,
			Fix: nasty, Subject: "a/b", Loc: record.Loc{Path: "a.mjs", Line: 3, Col: 7, Pointer: "/tools/a~1b"}},
		"diagnostic with edits": &record.Diagnostic{Code: "CMP003", Severity: record.SeverityInfo, Message: "m",
			Loc:   record.Loc{Path: "a.mjs", Line: 3, Col: 7, Pointer: "/tools/a/path", FileHash: sha},
			Edits: []record.Edit{{Start: 10, End: 12, Text: nasty, Safe: true}, {Start: 20, End: 20}}},
		"diagnostic without a place": &record.Diagnostic{Code: "PH002", Severity: record.SeverityInfo, Message: "m"},
		"warning": &record.Diagnostic{Code: "LOD010", Severity: record.SeverityWarning, Message: "m",
			Subject: "a/b", Loc: record.Loc{Path: "a.mjs"}},
		"error": &record.Error{Stage: "fmcp-load", Input: "stdin:7", Code: "LOD020", Message: nasty},
		"error with a place": &record.Error{Stage: "fmcp-load", Input: "a.mjs", Code: "LOD003", Message: "m",
			Loc: &record.Loc{Path: "a.mjs", Line: 1, Col: 2}},
		"error of a request": &record.Error{Stage: "fmcp-exec", Input: "stdin:7", Code: "LOD020", Message: "m",
			Tag: parse(t, `{"n":[1]}`)},
		"round": &record.Round{Root: "../cat", Changed: 2, Files: []string{"a/" + nasty, "b.mjs"},
			Removed: []string{"c.mjs"}},
		"round of many": &record.Round{Root: ".", Changed: 885},
		"tool": &record.Resolved{ID: "coingecko/tool/simplePrice", Type: record.TypeTool,
			Data: parse(t, tool)},
		"list":    &record.Resolved{ID: "shared/list/evmChains", Type: record.TypeList, Data: parse(t, list)},
		"catalog": &record.Resolved{ID: "demo", Type: record.TypeCatalog, Data: parse(t, catalog)},
		"skillmd": &record.Resolved{ID: "a/skillmd/b", Type: record.TypeSkillMD, Data: parse(t, skillmd)},
		"request": &record.Request{ID: "a/tool/b", Params: parse(t, `{"b":1,"a":[true]}`),
			Tag: parse(t, `{"n":12345678901234567890}`)},
		"request, null tag": &record.Request{ID: "a/tool/b", Tag: ordjson.NewNull()},
		"request again":     &record.Request{ID: "a/tool/b", Attempt: 3},
		"request, id only":  &record.Request{ID: "a/tool/b"},
		"envelope": &record.Envelope{ID: "a/tool/b", Tag: ordjson.NewInt(7), Status: true,
			Data: parse(t, `{"z":1,"a":2}`), Warnings: []string{nasty}, Duration: 1234567 * time.Microsecond,
			Request: &record.HTTPRequest{Method: "POST", URL: "https://example.com/?q=1",
				Headers: []record.Header{{Name: "Accept", Value: nasty}, {Name: "X", Value: ""}},
				Body:    parse(t, `{"a":1}`)}},
		"failed envelope": &record.Envelope{ID: "a/tool/b", Messages: []string{"EXE001 no"}, Data: ordjson.NewNull()},
		"cached envelope": &record.Envelope{ID: "a/tool/b", Status: true,
			Cache: &record.Cached{State: record.CacheHit, FetchedAt: time.Unix(0, 0), ExpiresAt: time.Unix(60, 5e6),
				Message: nasty, Note: nasty}},
		"failed refresh": &record.Envelope{ID: "a/tool/b", Messages: []string{"EXE035 b: m"},
			Cache: &record.Cached{State: record.CacheRefresh, Message: "Refreshing cache..."}},
		"test": &record.Envelope{ID: "a/tool/b", Status: true,
			Test: &record.Test{Index: 2, Description: nasty, Mode: record.TestValidate, Outcome: record.TestPassed,
				Mismatches: []string{nasty}}},
		"aggregate": &record.Envelope{ID: "a/agent/b", Status: true,
			Test: &record.Test{Index: -1, Mode: record.TestRun, Outcome: record.TestPassed,
				Members: []record.TestMember{{ID: nasty, Type: record.TypeSkill, Outcome: record.TestSkipped},
					{ID: "a/tool/b", Type: record.TypeTool, Outcome: record.TestPassed,
						TestCounts: record.TestCounts{Tests: 4, Passed: 3, Skipped: 1}}}}},
		"test of an agent": &record.Envelope{ID: "a/agent/b", Status: true,
			Test: &record.Test{Index: 0, Mode: record.TestRun, Outcome: record.TestPassed,
				ExpectedTools: []string{"a/tool/b"}}},
		"skipped tests": &record.Envelope{ID: "a/tool/b", Messages: []string{"EXE060 b: m"},
			Test: &record.Test{Index: -1, Mode: record.TestRun, Outcome: record.TestSkipped, Missing: []string{"KEY"}}},
		"dry run": &record.Envelope{ID: "a/tool/b", Status: true, DryRun: true,
			Request: &record.HTTPRequest{Method: "GET", URL: "https://example.com"}},
	}
}

// Every record type: AppendJSON keeps to the published schema, and Decode is
// its inverse.
func TestRoundTrip(t *testing.T) {
	for name, rec := range samples(t) {
		t.Run(name, func(t *testing.T) {
			line := string(rec.AppendJSON([]byte("before ")))[len("before "):]
			if err := recordtest.Check([]byte(line)); err != nil {
				t.Fatal(err)
			}
			head, got, value, err := record.Decode(line)
			if err != nil {
				t.Fatal(err)
			}
			if head.V != record.Version || string(head.Kind) != value.Get("kind").Str() {
				t.Errorf("head %+v", head)
			}
			if text := ordjson.Text(value); text != line {
				t.Errorf("value prints as %s\nwant %s", text, line)
			}
			if e, ok := rec.(*record.Envelope); ok {
				if want := outcome(e); !reflect.DeepEqual(got, want) {
					t.Errorf("decoded %#v\nwant    %#v", got, want)
				}
				return
			}
			if again := string(got.AppendJSON(nil)); again != line {
				t.Errorf("decoded and written again: %s\nwant %s", again, line)
			}
			if a, b := withoutValues(got), withoutValues(rec); !reflect.DeepEqual(a, b) {
				t.Errorf("decoded %#v\nwant    %#v", a, b)
			}
		})
	}
}

// outcome is what is read of an envelope.
func outcome(e *record.Envelope) *record.Envelope {
	o := &record.Envelope{ID: e.ID, Status: e.Status, Messages: e.Messages, Warnings: e.Warnings}
	if t := e.Test; t != nil {
		o.Test = &record.Test{Index: t.Index, Description: t.Description, Mode: t.Mode, Outcome: t.Outcome,
			Missing: t.Missing, Mismatches: t.Mismatches}
	}
	return o
}

// withoutValues takes the JSON values out, which know where they were read
// and are compared by their text.
func withoutValues(r record.Record) record.Record {
	switch r := r.(type) {
	case *record.Load:
		c := *r
		c.Data = ordjson.Value{}
		return &c
	case *record.Resolved:
		c := *r
		c.Data = ordjson.Value{}
		return &c
	case *record.Request:
		c := *r
		c.Params, c.Tag = ordjson.Value{}, ordjson.Value{}
		return &c
	case *record.Error:
		c := *r
		c.Tag = ordjson.Value{}
		return &c
	}
	return r
}

func TestAppendedText(t *testing.T) {
	tests := []struct {
		rec  record.Record
		want string
	}{
		{&record.Scan{Path: "p", Root: "r", Type: "schema", Bytes: 1, FileHash: "h"},
			`{"v":1,"kind":"scan","path":"p","root":"r","type":"schema","bytes":1,"fileHash":"h"}`},
		{&record.Load{ID: "i", Type: "schema", Data: ordjson.NewNull(), Hashes: record.Hashes{Main: "m"}},
			`{"v":1,"kind":"load","id":"i","type":"schema","src":{"path":"","root":"","fileHash":""},"static":false,` +
				`"exports":[],"handlers":null,"hashes":{"schemaHash":"","mainHash":"m","fileHash":""},"data":null}`},
		{&record.Diagnostic{Code: "C", Severity: record.SeverityWarning, Message: "m",
			Loc: record.Loc{Path: "p", Line: 1, Col: 2, Pointer: "/a"}},
			`{"v":1,"kind":"diagnostic","code":"C","severity":"warning","message":"m","subject":"","loc":{"path":"p",` +
				`"line":1,"col":2,"pointer":"/a"}}`},
		{&record.Error{Stage: "s", Input: "i", Code: "C", Message: "m"},
			`{"v":1,"kind":"error","input":"i","stage":"s","code":"C","message":"m"}`},
		{&record.Round{Root: "r", Changed: 1, Files: []string{"a"}},
			`{"v":1,"kind":"round","root":"r","changed":1,"files":["a"],"removed":[]}`},
		{&record.Request{ID: "i"}, `{"v":1,"kind":"request","id":"i"}`},
		{&record.Envelope{ID: "i", Status: true, Duration: 2 * time.Second},
			`{"v":1,"kind":"envelope","id":"i","status":true,"messages":[],"data":null,"durationMs":2000}`},
		{&record.Envelope{ID: "i", Status: true,
			Cache: &record.Cached{State: record.CacheMiss, FetchedAt: time.Unix(0, 0), ExpiresAt: time.Unix(60, 5e6),
				Message: "m", Note: "n"}},
			`{"v":1,"kind":"envelope","id":"i","status":true,"messages":[],"data":null,"cache":{"state":"miss",` +
				`"fetchedAt":"1970-01-01T00:00:00.000Z","expiresAt":"1970-01-01T00:01:00.005Z","message":"m",` +
				`"note":"n"},"durationMs":0}`},
		{&record.Envelope{ID: "i", Status: true,
			Test: &record.Test{Index: 1, Description: "d", Mode: "validate", Outcome: "passed",
				Mismatches: []string{"x"}}},
			`{"v":1,"kind":"envelope","id":"i","status":true,"messages":[],"data":null,"test":{"index":1,` +
				`"description":"d","mode":"validate","outcome":"passed","mismatches":["x"]},"durationMs":0}`},
		{&record.Envelope{ID: "i", Messages: []string{"m"},
			Test: &record.Test{Index: -1, Mode: "run", Outcome: "skipped", Missing: []string{"K"}}},
			`{"v":1,"kind":"envelope","id":"i","status":false,"messages":["m"],"data":null,"test":{"mode":"run",` +
				`"outcome":"skipped","missing":["K"]},"durationMs":0}`},
	}
	for _, tt := range tests {
		if got := string(tt.rec.AppendJSON(nil)); got != tt.want {
			t.Errorf("%s\nwant %s", got, tt.want)
		}
	}
}

func TestStandardEnvelope(t *testing.T) {
	e := record.Envelope{ID: "x", Messages: []string{"a"}, Warnings: []string{"w"}, DryRun: true}
	if got, want := string(e.Standard()), `{"status":false,"messages":["a"],"data":null}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestDecodeRequest(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"whole", `{"v":1,"kind":"request","id":"a/tool/b","params":{"x":1},"tag":2}`, ""},
		{"no v", `{"kind":"request","id":"a/tool/b","params":{"x":1},"tag":2}`, ""},
		{"no kind", `{"v":1,"id":"a/tool/b","params":{"x":1},"tag":2}`, ""},
		{"neither", `{"id":"a/tool/b","params":{"x":1},"tag":2}`, ""},
		{"no id", `{"params":{}}`, `a request record has an "id" of type string, found missing`},
		{"newer", `{"v":2,"id":"a/tool/b"}`, "use a newer fmcp"},
		{"kind of a wrong type", `{"kind":7,"id":"a/tool/b"}`, "found number"},
		{"v of a wrong type", `{"v":"1","id":"a/tool/b"}`, "found string"},
		{"another kind", `{"kind":"scan","path":"p","type":"schema"}`, `"v" of type number, found missing`},
	}
	for _, tt := range tests {
		_, rec, _, err := record.DecodeRequest(tt.line)
		if tt.want != "" {
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
			}
			continue
		}
		r, ok := rec.(*record.Request)
		if err != nil || !ok || r.ID != "a/tool/b" || ordjson.Text(r.Params) != `{"x":1}` ||
			ordjson.Text(r.Tag) != "2" {
			t.Errorf("%s: %v, %v", tt.name, rec, err)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"no JSON", `{"v":1`, "not a JSON record: "},
		{"text", `hello`, "not a JSON record: "},
		{"array", `[]`, "a record is a JSON object, found array"},
		{"no kind", `{"v":1}`, `"kind" of type string, found missing`},
		{"kind of a wrong type", `{"v":1,"kind":7}`, "found number"},
		{"no v", `{"kind":"scan"}`, `"v" of type number, found missing`},
		{"v of a wrong type", `{"v":"1","kind":"scan"}`, "found string"},
		{"newer", `{"v":2,"kind":"scan"}`, "has version 2; this command reads up to 1"},
		{"far newer", `{"v":1e400,"kind":"scan"}`, "use a newer fmcp"},
		{"severity", `{"v":1,"kind":"diagnostic","code":"X","message":"m","severity":"fatal"}`,
			`"fatal" is not one of`},
		{"grade with a score beyond the scale", `{"v":1,"kind":"grade","schemaId":"a/b","probabilistic":{"score":9}}`,
			`a grade record has a "probabilistic.score" from 1.0 to 5.0, found 9`},
		{"grade with a text for a score", `{"v":1,"kind":"grade","schemaId":"a/b","probabilistic":{"score":"4"}}`,
			`from 1.0 to 5.0, found "4"`},
		{"scan without anything", `{"v":1,"kind":"scan"}`, `a scan record has a "path" of type string, found missing`},
		{"scan without type", `{"v":1,"kind":"scan","path":"p"}`,
			`a scan record has a "type" of type string, found missing`},
		{"load without type", `{"v":1,"kind":"load","id":"i","data":{}}`,
			`a load record has a "type" of type string, found missing`},
		{"load with a number for an id", `{"v":1,"kind":"load","id":5,"type":"schema"}`,
			`a load record has an "id" of type string, found number`},
		{"diagnostic without code", `{"v":1,"kind":"diagnostic","severity":"error","message":"m"}`,
			`a diagnostic record has a "code" of type string`},
		{"request without id", `{"v":1,"kind":"request","params":{}}`,
			`a request record has an "id" of type string, found missing`},
		{"request with attempt 0", `{"v":1,"kind":"request","id":"a/tool/b","attempt":0}`,
			`a request record has an "attempt" that is a whole number from 1, found 0`},
		{"request with half an attempt", `{"v":1,"kind":"request","id":"a/tool/b","attempt":1.5}`, `found 1.5`},
		{"request with a text for an attempt", `{"v":1,"kind":"request","id":"a/tool/b","attempt":"2"}`, `found "2"`},
		{"request with countless attempts", `{"v":1,"kind":"request","id":"a/tool/b","attempt":1e400}`, `found 1e400`},
		{"resolved without id", `{"v":1,"kind":"resolved","type":"tool","data":{}}`,
			`a resolved record has an "id" of type string`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, rec, _, err := record.Decode(tt.line)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, %v; want an error with %q", rec, err, tt.want)
			}
		})
	}
}

func TestDecodeForeign(t *testing.T) {
	// A kind that this version does not know is passed through, newer or not.
	for _, line := range []string{`{"v":1,"kind":"future"}`, `{"v":9,"kind":"future","x":1}`} {
		h, rec, v, err := record.Decode(line)
		if err != nil || rec != nil || h.Kind != "future" || ordjson.Text(v) != line {
			t.Errorf("%s: %+v, %v, %v", line, h, rec, err)
		}
	}
	// Unknown fields are ignored, missing ones are zero but for those without
	// which a record says nothing.
	_, rec, _, err := record.Decode(`{"new":[1],"kind":"scan","v":1,"path":"p","type":"other"}`)
	if want := (&record.Scan{Path: "p", Type: "other"}); err != nil || !reflect.DeepEqual(rec, want) {
		t.Errorf("%#v, %v", rec, err)
	}
}

func TestStringsOf(t *testing.T) {
	if got := record.StringsOf(parse(t, `["a",1,null,"b",["c"]]`)); !reflect.DeepEqual(got, []string{"a", "b"}) {
		t.Errorf("%q", got)
	}
	if got := record.StringsOf(ordjson.NewString("a")); got != nil {
		t.Errorf("of no array: %q", got)
	}
}

func FuzzDecode(f *testing.F) {
	for _, rec := range samples(f) {
		f.Add(string(rec.AppendJSON(nil)))
	}
	f.Fuzz(func(t *testing.T, line string) {
		h, rec, _, err := record.Decode(line)
		if err != nil || rec == nil {
			return
		}
		// What is written again is read as the same.
		again := string(rec.AppendJSON(nil))
		h2, rec2, _, err := record.Decode(again)
		if err != nil || h2.Kind != h.Kind {
			t.Fatalf("%s is written as %s: %v", line, again, err)
		}
		if third := string(rec2.AppendJSON(nil)); third != again {
			t.Fatalf("%s\n%s", again, third)
		}
	})
}

// The hash of the exported object is made where it is written, or asked for.
func TestHashMain(t *testing.T) {
	load := &record.Load{ID: "i", Type: "schema", Data: ordjson.NewNull()}
	want := record.Hash([]byte("null"))
	if got := string(load.AppendJSON(nil)); !strings.Contains(got, `"mainHash":"`+want+`"`) {
		t.Errorf("written %s, want the hash %s", got, want)
	}
	if load.HashMain(); load.Hashes.Main != want {
		t.Errorf("hashed %s, want %s", load.Hashes.Main, want)
	}
}
