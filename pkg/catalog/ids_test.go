package catalog

import (
	"errors"
	"slices"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

func codeOf(err error) string {
	var p *words.Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

func TestParseID(t *testing.T) {
	tests := []struct {
		in   string
		want ID
		code string
	}{
		{"coingecko/tool/simplePrice", ID{"coingecko", "tool", "simplePrice"}, ""},
		{"coingecko/resource/supported-coins", ID{"coingecko", "resource", "supported-coins"}, ""},
		{"crypto-research/prompt/token-deep-dive", ID{"crypto-research", "prompt", "token-deep-dive"}, ""},
		{"shared/list/evmChains", ID{"shared", "list", "evmChains"}, ""},
		{"etherscan-io/skill/audit", ID{"etherscan-io", "skill", "audit"}, ""},
		{"evm-research/selection/contract", ID{"evm-research", "selection", "contract"}, ""},
		{"crypto/agent/researcher", ID{"crypto", "agent", "researcher"}, ""},
		{"etherscan-io/contracts", ID{"etherscan-io", "", "contracts"}, ""},
		{"polymarket/gammaApi", ID{"polymarket", "", "gammaApi"}, ""},
		{"festivals/tool/markets_festivals", ID{"festivals", "tool", "markets_festivals"}, ""},
		{"", ID{}, "ID001"},
		{"simplePrice", ID{}, "ID001"},
		{"a/tool/b/c", ID{}, "ID001"},
		{"COINGECKO/tool/simplePrice", ID{}, "ID002"},
		{"1inch/tool/quote", ID{}, "ID002"},
		{"web3_data/tool/x", ID{}, "ID002"},
		{"coingecko/tols/simplePrice", ID{}, "ID003"},
		{"shared/tool/x", ID{}, "ID003"},
		{"coingecko/tool/", ID{}, "ID004"},
		{"coingecko/", ID{}, "ID004"},
		{"coingecko/tool/1x", ID{}, "ID004"},
		{"coingecko/tool/a b", ID{}, "ID004"},
		{"coingecko/.hidden", ID{}, "ID004"},
		{"/tool/getAbi", ID{}, "ID006"},
		{"coingecko//getAbi", ID{}, "ID006"},
	}
	for _, tt := range tests {
		got, err := ParseID(tt.in)
		if got != tt.want || codeOf(err) != tt.code {
			t.Errorf("ParseID(%q) = %v, %v; want %v, code %q", tt.in, got, err, tt.want, tt.code)
		}
		if err == nil && got.String() != tt.in {
			t.Errorf("ParseID(%q).String() = %q", tt.in, got)
		}
	}
	if _, err := ParsePrimitiveID("coingecko/simplePrice"); codeOf(err) != "ID005" {
		t.Errorf("short form: %v, want ID005", err)
	}
	if _, err := ParseID("coingecko/tols/simplePrice"); err == nil || err.Error() !=
		`ID003 type "tols" of ID "coingecko/tols/simplePrice" is not one of tool, resource, prompt, list, skill, `+
			`selection, agent (did you mean "tool"?); write namespace/type/name with one of these types` {
		t.Errorf("message: %v", err)
	}
}

func TestPrimitiveIDs(t *testing.T) {
	schemaLoad := func(main string) *record.Load {
		data, err := ordjson.Parse(main)
		if err != nil {
			t.Fatal(err)
		}
		return &record.Load{Type: record.TypeSchema, ID: "a/b", Data: data}
	}
	groupLoad := func(typ record.Type, id, text string) *record.Load {
		l := schemaLoad(text)
		l.Type, l.ID = typ, id
		return l
	}
	listLoad := &record.Load{Type: record.TypeList, ID: "shared/list/chains"}
	tests := []struct {
		name string
		load *record.Load
		want []PrimitiveID
	}{
		{"schema", schemaLoad(`{"namespace":"a","tools":{"x":{},"my-y":{}},"resources":{"r":{}},"prompts":{"p":{},` +
			`"priceList":{"name":"price-list"},"bad":{"name":"a b"}}}`), []PrimitiveID{
			{ID{"a", "tool", "x"}, "main.tools.x", "/tools/x"},
			{ID{"a", "tool", "my-y"}, "main.tools['my-y']", "/tools/my-y"},
			{ID{"a", "resource", "r"}, "main.resources.r", "/resources/r"},
			{ID{"a", "prompt", "p"}, "main.prompts.p", "/prompts/p"},
			{ID{"a", "prompt", "price-list"}, "main.prompts.priceList", "/prompts/priceList"},
			{ID{"a", "prompt", "bad"}, "main.prompts.bad", "/prompts/bad"},
		}},
		{"routes", schemaLoad(`{"namespace":"a","routes":{"x":{}}}`), []PrimitiveID{
			{ID{"a", "tool", "x"}, "main.routes.x", "/routes/x"},
		}},
		{"list", listLoad, []PrimitiveID{{ID{"shared", "list", "chains"}, "list", ""}}},
		{"nothing", schemaLoad(`null`), nil},
		{"agent", groupLoad(record.TypeAgent, "a/agent/a", `{"tools":{"b/tool/x":null,"own":{},"y":null},`+
			`"resources":{"r":{}},"prompts":{"in-file":{"file":"./p.mjs"},"here":{"content":"x"},"empty":{}},`+
			`"skills":{"s":{"file":"./s.mjs"},"t":{"content":"x"}},"about":{"content":"x"}}`), []PrimitiveID{
			{ID{"a", "agent", "a"}, "agent", ""},
			{ID{"a", "tool", "own"}, "agent.tools.own", "/tools/own"},
			{ID{"a", "skill", "t"}, "agent.skills.t", "/skills/t"},
			{ID{"a", "resource", "r"}, "agent.resources.r", "/resources/r"},
			{ID{"a", "prompt", "here"}, "agent.prompts.here", "/prompts/here"},
			{ID{"a", "prompt", "about"}, "agent.about", "/about"},
		}},
		{"selection", groupLoad(record.TypeSelection, "a/selection/b", `{"tools":["a/tool/x",{"name":"no"}],`+
			`"skills":["a/skill/s",{"name":"t","content":"x"},{"name":"u"}]}`), []PrimitiveID{
			{ID{"a", "selection", "b"}, "selection", ""},
			{ID{"a", "skill", "t"}, "selection.skills[1]", "/skills/1"},
		}},
	}
	for _, tt := range tests {
		if got := PrimitiveIDs(tt.load); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func FuzzParseID(f *testing.F) {
	for _, s := range []string{"a/tool/b", "a/b", "", "/", "//", "shared/list/x", "A/tool/b", "a/tool/b/c",
		"a/tool/\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := ParseID(s)
		switch {
		case err == nil && id.String() != s:
			t.Errorf("ParseID(%q).String() = %q", s, id)
		case err != nil && codeOf(err) == "":
			t.Errorf("ParseID(%q): %v carries no code", s, err)
		}
	})
}
