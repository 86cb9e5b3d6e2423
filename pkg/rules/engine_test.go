package rules_test

import (
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	fixtures "github.com/flowmcp/fmcp/testdata/rules"
)

// load makes a record of a main written as JSON.
func load(t testing.TB, main string) *record.Load {
	t.Helper()
	v, err := ordjson.Parse(main)
	if err != nil {
		t.Fatalf("%v in %s", err, main)
	}
	return &record.Load{Type: record.TypeSchema, ID: "demo/test", Src: record.Source{Path: "providers/demo/test.mjs"},
		Data: v, Exports: []string{"main"}}
}

// tool42 is a tool without findings.
const meta = `"meta":{"isReadOnly":true,"isConcurrencySafe":true,"isDestructive":false,"searchHint":"x","aliases":[],` +
	`"alwaysLoad":false}`
const output = `"output":{"mimeType":"application/json","schema":{"type":"object"}}`

func toolOf(path string, params ...string) string {
	return `{"method":"GET","path":"` + path + `","description":"d","parameters":[` + strings.Join(params, ",") + `],` +
		output + `,` + meta + `}`
}

func paramOf(key, value, location, z string) string {
	return `{"position":{"key":"` + key + `","value":"` + value + `","location":"` + location + `"},"z":` + z + `}`
}

const text = `{"primitive":"string()","options":[]}`

// mainOf is a main with the given fields beside the required ones.
func mainOf(version, tools string, more ...string) string {
	head := `{"namespace":"demo","name":"Demo","description":"d","version":"` + version +
		`","root":"https://api.example.com",`
	if version[0] == '4' {
		head += `"schemaVersion":"1.0.0","schemaHash":"01234567",`
	}
	return head + strings.Join(append(more, tools), ",") + `}`
}

// found renders findings as "CODE severity pointer". The tools of this file
// have no tests, and what is said about that is left out.
func found(list []rules.Finding) string {
	var lines []string
	for _, f := range list {
		if f.Rule.Code == "TST001" {
			continue
		}
		lines = append(lines, f.Rule.Code+" "+f.Severity.String()+" "+f.Pointer)
	}
	return strings.Join(lines, "\n")
}

