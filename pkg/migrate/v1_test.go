package migrate

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// version1 is a schema of version 1 with some lines in its route and behind its routes.
func version1(route, more string) string {
	return "const schema = {\n    name: 'Ships',\n    flowMCP: '1.2.0',\n    routes: {\n        listShips: {\n" +
		route + "        }\n    }" + more + "\n}\n\nexport { schema }\n"
}

// steps makes the edits of all steps of version 1, and then those that make main of schema.
func steps(t *testing.T, text string, lists map[string]ordjson.Value, made string) string {
	t.Helper()
	apply := func(at *Source, name string, s Step) *Source {
		next, err := edit.Apply(at.Src, s.Edits)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		old := Read(next, "harbour")
		old.Lists, old.Made = lists, at.Made
		return old
	}
	s := Read(text, "harbour")
	s.Lists = lists
	if made != "" {
		var err error
		if s.Made, err = ordjson.Parse(made); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		was := s.Src
		for _, find := range before {
			for _, step := range find(s) {
				if step.Edits != nil {
					s = apply(s, step.Message, step)
					break
				}
			}
		}
		if s.Src == was {
			break
		}
		if i == 19 {
			t.Fatal("the steps come to no end")
		}
	}
	if edits := Wrap(s); edits != nil {
		s = apply(s, "wrap", Step{Edits: edits})
	}
	return s.Src
}

func TestVersion1(t *testing.T) {
	ships, err := ordjson.Parse(`[ { "alias": "Kiel" } ]`)
	if err != nil {
		t.Fatal(err)
	}
	lists := map[string]ordjson.Value{"../_shared/harbours.mjs": ships}
	for name, test := range map[string]struct {
		text, made string
		want, not  []string
	}{
		"fields": {
			text: version1("            requestMethod: 'GET',\n            route: '/ships'\n", ""),
			want: []string{"export const main = {", "version: '2.0.0'", "method: 'GET'", "path: '/ships'",
				"namespace: 'harbour'"},
			not: []string{"schema", "flowMCP", "requestMethod", "route:"},
		},
		"tools in place of routes": {
			text: strings.Replace(version1("            requestMethod: 'GET',\n            route: '/ships',\n"+
				"            parameters: [\n                { position: { key: 'a', value: 'b' } },\n"+
				"                { position: { key: 'c', value: '{{USER_PARAM}}' } },\n"+
				"                { position: {}, z: { primitive: 'string()', options: ['enum(a,b)'] } }\n"+
				"            ],\n            modifiers: [ { phase: 'post', handlerName: 'sum' } ]\n",
				",\n    handlers: { sum: async ( x ) => x.struct }"), "routes", "tools", 1),
			want: []string{"export const main = {", "version: '2.0.0'", "    tools: {", "method: 'GET'",
				"path: '/ships'", "'b' }, z: { primitive: 'string()'", "'{{USER_PARAM}}' }, z: {",
				"primitive: 'enum(a,b)'", "postRequest: v1( 'listShips', 'post', modifiers.sum )"},
			not: []string{"schema", "flowMCP", "requestMethod:", "route:", "handlerName"},
		},
		"a namespace with capital letters": {
			text: strings.Replace(version1("", ""), "    name", "    namespace: 'epoOPS',\n    name", 1),
			want: []string{"namespace: 'epo-ops'"},
		},
		"an enum among the options": {
			text: version1("            parameters: [\n                { position: {}, z: { primitive: 'string()', "+
				"options: ['enum(a,b)', 'optional()'] } },\n"+
				"                { position: {}, z: { primitive: 'boolean()', "+
				"options: ['enum(false,true)'] } }\n            ]\n", ""),
			want: []string{"primitive: 'enum(a,b)', options: ['optional()'] }",
				"primitive: 'boolean()', options: [] }"},
		},
		"a version beside flowMCP": {
			text: strings.Replace(version1("", ""), "    flowMCP", "    version: '1.0.0',\n    flowMCP", 1),
			want: []string{"    version: '2.0.0',\n    routes"}, not: []string{"1.0.0"},
		},
		"functions that return what they get": {
			text: version1("            modifiers: [ { phase: 'post', handlerName: 'asIs' } ]\n",
				",\n    handlers: {\n        asIs: async ( { struct, payload } ) => {\n"+
					"            return { struct, payload };\n        }\n    }"),
			want: []string{"        listShips: {}\n"}, not: []string{"handlers", "modifiers"},
		},
		"several functions of a phase": {
			text: version1("            modifiers: [\n                { phase: 'post', handlerName: 'b' },\n"+
				"                { phase: 'pre', handlerName: 'a' },\n"+
				"                { phase: 'post', handlerName: 'c-d' }\n            ]\n",
				",\n    handlers: {\n        a: async ( x ) => one( x ),\n"+
					"        b: async ( x ) => two( x ),\n"+
					"        'c-d': async ( x ) => schema.handlers.b( x, schema.root )\n    }"),
			want: []string{wrapper, "preRequest: v1( 'listShips', 'pre', modifiers.a ),\n",
				"postRequest: v1( 'listShips', 'post', modifiers.b, modifiers[ 'c-d' ] )\n",
				"modifiers.b( x, main.root )\n    }\n\n    return {\n"},
			not: []string{"phase: ", "executeRequest"},
		},
		"a function that is not there": {
			text: version1("            modifiers: [ { phase: 'pre', handlerName: 'a' } ]\n", ",\n"+
				"    handlers: {}"),
			want: []string{"const schema = {", "phase: 'pre'", "handlers: {}"},
		},
		"names that are taken": {
			text: "const v1 = 1\n" + version1("            modifiers: [ { phase: 'pre', handlerName: 'a' } ]\n",
				",\n    handlers: { a: ( x ) => x + v1 }"),
			want: []string{"const schema = {", "phase: 'pre'"}, not: []string{"export const handlers"},
		},
		"imports": {
			text: "import moment from 'moment'\nimport { b as c } from 'ethers'\n" +
				"import { HARBOURS } from '../_shared/harbours.mjs'\n" +
				"import { max } from 'unused'\n\n// All of them.\nconst names = HARBOURS\n" +
				"    .map( ( h ) => h.alias )\n\nconst list = 'enum(' + names + ')'\n\nconst own = 1\n\n" +
				version1("            of: list,\n"+
					"            modifiers: [ { phase: 'execute', handlerName: 'a' } ]\n",
					",\n    handlers: {\n        a: async ( x ) => moment( names, c, own )\n    }"),
			made: `{"name":"Ships","namespace":"harbour","flowMCP":"1.2.0","routes":` +
				`{"listShips":{"of":"enum(Kiel)",` +
				`"modifiers":[{"phase":"execute","handlerName":"a"}]}},"handlers":{}}`,
			want: []string{"const own = 1\n\nexport const main", "of: 'enum(Kiel)'",
				"requiredLibraries: ['moment', 'ethers']", "sharedLists: [\n", "ref: 'harbours', version: '1.0.0'",
				"    const moment = libraries.moment\n    const { b: c } = libraries.ethers\n" +
					"    const HARBOURS = sharedLists.harbours\n\n" +
					"    // All of them.\n    const names = HARBOURS\n        .map( ( h ) => h.alias )\n\n" +
					"    const modifiers"},
			not: []string{"import", "unused", "const list", todo},
		},
		"an import that no schema can have": {
			text: "import { tests } from '../old/tests.mjs'\n" +
				version1("            modifiers: [ { phase: 'pre', handlerName: 'a' } ]\n", ",\n"+
					"    handlers: { a: ( x ) => tests( x ) }"),
			want: []string{"// " + todo + ": Convert import to shared list reference\n" +
				"// Original: import { tests } from '../old/tests.mjs'\n" +
				"// Suggested: main.sharedLists: [{ ref: 'tests', version: '1.0.0' }]\n"},
		},
		"parameters without z": {
			text: version1("            tests: [ { limit: 2 }, {} ],\n            parameters: [\n"+
				"                { position: { key: 'format', value: 'json', location: 'query' } },\n"+
				"                { position: { key: 'limit', value: '{{USER_PARAM}}', location: 'query' } }\n"+
				"            ]\n", ""),
			want: []string{"z: { primitive: 'string()', options: [] }",
				"z: { primitive: 'number()', options: ['optional()'] }"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := steps(t, test.text, lists, test.made)
			for _, w := range test.want {
				if !strings.Contains(got, w) {
					t.Errorf("without %s:\n%s", w, got)
				}
			}
			for _, n := range test.not {
				if strings.Contains(got, n) {
					t.Errorf("with %s:\n%s", n, got)
				}
			}
		})
	}
}

