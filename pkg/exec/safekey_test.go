package exec

import (
	"context"
	"net/http"
	"testing"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// A key that model APIs refuse is known on its own and by the one that MCP
// clients have for it.
func TestCallBySafeKeys(t *testing.T) {
	var got string
	root, c := upstream(t, fetch.Options{}, nil, func(w http.ResponseWriter, r *http.Request) {
		got = r.URL.RawQuery
		_, _ = w.Write([]byte(`{}`))
	})
	tl := tool(t, data("GET", root, "/", "", user("page[number]", "query", "number()", ""),
		user("fl[]", "query", "string()", `"optional()"`),
		user("fl", "query", "string()", `"optional()"`)))
	for _, tt := range []struct{ params, query, refused string }{
		{`{"page[number]":2}`, "page%5Bnumber%5D=2", ""},
		{`{"page_number":2}`, "page%5Bnumber%5D=2", ""},
		{`{"fl":"a","fl_2":"b","page_number":2}`, "page%5Bnumber%5D=2&fl%5B%5D=b&fl=a", ""},
		{`{"page_number":2,"page[number]":3}`, "",
			`parameter "page[number]" (page_number over MCP) is given twice, as page_number too: leave one out`},
		{`{"page_number":"2"}`, "", `parameter "page[number]" (page_number over MCP): expected a number`},
		{`{"page_nmber":2}`, "", `unknown parameter "page_nmber" (did you mean "page_number"?); ` +
			`known are page[number] (page_number over MCP)`},
		{`{}`, "", `required parameter "page[number]" (page_number over MCP) is missing`},
	} {
		got = ""
		e := c.Call(context.Background(), tl, parse(t, tt.params), Options{})
		if expect(t, e, tt.refused == "", tt.refused); got != tt.query {
			t.Errorf("%s: the upstream got %q, want %q", tt.params, got, tt.query)
		}
	}
	params, err := ParamsFromText(tl, []string{"page_number=2", "fl_2=b"})
	if want := `{"page[number]":2,"fl[]":"b"}`; err != nil || ordjson.Text(params) != want {
		t.Errorf("command line: %s, %v; want %s", ordjson.Text(params), err, want)
	}
	if _, err := ParamsFromText(tl, []string{"page_number=2", "page[number]=3"}); err == nil {
		t.Error("a parameter that is given under both keys passes")
	}
}
