package listing

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func TestSiblingsAreNamedForClients(t *testing.T) {
	line := func(schema, name, description, param string) string {
		return `{"v":1,"kind":"resolved","id":"` + schema + `/tool/` + name + `","type":"tool","data":{"schema":"` +
			schema + `","namespace":"n","name":"` + name +
			`","wireName":"wire_` + name + `","description":"` + description +
			`","method":"GET","root":"https://example.com","path":"/x","parameters":[],` +
			`"inputSchema":{"type":"object","properties":{"id":{"type":"string","description":"` + param +
			`","enum":["getPools"]}}}}}`
	}
	for _, tt := range []struct{ description, want string }{
		{"Use getPools first.", "Use wire_getPools first."},
		{`getPools\\ngetPools(), \"getPools\"`, `wire_getPools\\nwire_getPools(), \"wire_getPools\"`},
		{`First\ngetPools, then get_one`, `First\nwire_getPools, then wire_get_one`},
		{"The price of a search", "The price of a search"},                           // words of the language
		{"GET /getPools/x or n/tool/getPools", "GET /getPools/x or n/tool/getPools"}, // parts of paths
		{"getPoolsX, XgetPools, getpools", "getPoolsX, XgetPools, getpools"},
		{"useMe getElse hideMe", "useMe getElse hideMe"}, // itself, another schema's, one that is not served
	} {
		tools := listingOf(t, line("n/a", "getPools", "", ""), line("n/a", "price", "", ""),
			line("n/a", "search", "", ""), line("n/a", "get_one", "", ""),
			line("n/b", "getElse", "", ""), line("n/a", "useMe", tt.description, tt.description)).Tools
		NameSiblings(tools)
		want, err := ordjson.Parse(`"` + tt.want + `"`)
		if err != nil {
			t.Fatal(err)
		}
		d, err := ordjson.Parse(string(tools[5].Listed()))
		if err != nil {
			t.Fatal(err)
		}
		id := d.Get("inputSchema").Get("properties").Get("id")
		if got := d.Get("description").Str(); got != want.Str() || id.Get("description").Str() != want.Str() {
			t.Errorf("%q: %q and %s, want %q", tt.description, got, ordjson.Text(id), want.Str())
		}
		if got := ordjson.Text(id.Get("enum")); got != `["getPools"]` ||
			d.Get("annotations").Get("title").Str() != "useMe" {
			t.Errorf("what is not a description has changed: %s", tools[5].Listed())
		}
	}
}

// Two resources have a query of one name: each knows its own.
func TestSiblingsOfQueries(t *testing.T) {
	line := func(name string) string {
		return `{"v":1,"kind":"resolved","id":"n/resource/` + name +
			`","type":"resource","data":{"schema":"n/a","namespace":"n","name":"` + name +
			`","source":"sqlite","mode":"in-memory","uri":"flowmcp://n/resource/` + name + `","queries":[` +
			`{"name":"runSql","wireName":"run_` + name +
			`","description":"See listTables","sql":"SELECT 1","parameters":[],"inputSchema":{"type":"object",` +
			`"properties":{}}},` +
			`{"name":"listTables","wireName":"list_` + name +
			`","description":"d","sql":"SELECT 1","parameters":[],"inputSchema":{"type":"object","properties":{}}}]}}`
	}
	tools := listingOf(t, line("one"), line("two"), toolLine("three", "")).Tools
	NameSiblings(tools)
	for i, want := range map[int]string{0: "See list_one", 2: "See list_two"} {
		d, err := ordjson.Parse(string(tools[i].Listed()))
		if got := d.Get("description").Str(); err != nil || got != want {
			t.Errorf("%q, want %q (%v)", got, want, err)
		}
	}
}
