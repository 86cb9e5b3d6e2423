package serve

import (
	"context"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// TestOwnTools: a tool of the server is listed first, answers itself, and calls
// those of the catalog; a folded list keeps what is always loaded, and all can be
// called.
func TestOwnTools(t *testing.T) {
	own := OwnTool{Name: "twice", Description: "Calls a tool", Input: ordjson.NewObject(
		ordjson.Field("type", ordjson.NewString("object"))),
		Answer: func(ctx context.Context, s *Surface, args ordjson.Value) *record.Envelope {
			tool, err := s.Find(args.Get("id").Str())
			if err != nil {
				return Refused("MCP999", "%v", err)
			}
			return s.Call(ctx, tool, ordjson.NewObject(ordjson.Field("q", ordjson.NewString(tool.Name))))
		}}
	contents := demo(t, echo)
	contents.Tools = append(contents.Tools, listingOf(t, toolLine("loaded", `,"meta":{"alwaysLoad":true}`)).Tools...)
	contents.Own, contents.Folded = []OwnTool{own}, true
	c := serving(t, contents, Options{})
	list := c.ask(request("1", "tools/list", "{}"))
	const twice = `{"name":"twice","description":"Calls a tool","annotations":{"title":"twice","readOnlyHint":false,` +
		`"destructiveHint":false,"openWorldHint":true},"inputSchema":{"type":"object"}},{"name":"loaded_demo"`
	if !strings.Contains(list, `"tools":[`+twice) || strings.Count(list, `"inputSchema"`) != 2 {
		t.Errorf("listed: %s", list)
	}
	for _, tt := range []struct{ args, want string }{
		{`{"id":"one_demo"}`, `{"status":true,"messages":[],"data":{"q":"one"}}`},
		{`{"id":"demo/tool/two"}`, `{"status":true,"messages":[],"data":{"q":"two"}}`},
		{`{"id":"tow_demo"}`, `{"status":false,"messages":["MCP999 MCP006 there is no tool \"tow_demo\" ` +
			`(did you mean \"two_demo\"?); search finds tools"],"data":null}`},
		{`{"id":"twice"}`, `{"status":false,"messages":["MCP999 MCP006 there is no tool \"twice\"; ` +
			`search finds tools"],"data":null}`},
	} {
		c.send(callOf("2", "twice", tt.args))
		if got := ordjson.Text(envelopeOf(t, c.recv())); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.args, got, tt.want)
		}
	}
	c.send(callOf("3", "three_demo", `{"q":"x"}`))
	if got := ordjson.Text(envelopeOf(t, c.recv())); got != `{"status":true,"messages":[],"data":{"q":"x"}}` {
		t.Errorf("one that is not listed: %s", got)
	}
}

// TestOwnToolIsCut: a long answer of a tool of the server is cut like others, and
// says in its own words how to ask for less.
func TestOwnToolIsCut(t *testing.T) {
	own := OwnTool{Name: "long", Input: ordjson.NewObject(), Less: "return less",
		Answer: func(context.Context, *Surface, ordjson.Value) *record.Envelope {
			return &record.Envelope{Status: true, Data: ordjson.NewString(strings.Repeat("long ", 1000))}
		}}
	contents := demo(t, echo)
	contents.Own = []OwnTool{own}
	c := serving(t, contents, Options{MaxResult: 1000})
	c.send(callOf("1", "long", "{}"))
	text := ordjson.Text(envelopeOf(t, c.recv()))
	if len(text) > 1000 || !strings.Contains(text, "was cut") || !strings.Contains(text, "; return less\"") {
		t.Errorf("got %s", text)
	}
}

// TestTarget: a tool of the server has one of the catalog answer in its place, as
// far as the client has seen that one.
func TestTarget(t *testing.T) {
	own := OwnTool{Name: "call", Input: ordjson.NewObject(ordjson.Field("type", ordjson.NewString("object"))),
		Target: func(s *Surface, args ordjson.Value) (*listing.Tool, ordjson.Value, error) {
			tool, err := s.Find(args.Get("name").Str())
			return tool, args.Get("arguments"), err
		}}
	contents := demo(t, echo)
	contents.Tools = append(contents.Tools, listingOf(t,
		toolLine("shaped", `,"output":{"mimeType":"application/json","schema":{"type":"object"}}`)).Tools...)
	contents.Tools[len(contents.Tools)-1].Structured = true
	contents.Own = []OwnTool{own}
	c := serving(t, contents, Options{})
	for _, tt := range []struct{ args, want string }{
		{`{"name":"one_demo","arguments":{"q":"x"}}`, `{"status":true,"messages":[],"data":{"q":"x"}}`},
		{`{"name":"shaped_demo","arguments":{"q":"x"}}`, `{"status":true,"messages":[],"data":{"q":"x"}}`},
		{`{"name":"one_demo"}`, `{"status":true,"messages":[],"data":{}}`},
		{`{"name":"one_demo","arguments":[1]}`, `{"status":false,"messages":["MCP007 one_demo: expected arguments to ` +
			`be an object of parameters by name, found array; give {} if there are none"],"data":null}`},
		{`{"name":"call"}`, `{"status":false,"messages":["MCP006 there is no tool \"call\"; ` +
			`search finds tools"],"data":null}`},
	} {
		c.send(callOf("2", "call", tt.args))
		if got := ordjson.Text(envelopeOf(t, c.recv())); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.args, got, tt.want)
		}
	}
}
