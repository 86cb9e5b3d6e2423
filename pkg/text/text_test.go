package text

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
)

func parse(t testing.TB, text string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// indexOf is a catalog of records.
func indexOf(t testing.TB, recs ...catalog.Record) *catalog.Index {
	t.Helper()
	var b bytes.Buffer
	for _, r := range recs {
		b.Write(append(catalog.Encode(r).AppendJSON(nil), '\n'))
	}
	x, err := catalog.Read(&b, catalog.ReadOptions{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// shop are a list, two tools, a resource and two texts, to which a test adds its
// own.
func shop(t testing.TB, more ...catalog.Record) *catalog.Index {
	tool := func(name, meta string) *catalog.Tool {
		return &catalog.Tool{
			Callable: catalog.Callable{
				ID: "shop/tool/" + name, Name: name, WireName: name + "_shop", Description: "Does " + name,
				InputSchema: parse(t, `{"type":"object","properties":{`+
					`"article":{"type":"string","enum":["tea","rice"],"description":"What is | sold",`+
					`"examples":["tea"]},`+
					`"count":{"type":"number","minimum":1,"maximum":9,"default":1}},"required":["article"]}`),
				Tests: parse(t, `[{"_description":"Two teas","article":"tea","count":2,"key":"hidden"},`+
					`{"article":"rice"}]`),
			},
			Namespace: "shop", Method: "GET", Meta: parse(t, meta),
		}
	}
	bare := tool("bare", `{"isReadOnly":true}`)
	bare.InputSchema = parse(t, `{"type":"object","properties":{}}`)
	bare.Tests, bare.Meta = ordjson.Value{}, ordjson.Value{}
	other := tool("getRate", `{"isReadOnly":true}`)
	other.ID = "bank/tool/getRate"
	return indexOf(t, append([]catalog.Record{
		&catalog.Catalog{Name: "test"},
		&catalog.List{ID: "shared/list/units", Name: "units", Fields: parse(t, `[{"key":"alias"},{"key":"grams"}]`),
			Entries: parse(t, `[{"alias":"kilo","grams":1000},{"alias":"pound","grams":500},`+
				`{"alias":"none","grams":null},{"alias":"again","grams":500}]`)},
		tool("getPrice", `{"isReadOnly":true,"isDestructive":false,"searchHint":"price"}`),
		tool("order", `{"isReadOnly":false}`), bare, other,
		&catalog.Resource{ID: "shop/resource/stock", Namespace: "shop", Name: "stock", Description: "What there is",
			URI: "flowmcp://shop/resource/stock", Source: model.SQLite, Mode: model.FileBased,
			Queries: []*catalog.Query{
				{Callable: catalog.Callable{Name: "byName", WireName: "by_name_stock_shop"},
					SQL: "SELECT * FROM stock WHERE name = ?"},
				{Callable: catalog.Callable{Name: "sell"}, SQL: "UPDATE stock SET n = n - 1"},
			}},
		&catalog.Prompt{Text: catalog.Text{ID: "shop/prompt/about", Name: "about", Description: "What the shop is",
			Content: "We sell {{input:article}} by {{list:x}}, see {{tool:getPrice}}."}},
		&catalog.Skill{Text: catalog.Text{ID: "shop/skill/greet", Name: "greet", Description: "Greets",
			Content: "Hello"}},
	}, more...)...)
}

// names are what a text of the shop means by names alone.
var names = []catalog.Name{
	{Type: "tool", Name: "getPrice", ID: "shop/tool/getPrice"}, {Type: "tool", Name: "gone", ID: "shop/tool/gone"},
	{Type: "resource", Name: "stock", ID: "shop/resource/stock"},
	{Type: "prompt", Name: "about", ID: "shop/prompt/about"}, {Type: "skill", Name: "greet", ID: "shop/skill/greet"},
}

// skill is one of the shop.
func skill(content string) *catalog.Skill {
	return &catalog.Skill{Text: catalog.Text{ID: "shop/skill/test", Name: "test", Content: content, Names: names,
		Scope: catalog.Scope{Type: catalog.ScopeNamespace, Of: []string{"shop"}}}}
}

// deliver delivers a text of the shop without problems.
func deliver(t testing.TB, s catalog.Delivered, given string, o Options) *Delivery {
	t.Helper()
	inputs := ordjson.Value{}
	if given != "" {
		inputs = parse(t, given)
	}
	d := Deliver(t.Context(), shop(t, s), s, inputs, o)
	if err := recordtest.Check(d.Envelope().AppendJSON(nil)); err != nil {
		t.Error(err)
	}
	return d
}

// refuse fails the test if a call is made.
func refuse(t testing.TB) Runner {
	return func(_ context.Context, id string, params ordjson.Value) *record.Envelope {
		t.Errorf("called %s %s", id, ordjson.Text(params))
		return &record.Envelope{ID: id, Status: true, Data: ordjson.NewNull()}
	}
}

const (
	priceTable = "| Parameter | Type | Required | Description |\n|---|---|---|---|\n" +
		"| article | one of tea, rice | Yes | What is \\| sold; such as tea |\n" +
		"| count | number; 1 to 9; default 1 | No |  |"
	priceBlock  = "**getPrice** (shop/tool/getPrice, over MCP getPrice_shop): Does getPrice\n\n" + priceTable + "\n"
	bareInline  = "Ask **bare** (shop/tool/bare, over MCP bare_shop; Does bare; no parameters)."
	priceInline = "**getPrice** (shop/tool/getPrice, over MCP getPrice_shop; Does getPrice; parameters: " +
		"article (one of tea, rice; required; What is | sold; such as tea), count (number; 1 to 9; default 1))"
)

// TestPlaceholders: every kind of placeholder, by name and with a namespace, and
// the errors of chapter 18 in their places.
func TestPlaceholders(t *testing.T) {
	for content, want := range map[string]string{
		"{{tool:getPrice}}":                         priceBlock,
		"{{ tool : shop/getPrice }}":                priceBlock,
		"a\n {{tool:getPrice}}\t\nb":                "a\n " + priceBlock + "\t\nb",
		"a\nb {{tool:getPrice}}\n":                  "a\nb " + priceInline + "\n",
		"{{tool:getPrice}}{{units:grams}}":          priceInline + "1000, 500",
		"Ask {{tool:shop/bare}}.":                   bareInline,
		"a {{tool:getPrice:description}} b":         "a Does getPrice b",
		"{{tool:shop/getPrice:parameters}}":         priceTable,
		"{{tool:shop/bare:parameters}}":             "No parameters.",
		"{{tool:getPrice:test}}":                    `Two teas: {"article":"tea","count":2}`,
		"{{tool:getPrice:meta}}":                    "isReadOnly: true, isDestructive: false",
		"{{tool:shop/bare:meta}}":                   "isReadOnly: true",
		"{{tool:getPrice:call}}":                    `getPrice_shop {"article":"tea","count":2}`,
		"{{tool:shop/bare:call}}":                   "bare_shop",
		"{{tool:shop/bare:test}}":                   "[ERROR: Tool 'shop/bare' has no test]",
		"{{tool:getPrice:price}}":                   "[ERROR: Tool 'getPrice' has no part 'price']",
		"{{tool:unknown/ns/missingTool}}":           "[ERROR: Tool 'unknown/ns/missingTool' not found]",
		"{{tool:gone}}":                             "[ERROR: Tool 'gone' not found]",
		"{{tool:never}} {{tool:}}":                  "[ERROR: Tool 'never' not found] [ERROR: Tool '' not found]",
		"{{tool:gone:meta}}":                        "[ERROR: Tool 'gone' not found]",
		"{{tool:shop/tool/getPrice}}":               "[ERROR: Tool 'shop/tool/getPrice' not found]",
		"{{resource:stock}}":                        "stock (flowmcp://shop/resource/stock): What there is",
		"{{resource:shop/stock}}":                   "stock (flowmcp://shop/resource/stock): What there is",
		"{{resource:shop/none}}":                    "[ERROR: Resource 'shop/none' not found]",
		"{{prompt:about}}":                          "about (shop/prompt/about): What the shop is",
		"{{prompt:shop/greet}}":                     "[ERROR: Prompt 'shop/greet' not found]",
		"{{skill:greet}}{{skill:shop/greet}}":       strings.Repeat("greet (shop/skill/greet): Greets", 2),
		"{{skill:none}}":                            "[ERROR: Skill 'none' not found]",
		"{{units:grams}}":                           "1000, 500",
		"{{units:pound}}":                           `{"alias":"pound","grams":500}`,
		"{{units:ounce}}":                           "[ERROR: List value 'units:ounce' not found]",
		"{{prefill:shop/tool/none}}":                "[ERROR: Prefill 'shop/tool/none' not found]",
		"{{input:none}}":                            "[ERROR: Input 'none' not found]",
		"{{USER_PARAM}} {{weights:x}} {{ {{x}} }}":  "{{USER_PARAM}} {{weights:x}} {{ {{x}} }}",
		"{{tol:getPrice}} {{}} {{:}} {{ }} {tool:x": "{{tol:getPrice}} {{}} {{:}} {{ }} {tool:x",
		"{{tool:getPrice":                           "{{tool:getPrice",
		"":                                          "",
	} {
		d := deliver(t, skill(content), "", Options{Run: refuse(t)})
		if d.Text != want {
			t.Errorf("%s:\n%s\nwant\n%s", content, d.Text, want)
		}
		if failed := strings.Contains(want, "[ERROR: "); failed != (len(d.Problems) > 0) {
			t.Errorf("%s: %v", content, d.Problems)
		}
	}
}

// TestFilled: each placeholder is said once, with what it came from or why not.
func TestFilled(t *testing.T) {
	s := skill("{{tool:getPrice:meta}} {{input:a}} {{tool:none}} {{input:a}} {{units:grams}} {{x:y}}")
	s.Inputs = []catalog.Input{{Key: "a", Type: model.InputString, Required: true}}
	d := deliver(t, s, `{"a":"1"}`, Options{Run: refuse(t)})
	const want = `{"v":1,"kind":"envelope","id":"shop/skill/test","status":false,` +
		`"messages":["EXE093 shop/skill/test: {{tool:none}}: Tool 'none' not found"],"data":null,` +
		`"delivered":{"type":"skill",` +
		`"text":"isReadOnly: true, isDestructive: false 1 [ERROR: Tool 'none' not found] 1 1000, 500 {{x:y}}",` +
		`"filled":[{"placeholder":"{{tool:getPrice:meta}}","from":"shop/tool/getPrice"},` +
		`{"placeholder":"{{input:a}}","from":"input"},` +
		`{"placeholder":"{{tool:none}}","error":"Tool 'none' not found"},` +
		`{"placeholder":"{{units:grams}}","from":"shared/list/units"}]},"durationMs":0}`
	if got := string(d.Envelope().AppendJSON(nil)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestCall: how a call is written is the host's.
func TestCall(t *testing.T) {
	d := deliver(t, skill("{{tool:getPrice:call}}"), "", Options{Run: refuse(t),
		Call: func(id string) string { return "call " + id }})
	if d.Text != "call shop/tool/getPrice" {
		t.Error(d.Text)
	}
}

// TestReferences: the prompts that a prompt refers to come beside it, with the
// inputs that are given.
func TestReferences(t *testing.T) {
	p := &catalog.Prompt{
		Text:       catalog.Text{ID: "shop/prompt/deep", Content: "Look at {{prompt:shop/about}}, {{input:x}}."},
		References: []string{"shop/prompt/about", "shop/prompt/none"}}
	d := deliver(t, p, `{"x":"{{input:article}}"}`, Options{})
	if want := "Look at about (shop/prompt/about): What the shop is, {{input:article}}."; d.Text != want {
		t.Errorf("%s, want %s", d.Text, want)
	}
	if len(d.References) != 1 || d.References[0].ID != "shop/prompt/about" ||
		d.References[0].Text != "We sell {{input:article}} by {{list:x}}, see [ERROR: Tool 'getPrice' not found]." {
		t.Errorf("%+v", d.References)
	}
	if len(d.Problems) != 2 || d.Problems[1].Message != "references: Prompt 'shop/prompt/none' not found" {
		t.Error(d.Problems)
	}
}

// TestInputsOfReferences: what only a text beside asks for may be given, and is no
// unknown input.
func TestInputsOfReferences(t *testing.T) {
	p := &catalog.Prompt{Text: catalog.Text{ID: "shop/prompt/deep", Content: "Look at {{input:x}}."},
		References: []string{"shop/prompt/about"}}
	d := deliver(t, p, `{"x":"1","article":"tea","artikel":"tea"}`, Options{})
	if len(d.References) != 1 || !strings.HasPrefix(d.References[0].Text, "We sell tea by ") {
		t.Errorf("%+v", d.References)
	}
	want := `Input "artikel" unknown (did you mean "article"?); known are x, article`
	if got := d.Problems[0].Message; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(d.Problems) != 2 || d.Problems[1].Code != CodePlaceholder {
		t.Error(d.Problems)
	}
}

// TestInputsNoObject: inputs that are no object are refused, also by a text that
// asks for none.
func TestInputsNoObject(t *testing.T) {
	for given, kind := range map[string]string{`"x"`: "string", `[1]`: "array", `5`: "number", `null`: "null"} {
		d := deliver(t, skill("Hello"), given, Options{})
		want := `the inputs must be a JSON object such as {"key":"value"}, got ` + kind
		if len(d.Problems) != 1 || d.Problems[0].Message != want || d.Text != "Hello" {
			t.Errorf("%s: %v %q, want %s", given, d.Problems, d.Text, want)
		}
	}
}

// TestLongText: a text that placeholders make long gets no more of them, and ends
// soon.
func TestLongText(t *testing.T) {
	const n, stop = 60000, "[ERROR: more than 1048576 bytes would be inserted]"
	for sep, first := range map[string]string{"\n": priceBlock, "": priceInline} {
		d := deliver(t, skill(strings.Repeat("{{tool:getPrice}}"+sep, n)), "", Options{Run: refuse(t)})
		if len(d.Text) > maxText+n*len(stop+sep) || !strings.HasPrefix(d.Text, first+sep+first) ||
			!strings.HasSuffix(d.Text, sep+stop+sep) || len(d.Problems) != 1 {
			t.Errorf("%d bytes, %v: %.300s", len(d.Text), d.Problems, d.Text)
		}
	}
}

// TestLongReferences: what comes beside a text is bounded with it.
func TestLongReferences(t *testing.T) {
	long := &catalog.Prompt{Text: catalog.Text{ID: "shop/prompt/long", Content: strings.Repeat("x", maxText/2)}}
	p := &catalog.Prompt{Text: catalog.Text{ID: "shop/prompt/deep", Content: "Look."},
		References: []string{"shop/prompt/long", "shop/prompt/long", "shop/prompt/long"}}
	d := Deliver(t.Context(), shop(t, long, p), p, ordjson.Value{}, Options{})
	if len(d.References) != 2 || len(d.Problems) != 1 {
		t.Errorf("%d references, %v", len(d.References), d.Problems)
	}
}
