package serve

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func initialize(version string) string {
	return request("1", "initialize",
		`{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
}

func TestInitialize(t *testing.T) {
	for _, tc := range []struct{ asked, want string }{
		{"2024-11-05", "2024-11-05"},
		{"2025-03-26", "2025-03-26"},
		{"2025-06-18", "2025-06-18"},
		{"2025-11-25", "2025-11-25"},
		{"1999-01-01", "2025-11-25"},
	} {
		c := serving(t, Contents{Name: "demo", Version: "1.2.3", Instructions: "Ask for things.",
			Tools: demoTools(t)}, Options{})
		c.send(initialize(tc.asked), `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		got := c.recv().Get("result")
		if v := got.Get("protocolVersion").Str(); v != tc.want {
			t.Errorf("protocolVersion for %s = %s, want %s", tc.asked, v, tc.want)
		}
		if s := ordjson.Text(got.Get("serverInfo")); s != `{"name":"demo","version":"1.2.3"}` {
			t.Errorf("serverInfo = %s", s)
		}
		if !got.Get("capabilities").Get("tools").Is(ordjson.Object) {
			t.Errorf("capabilities = %s, want tools in it", ordjson.Text(got.Get("capabilities")))
		}
		if s := got.Get("instructions").Str(); s != "Ask for things." {
			t.Errorf("instructions = %q", s)
		}
	}
}

