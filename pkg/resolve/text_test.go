package resolve

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// textLoad is the load record of a skill, a prompt or a file of content.
func textLoad(typ record.Type, file, data string) *record.Load {
	v := parse(data)
	name := v.Get("name").Str()
	if name == "" {
		name = strings.TrimSuffix(path.Base(file), ".mjs")
	}
	return &record.Load{
		Type: typ, ID: strings.Split(file, "/")[1] + "/" + string(typ) + "/" + name, Data: v,
		Src:    record.Source{Path: file, Root: "cat", FileHash: hash},
		Hashes: record.Hashes{File: hash},
	}
}

// textOf is the data of the record of an ID, without what is equal in all.
func textOf(recs []*record.Resolved, id string) string {
	for _, r := range recs {
		if r.ID == id {
			return ordjson.Text(r.Data.Without("hashes").Without("namespace").Without("version"))
		}
	}
	return ""
}

const shopSchema = `{"namespace":"shop","name":"Shop","root":"https://shop.example","tools":{"getPrice":{` +
	`"method":"GET","path":"/p","description":"d","parameters":[],"tests":[]}},"prompts":` +
	`{"priceList":{"name":"price-list","description":"P","dependsOn":["getPrice"],` +
	`"references":["shop/prompt/about"],"contentFile":"./prompts/price-list.mjs"},` +
	`"about":{"name":"about","description":"A","dependsOn":[],"references":[],"contentFile":"./prompts/about.mjs"}}}`

