package serve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

func TestCatalog(t *testing.T) {
	c := catalogOf(t,
		`{"v":1,"kind":"resolved","id":"tides","type":"catalog","data":{"name":"tides","version":"1.0.0","description":"Tides"}}`,
		`{"v":1,"kind":"resolved","id":"shared/list/seas","type":"list","data":{"name":"seas"}}`,
		`{"v":1,"kind":"future","id":"x"}`,
		toolLine("two", ""), toolLine("one", `,"serverParams":["K"]`),
	)
	if c.Name != "tides" || c.Version != "1.0.0" || c.Description != "Tides" {
		t.Errorf("catalog %q %q %q", c.Name, c.Version, c.Description)
	}
	if len(c.Tools) != 2 || c.Tools[0].ID != "demo/tool/two" || c.Tools[1].WireName != "one_demo" || c.Tools[1].ServerParams[0] != "K" {
		t.Errorf("tools %+v", c.Tools)
	}
	r, ok := c.Record("demo/tool/one")
	if !ok || r.Type != record.TypeTool || r.Data.Get("root").Str() != "https://example.com" {
		t.Errorf("record %+v, %v", r, ok)
	}
	if _, ok := c.Record("demo/tool/none"); ok {
		t.Error("a record of a tool that is not there")
	}
}

func TestCatalogRefuses(t *testing.T) {
	for _, tc := range []struct{ line, code, want string }{
		{`{"v":1,`, "LOD020", "not a JSON record"},
		{`{"v":9,"kind":"resolved"}`, "LOD022", "version 9"},
		{`{"v":1,"kind":"resolved","id":"demo/tool/x","type":"tool","data":{}}`, "MCP020", "data.wireName"},
		{`{"v":1,"kind":"error","input":"a.mjs","stage":"fmcp-load","code":"LOD003","message":"broken"}`, "LOD003", "broken"},
		{toolLine("one", ""), "MCP020", "demo/tool/one occurs twice"},
	} {
		c := catalogOf(t, toolLine("one", ""))
		if err := c.Add(tc.line); err == nil || err.Code != tc.code || !strings.Contains(err.Message, tc.want) {
			t.Errorf("%s: error %v, want %s %q", tc.line, err, tc.code, tc.want)
		}
		if len(c.Tools) != 1 {
			t.Errorf("%s: %d tools", tc.line, len(c.Tools))
		}
	}
}

func TestVisible(t *testing.T) {
	have := func(_, key string) bool { return key == "SET" }
	c := catalogOf(t, toolLine("a", ""), toolLine("b", `,"serverParams":["SET"]`),
		toolLine("c", `,"serverParams":["Z","SET"]`), toolLine("d", `,"serverParams":["A","Z"]`))
	shown, hidden := Visible(c.Tools, have)
	if len(shown) != 2 || shown[0].WireName != "a_demo" || shown[1].WireName != "b_demo" || len(hidden) != 2 {
		t.Errorf("shown %v, hidden %v", shown, hidden)
	}
	want := "MCP022: 2 tools hidden, server parameters are missing: Z (2 tools of demo), A (1 tool of demo); fmcp-exec keys says where to set them"
	if got := HiddenNote(hidden, have); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	many := &Tool{ID: "demo/tool/many"}
	for i := range 25 {
		many.ServerParams = append(many.ServerParams, fmt.Sprintf("K%02d", i))
	}
	if got := HiddenNote([]Tool{*many}, have); !strings.Contains(got, "K00 (1 tool of demo), K01 (1 tool of demo)") || !strings.Contains(got, "K19 (1 tool of demo) and 5 more;") {
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
	tools := catalogOf(t, lines...).Tools
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
		c := serving(t, tools, echo, Options{maxPage: tc.limit})
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
	c := serving(t, nil, echo, Options{})
	if got := c.ask(request("1", "tools/list", `{"cursor":""}`)); got != `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}` {
		t.Errorf("got %s", got)
	}
}
