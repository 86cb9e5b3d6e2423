package derive

import (
	"errors"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/record"
)

const twoTools = `export const main = {
    namespace: 'api',
    tools: {
        a: {
            method: 'GET',
            tests: []
        },
        b: {
            method: 'GET',
            output: { mimeType: 'application/json', schema: { type: 'array' } }
        }
    }
}
`

// toolOf is the tool of a name in twoTools, as a catalog has it.
func toolOf(t *testing.T, name string) *exec.Tool {
	t.Helper()
	output := ""
	if name == "b" {
		output = `,"output":{"mimeType":"application/json","schema":{"type":"array"}}`
	}
	rec := catalog.Decode(&record.Resolved{Type: record.TypeTool, ID: "api/tool/" + name,
		Data: parse(t, `{"namespace":"api","name":"`+name+`","method":"GET","src":{"pointer":"/tools/`+name+`"}`+
			output+`}`)})
	one, err := exec.NewTool(rec.(*catalog.Tool))
	if err != nil {
		t.Fatal(err)
	}
	return one
}

func setOf(t *testing.T, names string, responses ...string) *Set {
	t.Helper()
	s := &Set{}
	for _, name := range strings.Fields(names) {
		s.Tool(toolOf(t, name), "api.mjs")
	}
	for _, r := range responses {
		id, data, _ := strings.Cut(r, " ")
		status := !strings.HasPrefix(id, "!")
		s.Add("api/tool/"+strings.TrimPrefix(id, "!"), status, parse(t, data), "")
	}
	return s
}

func files(s *Set, text string, err error) (diff, found string) {
	var lines []string
	for _, f := range s.Files(func(string) (string, error) { return text, err },
		func(path string) string { return path }) {
		diff += f.Diff
		for _, d := range f.Found {
			lines = append(lines, d.Code+" "+d.Severity.String()+" "+d.Loc.Pointer+" "+d.Message)
		}
	}
	return diff, strings.Join(lines, "\n")
}

func TestFiles(t *testing.T) {
	tests := []struct {
		name  string
		set   *Set
		text  string
		err   error
		diff  []string // lines that it has; none at all where empty
		found string
	}{
		{"both", setOf(t, "a b a", `a {"x":1}`, `b [{"y":null}]`, `b [{"y":1}]`), twoTools, nil,
			[]string{"--- a/api.mjs", "+            tests: [],",
				"+                        x: { type: 'number', description: '' }",
				"+                            y: { type: 'number', description: '', nullable: true }"}, ""},
		{"failures count for nothing", setOf(t, "a b", `!a {"x":1}`, `b []`, `!b {}`), twoTools, nil, nil,
			"EXE063 info /tools/a main.tools.a: no response with status true\n" +
				"EXE065 info /tools/b/output/schema/items main.tools.b.output.schema.items: left out: the arrays"},
		{"another tool", setOf(t, "a", `a {"x":1}`, `b []`), twoTools, nil, []string{"+            output: {"}, ""},
		{"one cannot be described", setOf(t, "a b", `a 5`, `b [1]`), twoTools, nil,
			[]string{"+                    items: { type: 'number' }"},
			"EXE064 error /tools/a/output/schema main.tools.a.output.schema: the responses are of type number"},
		{"one has changed", setOf(t, "a b", `a {}`, `b [1]`),
			strings.Replace(twoTools, "type: 'array'", "type: 'object'", 1), nil,
			[]string{"+                schema: { type: 'object' }"},
			"EXE065 info /tools/a/output/schema/properties main.tools.a.output.schema.properties: left out: the " +
				"objects in the responses are all empty\nEXE064 error /tools/b main.tools.b: the source cannot be " +
				"patched: it is not the one that the catalog was made of"},
		{"one is gone", setOf(t, "a b", `a {}`, `b [1]`), strings.Replace(twoTools, "a: {", "c: {", 1), nil,
			[]string{"+                    items: { type: 'number' }"},
			"EXE064 error /tools/a main.tools.a: the source cannot be patched: it is not the one"},
		{"made by code", setOf(t, "a b", `a {}`, `b [1]`), "export const main = make()", nil, nil,
			"EXE064 error /tools/a main.tools.a: the source cannot be patched: line 1, column 21: main is made by " +
				"code: the name `make` is not literal data; write it out, or make the change by hand\n" +
				"EXE064 error /tools/b"},
		{"unreadable", setOf(t, "a", `a {}`), "", errors.New("api.mjs: no such file"), nil,
			"EXE064 error /tools/a main.tools.a: the source cannot be patched: api.mjs: no such file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			diff, found := files(tt.set, tt.text, tt.err)
			for _, line := range tt.diff {
				if !strings.Contains(diff, line+"\n") {
					t.Errorf("the diff has no line %q:\n%s", line, diff)
				}
			}
			if tt.diff == nil && diff != "" {
				t.Errorf("diff:\n%s", diff)
			}
			if len(strings.Split(found, "\n")) != len(strings.Split(tt.found, "\n")) || tt.found == "" && found != "" {
				t.Errorf("found\n%s\nwant\n%s", found, tt.found)
			}
			for i, want := range strings.Split(tt.found, "\n") {
				if got := strings.Split(found, "\n"); i < len(got) && !strings.HasPrefix(got[i], want) {
					t.Errorf("found %s\nwant %s", got[i], want)
				}
			}
		})
	}
}

