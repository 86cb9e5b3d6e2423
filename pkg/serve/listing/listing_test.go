package listing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
)

// toolLine is the record of a tool; extra are further members of its data.
func toolLine(name, extra string) string {
	return fmt.Sprintf(`{"v":1,"kind":"resolved","id":"demo/tool/%[1]s","type":"tool","data":{"schema":"demo/things",`+
		`"namespace":"demo","name":"%[1]s",`+
		`"wireName":"%[1]s_demo","description":"Does %[1]s","method":"GET","root":"https://example.com","path":"/x",`+
		`"parameters":[],`+
		`"inputSchema":{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}%[2]s}}`, name, extra)
}

// lists lists a catalog; errors are what cannot be served.
func lists(t testing.TB, outputSchemas bool, lines ...string) (l *Listing, errs []*record.Error) {
	t.Helper()
	x, err := catalog.Read(strings.NewReader(strings.Join(lines, "\n")), catalog.ReadOptions{Name: "c.ndjson"})
	if err == nil {
		l, err = Of(x, Style{OutputSchemas: outputSchemas}, func(e *record.Error) { errs = append(errs, e) })
	}
	if err != nil {
		t.Fatal(err)
	}
	return l, errs
}

func listingOf(t testing.TB, lines ...string) *Listing {
	t.Helper()
	l, errs := lists(t, false, lines...)
	for _, err := range errs {
		t.Fatal(err)
	}
	return l
}

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
		l, errs := lists(t, false, toolLine("one", ""), tc.line)
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
