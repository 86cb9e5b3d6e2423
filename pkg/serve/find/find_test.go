package find

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/words"
)

// echo answers with what it is given.
type echo struct{}

func (echo) Call(_ context.Context, id string, params ordjson.Value) *record.Envelope {
	return &record.Envelope{ID: id, Status: true, Data: params}
}

func (echo) Read(context.Context, string) *record.Envelope { return nil }

func (echo) Deliver(context.Context, string, ordjson.Value) *record.Envelope { return nil }

// fixed finds the same for every request.
type fixed []string

func (f fixed) Search(_ string, limit int) []string { return f[:min(limit, len(f))] }

func toolLine(name, method, meta string) string {
	return fmt.Sprintf(`{"v":1,"kind":"resolved","id":"demo/tool/%[1]s","type":"tool","data":{"schema":"demo/things",`+
		`"namespace":"demo","name":"%[1]s","wireName":"%[1]s_demo","description":"Does %[1]s.\nAnd\tmore.",`+
		`"method":"%[2]s","root":"https://example.com","path":"/x","parameters":[],"inputSchema":{"type":"object",`+
		`"properties":{"q":{"type":"string"}}},"meta":{%[3]s}}}`, name, method, meta)
}

func toolsOf(t *testing.T, lines ...string) []listing.Tool {
	t.Helper()
	x, err := catalog.Read(strings.NewReader(strings.Join(lines, "\n")), catalog.ReadOptions{Name: "c.ndjson"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := listing.Of(x, listing.Style{}, func(e *record.Error) { t.Fatal(e) })
	if err != nil {
		t.Fatal(err)
	}
	return l.Tools
}

// ask serves tools in this mode to a client that asks for one thing.
func ask(t *testing.T, tools []listing.Tool, index Index, method, params string) ordjson.Value {
	t.Helper()
	s, err := serve.NewSurface(serve.Contents{Tools: tools, Own: Tools(index, tools), Folded: true, Caller: echo{}})
	if err != nil {
		t.Fatal(err)
	}
	in := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + "}\n"
	var out strings.Builder
	server := serve.New(s, serve.Options{Stderr: io.Discard})
	if err := server.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	answer, err := ordjson.Parse(out.String())
	if err != nil {
		t.Fatalf("%s: %v", out.String(), err)
	}
	return answer.Get("result")
}

func call(t *testing.T, tools []listing.Tool, index Index, name, args string) string {
	t.Helper()
	r := ask(t, tools, index, "tools/call", `{"name":"`+name+`","arguments":`+args+`}`)
	return r.Get("content").Elems()[0].Get("text").Str()
}

const (
	reads    = `"isReadOnly":true`
	writes   = `"isReadOnly":false,"isDestructive":false`
	destroys = `"isReadOnly":false,"isDestructive":true`
)

// TestList: what is listed says true things of all that it can reach.
func TestList(t *testing.T) {
	get, put := toolLine("get", "GET", reads), toolLine("put", "POST", writes)
	for _, tt := range []struct {
		name  string
		lines []string
		want  string // names, with r for what only reads and d for what may destroy
	}{
		{"reading tools", []string{get}, "search r, describe r, call_read r"},
		{"writing tools", []string{put}, "search r, describe r, call_write"},
		{"both", []string{get, put}, "search r, describe r, call_read r, call_write"},
		{"one that destroys", []string{get, put, toolLine("end", "DELETE", destroys)},
			"search r, describe r, call_read r, call_write d"},
		{"one that is always listed", []string{get, toolLine("core", "GET", reads+`,"alwaysLoad":true`)},
			"search r, describe r, call_read r, core_demo r"},
	} {
		var got []string
		for _, tool := range ask(t, toolsOf(t, tt.lines...), fixed{}, "tools/list", "{}").Get("tools").Elems() {
			text := tool.Get("name").Str()
			if tool.Get("annotations").Get("readOnlyHint").True() {
				text += " r"
			}
			if tool.Get("annotations").Get("destructiveHint").True() {
				text += " d"
			}
			got = append(got, text)
		}
		if list := strings.Join(got, ", "); list != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, list, tt.want)
		}
	}
}

// TestDescription: search says which namespaces there are, as many as clients show.
func TestDescription(t *testing.T) {
	var lines []string
	for i := range 400 {
		lines = append(lines, strings.ReplaceAll(toolLine(fmt.Sprint("get", i), "GET", reads), "demo/tool",
			fmt.Sprintf("provider%d/tool", i)))
	}
	about := ask(t, toolsOf(t, lines...), fixed{}, "tools/list", "{}").Get("tools").Elems()[0].Get("description").Str()
	if len(about) > 2048 || len(about) < 1500 || !strings.Contains(about, " It has 400 tools;") ||
		!strings.Contains(about, "provider0 (1),") || !strings.HasSuffix(about, " more.") {
		t.Errorf("%d bytes: %s", len(about), about)
	}
}

