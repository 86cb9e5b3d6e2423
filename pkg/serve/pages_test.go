package serve

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func TestPages(t *testing.T) {
	var lines []string
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		lines = append(lines, toolLine(name, ""))
	}
	tools := listingOf(t, lines...).Tools
	size := len(tools[0].Listed()) + 1
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