// The queries of a resource are patched as tools are.
func TestQueries(t *testing.T) {
	const src = "export const main = {\n    namespace: 'api',\n    resources: {\n        r: {\n" +
		"            source: 'sqlite', origin: 'inline', name: 'r.db',\n            queries: {\n" +
		"                q: {\n                    sql: 'SELECT a FROM t'\n                }\n            }\n" +
		"        }\n    }\n}\n"
	rec := catalog.Decode(&record.Resolved{Type: record.TypeResource, ID: "api/resource/r",
		Data: parse(t, `{"name":"r","source":"sqlite","queries":[{"name":"q","sql":"SELECT a FROM t"},`+
			`{"name":"added","sql":"SELECT 1","added":true}],"src":{"path":"r.mjs","pointer":"/resources/r"}}`)})
	list, err := exec.NewQueries(rec.(*catalog.Resource), ".")
	if err != nil {
		t.Fatal(err)
	}
	s := &Set{}
	for _, q := range list {
		s.Tool(q, "r.mjs")
		s.Add(q.ID, true, parse(t, `[{"a":1}]`), "")
	}
	diff, found := files(s, src, nil)
	for _, line := range []string{"+                    output: {",
		"+                                    a: { type: 'number', description: '' }"} {
		if !strings.Contains(diff, line+"\n") {
			t.Errorf("no line %q in\n%s", line, diff)
		}
	}
	if found != "" || s.Responses() != 1 {
		t.Errorf("%d responses, found %s", s.Responses(), found)
	}
}

func TestFilesThatNoPatchCanName(t *testing.T) {
	s := setOf(t, "a", `a {}`)
	got := s.Files(func(string) (string, error) { return twoTools, nil }, func(string) string { return "../api.mjs" })
	if len(got) != 1 || got[0].Diff != "" || len(got[0].Found) != 2 || got[0].Found[1].Code != CodeNotDerived {
		t.Errorf("%+v", got)
	}
	if s.Responses() != 1 {
		t.Errorf("%d responses", s.Responses())
	}
}

// What a finding is about is shown where the source has it.
func TestFindingsHavePlaces(t *testing.T) {
	s := setOf(t, "b", `b [[[[[1]]]]]`)
	found := s.Files(func(string) (string, error) { return twoTools, nil },
		func(path string) string { return path })[0].Found
	if len(found) != 1 || found[0].Loc.Line != 10 || found[0].Loc.Col != 53 || found[0].Loc.Path != "api.mjs" ||
		found[0].Loc.Pointer != "/tools/b/output/schema/items/items/items/items" || found[0].Subject != "api/tool/b" {
		t.Errorf("%+v", *found[0])
	}
}
