package compare

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// town is a catalog with one of each; a test changes what it is about.
type town struct {
	tool   *catalog.Tool
	db     *catalog.Resource
	skill  *catalog.Skill
	prompt *catalog.Prompt
	agent  *catalog.Group
	list   *catalog.List
	more   []catalog.Record
}

func parse(t *testing.T, text string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func newTown(t *testing.T) *town {
	src := catalog.Src{Path: "a.mjs"}
	call := catalog.Callable{ID: "sea/tool/tides", Name: "tides", WireName: "tides_sea", Description: "Tides",
		Schema: "sea/tides", Src: src,
		InputSchema: parse(t, `{"type":"object","properties":{"area":{"type":"string","enum":["humber","dogger"]},`+
			`"days":{"type":"number","minimum":1,"maximum":9,"default":2},`+
			`"note":{"type":"string","description":"A note"},`+
			`"at":{"type":"array","items":{"type":"string"}}},"required":["area"]}`),
		Output: parse(t, `{"mimeType":"application/json","schema":{"type":"array","items":{"type":"object",`+
			`"properties":{"time":{"type":"string"},"level":{"type":"number"}}}}}`)}
	query := call
	query.Name, query.WireName = "find", "find_db_sea"
	return &town{
		tool: &catalog.Tool{Callable: call, Namespace: "sea", Method: "GET", Root: "https://api.sea.example/v1",
			Path: "/tides", ServerParams: []string{"SEA_KEY"}},
		db: &catalog.Resource{ID: "sea/resource/db", Name: "db", Schema: "sea/db", Source: model.HTTP,
			URL: "https://files.sea.example/db", Src: src,
			Queries: []*catalog.Query{{Callable: query, SQL: "SELECT 1"}}},
		skill: &catalog.Skill{Text: catalog.Text{ID: "sea/skill/trip", Description: "A trip", Content: "Go"},
			Inputs: []catalog.Input{{Key: "from", Type: model.InputString}}},
		prompt: &catalog.Prompt{Text: catalog.Text{ID: "sea/prompt/about", Content: "It is {{input:what}}"}},
		agent: &catalog.Group{ID: "pilot/agent/pilot", Type: record.TypeAgent, Model: "a/b", SystemPrompt: "Be brief",
			Members: [4][]string{{"sea/tool/tides"}}, Selections: []string{"trip/selection/all"}},
		list: &catalog.List{ID: "shared/list/areas", Name: "areas", Entries: parse(t, `[{"alias":"humber"}]`)},
	}
}

func (w *town) index(t *testing.T) *catalog.Index {
	t.Helper()
	var b []byte
	for _, r := range append([]catalog.Record{w.list, w.tool, w.db, w.skill, w.prompt, w.agent}, w.more...) {
		b = append(catalog.Encode(r).AppendJSON(b), '\n')
	}
	x, err := catalog.Read(bytes.NewReader(b), catalog.ReadOptions{Name: "town"})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// replace changes the JSON of a schema.
func replace(t *testing.T, v *ordjson.Value, old, text string) {
	t.Helper()
	before := ordjson.Text(*v)
	if !strings.Contains(before, old) {
		t.Fatalf("%s has no %s", before, old)
	}
	*v = parse(t, strings.Replace(before, old, text, 1))
}

// Each change is found, in both directions, and each kind has one.
func TestCatalogs(t *testing.T) {
	in := func(old, text string) func(*testing.T, *town) {
		return func(t *testing.T, w *town) { replace(t, &w.tool.InputSchema, old, text) }
	}
	out := func(old, text string) func(*testing.T, *town) {
		return func(t *testing.T, w *town) { replace(t, &w.tool.Output, old, text) }
	}
	const tool = "sea/tool/tides "
	tests := []struct {
		name       string
		change     func(*testing.T, *town)
		want, back string
	}{
		{"nothing", func(*testing.T, *town) {}, "", ""},
		{"a tool comes", func(_ *testing.T, w *town) {
			w.more = []catalog.Record{&catalog.Tool{Callable: catalog.Callable{ID: "sea/tool/moon"}}}
		}, "sea/tool/moon new", "sea/tool/moon gone!"},
		{"another MCP name", func(_ *testing.T, w *town) { w.tool.WireName = "t" },
			tool + `renamed! "tides_sea">"t"`, tool + `renamed! "t">"tides_sea"`},
		{"a parameter", in(`"note":{`, `"unit":{"type":"string"},"note":{`), tool + "parameter unit",
			tool + "parameter-gone! unit"},
		{"a required parameter", in(`"items":{"type":"string"}}},"required":["area"]`,
			`"items":{"type":"string"}},"unit":{"type":"string"}},"required":["area","unit"]`),
			tool + "required! unit", tool + "parameter-gone! unit"},
		{"required", in(`"required":["area"]`, `"required":["area","note"]`), tool + "required! note",
			tool + "optional note"},
		{"type", in(`"note":{"type":"string"`, `"note":{"type":"number"`), tool + `type! note "string">"number"`,
			tool + `type! note "number">"string"`},
		{"type in an array", in(`"items":{"type":"string"}`, `"items":{"type":"number"}`),
			tool + `type! at[] "string">"number"`, tool + `type! at[] "number">"string"`},
		{"a value", in(`"dogger"`, `"dogger","german-bight"`), tool + `value area >"german-bight"`,
			tool + `value-gone! area "german-bight">`},
		{"values at all", in(`"note":{"type":"string"`, `"note":{"type":"string","enum":["a"]`),
			tool + `value-gone! note >["a"]`, tool + `value note ["a"]>`},
		{"maximum", in(`"maximum":9`, `"maximum":7`), tool + "limit! days.maximum 9>7",
			tool + "wider days.maximum 7>9"},
		{"minimum", in(`"minimum":1`, `"minimum":2`), tool + "limit! days.minimum 1>2",
			tool + "wider days.minimum 2>1"},
		{"a pattern", in(`"description":"A note"`, `"description":"A note","pattern":"^a"`),
			tool + `limit! note.pattern >"^a"`, tool + `wider note.pattern "^a">`},
		{"default", in(`"default":2`, `"default":3`), tool + "default days 2>3", tool + "default days 3>2"},
		{"description of a parameter", in(`"A note"`, `"Any note"`), tool + `description note "A note">"Any note"`,
			tool + `description note "Any note">"A note"`},
		{"host", func(_ *testing.T, w *town) { w.tool.Root = "https://api.land.example/v1" },
			tool + `host! "https://api.sea.example">"https://api.land.example"`,
			tool + `host! "https://api.land.example">"https://api.sea.example"`},
		{"method", func(_ *testing.T, w *town) { w.tool.Method = "POST" },
			tool + `writes!, ` + tool + `request "GET /v1/tides">"POST /v1/tides"`,
			tool + `request "POST /v1/tides">"GET /v1/tides", ` + tool + `reads`},
		{"a key", func(_ *testing.T, w *town) { w.tool.ServerParams = []string{"SEA_KEY", "LAND_KEY"} },
			tool + "key! LAND_KEY", tool + "key-gone LAND_KEY"},
		{"media type", out("application/json", "text/plain"),
			tool + `mime-type! "application/json">"text/plain"`, tool + `mime-type! "text/plain">"application/json"`},
		{"a field of answers", out(`"level":`, `"moon":{"type":"string"},"level":`), tool + "output [].moon",
			tool + "output-gone! [].moon"},
		{"type of a field of answers", out(`"level":{"type":"number"`, `"level":{"type":"number","nullable":true`),
			tool + `output-type! [].level "number">"number or null"`,
			tool + `output-type! [].level "number or null">"number"`},
		{"a member", func(_ *testing.T, w *town) { w.agent.Members[0] = append(w.agent.Members[0], "sea/tool/moon") },
			"pilot/agent/pilot member sea/tool/moon", "pilot/agent/pilot member-gone! sea/tool/moon"},
		{"a model", func(_ *testing.T, w *town) { w.agent.Model = "c/d" }, `pilot/agent/pilot text model "a/b">"c/d"`,
			`pilot/agent/pilot text model "c/d">"a/b"`},
		{"a query", func(_ *testing.T, w *town) {
			w.db.Queries = append(w.db.Queries, &catalog.Query{Callable: catalog.Callable{Name: "all"}})
		}, "sea/resource/db/all new", "sea/resource/db/all gone!"},
		{"a statement", func(_ *testing.T, w *town) { w.db.Queries[0].SQL = "SELECT 2" },
			`sea/resource/db/find request "SELECT 1">"SELECT 2"`, `sea/resource/db/find request "SELECT 2">"SELECT 1"`},
		{"an input of a skill", func(_ *testing.T, w *town) { w.skill.Inputs[0].Required = true },
			"sea/skill/trip required! from", "sea/skill/trip optional from"},
		{"a prompt", func(_ *testing.T, w *town) { w.prompt.Content = "It is" },
			`sea/prompt/about parameter-gone! what, sea/prompt/about text content "It is {{input:what}}">"It is"`,
			`sea/prompt/about required! what, sea/prompt/about text content "It is">"It is {{input:what}}"`},
		{"a list", func(t *testing.T, w *town) { w.list.Entries = parse(t, `[]`) },
			"shared/list/areas list entries 1>0",
			"shared/list/areas list entries 0>1"},
		{"an ID of another type", func(_ *testing.T, w *town) {
			w.agent.Type = record.TypeSelection
		}, "pilot/agent/pilot gone!, pilot/agent/pilot new", "pilot/agent/pilot gone!, pilot/agent/pilot new"},
	}
	found := map[*Kind]bool{}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			old, now := newTown(t), newTown(t)
			test.change(t, now)
			for _, one := range []struct {
				before, after *town
				want          string
			}{{old, now, test.want}, {now, old, test.back}} {
				changes, err := Catalogs(one.before.index(t), one.after.index(t))
				if err != nil {
					t.Fatal(err)
				}
				if got := shown(changes); got != one.want {
					t.Errorf("got  %s\nwant %s", got, one.want)
				}
				for _, c := range changes {
					found[c.Kind] = true
				}
			}
		})
	}
	for _, k := range Kinds {
		if !found[k] {
			t.Errorf("no test has a change of kind %s", k.Name)
		}
	}
}