// TestTexts: prompts and skills of all scopes have one form, and names in them
// are IDs.
func TestTexts(t *testing.T) {
	recs, diags := resolveAll(t, Options{},
		schemaLoad("providers/shop-com/shop.mjs", shopSchema),
		textLoad(record.TypeContent, "providers/shop-com/prompts/price-list.mjs",
			`"See {{tool:getPrice}}, {{prompt:about}}, {{tool:none}}, {{tool:x/y}}, {{input:a}}, {{seas:code}}."`),
		textLoad(record.TypeContent, "providers/shop-com/prompts/about.mjs", `"About."`),
		textLoad(record.TypeSkill, "providers/shop-com/skills/report.mjs",
			`{"name":"report","version":"flowmcp/4.0.0","description":"R","whenToUse":"W","output":"O",`+
				`"requires":{"tools":["getPrice","none"],"external":["browser"]},`+
				`"input":[{"key":"article","type":"enum","description":"D","required":true,"values":["a","b"]},`+
				`{"key":"n","type":"number","description":"N","required":false}],`+
				`"prefill":[{"tool":"getPrice","params":{"id":"{{input:article}}"}},{"tool":"x/tool/y"}],`+
				`"content":"{{prefill:getPrice}} {{tool:getPrice}} {{skill:report}}"}`),
		groupLoad(record.TypeSelection, "desk/selection/prices", "selections/desk/prices.mjs",
			`{"namespace":"desk","name":"prices","tools":["shop/tool/getPrice"],"resources":[],"prompts":[],`+
				`"skills":["shop-com/skill/report",{"name":"inline","description":"I",`+
				`"content":"{{tool:getPrice}}"}]}`),
		groupLoad(record.TypeAgent, "clerk/agent/clerk", "agents/clerk/agent.mjs",
			`{"name":"clerk","tools":{"shop/tool/getPrice":null},"prompts":{"about":{"file":"./prompts/about.mjs"},`+
				`"deep":{"file":"./prompts/deep.mjs"},"shop/prompt/about":null},`+
				`"skills":{"greet":{"file":"./skills/greet.mjs"}}}`),
		textLoad(record.TypeContent, "agents/clerk/prompts/about.mjs", `"{{skill:greet}}"`),
		textLoad(record.TypePrompt, "agents/clerk/prompts/deep.mjs",
			`{"name":"deep-dive","agent":"clerk","testedWith":"m/x","description":"D",`+
				`"dependsOn":["shop/tool/getPrice"],`+
				`"references":[],"content":"{{prompt:about}}"}`),
		textLoad(record.TypeSkill, "agents/clerk/skills/greet.mjs",
			`{"name":"greet","description":"G","content":"{{tool:getPrice}}"}`))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	const provider = `"scope":{"type":"namespace","of":["shop","shop-com"]}`
	for id, want := range map[string]string{
		"shop/prompt/price-list": `{"name":"price-list","description":"P",` + provider + `,` +
			`"dependsOn":["shop/tool/getPrice"],"references":["shop/prompt/about"],` +
			`"contentFile":"./prompts/price-list.mjs","names":[` +
			`{"type":"tool","name":"getPrice","id":"shop/tool/getPrice"},` +
			`{"type":"prompt","name":"about","id":"shop/prompt/about"}],` +
			`"content":"See {{tool:getPrice}}, {{prompt:about}}, {{tool:none}}, {{tool:x/y}}, {{input:a}}, ` +
			`{{seas:code}}.","src":{"path":"providers/shop-com/shop.mjs","pointer":"/prompts/priceList"}}`,
		"shop-com/skill/report": `{"name":"report","description":"R",` + provider + `,"whenToUse":"W","output":"O",` +
			`"requires":{"tools":["shop/tool/getPrice","none"],"resources":[],"external":["browser"]},` +
			`"input":[{"key":"article","type":"enum","description":"D","required":true,"values":["a","b"]},` +
			`{"key":"n","type":"number","description":"N"}],` +
			`"prefill":[{"tool":"shop/tool/getPrice","params":{"id":"{{input:article}}"}},{"tool":"x/tool/y"}],` +
			`"names":[{"type":"tool","name":"getPrice","id":"shop/tool/getPrice"},` +
			`{"type":"skill","name":"report","id":"shop-com/skill/report"}],` +
			`"content":"{{prefill:getPrice}} {{tool:getPrice}} {{skill:report}}",` +
			`"src":{"path":"providers/shop-com/skills/report.mjs","pointer":""}}`,
		"desk/skill/inline": `{"name":"inline","description":"I",` +
			`"scope":{"type":"selection","of":["desk/selection/prices"]},` +
			`"requires":{"tools":[],"resources":[],"external":[]},"input":[],"prefill":[],` +
			`"names":[{"type":"tool","name":"getPrice","id":"shop/tool/getPrice"}],"content":"{{tool:getPrice}}",` +
			`"src":{"path":"selections/desk/prices.mjs","pointer":"/skills/1"}}`,
		"clerk/prompt/about": `{"name":"about","description":"","scope":{"type":"agent","of":["clerk/agent/clerk"]},` +
			`"names":[{"type":"skill","name":"greet","id":"clerk/skill/greet"}],"content":"{{skill:greet}}",` +
			`"src":{"path":"agents/clerk/prompts/about.mjs","pointer":""}}`,
		"clerk/prompt/deep-dive": `{"name":"deep-dive","description":"D",` +
			`"scope":{"type":"agent","of":["clerk/agent/clerk"]},"testedWith":"m/x",` +
			`"dependsOn":["shop/tool/getPrice"],` +
			`"names":[{"type":"prompt","name":"about","id":"clerk/prompt/about"}],"content":"{{prompt:about}}",` +
			`"src":{"path":"agents/clerk/prompts/deep.mjs","pointer":""}}`,
		"clerk/skill/greet": `{"name":"greet","description":"G",` +
			`"scope":{"type":"agent","of":["clerk/agent/clerk"]},` +
			`"requires":{"tools":[],"resources":[],"external":[]},"input":[],"prefill":[],` +
			`"names":[{"type":"tool","name":"getPrice","id":"shop/tool/getPrice"}],"content":"{{tool:getPrice}}",` +
			`"src":{"path":"agents/clerk/skills/greet.mjs","pointer":""}}`,
	} {
		if got := textOf(recs, id); got != want {
			t.Errorf("%s: %s\nwant %s", id, got, want)
		}
	}
	for id, want := range map[string]string{
		"desk/selection/prices": `["shop-com/skill/report","desk/skill/inline"] []`,
		"clerk/agent/clerk": `["clerk/skill/greet"] ["clerk/prompt/about","clerk/prompt/deep-dive",` +
			`"shop/prompt/about"]`,
	} {
		i := slices.IndexFunc(recs, func(r *record.Resolved) bool { return r.ID == id })
		got := ordjson.Text(recs[i].Data.Get("skills")) + " " + ordjson.Text(recs[i].Data.Get("prompts"))
		if got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}

// TestAboutAnAgent: the prompt that a manifest has in itself is one of the agent's.
func TestAboutAnAgent(t *testing.T) {
	recs, diags := resolveAll(t, Options{}, groupLoad(record.TypeAgent, "clerk/agent/clerk", "agents/clerk/agent.mjs",
		`{"name":"clerk","tools":{},"about":{"name":"about","description":"D","content":"{{skill:none}}"}}`))
	const want = `{"name":"about","description":"D","scope":{"type":"agent","of":["clerk/agent/clerk"]},` +
		`"content":"{{skill:none}}","src":{"path":"agents/clerk/agent.mjs","pointer":"/about"}}`
	if got := textOf(recs, "clerk/prompt/about"); got != want || len(diags) > 0 {
		t.Errorf("%s %v\nwant %s", got, diags, want)
	}
	if got := ordjson.Text(recs[len(recs)-1].Data.Get("prompts")); got != `["clerk/prompt/about"]` {
		t.Error(got)
	}
}

// TestTextsLeftOut: what has no content is reported, what had an error was; of two
// of one ID the first is kept, unless the second is its content.
func TestTextsLeftOut(t *testing.T) {
	bad := textLoad(record.TypeSkill, "providers/shop/skills/bad.mjs", `{"name":"bad","content":"c"}`)
	content := textLoad(record.TypeContent, "agents/clerk/prompts/bad.mjs", `"c"`)
	failed := func(l *record.Load) *record.Diagnostic {
		return &record.Diagnostic{Code: "PH002", Severity: record.SeverityError, Message: "m",
			Loc: record.Loc{Path: l.Src.File()}}
	}
	recs, diags := resolveAll(t, Options{},
		schemaLoad("providers/shop/shop.mjs", shopSchema),
		textLoad(record.TypePrompt, "providers/shop/prompts/price-list.mjs", `{"name":"price-list","content":"c"}`),
		textLoad(record.TypeSkill, "providers/shop/skills/empty.mjs", `{"name":"empty","content":" "}`),
		textLoad(record.TypeSkill, "providers/shop/skills/one.mjs", `{"name":"one","content":"1"}`),
		textLoad(record.TypeSkill, "providers/shop/skills/two.mjs", `{"name":"one","content":"2"}`),
		bad, failed(bad), content, failed(content),
		groupLoad(record.TypeAgent, "clerk/agent/clerk", "agents/clerk/agent.mjs",
			`{"prompts":{"bad":{"file":"./prompts/bad.mjs"}},"skills":{}}`))
	var codes, ids []string
	for _, d := range diags {
		codes = append(codes, d.Code+" "+d.Severity.String()+" "+d.Loc.Path+d.Loc.Pointer)
	}
	for _, r := range recs {
		if r.Type == record.TypePrompt || r.Type == record.TypeSkill {
			ids = append(ids, r.ID)
		}
	}
	want := []string{catalog.CodeNoContent + " error cat/providers/shop/shop.mjs/prompts/about",
		catalog.CodeNoContent + " error cat/providers/shop/skills/empty.mjs",
		"LOD031 error cat/providers/shop/skills/two.mjs",
		catalog.CodeNoMember + " warning cat/agents/clerk/agent.mjs/prompts/bad"}
	if !slices.Equal(codes, want) {
		t.Errorf("%q\nwant %q", codes, want)
	}
	if !slices.Equal(ids, []string{"shop/prompt/price-list", "shop/skill/one"}) {
		t.Error(ids)
	}
	if n := recs[0].Data.Get("counts").Get("leftOut").NumberText(); n != "5" {
		t.Error(n)
	}
}