func TestScript(t *testing.T) {
	s := Read("import { HARBOURS } from './h.mjs'\nconst more = HARBOURS.length\n"+
		"const iface = new Interface( more )\n"+
		version1("            of: more + 1\n", ",\n    handlers: { a: ( x ) => iface }"), "")
	list, err := ordjson.Parse(`[{"alias":"Kiel"}]`)
	if err != nil {
		t.Fatal(err)
	}
	s.Lists = map[string]ordjson.Value{"./h.mjs": list}
	got := s.Script()
	if !strings.HasPrefix(got, "const HARBOURS = [{\"alias\":\"Kiel\"}]\nconst more = HARBOURS.length\n"+
		"export const schema = {") ||
		strings.Contains(got, "iface") {
		t.Error(got)
	}
	if got := Read(version1("", ""), "").Script(); got != "" {
		t.Errorf("data has the script %s", got)
	}
}

func TestList(t *testing.T) {
	for text, want := range map[string]string{
		"const A = [ { a: 1 } ]\nexport { A }":                            `[{"a":1}]`,
		"export const list = { meta: {}, entries: [ { a: 1 } ] }":         `[{"a":1}]`,
		"export const A = [ 1 ]":                                          "",
		"export const A = [ { a: 1 } ]\nexport const f = ( x ) => A[ x ]": "",
		"export const A = [ { a: f( 1 ) } ]":                              "",
	} {
		got := List(text)
		if got.Exists() != (want != "") || got.Exists() && ordjson.Text(got) != want {
			t.Errorf("List(%s) = %v, want %s", text, got, want)
		}
	}
}

func TestListFile(t *testing.T) {
	entries, err := ordjson.Parse(`[{"alias":"Kiel","id":4},{"alias":"Husum","open":true}]`)
	if err != nil {
		t.Fatal(err)
	}
	const want = `export const list = {
    meta: {
        name: 'harbours',
        version: '1.0.0',
        description: 'Entries of harbours',
        fields: [
            { key: 'alias', type: 'string' },
            { key: 'id', type: 'number', optional: true },
            { key: 'open', type: 'boolean', optional: true }
        ]
    },
    entries: [
        { alias: 'Kiel', id: 4 },
        { alias: 'Husum', open: true }
    ]
}
`
	if got := ListFile("harbours", entries); got != want {
		t.Error(got)
	}
}
