package resolve

import (
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
)

// param is a parameter's JSON.
func param(key, value, location, primitive string, options ...string) string {
	return string(ordjson.Append(nil, ordjson.NewObject(
		ordjson.Field("position", ordjson.NewObject(
			ordjson.Field("key", ordjson.NewString(key)), ordjson.Field("value", ordjson.NewString(value)),
			ordjson.Field("location", ordjson.NewString(location)))),
		ordjson.Field("z", ordjson.NewObject(ordjson.Field("primitive", ordjson.NewString(primitive)),
			ordjson.Field("options", ordjson.Strings(options)))),
	)))
}

// aTool is a tool's JSON.
func aTool(method, path string, params ...string) string {
	return `{"method":"` + method + `","path":"` + path + `","description":"d","parameters":[` +
		strings.Join(params, ",") + `]}`
}

// aSchema is a main with one tool "x".
func aSchema(namespace, rest, tool string) string {
	return `{"namespace":"` + namespace + `","root":"https://api.example.com"` + rest + `,"tools":{"x":` + tool + `}}`
}

// resolveAll runs a Resolver over records of the stream.
func resolveAll(t *testing.T, opts Options, in ...record.Record) ([]*record.Resolved, []*record.Diagnostic) {
	t.Helper()
	r, err := NewResolver(opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range in {
		switch rec := rec.(type) {
		case *record.Load:
			r.Add(rec, nil)
		case *record.Diagnostic:
			r.AddDiagnostic(rec, "")
		case *record.Error:
			r.AddError(rec)
		}
	}
	resolved, diags := r.Resolve()
	var recs []*record.Resolved
	for _, line := range resolved {
		_, rec, _, err := record.Decode(string(line))
		if err != nil {
			t.Fatal(err)
		}
		recs = append(recs, rec.(*record.Resolved))
	}
	for _, rec := range recs {
		if err := recordtest.Check(rec.AppendJSON(nil)); err != nil {
			t.Error(err)
		}
	}
	for _, d := range diags {
		if err := recordtest.Check(d.AppendJSON(nil)); err != nil {
			t.Error(err)
		}
	}
	if err := errors.Join(r.Err(), r.Close()); err != nil {
		t.Error(err)
	}
	return recs, diags
}

// outline prints records and findings in short: "tool a/tool/x", "LOD031 error
// cat/providers/a/b.mjs /tools/x".
func outline(recs []*record.Resolved, diags []*record.Diagnostic) string {
	var out []string
	for _, r := range recs {
		line := string(r.Type) + " " + r.ID
		if r.Type == record.TypeCatalog {
			line += " " + ordjson.Text(r.Data.Get("counts"))
		}
		out = append(out, line)
	}
	for _, d := range diags {
		out = append(out, d.Code+" "+d.Severity.String()+" "+d.Loc.Path+" "+d.Loc.Pointer)
	}
	return strings.Join(out, "\n")
}

func TestResolveWholeTool(t *testing.T) {
	main := `{"namespace":"coingecko","root":"https://{{HOST_KEY}}.example.com","tags":["prices"],
		"requiredServerParams":["GECKO_KEY"],"headers":{"Accept":"text/plain","X-Key":"{{GECKO_KEY}}","X-Version":2},
		"sharedLists":[{"ref":"chains","version":"1.0.0","filter":{"key":"test","value":false}}],
		"tools":{"getPrice":{"method":"POST","path":"/v3/{{chain}}/{{PATH_KEY}}","description":"Price","headers":{"accept":"application/json"},
		"parameters":[` + strings.Join([]string{
		param("chain", "{{USER_PARAM}}", "insert", "enum(any,{{chains:alias}})"),
		param("limit", "{{USER_PARAM}}", "query", "number()", "min(1)", "default(10)"),
		param("key", "{{SERVER_PARAM:OTHER_KEY}}", "query", "string()"),
		`{"position":{"key":"page","value":1,"location":"query"},"z":{"primitive":"number()","options":[]}}`,
		param("chain", "{{USER_PARAM}}", "query", "enum(any,{{chains:alias}})"),
	}, ",") + `],"meta":{"isReadOnly":true},"output":{"mimeType":"application/json"},"preload":{"enabled":true},` +
		`"tests":[{"chain":"any"}]}}}`
	load := schemaLoad("providers/coingecko/price.mjs", main)
	load.Handlers = []record.Handler{{Name: "getPrice", Stages: []string{"postRequest"}}}
	recs, diags := resolveAll(t, Options{}, load, listLoad("_lists/chains.mjs", chainsList))
	if len(recs) != 3 || len(diags) != 0 {
		t.Fatalf("got\n%s", outline(recs, diags))
	}
	want := `{"v":1,"kind":"resolved","id":"coingecko/tool/getPrice","type":"tool",` +
		`"data":{"schema":"coingecko/price","namespace":"coingecko","name":"getPrice",` +
		`"wireName":"get_price_coingecko","description":"Price","method":"POST",` +
		`"root":"https://{{HOST_KEY}}.example.com","path":"/v3/{{chain}}/{{PATH_KEY}}",` +
		`"headers":{"accept":"application/json","X-Key":"{{GECKO_KEY}}","X-Version":"2"},"parameters":[` +
		`{"key":"chain","location":"insert","source":"user","value":"{{USER_PARAM}}","primitive":"enum(any,ethereum,` +
		`polygon,base)","options":[]},` +
		`{"key":"limit","location":"query","source":"user","value":"{{USER_PARAM}}","primitive":"number()",` +
		`"options":["min(1)","default(10)"]},` +
		`{"key":"key","location":"query","source":"server","value":"{{SERVER_PARAM:OTHER_KEY}}",` +
		`"primitive":"string()","options":[]},` +
		`{"key":"page","location":"query","source":"fixed","value":"1","primitive":"number()","options":[]},` +
		`{"key":"chain","location":"query","source":"user","value":"{{USER_PARAM}}","primitive":"enum(any,ethereum,` +
		`polygon,base)","options":[]}],` +
		`"serverParams":["GECKO_KEY","HOST_KEY","PATH_KEY","OTHER_KEY"],"inputSchema":{"type":"object","properties":{` +
		`"chain":{"type":"string","enum":["any","ethereum","polygon","base"],"examples":["any"]},` +
		`"limit":{"type":"number","minimum":1,"default":10}},"required":["chain"]},` +
		`"output":{"mimeType":"application/json"},"meta":{"isReadOnly":true},"preload":{"enabled":true},` +
		`"tests":[{"chain":"any"}],"handlers":["postRequest"],` +
		`"tags":["prices"],"sharedLists":["chains"],"src":{"path":"providers/coingecko/price.mjs",` +
		`"pointer":"/tools/getPrice"},` +
		`"hashes":{"schemaHash":"01234567","mainHash":"` + hash + `","fileHash":"` + hash + `"}}}`
	if got := string(recs[2].AppendJSON(nil)); got != want {
		t.Errorf("tool\n%s\nwant\n%s", got, want)
	}
	wantList := `{"name":"chains","version":"1.2.0","description":"Chains","fields":` +
		ordjson.Text(parse(chainsList).Get("meta").Get("fields")) +
		`,"entries":` + ordjson.Text(parse(chainsList).Get("entries")) +
		`,"src":{"path":"_lists/chains.mjs","pointer":""},"hashes":{"schemaHash":"","mainHash":"","fileHash":"` +
		hash + `"}}`
	if got := ordjson.Text(recs[1].Data); got != wantList || recs[1].ID != "shared/list/chains" {
		t.Errorf("list %s\n%s\nwant\n%s", recs[1].ID, got, wantList)
	}
	if got := ordjson.Text(recs[0].Data); got != `{"name":"cat","counts":{"schemas":1,"tools":1,"resources":0,`+
		`"lists":1,"leftOut":0},"toolNames":"snake","profile":"spec"}` {
		t.Errorf("catalog %s", got)
	}
}

func TestLeftOut(t *testing.T) {
	good := aTool("GET", "/a")
	user := func(loc, prim string) string { return param("k", "{{USER_PARAM}}", loc, prim) }
	tests := []struct {
		name, main, want string // want: code, pointer, part of the message
	}{
		{"no main", `null`, "VAL002  main: found null, expected an object"},
		{"tools and routes", `{"namespace":"a","root":"r","tools":{},"routes":{}}`,
			"VAL017 /routes found both tools and routes"},
		{"tools is an array", `{"namespace":"a","root":"r","tools":[]}`, "VAL016 /tools array"},
		{"resources is an array", `{"namespace":"a","root":"r","resources":[{"source":"sqlite-gtfs"}]}`,
			"RES041 /resources found an array of 1, expected an object"},
		{"no method", aSchema("a", "", `{"path":"/a","parameters":[]}`),
			"VAL032 /tools/x/method main.tools.x.method: missing"},
		{"method in lower case", aSchema("a", "", aTool("get", "/a")), `VAL032 /tools/x/method found "get"`},
		{"no path", aSchema("a", "", `{"method":"GET","parameters":[]}`), "VAL033 /tools/x/path missing"},
		{"misspelt in path", aSchema("a", "", aTool("GET", "/a/{lat}")),
			`CMP031 /tools/x/path found "{lat}", which looks like a placeholder`},
		{"misspelt value", aSchema("a", "",
			aTool("GET", "/a", `{"position":{"key":"k","location":"query","value":"{{USER_PARAM"},`+
				`"z":{"primitive":"string()"}}`)), `CMP031 /tools/x/parameters/0/position/value found "{{USER_PARAM"`},
		{"misspelt header", aSchema("a", `,"headers":{"Authorization":"Bearer {KEY}"}`, aTool("GET", "/a")),
			`CMP031 /headers/Authorization found "{KEY}"`},
		{"no parameters", aSchema("a", "", `{"method":"GET","path":"/a"}`), "VAL035 /tools/x/parameters missing"},
		{"no root", `{"namespace":"a","tools":{"x":` + good + `}}`, "VAL015 /root main.root: missing"},
		{"open domain", `{"namespace":"a","root":"https://--net--.--tld--","tools":{"x":` + good + `}}`,
			`CMP022 /root --net-- is a part of the registrable domain`},
		{"tool is not an object", aSchema("a", "", `"GET /a"`), `VAL016 /tools/x found "GET /a", expected an object`},
		{"parameter is not an object", aSchema("a", "", aTool("GET", "/a", `7`)),
			"VAL040 /tools/x/parameters/0 found 7, expected an object"},
		{"no value", aSchema("a", "", aTool("GET", "/a", `{"position":{"key":"k","location":"query"},"z":{}}`)),
			"VAL042 /tools/x/parameters/0/position/value missing"},
		{"value is an object", aSchema("a", "",
			aTool("GET", "/a", `{"position":{"key":"k","location":"query","value":{}},"z":{}}`)),
			"VAL042 /tools/x/parameters/0/position/value found an empty object"},
		{"location", aSchema("a", "", aTool("GET", "/a", user("header", "string()"))),
			`VAL043 /tools/x/parameters/0/position/location "header"`},
		{"primitive", aSchema("a", "", aTool("GET", "/a", user("query", "sting()"))),
			`VAL044 /tools/x/parameters/0/z/primitive sting()`},
		{"empty enum", aSchema("a", "", aTool("GET", "/a", user("query", "enum()"))),
			`VAL046 /tools/x/parameters/0/z/primitive (k): enum() has no values`},
		{"path without parameter", aSchema("a", "", aTool("GET", "/a/{{id}}")), "VAL050 /tools/x/path {{id}}"},
		{"parameter without place", aSchema("a", "", aTool("GET", "/a", user("insert", "string()"))),
			"VAL050 /tools/x/parameters/0/position/key has no {{k}}"},
		{"body of a GET", aSchema("a", "", aTool("GET", "/a", user("body", "string()"))),
			"CMP008 /tools/x/parameters/0/position/location a GET tool, which has no body"},
		{"list not there", aSchema("a", `,"sharedLists":[{"ref":"chain","version":"1.0.0"}]`, good),
			`VAL072 /sharedLists/0/ref found "chain", which is not a list of the catalog`},
		{"list of another version", aSchema("a", `,"sharedLists":[{"ref":"chains","version":"9.0.0"}]`, good),
			"VAL073 /sharedLists/0/version the catalog has chains 1.2.0"},
		{"reference without a name", aSchema("a", `,"sharedLists":[{"version":"1.0.0"}]`, good),
			"VAL070 /sharedLists/0/ref missing"},
		{"reference is a text", aSchema("a", `,"sharedLists":["chains"]`, good),
			"VAL024 /sharedLists/0 expected an object"},
		{"reference without a version", aSchema("a", `,"sharedLists":[{"ref":"chains"}]`, good),
			"VAL071 /sharedLists/0/version missing"},
		{"filter without a key", aSchema("a",
			`,"sharedLists":[{"ref":"chains","version":"1.0.0","filter":{"exists":true}}]`, good),
			"VAL074 /sharedLists/0/filter/key missing"},
		{"filter of no field", aSchema("a",
			`,"sharedLists":[{"ref":"chains","version":"1.0.0","filter":{"key":"slgu","exists":true}}]`, good),
			`VAL074 /sharedLists/0/filter/key "slgu"`},
		{"list not declared", aSchema("a", "", aTool("GET", "/a", user("query", "enum({{chains:alias}})"))),
			"VAL048 /tools/x/parameters/0/z/primitive which main.sharedLists does not declare"},
		{"no such field", aSchema("a", `,"sharedLists":[{"ref":"chains","version":"1.0.0"}]`,
			aTool("GET", "/a", user("query", "enum({{chains:nme}})"))),
			`VAL049 /tools/x/parameters/0/z/primitive the field "nme", which the list chains does not have`},
		{"list in string()", aSchema("a", `,"sharedLists":[{"ref":"chains","version":"1.0.0"}]`,
			aTool("GET", "/a", user("query", "string({{chains:alias}})"))),
			"VAL047 /tools/x/parameters/0/z/primitive inside enum() only"},
		{"namespace", aSchema("Coin_Gecko", "", good), "ID002 /tools/x Coin_Gecko"},
		{"tool name", `{"namespace":"a","root":"r","tools":{"/block/:hash":` + good + `}}`,
			"ID004 /tools/~1block~1:hash must match"},
	}
	other := schemaLoad("providers/other/o.mjs", aSchema("other", "", good))
	for _, tt := range tests {
		recs, diags := resolveAll(t, Options{}, listLoad("_lists/chains.mjs", chainsList),
			schemaLoad("providers/a/s.mjs", tt.main), other)
		want := strings.SplitN(tt.want, " ", 3)
		if len(diags) != 1 || diags[0].Code != want[0] || diags[0].Loc.Pointer != want[1] ||
			!strings.Contains(diags[0].Message, want[2]) ||
			diags[0].Severity != record.SeverityError || diags[0].Loc.Path != "cat/providers/a/s.mjs" ||
			diags[0].Fix == "" || diags[0].Subject == "" {
			t.Errorf("%s:\n%s\nwant %s", tt.name, string(appendAll(nil, diags)), tt.want)
		}
		// Everything else is kept.
		if len(recs) != 3 || recs[2].ID != "other/tool/x" || recs[0].Data.Get("counts").Get("leftOut").Float() != 1 {
			t.Errorf("%s: %s", tt.name, outline(recs, nil))
		}
	}
}

func appendAll(b []byte, diags []*record.Diagnostic) []byte {
	for _, d := range diags {
		b = append(d.AppendJSON(b), '\n')
	}
	return b
}

func TestKept(t *testing.T) {
	body := param("k", "{{USER_PARAM}}", "body", "string()")
	insert := param("id", "{{USER_PARAM}}", "insert", "string()")
	withHandlers := schemaLoad("providers/a/s.mjs", aSchema("a", "", aTool("GET", "/a", insert)))
	withHandlers.Handlers = []record.Handler{{Name: "x", Stages: []string{"executeRequest"}}}
	tests := []struct {
		name string
		load *record.Load
		opts Options
		want string // diagnostics
	}{
		{"routes", schemaLoad("providers/a/s.mjs",
			`{"namespace":"a","root":"r","routes":{"x":`+aTool("GET", "/a")+`}}`), Options{}, ""},
		{"namespace of the folder", schemaLoad("providers/a/s.mjs",
			`{"root":"r","tools":{"x":`+aTool("GET", "/a")+`}}`), Options{}, ""},
		{"legacy path placeholders", schemaLoad("providers/a/s.mjs",
			aSchema("a", "", aTool("GET", "/a/:id/b", insert))), Options{}, ""},
		{"server parameter in the path",
			schemaLoad("providers/a/s.mjs", aSchema("a", "", aTool("GET", "/a/{{MY_KEY}}"))), Options{}, ""},
		{"handlers build the URL", withHandlers, Options{}, ""},
		{"body of a GET", schemaLoad("providers/a/s.mjs", aSchema("a", "", aTool("GET", "/a", body))),
			Options{Community: true}, ""},
		{"body of a DELETE", schemaLoad("providers/a/s.mjs", aSchema("a", "", aTool("DELETE", "/a", body))),
			Options{Community: true}, ""},
		{"body of a PUT", schemaLoad("providers/a/s.mjs", aSchema("a", "", aTool("PUT", "/a", body))), Options{}, ""},
		{"key of two types", schemaLoad("providers/a/s.mjs",
			aSchema("a", "", aTool("PUT", "/a", body,
				param("k", "{{USER_PARAM}}", "query", "number()", "optional()")))), Options{},
			`LOD036 warning {"type":"string"}`},
	}
	for _, tt := range tests {
		recs, diags := resolveAll(t, tt.opts, tt.load)
		if len(recs) != 2 || recs[1].ID != "a/tool/x" {
			t.Errorf("%s: %s", tt.name, outline(recs, diags))
		}
		if tt.want == "" {
			if len(diags) > 0 {
				t.Errorf("%s: %s", tt.name, appendAll(nil, diags))
			}
			continue
		}
		want := strings.SplitN(tt.want, " ", 3)
		if len(diags) != 1 || diags[0].Code != want[0] || diags[0].Severity.String() != want[1] ||
			!strings.Contains(diags[0].Message, want[2]) {
			t.Errorf("%s: %s want %s", tt.name, appendAll(nil, diags), tt.want)
		}
	}
	// A key that one of two parameters requires is required.
	twice := schemaLoad("providers/a/s.mjs",
		aSchema("a", "", aTool("PUT", "/a", body, param("k", "{{USER_PARAM}}", "query", "string()", "optional()"))))
	recs, _ := resolveAll(t, Options{}, twice)
	if got := ordjson.Text(recs[1].Data.Get("inputSchema")); got !=
		`{"type":"object","properties":{"k":{"type":"string"}},"required":["k"]}` {
		t.Errorf("key that stands twice: %s", got)
	}
	recs, _ = resolveAll(t, Options{Community: true},
		schemaLoad("providers/a/s.mjs", `{"namespace":"a","root":"r","tools":{"/block/:hash":`+aTool("GET", "/a")+`}}`))
	if len(recs) != 2 || recs[1].Data.Get("wireName").Str() != "_block_hash_a" {
		t.Errorf("path as a name: %s", outline(recs, nil))
	}
}

func TestEarlierFindings(t *testing.T) {
	bad := func(sev record.Severity, path string) *record.Diagnostic {
		return &record.Diagnostic{Code: "VAL013", Severity: sev, Message: "m", Loc: record.Loc{Path: path}}
	}
	a := schemaLoad("providers/a/s.mjs", aSchema("a", "", aTool("GET", "/a")))
	b := schemaLoad("providers/b/s.mjs",
		aSchema("b", `,"sharedLists":[{"ref":"chains","version":"1.0.0"}]`, aTool("GET", "/a")))
	chains := listLoad("_lists/chains.mjs", chainsList)
	tests := []struct {
		name string
		in   []record.Record
		want string
	}{
		{"nothing", nil, "catalog cat {\"schemas\":2,\"tools\":2,\"resources\":0,\"lists\":1,\"leftOut\":0}\n" +
			"list shared/list/chains\ntool a/tool/x\ntool b/tool/x"},
		{"warning", []record.Record{bad(record.SeverityWarning, "cat/providers/a/s.mjs")},
			"catalog cat {\"schemas\":2,\"tools\":2,\"resources\":0,\"lists\":1,\"leftOut\":0}\n" +
				"list shared/list/chains\ntool a/tool/x\ntool b/tool/x"},
		{"error", []record.Record{bad(record.SeverityError, "cat/providers/a/s.mjs")},
			"catalog cat {\"schemas\":1,\"tools\":1,\"resources\":0,\"lists\":1,\"leftOut\":1}\n" +
				"list shared/list/chains\ntool b/tool/x"},
		{"error in a list", []record.Record{bad(record.SeverityError, "cat/_lists/chains.mjs")},
			"catalog cat {\"schemas\":1,\"tools\":1,\"resources\":0,\"lists\":0,\"leftOut\":2}\ntool a/tool/x\n" +
				"VAL072 error cat/providers/b/s.mjs /sharedLists/0/ref"},
		{"file that could not be read",
			[]record.Record{&record.Error{Input: "cat/providers/c/s.mjs"}, &record.Error{Input: "elsewhere/s.mjs"}},
			"catalog cat {\"schemas\":2,\"tools\":2,\"resources\":0,\"lists\":1,\"leftOut\":1}\n" +
				"list shared/list/chains\ntool a/tool/x\ntool b/tool/x"},
	}
	for _, tt := range tests {
		if got := outline(resolveAll(t, Options{}, append(tt.in, a, b, chains)...)); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestHandlerStages(t *testing.T) {
	const all = `["preRequest","executeRequest","postRequest"]`
	tests := []struct {
		handlers []record.Handler
		want     string
	}{
		{nil, `null`},
		{[]record.Handler{{Name: "other", Stages: []string{"preRequest"}}}, `null`},
		{[]record.Handler{{Name: "x", Stages: []string{"postRequest", "preRequest"}}}, `["postRequest","preRequest"]`},
		{[]record.Handler{{Name: "x", Stages: []string{}}}, all},
		{[]record.Handler{{Name: record.UnknownHandlers, Stages: []string{}}}, all},
		{[]record.Handler{{Name: record.UnknownHandlers, Stages: []string{}},
			{Name: "x", Stages: []string{"preRequest"}}}, `["preRequest"]`},
	}
	for _, tt := range tests {
		load := schemaLoad("providers/a/s.mjs", aSchema("a", "", aTool("GET", "/a")))
		load.Handlers = tt.handlers
		recs, _ := resolveAll(t, Options{}, load)
		if got := ordjson.Text(recs[1].Data.Get("handlers")); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.handlers, got, tt.want)
		}
	}
}

func TestHandlersRecord(t *testing.T) {
	schema := func(rest string) *record.Load {
		load := schemaLoad("providers/a/s.mjs", aSchema("a", rest, aTool("GET", "/a")))
		load.Handlers = []record.Handler{{Name: "x", Stages: []string{"postRequest"}}}
		return load
	}
	read := func(text string, same bool) Options {
		return Options{Source: func(*record.Load) (string, bool) { return text, same }}
	}
	tests := []struct {
		name     string
		opts     Options
		load     *record.Load
		handlers []record.Handler
		want     string // types of the records
		code     string
	}{
		{"a tool", read("source", true), schema(""), schema("").Handlers, "catalog handlers tool", ""},
		{"a tool of the field", Options{Source: read("source", true).Source, Community: true}, schema(""),
			schema("").Handlers, "catalog of community handlers of community tool", ""},
		{"a resource", read("source", true),
			schema(`,"resources":{"r":{"source":"sqlite","mode":"in-memory","origin":"global","name":"a.db",` +
				`"queries":{"q":{"sql":"SELECT 1"}}}}`),
			[]record.Handler{{Name: "r/q", Stages: []string{"postRequest"}}}, "catalog handlers tool resource", ""},
		{"of no tool", read("source", true), schema(""), []record.Handler{{Name: "y", Stages: []string{"postRequest"}}},
			"catalog tool", ""},
		{"none", read("", false), schema(""), nil, "catalog tool", ""},
		{"changed", read("other", false), schema(""), schema("").Handlers, "catalog", catalog.CodeChanged},
		{"changed, tool without", read("other", false), schema(""),
			[]record.Handler{{Name: "y", Stages: []string{"postRequest"}}}, "catalog tool", catalog.CodeChanged},
	}
	for _, tt := range tests {
		tt.load.Handlers = tt.handlers
		recs, diags := resolveAll(t, tt.opts, tt.load)
		var types, codes []string
		for _, r := range recs {
			types = append(types, string(r.Type))
			if p := r.Data.Get("profile"); p.Str() == record.ProfileCommunity {
				types = append(types, "of "+p.Str())
			}
		}
		for _, d := range diags {
			codes = append(codes, d.Code)
		}
		if got := strings.Join(types, " "); got != tt.want || strings.Join(codes, " ") != tt.code {
			t.Errorf("%s: %s, %s; want %s, %s", tt.name, got, codes, tt.want, tt.code)
		}
	}
}

func TestDuplicatesNameBothPlaces(t *testing.T) {
	first := schemaLoad("providers/a/one.mjs", aSchema("a", "", aTool("GET", "/1")))
	second := schemaLoad("providers/a/two.mjs", aSchema("a", "", aTool("GET", "/2")))
	snake := schemaLoad("providers/b-c/s.mjs", `{"namespace":"b-c","root":"r","tools":{"getX":`+aTool("GET", "/a")+`}}`)
	snake2 := schemaLoad("providers/c/s.mjs", `{"namespace":"c","root":"r","tools":{"getX-b":`+aTool("GET", "/a")+`}}`)
	listA, listB := listLoad("_lists/a.mjs", chainsList), listLoad("_lists/b.mjs", chainsList)
	tests := []struct {
		name string
		in   []record.Record
		code string
		sev  record.Severity
		n    int // records
	}{
		{"one Spec-ID", []record.Record{first, second}, "LOD031", record.SeverityError, 2},
		{"one wire name", []record.Record{snake, snake2}, "LOD030", record.SeverityWarning, 3},
		{"one list name", []record.Record{listA, listB}, "LST002", record.SeverityError, 2},
	}
	for _, tt := range tests {
		recs, diags := resolveAll(t, Options{}, tt.in...)
		if len(recs) != tt.n || len(diags) != 1 || diags[0].Code != tt.code || diags[0].Severity != tt.sev {
			t.Errorf("%s:\n%s", tt.name, outline(recs, diags))
			continue
		}
		for _, rec := range tt.in {
			if file := rec.(*record.Load).Src.File(); !strings.Contains(diags[0].Message, file) {
				t.Errorf("%s: message does not name %s: %s", tt.name, file, diags[0].Message)
			}
		}
		if diags[0].Loc.Path != tt.in[1].(*record.Load).Src.File() {
			t.Errorf("%s: points at %s", tt.name, diags[0].Loc.Path)
		}
	}
	recs, _ := resolveAll(t, Options{}, first, second)
	if recs[1].Data.Get("path").Str() != "/1" {
		t.Error("of two tools with one Spec-ID the first must be kept")
	}
}

func TestWireNamesOfShuffledCatalog(t *testing.T) {
	var loads []record.Record
	for i := range 40 {
		ns := "n" + strings.Repeat("-x", i%4)
		loads = append(loads, schemaLoad(fmt.Sprintf("providers/%s/s%d.mjs", ns, i), fmt.Sprintf(
			`{"namespace":"%s","root":"r","tools":{"get%d":%s,"x-get%d":%s}}`, ns, i/4, aTool("GET", "/a"), i/4,
			aTool("GET", "/a"))))
	}
	names := func() map[string]string {
		recs, _ := resolveAll(t, Options{}, loads...)
		m := map[string]string{}
		for _, r := range recs[1:] {
			m[r.ID] = r.Data.Get("wireName").Str()
		}
		return m
	}
	want := names()
	var all []string
	for _, n := range want {
		all = append(all, n)
	}
	if slices.Sort(all); len(slices.Compact(all)) != len(want) || len(want) != 80 {
		t.Fatalf("%d distinct names of %d tools", len(slices.Compact(all)), len(want))
	}
	rnd := rand.New(rand.NewSource(7))
	for range 10 {
		rnd.Shuffle(len(loads), func(i, j int) { loads[i], loads[j] = loads[j], loads[i] })
		for id, n := range names() {
			if want[id] != n {
				t.Fatalf("%s is %q and %q", id, want[id], n)
			}
		}
	}
}

func TestResolverOptions(t *testing.T) {
	if _, err := NewResolver(Options{ToolNames: "camel"}); err == nil ||
		!strings.Contains(err.Error(), `"snake" or "spec"`) {
		t.Errorf("unknown style: %v", err)
	}
	for _, n := range []int{-1, 8, 15, 64} {
		if _, err := NewResolver(Options{MaxName: n}); err == nil || !strings.Contains(err.Error(), "expected 16") {
			t.Errorf("names of %d bytes: %v", n, err)
		}
	}
	recs, diags := resolveAll(t, Options{ToolNames: SpecNames},
		schemaLoad("providers/a-b/s.mjs", aSchema("a-b", "", aTool("GET", "/1"))))
	if recs[1].Data.Get("wireName").Str() != "x_a-b" || recs[0].Data.Get("toolNames").Str() != "spec" {
		t.Errorf("spec names: %s", outline(recs, diags))
	}
	if recs, diags := resolveAll(t, Options{}); len(recs)+len(diags) != 0 {
		t.Errorf("of nothing came %s", outline(recs, diags))
	}
}

// A tool whose name is empty takes no other with it.
func TestLeftOutWithoutName(t *testing.T) {
	load := schemaLoad("providers/a/s.mjs", `{"namespace":"a","root":"https://a.example","tools":{"":{},"x":`+
		aTool("GET", "/a")+`}}`)
	recs, diags := resolveAll(t, Options{}, load)
	if len(recs) != 2 || recs[1].ID != "a/tool/x" || len(diags) == 0 {
		t.Error(outline(recs, diags))
	}
}
