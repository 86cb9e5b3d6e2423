package resolve

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

func TestTwoCatalogs(t *testing.T) {
	in := func(root string, l *record.Load) *record.Load { l.Src.Root = root; return l }
	registry := &record.Load{Type: record.TypeRegistry,
		Data: parse(`{"name":"community","version":"3.0.0","description":"D","schemaSpec":"4.2.0"}`),
		Src:  record.Source{Path: "one/registry.json", Root: "all"}}
	listRegistry := &record.Load{Type: record.TypeRegistry, Data: parse(`{"name":"wrong"}`),
		Src: record.Source{Path: "two/_lists/_registry.json", Root: "all"}}
	wants := `,"sharedLists":[{"ref":"chains","version":"1.0.0"}]`
	recs, diags := resolveAll(t, Options{},
		in("all", listLoad("one/_lists/chains.mjs", chainsList)),
		in("all", schemaLoad("one/providers/a/s.mjs", aSchema("a", wants, aTool("GET", "/1")))),
		in("all", schemaLoad("two/providers/a/s.mjs", aSchema("a", "", aTool("GET", "/2")))),
		in("all", schemaLoad("two/providers/b/s.mjs", aSchema("b", wants, aTool("GET", "/2")))),
		listRegistry, registry)
	want := `catalog community {"schemas":1,"tools":1,"resources":0,"lists":1,"leftOut":0}
list shared/list/chains
tool a/tool/x
catalog two {"schemas":1,"tools":0,"resources":0,"lists":0,"leftOut":2}
VAL072 error all/two/providers/b/s.mjs /sharedLists/0/ref
LOD032 error all/two/providers/a/s.mjs /tools/x`
	if got := outline(recs, diags); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
	if m := diags[0].Message; !strings.Contains(m, "all/one/_lists/chains.mjs") || !strings.Contains(m, "community") {
		t.Errorf("the list of the other catalog is not named: %s", m)
	}
	if m := diags[1].Message; !strings.Contains(m, "all/one/providers/a/s.mjs") ||
		!strings.Contains(m, "all/two/providers/a/s.mjs") {
		t.Errorf("not both places: %s", m)
	}
	if got := ordjson.Text(recs[0].Data); !strings.HasPrefix(got,
		`{"name":"community","version":"3.0.0","description":"D","schemaSpec":"4.2.0","counts"`) {
		t.Errorf("catalog: %s", got)
	}
}

// A registry.json makes a catalog of a folder of any layout.
func TestRegistryMarksACatalog(t *testing.T) {
	registry := &record.Load{Type: record.TypeRegistry, Data: parse(`{"name":"inner"}`),
		Src: record.Source{Path: "in/registry.json", Root: "cat"}}
	recs, _ := resolveAll(t, Options{}, registry,
		schemaLoad("in/a/s.mjs", aSchema("a", "", aTool("GET", "/1"))),
		schemaLoad("out/b/s.mjs", aSchema("b", "", aTool("GET", "/1"))))
	want := `catalog inner {"schemas":1,"tools":1,"resources":0,"lists":0,"leftOut":0}
tool a/tool/x
catalog cat {"schemas":1,"tools":1,"resources":0,"lists":0,"leftOut":0}
tool b/tool/x`
	if got := outline(recs, nil); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPartsOfACatalogBelongTogether(t *testing.T) {
	list := listLoad("chains.mjs", chainsList)
	list.Src.Root = "my/cat/_lists"
	schema := schemaLoad("a/s.mjs",
		aSchema("a", `,"sharedLists":[{"ref":"chains","version":"1.0.0"}]`, aTool("GET", "/1")))
	schema.Src.Root = "my/cat/providers"
	recs, diags := resolveAll(t, Options{}, list, schema)
	if got := outline(recs, diags); got != "catalog cat {\"schemas\":1,\"tools\":1,\"resources\":0,\"lists\":1,"+
		"\"leftOut\":0}\nlist shared/list/chains\ntool a/tool/x" {
		t.Errorf("got\n%s", got)
	}
}

// TestSelectionsOfAgents: a name in a text of an agent means a member of the agent,
// or else of its selections (decision "Names in an agent's texts").
func TestSelectionsOfAgents(t *testing.T) {
	selection := func(name, tool string) *record.Load {
		return groupLoad(record.TypeSelection, "a/selection/"+name, "selections/"+name+"/selection.mjs",
			`{"namespace":"a","name":"`+name+`","tools":["`+tool+`"]}`)
	}
	skill := groupLoad(record.TypeSkill, "clerk/skill/report", "agents/clerk/skills/report.mjs",
		`{"name":"report","requires":{"tools":["x","y"]},"content":"{{tool:x}} {{tool:y}} {{tool:z}}"}`)
	recs, _ := resolveAll(t, Options{},
		groupLoad(record.TypeAgent, "clerk/agent/clerk", "agents/clerk/agent.mjs",
			`{"name":"clerk","tools":{"b/tool/x":null},"selections":["a/selection/two","a/selection/one"]}`),
		skill, selection("one", "a/tool/x"), selection("two", "c/tool/y"),
		schemaLoad("providers/a/s.mjs", aSchema("a", "", aTool("GET", "/1"))),
		schemaLoad("providers/b/s.mjs", aSchema("b", "", aTool("GET", "/1"))),
		schemaLoad("providers/c/s.mjs",
			`{"namespace":"c","root":"https://c.example","tools":{"y":`+aTool("GET", "/1")+`}}`))
	want := `"names":[{"type":"tool","name":"x","id":"b/tool/x"},{"type":"tool","name":"y","id":"c/tool/y"}]`
	for _, r := range recs {
		if text := ordjson.Text(r.Data); r.ID == "clerk/skill/report" {
			if !strings.Contains(text, want) || !strings.Contains(text, `"tools":["b/tool/x","c/tool/y"]`) {
				t.Errorf("%s\nwant %s", text, want)
			}
			return
		}
	}
	t.Error("the skill is not in the catalog")
}