// Protocol 2026-07-28 has no handshake: each request says its version, and
// each result carries more.
func TestModernProtocol(t *testing.T) {
	meta := func(version string) string {
		return `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + version +
			`","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
			`"io.modelcontextprotocol/clientCapabilities":{}}`
	}
	c := serving(t, Contents{Name: "demo", Version: "1", Tools: demoTools(t), Caller: echo}, Options{})
	for _, tc := range []struct{ line, key, want string }{
		{request("1", "server/discover", "{"+meta("2026-07-28")+"}"), "/result/resultType", `"complete"`},
		{request("2", "tools/list", "{"+meta("2026-07-28")+"}"), "/result/ttlMs", `60000`},
		{request("3", "tools/list", "{"+meta("2026-07-28")+"}"), "/result/tools/2/name", `"three_demo"`},
		{request("4", "tools/call", `{"name":"one_demo","arguments":{"q":1},`+meta("2026-07-28")+"}"),
			"/result/resultType", `"complete"`},
		{request("5", "tools/call", `{"name":"one_demo","arguments":{"q":1},`+meta("2026-07-28")+"}"),
			"/result/content/0/text", `"{\"status\":true,\"messages\":[],\"data\":{\"q\":1}}"`},
		{request("6", "tools/call", `{"name":"one_demo",`+meta("2099-01-01")+"}"), "/error/code", `-32022`},
		{request("7", "ping", "{"+meta("2026-07-28")+"}"), "/error/code", `-32601`},
		{request("7", "ping", "{"+meta("2026-07-28")+"}"), "/error/message",
			`"\"ping\" was removed in protocol version 2026-07-28"`},
		{request("8", "subscriptions/listen", "{"+meta("2026-07-28")+"}"), "/error/data/code", `"MCP005"`},
		{request("9", "ping", "{"+meta("2025-11-25")+"}"), "/result", `{}`},
		{request("10", "ping", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`), "/error/code",
			`-32602`},
		{request("11", "tools/list", "{"+meta("2026-07-28")+"}"), "/result/_meta",
			`{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1"}}`},
		{request("12", "tools/list", "{"+meta("2026-07-28")+"}"), "/result/cacheScope", `"private"`},
		{request("13", "tools/call", `{"name":"one_demo",`+meta("2026-07-28")+"}"), "/result/ttlMs", `null`},
		{request("14", "server/discover", "{"+meta("2026-07-28")+"}"), "/result/supportedVersions",
			`["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]`},
	} {
		c.send(tc.line)
		v := c.recv()
		if got, _ := ordjson.Lookup(v, tc.key); ordjson.Text(got) != tc.want {
			t.Errorf("%s\n%s = %s, want %s\nin %s", tc.line, tc.key, ordjson.Text(got), tc.want, ordjson.Text(v))
		}
	}
}

func TestAnswers(t *testing.T) {
	one := `{"content":[{"type":"text","text":"{\"status\":true,\"messages\":[],\"data\":{\"q\":\"x\"}}"}]}`
	for _, tc := range []struct{ name, line, want string }{
		{"ping", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"call", callOf("1", "one_demo", `{"q":"x"}`), `{"jsonrpc":"2.0","id":1,"result":` + one + `}`},
		{"large id", callOf("9007199254740993", "one_demo", `{"q":"x"}`),
			`{"jsonrpc":"2.0","id":9007199254740993,"result":` + one + `}`},
		{"huge id", callOf("123456789012345678901234567890", "one_demo", `{"q":"x"}`),
			`{"jsonrpc":"2.0","id":123456789012345678901234567890,"result":` + one + `}`},
		{"id past float64", callOf("1e400", "one_demo", `{"q":"x"}`), `{"jsonrpc":"2.0","id":1e400,"result":` + one +
			`}`},
		{"string id", callOf(`"a/7"`, "one_demo", `{"q":"x"}`), `{"jsonrpc":"2.0","id":"a/7","result":` + one + `}`},
		{"no arguments", request("1", "tools/call", `{"name":"one_demo"}`), `{"jsonrpc":"2.0","id":1,"result":` +
			strings.ReplaceAll(one, `{\"q\":\"x\"}`, `{}`) + `}`},
		{"large number", callOf("1", "one_demo", `{"q":12345678901234567890}`), `{"jsonrpc":"2.0","id":1,"result":` +
			strings.ReplaceAll(one, `\"x\"`, `12345678901234567890`) + `}`},
		{"initialize of a wrong form", request("1", "initialize", `{"protocolVersion":7}`),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"expected params.protocolVersion to be a ` +
				`string, found number","data":{"code":"MCP005"}}}`},
		{"initialize with odd capabilities", request("1", "initialize", `{"capabilities":{"roots":[]}}`),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"expected params.capabilities.roots to be an ` +
				`object, found array","data":{"code":"MCP005"}}}`},
		{"_meta of a wrong form", request("1", "tools/list", `{"_meta":[]}`),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"expected params._meta to be an object, ` +
				`found array","data":{"code":"MCP005"}}}`},
		{"discover without a revision", request("1", "server/discover", `{}`),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params._meta.` +
				`io.modelcontextprotocol/protocolVersion is missing or of a wrong type; revision 2026-07-28 needs it ` +
				`in every request","data":{"code":"MCP005"}}}`},
		{"no prompts", request("1", "prompts/list", `{}`),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"prompts not supported",` +
				`"data":{"code":"MCP011"}}}`},
		{"no resources", request("1", "resources/list", `{}`),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"resources not supported",` +
				`"data":{"code":"MCP011"}}}`},
		{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"no/such"}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method no/such not found",` +
				`"data":{"code":"MCP011"}}}`},
		{"unknown tool", callOf("1", "one_dmeo", `{}`),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"there is no tool \"one_dmeo\" (did you mean ` +
				`\"one_demo\"?); tools/list has the names of all","data":{"code":"MCP006"}}}`},
		{"Spec-ID as name", callOf("1", "demo/tool/two", `{}`),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"there is no tool \"demo/tool/two\" (did you ` +
				`mean \"two_demo\"? tools are called by their MCP names); ` +
				`tools/list has the names of all","data":{"code":"MCP006"}}}`},
		{"name of the schema", callOf("1", "three", `{}`),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"there is no tool \"three\" (did you mean ` +
				`\"three_demo\"? tools are called by their MCP names); ` +
				`tools/list has the names of all","data":{"code":"MCP006"}}}`},
		{"no tool name", request("1", "tools/call", `{"name":7}`),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"expected params.name to be the name of a tool,` +
				` found 7","data":{"code":"MCP005"}}}`},
		{"arguments as array", callOf("1", "one_demo", `[1]`),
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"status\":false,` +
				`\"messages\":[\"MCP007 one_demo: expected arguments to be an object of parameters by name, ` +
				`found array; give {} if there are none\"],\"data\":null}"}],"isError":true}}`},
		{"params as array", request("1", "tools/list", `[]`),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"expected \"params\" to be an object, ` +
				`found array","data":{"code":"MCP005"}}}`},
		{"not JSON", `{"jsonrpc":`, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"not JSON: ` +
			`unexpected end of input, expected a value at byte 11; send one JSON-RPC message a line, ` +
			`in UTF-8","data":{"code":"MCP002"}}}`},
		{"batch", `[` + callOf("1", "one_demo", `{}`) + `]`,
			`{"jsonrpc":"2.0","error":{"code":-32600,"message":"found a batch of 1 messages; ` +
				`MCP has no batches, send one message a line","data":{"code":"MCP004"}}}`},
		{"a number", `7`, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"expected a JSON-RPC message, ` +
			`an object; found number","data":{"code":"MCP003"}}}`},
		{"wrong version", `{"jsonrpc":"1.0","id":3,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"expected \"jsonrpc\":\"2.0\", ` +
				`found \"1.0\"","data":{"code":"MCP003"}}}`},
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`,
			`{"jsonrpc":"2.0","error":{"code":-32600,"message":"expected \"id\" to be a string or a number,` +
				` found null; leave it out for a notification","data":{"code":"MCP003"}}}`},
		{"no method", `{"jsonrpc":"2.0","id":4}`,
			`{"jsonrpc":"2.0","id":4,"error":{"code":-32600,"message":"expected \"method\" to be a string such as ` +
				`\"tools/list\", found none","data":{"code":"MCP003"}}}`},
		{"bad cursor", request("5", "tools/list", `{"cursor":"nonsense"}`),
			`{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"params.cursor \"nonsense\" is not one that ` +
				`this server gave; take nextCursor of the page before, ` +
				`or none for the first page","data":{"code":"MCP005"}}}`},
		// Keys in another case are unknown members, not the ones they look like.
		{"keys in another case", `{"jsonrpc":"2.0","id":1,"ID":null,"method":"ping","Method":"x"}`,
			`{"jsonrpc":"2.0","id":1,"result":{}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := serving(t, demo(t, echo), Options{})
			if got := c.ask(tc.line); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
			if got := c.ask(request(`"after"`, "ping", "{}")); got != `{"jsonrpc":"2.0","id":"after","result":{}}` {
				t.Errorf("ping afterwards: %s", got)
			}
		})
	}
}

// An id goes back byte for byte, escapes included.
func TestIDText(t *testing.T) {
	for _, id := range []string{`"A\"\\"`, `"\ud83d\ude00"`, `-0`, `1.50`, `1E2`, `""`} {
		m, err := Parse(`{"id" : ` + id + ` ,"jsonrpc":"2.0","method":"ping"}`)
		if err != nil || m.ID != id {
			t.Errorf("id %s read as %s (%v)", id, m.ID, err)
		}
	}
}

// Nothing answers what is not a request.
func TestSilent(t *testing.T) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","method":"notifications/unknown","params":{"a":1}}`,
		`{"jsonrpc":"2.0","method":"tools/list"}`,
		`{"jsonrpc":"2.0","method":"notifications/x","params":[]}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`,
		cancelled("77"),
		cancelled("null"),
		"",
		"  \r",
	} {
		c := serving(t, demo(t, echo), Options{})
		c.send(line)
		if got := c.ask(request("9", "ping", "{}")); got != `{"jsonrpc":"2.0","id":9,"result":{}}` {
			t.Errorf("%q was answered: %s", line, got)
		}
	}
}

func TestFrameLimit(t *testing.T) {
	c := serving(t, demo(t, echo), Options{maxFrame: 200})
	exact := callOf("1", "one_demo", `{"q":""}`)
	exact = strings.Replace(exact, `""`, `"`+strings.Repeat("x", 200-len(exact))+`"`, 1)
	if got := c.ask(exact); !strings.Contains(got, `"id":1,"result"`) {
		t.Errorf("a line of the longest length: %s", got)
	}
	for _, n := range []int{201, 70_000, 3_000_000} {
		x := strings.Repeat("[", n)
		for _, tc := range []struct{ line, id string }{
			{x, ""},
			{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"` + x + `"}`, `,"id":7`},
			{`{"method":"tools/call","params":"` + x + `","jsonrpc":"2.0","id":"8\""}`, `,"id":"8\""`},
			{`{"method":"tools/call","params":{"x":"` + x + `","id":9}`, ""},
		} {
			want := `{"jsonrpc":"2.0"` + tc.id + `,"error":{"code":-32600,"message":"line of `
			if got := c.ask(tc.line); !strings.HasPrefix(got, want) || !strings.Contains(got, CodeFrameTooLong) {
				t.Errorf("a line of %d bytes: %s, want %s", n, got, want)
			}
		}
	}
	if got := c.ask(request("2", "ping", "{}")); !strings.Contains(got, `"id":2,"result"`) {
		t.Errorf("afterwards: %s", got)
	}
}

func TestLastLineWithoutNewline(t *testing.T) {
	var out strings.Builder
	s := newServer(t, demo(t, echo), Options{})
	if err := s.Serve(t.Context(), strings.NewReader(callOf("1", "one_demo", "{}")), &out); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), `{"jsonrpc":"2.0","id":1,"result":`) {
		t.Errorf("got %q", out.String())
	}
}