func TestCheck(t *testing.T) {
	p := func(location string) string { return paramOf("id", "{{USER_PARAM}}", location, text) }
	community, spec30, spec20 := &rules.Context{Profile: rules.ProfileCommunity}, &rules.Context{Spec: rules.Spec30},
		&rules.Context{Spec: rules.Spec20}
	route20 := `"method":"GET","path":"/","description":"d","parameters":[]`
	routes20 := `"routes":{"a":{` + route20 + `,"tests":[{"_description":"d"}]}}`
	for _, c := range []struct {
		name string
		main string
		ctx  *rules.Context
		want string
	}{
		{"clean", mainOf("4.0.0", `"tools":{"a":`+toolOf("/x/{{id}}", p("insert"))+`}`), nil, ""},
		{"one cause, one finding: no tools", mainOf("4.0.0", `"tools":null`), nil, "VAL016 error /tools"},
		{"one cause, one finding: tool is text", mainOf("4.0.0", `"tools":{"a":"x"}`), nil, "VAL016 error /tools/a"},
		{"one cause, one finding: parameter is text", mainOf("4.0.0", `"tools":{"a":`+toolOf("/", `"x"`)+`}`), nil,
			"VAL040 error /tools/a/parameters/0"},
		{"one cause, one finding: version 2", mainOf("2.0.0", routes20), nil, "VAL014 error /version"},
		{"version 1", `{"namespace":"demo","name":"D","description":"d","flowMCP":"1.2.0","root":"https://a.b",` +
			routes20 + `}`, nil, "VAL014 error /flowMCP"},
		{"version 3 under 4.2", mainOf("3.0.0", `"tools":{"a":`+toolOf("/")+`}`), nil,
			"CMP005 warning /schemaVersion\nCMP006 warning /schemaHash\nVAL014 warning /version"},
		{"skills of version 3", mainOf("3.0.0", `"tools":{"a":`+toolOf("/")+`},"skills":{}`), community,
			"CMP005 warning /schemaVersion\nCMP006 warning /schemaHash\nVAL014 warning /version\n" +
				"VAL016 warning /skills"},
		{"skills alone", mainOf("3.0.0", `"tools":{},"skills":{"a":{"file":"a.mjs"}}`), spec30, ""},
		{"resources alone", mainOf("4.0.0",
			`"resources":{"db":{"source":"markdown","origin":"inline","name":"a.md","description":"d"}}`), nil, ""},
		{"root of resources", strings.Replace(mainOf("4.0.0",
			`"tools":{},"resources":{"db":{"source":"markdown","origin":"inline","name":"a.md","description":"d"}}`),
			"https://api.example.com", "local://db", 1), nil, "VAL015 error /root"},
		{"root of resources, community",
			strings.Replace(mainOf("4.0.0",
				`"tools":{},"resources":{"db":{"source":"markdown","origin":"inline","name":"a.md",`+
					`"description":"d"}}`), "https://api.example.com", "local://db", 1), community,
			"VAL015 warning /root"},
		{"root over http, community", strings.Replace(mainOf("4.0.0", `"tools":{"a":`+toolOf("/")+`}`), "https:",
			"http:", 1), community, "VAL015 error /root"},
		{"spec 3.0", mainOf("3.0.0", `"tools":{"a":{"method":"GET","path":"/","description":"d","parameters":[],`+
			output+`}}`), spec30, ""},
		{"spec 3.0 of version 4", mainOf("4.0.0", `"tools":{"a":`+toolOf("/")+`}`), spec30, "VAL014 error /version"},
		{"spec 2.0", mainOf("2.0.0", routes20), spec20, ""},
		{"spec 2.0 namespace", strings.Replace(mainOf("2.0.0", routes20), `"demo"`, `"de-mo"`, 1), spec20,
			"VAL011 error /namespace"},
		{"spec 2.0 resources", mainOf("2.0.0", routes20, `"resources":{}`), spec20, "VAL003 error /resources"},
		{"spec 2.0 meta", mainOf("2.0.0", `"routes":{"a":{`+route20+`,"tests":[{"_description":"d"}],"meta":{}}}`),
			spec20, "VAL003 error /routes/a/meta"},
		{"spec 2.0 key of a test", mainOf("2.0.0", `"routes":{"a":{`+route20+`,"tests":[{"_description":"d","x":1}]}}`),
			spec20, "TST006 error /routes/a/tests/0/x"},
		{"spec 2.0 tools", mainOf("2.0.0", `"tools":{"a":`+toolOf("/")+`}`), spec20, "VAL016 error /tools"},
		{"undeclared key once", mainOf("4.0.0",
			`"tools":{"a":`+toolOf("/", paramOf("k", "x {{KEY}}", "query", text))+`,"b":`+toolOf("/{{KEY}}")+`}`), nil,
			"CMP002 error /tools/a/parameters/0/position/value"},
		{"undeclared key for the caller's value, each",
			mainOf("4.0.0", `"tools":{"a":`+
				toolOf("/", paramOf("k", "{{CITY}}", "query", text), paramOf("l", "{{CITY}}", "query", text))+`}`), nil,
			"CMP002 error /tools/a/parameters/0/position/value\nCMP002 error /tools/a/parameters/1/position/value"},
		{"undeclared key, community", mainOf("4.0.0", `"tools":{"a":`+toolOf("/{{SERVER_PARAM:KEY}}")+`}`), community,
			"CMP002 warning /tools/a/path"},
		{"upper-case insert key is not a server parameter",
			mainOf("4.0.0", `"tools":{"a":`+toolOf("/{{ID}}", paramOf("ID", "{{USER_PARAM}}", "insert", text))+`}`),
			nil, "VAL051 info /tools/a/parameters/0/position/key"},
		{"bare keys in root and headers",
			strings.Replace(mainOf("4.0.0", `"tools":{"a":`+toolOf("/")+`}`, `"requiredServerParams":["KEY"]`,
				`"headers":{"X":"Bearer {{KEY}}"}`), "https://api", "https://{{KEY}}", 1), nil,
			"CMP001 warning /root\nCMP001 warning /headers/X"},
		{"colon in a path that is not a key", mainOf("4.0.0", `"tools":{"a":`+toolOf("/claims:search")+`}`), nil, ""},
		{"legacy braces", mainOf("4.0.0", `"tools":{"a":`+toolOf("/{id}", p("insert"))+`}`), community,
			"CMP003 warning /tools/a/path"},
		{"snake_case, community", mainOf("4.0.0", `"tools":{"a_b":`+toolOf("/")+`}`), community,
			"VAL030 warning /tools/a_b"},
		{"no name at all, community", mainOf("4.0.0", `"tools":{"/a":`+toolOf("/")+`}`), community,
			"VAL030 warning /tools/~1a"},
		{"empty option place", mainOf("4.0.0",
			`"tools":{"a":`+toolOf("/", paramOf("id", "{{USER_PARAM}}", "query",
				`{"primitive":"string()","options":[null,"mix(3)"]}`))+`}`), nil,
			"VAL045 error /tools/a/parameters/0/z/options/0\nVAL045 error /tools/a/parameters/0/z/options/1"},
		{"fixed enum", mainOf("4.0.0",
			`"tools":{"a":`+toolOf("/", paramOf("id", "c", "query", `{"primitive":"enum(a,b)","options":[]}`))+`}`),
			nil, "VAL042 error /tools/a/parameters/0/position/value"},
		{"list placeholder of a prompt",
			mainOf("4.0.0", `"tools":{"a":`+toolOf("/", paramOf("id", "{{tool:x}}", "query", text))+`}`), nil,
			"PH004 error /tools/a/parameters/0/position/value"},
		{"filters", mainOf("4.0.0", `"tools":{"a":`+toolOf("/")+`}`,
			`"sharedLists":[{"ref":"a","version":"1.0.0","filter":"x"},{"ref":"b","version":"1.0.0",`+
				`"filter":{"key":"f","exist":true}},{"ref":"c","version":"1.0.0","filter":{"key":"f","exists":true,`+
				`"value":1}},{"ref":"d","version":"1.0.0","filter":{"key":"f","exists":false}},{"ref":"e",`+
				`"version":"1.0.0","filter":{"key":"f","in":"x"}}]`, `"prompts":{}`), nil,
			"VAL074 error /sharedLists/0/filter\nVAL074 error /sharedLists/1/filter/exist\n" +
				"VAL074 error /sharedLists/2/filter\nVAL074 error /sharedLists/3/filter/exists\n" +
				"VAL074 error /sharedLists/4/filter/in\nVAL075 warning /sharedLists/0/ref\n" +
				"VAL075 warning /sharedLists/1/ref\nVAL075 warning /sharedLists/2/ref\n" +
				"VAL075 warning /sharedLists/3/ref\nVAL075 warning /sharedLists/4/ref"},
		{"output keywords", mainOf("4.0.0",
			`"tools":{"a":`+strings.Replace(toolOf("/"), `{"type":"object"}`,
				`{"type":"object","properties":{"a":"string","b":{"type":["string","null"]},"c":{"type":"strnig"},`+
					`"d":{"type":"array","items":[]},"e":{"type":"string","nullabel":true,"enum":"x"}}}`, 1)+`}`), nil,
			"VAL061 error /tools/a/output/schema/properties/a\n" +
				"VAL061 error /tools/a/output/schema/properties/b/type\n" +
				"VAL061 error /tools/a/output/schema/properties/c/type\n" +
				"VAL061 error /tools/a/output/schema/properties/d/items\n" +
				"VAL061 error /tools/a/output/schema/properties/e/nullabel\n" +
				"VAL061 error /tools/a/output/schema/properties/e/enum"},
		{"stray placeholders", strings.Replace(mainOf("4.0.0", `"tools":{"a":`+toolOf("/")+`}`,
			`"headers":{"X":"{{token}}"}`), "https://api", "https://{{sub}}", 1), nil,
			"VAL015 error /root\nVAL023 error /headers/X"},
		{"empty output", mainOf("4.0.0", `"tools":{"a":`+strings.Replace(toolOf("/"), output, `"output":{}`, 1)+`}`),
			nil, "VAL060 error /tools/a/output"},
		{"meta on main", mainOf("4.0.0", `"tools":{"a":`+strings.Replace(toolOf("/"), ","+meta, "", 1)+`}`, meta), nil,
			"VAL100 error /tools/a/meta"},
		{"lists unknown", mainOf("4.0.0",
			`"tools":{"a":`+toolOf("/", paramOf("id", "{{USER_PARAM}}", "query",
				`{"primitive":"enum({{l:f}})","options":[]}`))+`}`, `"sharedLists":[{"ref":"l","version":"1.0.0"}]`),
			nil, ""},
	} {
		ctx := c.ctx
		if ctx == nil {
			ctx = &rules.Context{}
		}
		if got := found(rules.Check(load(t, c.main), ctx)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestHandlersLoosenInsertUnderCommunity(t *testing.T) {
	main := mainOf("4.0.0", `"tools":{"a":`+toolOf("/", paramOf("chain", "{{USER_PARAM}}", "insert", text))+`}`)
	for _, c := range []struct {
		name     string
		handlers []record.Handler
		profile  rules.Profile
		want     string
	}{
		{"none", nil, rules.ProfileCommunity, "VAL050 error"},
		{"executeRequest", []record.Handler{{Name: "a", Stages: []string{"executeRequest"}}}, rules.ProfileCommunity,
			"VAL050 warning"},
		{"executeRequest, spec", []record.Handler{{Name: "a", Stages: []string{"executeRequest"}}}, rules.ProfileSpec,
			"VAL050 error"},
		{"postRequest", []record.Handler{{Name: "a", Stages: []string{"postRequest"}}}, rules.ProfileCommunity,
			"VAL050 error"},
		{"stages unread", []record.Handler{{Name: "a"}}, rules.ProfileCommunity, "VAL050 warning"},
		{"names unread", []record.Handler{{Name: record.UnknownHandlers}}, rules.ProfileCommunity, "VAL050 warning"},
	} {
		l := load(t, main)
		if l.Handlers = c.handlers; c.handlers != nil {
			l.Exports = append(l.Exports, "handlers")
		}
		want := c.want + " /tools/a/parameters/0/position/key"
		if got := found(rules.Check(l, &rules.Context{Profile: c.profile})); got != want {
			t.Errorf("%s: got %s, want %s", c.name, got, want)
		}
	}
}

func TestHandlerNames(t *testing.T) {
	l := load(t, mainOf("4.0.0", `"tools":{"a":`+toolOf("/")+`},"resources":{"db":{"queries":{"byId":{}}}}`))
	l.Exports = []string{"main", "handlers"}
	l.Handlers = []record.Handler{{Name: "a", Stages: []string{"preReqest"}}, {Name: "db/byId"}, {Name: "db/byIt"},
		{Name: "b"}, {Name: record.UnknownHandlers}}
	var messages []string
	for _, f := range rules.Check(l, &rules.Context{}) {
		if f.Rule.Code == "VAL005" {
			messages = append(messages, f.Rule.Code+" "+f.Message+" | "+f.Fix)
		}
	}
	want := []string{
		`VAL005 handlers: found "a" with a stage "preReqest", expected one of preRequest, executeRequest, ` +
			`postRequest | did you mean "preRequest"?`,
		`VAL005 handlers: found "db/byIt", which is not the name of a tool or resource of this schema: it never ` +
			`runs, and callers get the answer without it | did you mean "db/byId"?`,
		`VAL005 handlers: found "b", which is not the name of a tool or resource of this schema: it never runs, ` +
			`and callers get the answer without it | remove it, or rename it to one of a, db, db/byId`,
	}
	if !slices.Equal(messages, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(messages, "\n"), strings.Join(want, "\n"))
	}
}

func TestLibraries(t *testing.T) {
	l := load(t, mainOf("4.0.0", `"tools":{"a":`+toolOf("/")+`}`,
		`"requiredLibraries":["ethers","trading-signals","my-lib"]`))
	const signals, mine = "VAL026 error /requiredLibraries/1", "VAL026 error /requiredLibraries/2"
	for _, c := range []struct {
		ctx  *rules.Context
		want string
	}{
		{&rules.Context{}, signals + "\n" + mine},
		{&rules.Context{Profile: rules.ProfileCommunity}, mine},
		{&rules.Context{Libraries: []string{"my-lib"}}, signals},
		{&rules.Context{Profile: rules.ProfileCommunity, Libraries: []string{"my-lib"}}, ""},
	} {
		if got := found(rules.Check(l, c.ctx)); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.ctx, got, c.want)
		}
	}
}

