package survey

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// town has one of each type, and two skills that are in a cycle.
func town(t *testing.T) []catalog.Record {
	t.Helper()
	parse := func(text string) ordjson.Value {
		v, err := ordjson.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	file := record.Hashes{File: "sha256:1"}
	call := catalog.Callable{ID: "sea/tool/tides", Name: "tides", Schema: "sea/tides", Hashes: file,
		Handlers: []string{"postRequest"}, Tests: parse(`[{},{}]`),
		InputSchema: parse(`{"properties":{"a":{"type":"string","description":"A"},"b":{"type":"string"}}}`)}
	skill := func(name, content string) *catalog.Skill {
		return &catalog.Skill{Text: catalog.Text{ID: "sea/skill/" + name, Content: content}}
	}
	query := &catalog.Query{
		Callable: catalog.Callable{Name: "find", Tests: parse(`[{},{},{}]`)},
	}
	added := &catalog.Query{Callable: catalog.Callable{Name: "runSql"}, Added: true}
	return []catalog.Record{
		&catalog.Catalog{Name: "town", Version: "1.0.0", Profile: "spec", Counts: catalog.Counts{LeftOut: 2}},
		&catalog.List{ID: "shared/list/areas", Name: "areas"},
		&catalog.Library{Name: "dates"},
		&catalog.Handlers{Schema: "sea/tides", Hashes: file, Libraries: []string{"dates"}},
		&catalog.Tool{Callable: call, Method: "GET", Root: "https://api.sea.example", ServerParams: []string{"SEA_KEY"},
			SharedLists: []string{"areas"}},
		&catalog.Tool{Callable: catalog.Callable{ID: "land/tool/map", Schema: "land/map"}, Method: "POST",
			Root: "https://land.example"},
		&catalog.Resource{ID: "sea/resource/db", Schema: "sea/db", Queries: []*catalog.Query{query, added}},
		skill("one", "{{skill:sea/two}} {{tool:sea/tides}}"), skill("two", "{{skill:sea/one}}"),
		&catalog.Prompt{Text: catalog.Text{ID: "sea/prompt/about"},
			DependsOn: []string{"sea/tool/tides", "sea/tool/no"}},
		&catalog.Group{ID: "trip/selection/all", Type: record.TypeSelection,
			Members: [4][]string{{"sea/tool/tides"}, {"sea/skill/one"}, {"sea/resource/db"}}},
		&catalog.Group{ID: "pilot/agent/pilot", Type: record.TypeAgent, Selections: []string{"trip/selection/all"}},
	}
}

func read(t *testing.T, recs []catalog.Record) *catalog.Index {
	t.Helper()
	var b []byte
	for _, r := range recs {
		b = append(catalog.Encode(r).AppendJSON(b), '\n')
	}
	x, err := catalog.Read(bytes.NewReader(b), catalog.ReadOptions{Name: "town"})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestStats(t *testing.T) {
	s, err := Count(read(t, town(t)))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"catalogs":[{"name":"town","version":"1.0.0","counts":{"schemas":0,"tools":0,"resources":0,` +
		`"lists":0,"leftOut":2},"toolNames":"","profile":"spec"}],` +
		`"counts":{"schema":3,"tool":2,"resource":1,"prompt":1,"skill":2,"selection":1,"agent":1,"list":1,` +
		`"library":1,"handlers":1},` +
		`"tools":{"number":2,"readOnly":1,"withHandlers":1,"withOutput":0,"parameters":2,"described":1,"tests":2,` +
		`"untested":1,"fewTests":1},` +
		`"queries":{"number":1,"readOnly":1,"withHandlers":0,"withOutput":0,"parameters":0,"described":0,"tests":3,` +
		`"untested":0,"fewTests":0},` +
		`"methods":{"GET":1,"POST":1},"keys":[{"key":"SEA_KEY","domain":"sea.example","tools":1}],` +
		`"namespaces":[{"namespace":"land","counts":{"schema":1,"tool":1}},` +
		`{"namespace":"pilot","counts":{"agent":1}},` +
		`{"namespace":"sea","counts":{"schema":2,"tool":1,"resource":1,"prompt":1,"skill":2}},` +
		`{"namespace":"shared","counts":{"list":1}},{"namespace":"trip","counts":{"selection":1}}],` +
		`"leftOut":2,"reasons":[]}`
	if got := ordjson.Text(s.JSON()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if text := s.Text(); !strings.Contains(text, "left out\n2         fmcp-resolve said why") {
		t.Error(text)
	}
	s.LeftOut = []LeftOut{{"LOD031", "b.mjs", "m"}, {"VAL001", "a.mjs", "m"}, {"VAL001", "<\x1b>.mjs", "m"}}
	if text := s.Text(); !strings.Contains(text, "VAL001       main-export   2       <\\u001b>.mjs, a.mjs\nLOD031") {
		t.Error(text)
	}
	if page := s.Markdown(); !strings.Contains(page, `| VAL001 | main-export | 2 | \<\\u001b\>.mjs, a.mjs |`) {
		t.Error(page)
	}
}

func TestGraph(t *testing.T) {
	g, err := Draw(read(t, town(t)))
	if err != nil {
		t.Fatal(err)
	}
	const text = `agent pilot/agent/pilot
  uses trip/selection/all
selection trip/selection/all
  uses sea/skill/one
  uses sea/tool/tides
  uses sea/resource/db
skill sea/skill/one
  uses sea/skill/two
  uses sea/tool/tides
skill sea/skill/two
  uses sea/skill/one
prompt sea/prompt/about
  explains sea/tool/tides
  names sea/tool/no, which is not there
tool sea/tool/tides
  uses shared/list/areas
  uses dates
cycle: sea/skill/one, sea/skill/two
`
	if got := g.Text(); got != text {
		t.Errorf("got\n%s", got)
	}
	for _, want := range []string{
		"  n2 -> n3 [color=red];\n", "  n2 -> n6;\n", "  n4 -> n6 [style=dashed];\n",
		`  n0 [label="pilot/agent/pilot", shape=doubleoctagon];` + "\n",
	} {
		if !strings.Contains(g.DOT(), want) {
			t.Errorf("no %s in\n%s", want, g.DOT())
		}
	}
	for _, want := range []string{
		"  n2 -->|cycle| n3\n", "  n2 --> n6\n", "  n4 -.-> n6\n", `  n6["sea/tool/tides"]` + "\n",
	} {
		if !strings.Contains(g.Mermaid(), want) {
			t.Errorf("no %s in\n%s", want, g.Mermaid())
		}
	}
	if strings.Contains(g.DOT()+g.Mermaid(), "land/tool/map") || !strings.Contains(g.JSON(), "land/tool/map") {
		t.Error("what is alone is in the data and not in the picture")
	}
	if !strings.HasSuffix(g.JSON(), `"cycles":[["sea/skill/one","sea/skill/two"]]}`+"\n") {
		t.Error(g.JSON())
	}
}

// The graph does not depend on the order of the records.
func TestGraphOrder(t *testing.T) {
	draw := func(recs []catalog.Record) string {
		g, err := Draw(read(t, recs))
		if err != nil {
			t.Fatal(err)
		}
		return g.DOT() + g.Mermaid() + g.Text() + g.JSON()
	}
	recs := town(t)
	want := draw(recs)
	for seed := range uint64(20) {
		shuffled := slices.Clone(recs)
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(recs)-1, func(i, j int) {
			shuffled[i+1], shuffled[j+1] = shuffled[j+1], shuffled[i+1]
		})
		if got := draw(shuffled); got != want {
			t.Fatalf("seed %d: got\n%s\nwant\n%s", seed, got, want)
		}
	}
}

// Names that a catalog has do not end the text around them.
func TestGraphEscapes(t *testing.T) {
	evil := "a/selection/x\"]; click\n<b>#`\\"
	g, err := Draw(read(t, []catalog.Record{
		&catalog.Group{ID: evil, Type: record.TypeSelection, Selections: []string{evil}}}))
	if err != nil {
		t.Fatal(err)
	}
	if got := g.DOT(); strings.Count(got, "\n") != 5 ||
		!strings.Contains(got, `x\"]; click\\u000a<b>#`+"`"+`\\", shape`) {
		t.Error(got)
	}
	if got := g.Mermaid(); strings.Count(got, "\n") != 3 || strings.Count(got, `"`) != 2 || strings.Contains(got, "<") {
		t.Error(got)
	}
	if got := g.Text(); !strings.Contains(got, "cycle: a/selection") {
		t.Error(got)
	}
}
