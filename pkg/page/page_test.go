package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/page/pagetest"
	"github.com/flowmcp/fmcp/pkg/record"
)

// write is the page of records, and the data in it.
func write(t *testing.T, records ...catalog.Record) (string, map[string]any) {
	t.Helper()
	var b bytes.Buffer
	p := New(&b)
	for _, r := range records {
		if err := p.Record(catalog.Encode(r), nil); err != nil {
			t.Fatal(err)
		}
	}
	grade := `{"v":1,"kind":"grade","id":"tides/tides","deterministic":{"status":"PASS","errors":[],"warnings":[{}]},` +
		`"primitives":["tides/tool/getTides"]}`
	if err := p.Record(nil, []byte(grade)); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), pagetest.Data(t, b.String())
}

func value(t *testing.T, text string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A grade that was given for another version of the file says so, and so does one
// that fmcp-grade itself found to be.
func TestStaleGrades(t *testing.T) {
	tool := tides(t)
	tool.Hashes.File = "sha256:now"
	for _, tt := range []struct{ grade, want string }{
		{`"fileHash":"sha256:now","grade":"A"`, `Grade A`},
		{`"fileHash":"sha256:old","grade":"A"`, `Stale: Grade A`},
		{`"grade":"F"`, `Grade F`},
		{`"fileHash":"sha256:now","stale":[{"what":"grade","grade":"B","fileHash":"sha256:old"},` +
			`{"what":"scores","fileHash":"sha256:old"}]`, `PASS, stale Grade B`},
	} {
		var b bytes.Buffer
		p := New(&b)
		grade := `{"v":1,"kind":"grade","id":"tides/tides","primitives":["tides/tool/getTides"],` +
			`"deterministic":{"status":"PASS","errors":[],"warnings":[]},` + tt.grade + `}`
		err := errors.Join(p.Record(nil, []byte(grade)), p.Record(catalog.Encode(tool), nil), p.Close())
		if err != nil {
			t.Fatal(err)
		}
		got := asJSON(t, pagetest.Data(t, b.String())["grades"])
		if want := `{"tides/tool/getTides":"` + tt.want + `"}`; got != want {
			t.Errorf("%s: %s, want %s", tt.grade, got, want)
		}
	}
}

// tides is a tool with everything.
func tides(t *testing.T) *catalog.Tool {
	return &catalog.Tool{
		Callable: catalog.Callable{
			ID: "tides/tool/getTides", Name: "getTides", WireName: "get_tides_tides",
			Description: "High and low waters",
			InputSchema: value(t, `{"type":"object","properties":{"station":{"type":"string",`+
				`"enum":["a b","c"]},"days":{"type":"number","minimum":1,"maximum":14,"default":2,`+
				`"description":"How many"}},"required":["station"]}`),
			Tests: value(t, `[{"_description":"A week","station":"a b","days":7}]`),
			Output: value(t, `{"mimeType":"application/json","schema":{"type":"array","items":{"type":"object",`+
				`"properties":{"at":{"type":"string","nullable":true,"description":"When"}}}}}`),
			Src: catalog.Src{Path: "providers/tides/tides.mjs"},
		},
		Namespace: "tides", Method: "GET", Root: "https://tides.example", Path: "/{{TIDES_KEY}}/now",
		ServerParams: []string{"TIDES_KEY"}, Tags: []string{"sea"},
	}
}

// What the page has of each type, word for word.
func TestItems(t *testing.T) {
	text := catalog.Text{ID: "tides/skill/brief", Name: "brief", Description: "A brief", Content: "Say {{input:area}}"}
	promptText := text
	promptText.ID = "tides/prompt/ask"
	resource := &catalog.Resource{ID: "tides/resource/ports", Name: "ports", Description: "Ports", Source: "sqlite",
		Mode: "in-memory", URI: "fmcp://ports"}
	resource.Queries = []*catalog.Query{{Callable: catalog.Callable{Name: "all", WireName: "ports_all",
		Description: "All ports"}, Resource: resource, SQL: "SELECT 1"}}
	group := &catalog.Group{ID: "desk/agent/master", Type: record.TypeAgent, Name: "master", Description: "Asks",
		Model: "some/model", MaxRounds: 3, SystemPrompt: "You are", Tests: value(t,
			`[{"_description":"Ships","input":"Which?","expectedTools":["tides/tool/getTides"]}]`)}
	group.Members[0] = []string{"tides/tool/getTides"}
	_, data := write(t, &catalog.Catalog{Name: "sea", Version: "1.0.0", Description: "All of it",
		Counts: catalog.Counts{Schemas: 2, LeftOut: 1}}, tides(t), resource,
		&catalog.Prompt{Text: promptText, References: []string{"tides/tool/getTides"}},
		&catalog.Skill{Text: text, WhenToUse: "Before sailing", Tools: []string{"tides/tool/getTides"},
			Inputs: []catalog.Input{{Key: "area", Type: "string", Description: "Where", Required: true}}},
		&catalog.SkillMD{ID: "guide/skillmd/guide", Description: "A guide",
			Documents: []catalog.Document{{URI: "resource://skills/guide", Content: "# Guide"}}}, group)
	if got := asJSON(t, data["catalog"]); got !=
		`{"about":"All of it","leftOut":1,"name":"sea 1.0.0","schemas":2}` {
		t.Errorf("catalog: %s", got)
	}
	if got := asJSON(t, data["grades"]); got != `{"tides/tool/getTides":"PASS, 1 warning"}` {
		t.Errorf("grades: %s", got)
	}
	want := []string{
		`{"about":"High and low waters","calls":[["A week","'station=a b' days=7"]],"facts":[["Request",` +
			`"GET https://tides.example/{{TIDES_KEY}}/now"],["File","providers/tides/tides.mjs"]],` +
			`"id":"tides/tool/getTides","keys":["TIDES_KEY"],"output":[[0,"application/json","array of object"],` +
			`[1,"at","string or null","When"]],"params":[["station","string","","",true,["a b","c"]],` +
			`["days","number","1 to 14; default 2","How many",false]],"reads":true,"tags":["sea"],"type":"tool",` +
			`"wire":"get_tides_tides"}`,
		`{"about":"Ports","facts":[["Source","sqlite in-memory"],["Address","fmcp://ports"]],` +
			`"id":"tides/resource/ports","refs":[["Queries",["tides/resource/ports/all"]]],"type":"resource"}`,
		`{"about":"All ports","calls":[["",""]],"id":"tides/resource/ports/all","reads":true,` +
			`"refs":[["Resource",["tides/resource/ports"]]],"texts":[["Statement","SELECT 1"]],"type":"query",` +
			`"wire":"ports_all"}`,
		`{"about":"A brief","calls":[["","area=AREA"]],"id":"tides/prompt/ask",` +
			`"params":[["area","string","","",true]],"reads":true,` +
			`"refs":[["Refers to",["tides/tool/getTides"]]],"texts":[["Content","Say {{input:area}}"]],` +
			`"type":"prompt"}`,
		`{"about":"A brief","calls":[["","area=AREA"]],"facts":[["When to use","Before sailing"]],` +
			`"id":"tides/skill/brief","params":[["area","string","","Where",true]],"reads":true,` +
			`"refs":[["Tools",["tides/tool/getTides"]]],"texts":[["Content","Say {{input:area}}"]],"type":"skill"}`,
		`{"about":"A guide","calls":[["",""]],"id":"guide/skillmd/guide","reads":true,` +
			`"refs":[["Documents",["resource://skills/guide"]]],"texts":[["SKILL.md","# Guide"]],"type":"skillmd"}`,
		`{"about":"Asks","facts":[["Model","some/model"],["Rounds at most","3"]],"id":"desk/agent/master",` +
			`"refs":[["Tools",["tides/tool/getTides"]],["Test 1 expects",["tides/tool/getTides"]]],` +
			`"texts":[["System prompt","You are"],["Test 1: Ships","Which?"]],"type":"agent"}`,
	}
	items := data["items"].([]any)
	if len(items) != len(want) {
		t.Fatalf("%d items, want %d", len(items), len(want))
	}
	for n, item := range items {
		if got := asJSON(t, item); got != want[n] {
			t.Errorf("item %d:\n%s\nwant\n%s", n, got, want[n])
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// Nothing that a catalog says ends up as HTML, nor ends the data.
func TestHostileText(t *testing.T) {
	for _, hostile := range pagetest.Hostile {
		tool := tides(t)
		tool.Description = hostile
		page, data := write(t, &catalog.Catalog{Name: hostile, Description: hostile}, tool)
		item := data["items"].([]any)[0].(map[string]any)
		if item["about"] != hostile {
			t.Errorf("%q arrives as %q", hostile, item["about"])
		}
		pagetest.Text(t, page)
	}
}

// A policy that lets nothing be loaded, and what is in the page runs under it alone.
func TestSelfContained(t *testing.T) {
	page, _ := write(t, &catalog.Catalog{Name: "sea"})
	pagetest.SelfContained(t, page)
}