func TestSearch(t *testing.T) {
	tools := toolsOf(t, toolLine("a", "GET", reads), toolLine("b", "POST", writes), toolLine("c", "GET", reads),
		toolLine("d", "GET", reads))
	index := fixed{"demo/tool/b", "demo/tool/gone", "demo/tool/a", "demo/tool/c", "demo/tool/d"}
	const schema = `,"inputSchema":{"type":"object","properties":{"q":{"type":"string"}}}`
	b := `{"name":"b_demo","description":"Does b. And more.","call":"call_write"` + schema + `}`
	a := `{"name":"a_demo","description":"Does a. And more.","call":"call_read"` + schema + `}`
	c := `{"name":"c_demo","description":"Does c. And more.","call":"call_read"` + schema + `}`
	d := `{"name":"d_demo","description":"Does d. And more.","call":"call_read"}`
	const ok, bad = `{"status":true,"messages":[`, `{"status":false,"messages":["MCP007 search: expected `
	for _, tt := range []struct {
		index      fixed
		args, want string
	}{
		{index, `{"query":"x"}`, ok + `"describe returns the input schemas of those after the first 3"],"data":[` +
			strings.Join([]string{b, a, c, d}, ",") + `]}`},
		{index, `{"query":"x","limit":3}`, ok + `],"data":[` + b + `,` + a + `]}`},
		{nil, `{"query":"x"}`, ok + `"no tool fits \"x\": use other words"],"data":[]}`},
		{index, `{}`, bad + `query to be a text, found none"],"data":null}`},
		{index, `{"query":" "}`, bad + `query to be a text, found \" \""],"data":null}`},
		{index, `{"query":"x","limit":0}`, bad + `limit to be a number from 1 to 50, found 0"],"data":null}`},
		{index, `{"query":"x","limit":"9"}`, bad + `limit to be a number from 1 to 50, found \"9\""],"data":null}`},
	} {
		if got := call(t, tools, tt.index, "search", tt.args); got != tt.want {
			t.Errorf("%s:\n%s, want\n%s", tt.args, got, tt.want)
		}
	}
}

func TestDescribe(t *testing.T) {
	tools := toolsOf(t, toolLine("a", "GET", reads), toolLine("b", "POST", writes))
	got := call(t, tools, fixed{}, "describe", `{"names":["a_demo","demo/tool/b"]}`)
	for _, want := range []string{`"messages":[],"data":[{"name":"a_demo","description":"Does a.\nAnd\tmore."`,
		`"inputSchema":{"type":"object"`, `"call":"call_read"},{"name":"b_demo"`, `"call":"call_write"}]}`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s has no %s", got, want)
		}
	}
	const (
		bad      = `{"status":false,"messages":["`
		expected = bad + `MCP007 describe: expected names, an array of 1 to 20 names of tools, found `
	)
	for args, want := range map[string]string{
		`{"names":["bb_demo","b_demo"]}`: `{"status":true,"messages":["MCP006 there is no tool \"bb_demo\" (did you ` +
			`mean \"b_demo\"?); search finds tools"],"data":[{"name":"b_demo"`,
		`{"names":["zz"]}`:     bad + `MCP006 there is no tool \"zz\"; search finds tools"],"data":[]}`,
		`{"names":[7]}`:        bad + `MCP007 expected the name of a tool, found 7"],"data":[]}`,
		`{"names":"a_demo"}`:   expected + `\"a_demo\""],"data":null}`,
		`{"names":[]}`:         expected + `[]"],"data":null}`,
		`{"names":["search"]}`: bad + `MCP006 there is no tool \"search\"; search finds tools"],"data":[]}`,
	} {
		if got := call(t, tools, fixed{}, "describe", args); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

func TestCall(t *testing.T) {
	tools := toolsOf(t, toolLine("get", "GET", reads), toolLine("put", "POST", writes))
	const (
		given = `{"status":true,"messages":[],"data":{"q":"x"}}`
		bad   = `{"status":false,"messages":["`
	)
	for _, tt := range []struct{ tool, args, want string }{
		{"call_read", `{"name":"get_demo","arguments":{"q":"x"}}`, given},
		{"call_read", `{"name":"demo/tool/get","arguments":{"q":"x"}}`, given},
		{"call_write", `{"name":"put_demo","arguments":{"q":"x"}}`, given},
		{"call_write", `{"name":"get_demo","arguments":{"q":"x"}}`, given},
		{"get_demo", `{"q":"x"}`, given},
		{"put_demo", `{"q":"x"}`, given},
		{"call_read", `{"name":"put_demo","arguments":{"q":"x"}}`, bad + `MCP016 put_demo may change something, ` +
			`which call_read does not do: call it with call_write, with the same name and arguments"],"data":null}`},
		{"call_read", `{"name":"gte_demo","arguments":{}}`, bad + `MCP006 there is no tool \"gte_demo\" (did you ` +
			`mean \"get_demo\"?); search finds tools"],"data":null}`},
		{"call_read", `{"name":"call_read","arguments":{"name":"get_demo"}}`, bad + `MCP006 there is no tool ` +
			`\"call_read\"; search finds tools"],"data":null}`},
		{"call_read", `{"arguments":{}}`, bad + `MCP007 expected the name of a tool, found none"],"data":null}`},
		{"call_read", `{"name":"get_demo","arguments":"{}"}`, bad + `MCP007 get_demo: expected arguments to be an ` +
			`object of parameters by name, found string; give {} if there are none"],"data":null}`},
	} {
		if got := call(t, tools, fixed{}, tt.tool, tt.args); got != tt.want {
			t.Errorf("%s %s:\n%s, want\n%s", tt.tool, tt.args, got, tt.want)
		}
	}
}

// TestHidden: why a tool is hidden is not that it was not found.
func TestHidden(t *testing.T) {
	s, err := serve.NewSurface(serve.Contents{Hidden: func(name string) *words.Problem {
		return words.Problemf(listing.CodeHidden, "%s needs KEY", name)
	}})
	if err != nil {
		t.Fatal(err)
	}
	name := ordjson.NewObject(ordjson.Field("name", ordjson.NewString("get_demo")))
	if _, _, err := reading.Target(s, name); err == nil || err.Error() != "MCP022 get_demo needs KEY" {
		t.Errorf("%v", err)
	}
}