func TestExportsOfOtherNames(t *testing.T) {
	for _, c := range []struct{ exports, want string }{
		{"", "found no exports, expected a named export main | write export const main = { namespace: …, tools: … }"},
		{"mian handlers", `found the exports mian, handlers, expected a named export main | did you mean "main"? ` +
			`rename the export mian`},
		{"data", "found the exports data, expected a named export main | write export const main = { namespace: …, " +
			"tools: … }"},
	} {
		l := &record.Load{Type: record.TypeSchema, Data: ordjson.NewNull(), Exports: strings.Fields(c.exports)}
		got := rules.Check(l, &rules.Context{})
		if len(got) != 1 || got[0].Rule.Code != "VAL001" || got[0].Message+" | "+got[0].Fix != c.want {
			t.Errorf("%q: got %+v, want VAL001 %s", c.exports, got, c.want)
		}
	}
}

func TestOtherTypesAreNotChecked(t *testing.T) {
	for _, typ := range []record.Type{record.TypeMarkdown, record.TypeDatabase} {
		if got := rules.Check(&record.Load{Type: typ, Data: ordjson.NewNull()}, &rules.Context{}); got != nil {
			t.Errorf("%s: %s", typ, found(got))
		}
	}
}

func TestParseSpec(t *testing.T) {
	for text, want := range map[string]rules.Spec{"": rules.Spec42, "4.2": rules.Spec42, "3.0": rules.Spec30,
		"2.0": rules.Spec20} {
		if got, err := rules.ParseSpec(text); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	if _, err := rules.ParseSpec("4.1"); err == nil || !strings.Contains(err.Error(), "2.0, 3.0, 4.2") {
		t.Errorf("4.1: %v", err)
	}
}

// A context is shared by all workers; the first use of lists builds an index.
func TestCheckConcurrently(t *testing.T) {
	list, err := rules.Fixtures(fixtures.FS, "VAL107")
	if err != nil || len(list) == 0 {
		t.Fatal(err)
	}
	mod, err := module.Read(list[0].Files[0].Source)
	if err != nil {
		t.Fatal(err)
	}
	v, err := mod.Value("main")
	if err != nil {
		t.Fatal(err)
	}
	ctx := &rules.Context{Lists: oneList(t)}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got := rules.Check(&record.Load{Type: record.TypeSchema, Data: v, Exports: mod.Exports}, ctx)
			if !slices.ContainsFunc(got, func(f rules.Finding) bool { return f.Rule.Code == "VAL107" }) {
				t.Errorf("no VAL107 in %s", found(got))
			}
		})
	}
	wg.Wait()
}

