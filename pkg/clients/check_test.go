package clients

import (
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// What each client cannot do with, and that it does with what is next to it.
func TestCheck(t *testing.T) {
	schema := func(text string) ordjson.Value {
		v, err := ordjson.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	plain := schema(`{"type":"object","properties":{"a.b-c_1":{"type":"array","items":{}}}}`)
	name := func(n int) Tool { return Tool{strings.Repeat("n", n), "d", plain} }
	of := func(text string) []Tool { return []Tool{{"t", "d", schema(text)}} }
	many := func(n int) []Tool {
		tools := make([]Tool, n)
		for i := range tools {
			tools[i] = name(10)
		}
		return tools
	}
	for _, tt := range []struct {
		client       string
		instructions int
		tools        []Tool
		lost         bool
		want         string // "" for nothing
	}{
		{"claude-code", 2048, []Tool{name(50), {"t", strings.Repeat("d", 2048), plain}}, false, ""},
		{"claude-code", 0, []Tool{name(55), name(54)}, true, "1 tool whose name is longer than 64 bytes, as " +
			"mcp__srv__NAME: give the server a shorter --name, or resolve with --max-name 54"},
		{"claude-code", 0, []Tool{{"t", strings.Repeat("d", 2049), plain}}, false, "described in more than 2048"},
		{"claude-code", 2049, []Tool{name(1)}, false, "the instructions have 2049 bytes, and are cut after 2048"},
		{"claude-code", 0, many(5000), false, ""},
		{"cursor", 0, many(40), false, ""},
		{"cursor", 0, many(41), false, "41 tools in a list of all; of all servers it uses 40: --mode search"},
		{"zed", 0, many(101), false, "101 tools in a list of all; the model chooses badly among more than 100"},
		{"cursor", 0, []Tool{name(58)}, true, "longer than 60 bytes"},
		{"claude-desktop", 0, of(`{"properties":{"x":{"properties":{"a b":{}}}}}`), true, "with parameters"},
		{"claude-desktop", 0, of(`{"properties":{"x":{"items":{"anyOf":[{"properties":{"ä":{}}}]}}}}`), true,
			"with parameters"},
		{"codex", 0, of(`{"properties":{"a b":{}}}`), false, ""},
		{"codex", 0, of(`{"properties":{"x":{"type":["array","null"]}}}`), true, "with arrays without items"},
		{"claude-code", 0, of(`{"properties":{"x":{"type":"array"}}}`), false, ""},
		{"codex", 0, of(`{"anyOf":[{}]}`), false, "with anyOf, oneOf or allOf at the top"},
		{"gemini", 0, of(`{"anyOf":[{}]}`), false, ""},
	} {
		found := client(t, tt.client).Check("srv", strings.Repeat("i", tt.instructions), tt.tools)
		ok := len(found) == 0
		if tt.want != "" {
			ok = len(found) == 1 && found[0].Lost == tt.lost && strings.Contains(found[0].Text, tt.want)
		}
		if !ok {
			t.Errorf("%s: %+v, want %q", tt.client, found, tt.want)
		}
	}
	found := client(t, "cursor").Check("srv", "", []Tool{name(58), name(57), name(60)})
	if len(found) != 1 || !slices.Equal(found[0].Tools, []string{name(58).Name, name(60).Name}) {
		t.Errorf("the tools: %+v", found)
	}
}