func shown(changes []Change) string {
	var list []string
	for _, c := range changes {
		text := c.ID + " " + c.Name
		if c.Breaking {
			text += "!"
		}
		if c.At != "" {
			text += " " + c.At
		}
		value := func(v ordjson.Value) string {
			if v.Exists() {
				return ordjson.Text(v)
			}
			return ""
		}
		if c.Old.Exists() || c.New.Exists() {
			text += " " + value(c.Old) + ">" + value(c.New)
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// The table of the documentation is that of the code.
func TestKindsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/catalogs.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows, want []string
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "| `") && strings.Count(line, "|") == 5 {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	for _, k := range Kinds {
		breaking := "no"
		if k.Breaking {
			breaking = "yes"
		}
		want = append(want, "| `"+k.Name+"` | "+breaking+" | "+k.Says+" | "+k.Why+" |")
	}
	if !slices.Equal(rows, want) {
		t.Errorf("docs/catalogs.md has\n%s\nwant\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
}

// What a catalog says drives neither a terminal nor a page.
func TestUntrusted(t *testing.T) {
	old, now := newTown(t), newTown(t)
	now.tool.Description = "\x1b[2J <b>|`x"
	now.agent.Members[0] = []string{"a|b\nc"}
	changes, err := Catalogs(old.index(t), now.index(t))
	if err != nil {
		t.Fatal(err)
	}
	page, text := Markdown(changes), Text(changes)
	if strings.ContainsAny(page+text, "\x1b") || strings.Contains(page, "<b>|") || strings.Count(text, "\n") != 4 ||
		!strings.Contains(page, `\<b\>\|`) {
		t.Errorf("%s%s", page, text)
	}
}
