package listing

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/fit"
)

func definedOf(t *testing.T, outputSchemas bool, data string) (Tool, error) {
	t.Helper()
	v, err := ordjson.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	rec := catalog.Decode(&record.Resolved{ID: "demo/tool/getAbi", Type: record.TypeTool, Data: v})
	return newTool(rec.(*catalog.Tool), Style{OutputSchemas: outputSchemas})
}

func TestDefinition(t *testing.T) {
	// Odd on purpose: order, spacing of numbers and unknown keywords stay.
	const input = `{"type":"object","properties":{"z":{"type":"number","minimum":1.0},"a":{"enum":["<b>","é"]}},` +
		`"required":["z"],"x":null}`
	head := `{"name":"getAbi","wireName":"get_abi_demo","description":"Get the \"ABI\"","inputSchema":` + input
	for _, tc := range []struct{ name, data, annotations, meta string }{
		{"GET without meta", `,"method":"GET"}`,
			`{"title":"getAbi","readOnlyHint":true,"openWorldHint":true}`, `{"flowmcp/id":"demo/tool/getAbi"}`},
		{"POST without meta", `,"method":"POST"}`,
			`{"title":"getAbi","openWorldHint":true}`, `{"flowmcp/id":"demo/tool/getAbi"}`},
		{"meta", `,"method":"GET","meta":{"isReadOnly":false,"isConcurrencySafe":true,"isDestructive":true,` +
			`"searchHint":"contract ABI","aliases":["abi"],"alwaysLoad":false}}`,
			`{"title":"getAbi","readOnlyHint":false,"destructiveHint":true,"openWorldHint":true}`,
			`{"flowmcp/id":"demo/tool/getAbi","anthropic/alwaysLoad":false,"anthropic/searchHint":"contract ABI"}`},
		{"preRequest without meta", `,"method":"GET","handlers":["preRequest"]}`,
			`{"title":"getAbi","openWorldHint":true}`, `{"flowmcp/id":"demo/tool/getAbi"}`},
		{"executeRequest without meta", `,"method":"GET","handlers":["executeRequest","postRequest"]}`,
			`{"title":"getAbi","openWorldHint":true}`, `{"flowmcp/id":"demo/tool/getAbi"}`},
		{"postRequest without meta", `,"method":"GET","handlers":["postRequest"]}`,
			`{"title":"getAbi","readOnlyHint":true,"openWorldHint":true}`, `{"flowmcp/id":"demo/tool/getAbi"}`},
		{"reads, but not beside itself", `,"method":"GET","meta":{"isReadOnly":true,"isConcurrencySafe":false}}`,
			`{"title":"getAbi","openWorldHint":true}`, `{"flowmcp/id":"demo/tool/getAbi"}`},
		{"incomplete meta claims nothing",
			`,"method":"GET","meta":{"isReadOnly":"yes","alwaysLoad":true,"searchHint":""}}`,
			`{"title":"getAbi","openWorldHint":true}`, `{"flowmcp/id":"demo/tool/getAbi","anthropic/alwaysLoad":true}`},
		{"output without the option", `,"method":"GET","output":{"mimeType":"application/json",` +
			`"schema":{"type":"object"}}}`,
			`{"title":"getAbi","readOnlyHint":true,"openWorldHint":true}`, `{"flowmcp/id":"demo/tool/getAbi"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tool, err := definedOf(t, false, head+tc.data)
			if err != nil {
				t.Fatal(err)
			}
			want := `{"name":"get_abi_demo","description":"Get the \"ABI\"","annotations":` + tc.annotations +
				`,"_meta":` + tc.meta + `,"inputSchema":` + input + `}`
			if string(tool.Listed()) != want {
				t.Errorf("got\n%s\nwant\n%s", tool.Listed(), want)
			}
		})
	}
}

// Some clients cut what is longer than usual, unless the tool says so.
func TestMaxResultIsListed(t *testing.T) {
	for size, want := range map[int]bool{fit.DefaultLimit: false, 200 << 10: true} {
		rec := catalog.Decode(&record.Resolved{ID: "demo/tool/x", Type: record.TypeTool, Data: ordjson.NewObject(
			ordjson.Field("wireName", ordjson.NewString("x")), ordjson.Field("inputSchema", Typed("object")))})
		tool, err := newTool(rec.(*catalog.Tool), Style{MaxResult: size})
		got := strings.Contains(string(tool.Listed()), `"anthropic/maxResultSizeChars":204800`)
		if err != nil || got != want {
			t.Errorf("%d: %v, %s", size, err, tool.Listed())
		}
	}
}

func TestToolRefuses(t *testing.T) {
	for _, tc := range []struct{ data, want string }{
		{`{"inputSchema":{"type":"object"}}`, "data.wireName is missing"},
		{`{"wireName":"x"}`, `data.inputSchema must be an object with "type":"object", found none`},
		{`{"wireName":"x","inputSchema":{"type":"array"}}`, `found {"type":"array"}`},
		{`{"wireName":"x","inputSchema":[]}`, `found []`},
	} {
		if _, err := definedOf(t, false, tc.data); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error %v, want %q", tc.data, err, tc.want)
		}
	}
}

func TestOutputSchema(t *testing.T) {
	tool, err := definedOf(t, true,
		`{"wireName":"x","inputSchema":{"type":"object"},"output":{"mimeType":"application/json","description":"All `+
			`prices","schema":{"type":"object","properties":{`+
			`"price":{"type":"number","description":"In USD","nullable":true,"enum":[1,2]},"list":{"type":"array",`+
			`"items":{"type":"string","format":"uri"}}}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	v, err := ordjson.Parse(string(tool.Listed()))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"object","properties":{"status":{"type":"boolean"},"messages":{"type":"array",` +
		`"items":{"type":"string"}},` +
		`"data":{"description":"object: All prices","properties":{"price":{"description":"number or null: In USD",` +
		`"anyOf":[{"enum":[1,2]},{}]},` +
		`"list":{"description":"array","items":{"description":"string","anyOf":[{"format":"uri"},{}]}}}}},` +
		`"required":["status","messages","data"]}`
	if got := ordjson.Text(v.Get("outputSchema")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestToolEffects: what a tool does is what its record says; what does not say that
// it spares something may destroy it.
func TestToolEffects(t *testing.T) {
	for _, tt := range []struct {
		data                    string
		reads, destroys, always bool
	}{
		{`"method":"GET"`, true, false, false},
		{`"method":"POST"`, false, true, false},
		{`"method":"POST","meta":{"isReadOnly":false,"isDestructive":false,"alwaysLoad":true}`, false, false, true},
		{`"method":"POST","meta":{"isReadOnly":true,"isDestructive":false}`, true, false, false},
		{`"method":"DELETE","meta":{"isReadOnly":false,"isDestructive":true}`, false, true, false},
	} {
		tool, err := definedOf(t, false, `{"name":"a","wireName":"a_demo","inputSchema":{"type":"object"},`+tt.data+`}`)
		if err != nil || tool.Reads != tt.reads || tool.Destroys != tt.destroys || tool.Always != tt.always {
			t.Errorf("%s: %t, %t, %t, %v", tt.data, tool.Reads, tool.Destroys, tool.Always, err)
		}
	}
}