// oneList is a catalog of one list.
func oneList(t testing.TB) *sharedlist.Lists {
	t.Helper()
	v, err := ordjson.Parse(`{"meta":{"name":"codes","version":"1.0.0","fields":[{"key":"code","type":"string","description":"d"}]},
		"entries":[{"code":"DE"},{"code":"ES"},{"code":"FR"},{"code":"IT"},{"code":"NL"},{"code":"PT"},{"code":"SE"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	list, _ := sharedlist.NewList(&record.Load{Type: record.TypeList, Src: record.Source{Path: "_lists/codes.mjs"},
		Data: v})
	lists := &sharedlist.Lists{}
	if problem := lists.Add(list); problem != nil {
		t.Fatal(problem)
	}
	return lists
}

// FuzzCheck: whatever the export is, checking it neither panics nor hangs, and
// every finding says where, what and how to fix it.
func FuzzCheck(f *testing.F) {
	entries, err := fs.Glob(fixtures.FS, "*/*.mjs")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range entries {
		source, err := fs.ReadFile(fixtures.FS, name)
		if err != nil {
			f.Fatal(err)
		}
		mod, err := module.Read(string(source))
		if err != nil {
			f.Fatal(err)
		}
		if v, err := mod.Value("main"); err == nil {
			f.Add(ordjson.Text(v))
		}
	}
	f.Add(`{"tools":{"":{"parameters":[{"position":[],"z":{"primitive":"enum({{:}})","options":{}}}],"path":":{{"}},` +
		`"sharedLists":[[],{"filter":7}]}`)
	contexts := []*rules.Context{{}, {Profile: rules.ProfileCommunity, Lists: oneList(f)}, {Spec: rules.Spec30},
		{Spec: rules.Spec20}}
	f.Fuzz(func(t *testing.T, main string) {
		v, err := ordjson.Parse(main)
		if err != nil {
			return
		}
		l := &record.Load{Type: record.TypeSchema, Data: v, Exports: []string{"main"},
			Src: record.Source{Path: "x.mjs"}}
		for _, ctx := range contexts {
			for _, found := range rules.Check(l, ctx) {
				if found.Message == "" || found.Fix == "" || found.Severity == record.SeverityOff {
					t.Errorf("incomplete finding %s: %q, fix %q", found.Rule.Code, found.Message, found.Fix)
				}
			}
		}
	})
}

// BenchmarkCheck measures a schema of about 13 KB in which there is nothing to
// find, the size of the field's.
func BenchmarkCheck(b *testing.B) {
	z := `{"primitive":"string()","options":["min(1)","max(64)","optional()"]}`
	var params []string
	for i := range 5 {
		params = append(params, paramOf("parameter"+string(rune('A'+i)), "{{USER_PARAM}}", "query", z))
	}
	params = append(params, paramOf("id", "{{USER_PARAM}}", "insert",
		`{"primitive":"enum(one,two,three,four,five)","options":[]}`))
	var tools []string
	for i := range 8 {
		tools = append(tools, `"tool`+string(rune('A'+i))+`":`+toolOf("/v1/items/{{id}}/detail", params...))
	}
	main := mainOf("4.0.0", `"tools":{`+strings.Join(tools, ",")+`}`)
	l, ctx := load(b, main), &rules.Context{Lists: oneList(b)}
	if got := found(rules.Check(l, ctx)); got != "" { // but for TST001
		b.Fatal(got)
	}
	b.ReportMetric(float64(len(main)), "json-bytes")
	b.ReportAllocs()
	for b.Loop() {
		rules.Check(l, ctx)
	}
}
