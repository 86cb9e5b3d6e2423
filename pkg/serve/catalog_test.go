package serve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func TestList(t *testing.T) {
	l := listingOf(t,
		`{"v":1,"kind":"resolved","id":"tides","type":"catalog","data":{"name":"tides","version":"1.0.0",`+
			`"description":"Tides"}}`,
		`{"v":1,"kind":"resolved","id":"shared/list/seas","type":"list","data":{"name":"seas"}}`,
		`{"v":1,"kind":"future","id":"x"}`,
		toolLine("two", ""), toolLine("one", `,"serverParams":["K"]`),
	)
	if l.About.Name != "tides" || l.About.Description != "Tides" {
		t.Errorf("about %+v", l.About)
	}
	if len(l.Tools) != 2 || l.Tools[0].ID != "demo/tool/two" || l.Tools[1].WireName != "one_demo" ||
		l.Tools[1].ServerParams[0] != "K" {
		t.Errorf("tools %+v", l.Tools)
	}
}

// TestListRefuses: what cannot be served is left out, and the rest is listed.
func TestListRefuses(t *testing.T) {
	for _, tc := range []struct{ line, code, want string }{
		{`{"v":9,"kind":"resolved","id":"demo/tool/x","type":"tool"}`, "LOD022", "version 9"},
		{`{"v":1,"kind":"resolved","id":"demo/tool/x","type":"tool","data":{}}`, "MCP020", "data.wireName"},
		{`{"v":1,"kind":"resolved","id":"demo/tool/x","type":"tool","data":7}`, "MCP020", "data.wireName"},
	} {
		l, errs := listing(t, false, toolLine("one", ""), tc.line)
		if len(errs) != 1 || errs[0].Code != tc.code || errs[0].Input != "c.ndjson:2" ||
			!strings.Contains(errs[0].Message, tc.want) {
			t.Errorf("%s: errors %v, want %s %q", tc.line, errs, tc.code, tc.want)
		}
		if len(l.Tools) != 1 {
			t.Errorf("%s: %d tools", tc.line, len(l.Tools))
		}
	}
}

func TestVisible(t *testing.T) {
	have := func(_, key string) bool { return key == "SET" }
	c := listingOf(t, toolLine("a", ""), toolLine("b", `,"serverParams":["SET"]`),
		toolLine("c", `,"serverParams":["Z","SET"]`), toolLine("d", `,"serverParams":["A","Z"]`))
	shown, hidden := Visible(c.Tools, have)
	if len(shown) != 2 || shown[0].WireName != "a_demo" || shown[1].WireName != "b_demo" || len(hidden) != 2 {
		t.Errorf("shown %v, hidden %v", shown, hidden)
	}
	want := "MCP022: 2 tools hidden, server parameters are missing: Z (2 tools of demo), A (1 tool of demo); " +
		"fmcp-exec keys says where to set them"
	if got := HiddenNote(hidden, have); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	many := &Tool{ID: "demo/tool/many"}
	for i := range 25 {
		many.ServerParams = append(many.ServerParams, fmt.Sprintf("K%02d", i))
	}
	if got := HiddenNote([]Tool{*many}, have); !strings.Contains(got, "K00 (1 tool of demo), K01 (1 tool of demo)") ||
		!strings.Contains(got, "K19 (1 tool of demo) and 5 more;") {
		t.Errorf("got  %s", got)
	}
	if got := HiddenNote(nil, have); got != "" {
		t.Errorf("a note about nothing: %s", got)
	}
}

func TestPages(t *testing.T) {
	var lines []string
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		lines = append(lines, toolLine(name, ""))
	}
	tools := listingOf(t, lines...).Tools
	size := len(tools[0].definition) + 1
	for _, tc := range []struct {
		limit int
		want  string
	}{
		{maxPage, "abcde"},
		{2 * size, "ab cd e"},
		{5 * size, "abcde"},
		{1, "a b c d e"}, // a tool longer than a page is a page
	} {
		c := serving(t, Contents{Tools: tools, maxPage: tc.limit}, Options{})
		got, params := "", "{}"
		for {
			c.send(request("1", "tools/list", params))
			r := c.recv().Get("result")
			for _, tool := range r.Get("tools").Elems() {
				got += tool.Get("name").Str()[:1]
			}
			next := r.Get("nextCursor")
			if !next.Exists() {
				break
			}
			got += " "
			params = `{"cursor":` + ordjson.Text(next) + `}`
		}
		if got != tc.want {
			t.Errorf("limit %d: pages %q, want %q", tc.limit, got, tc.want)
		}
	}
}

func TestNoTools(t *testing.T) {
	c := serving(t, Contents{}, Options{})
	if got := c.ask(request("1", "tools/list",
		`{"cursor":""}`)); got != `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}` {
		t.Errorf("got %s", got)
	}
}
