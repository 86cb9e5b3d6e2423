package code

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/words"
)

// caller answers as its tools are called.
type caller struct {
	pool *sandbox.Pool
	slow chan struct{} // gets a value when the tool slow has begun
	gone chan error    // gets why its context ended
}

func (c *caller) Call(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
	e := &record.Envelope{ID: id, Status: true, Data: params}
	switch id {
	case "demo/tool/fails":
		return &record.Envelope{Messages: []string{"EXE020 fails: 503", "try again"}, Data: ordjson.NewNull()}
	case "demo/tool/warns":
		e.Messages, e.Warnings = []string{"page 2 is missing"}, []string{"data is null"}
	case "demo/tool/panics":
		panic("a defect")
	case "demo/tool/handled":
		out, err := c.pool.Call(ctx, sandbox.Script{Key: "h", Source: "export const handlers = () => ({ t: { " +
			"postRequest: () => ({ response: 1 }) } })"}, sandbox.Call{Name: "t", Stage: sandbox.PostRequest,
			Input: []byte("{}")})
		return &record.Envelope{Status: err == nil, Data: ordjson.NewInt(len(out))}
	case "demo/tool/slow":
		c.slow <- struct{}{}
		<-ctx.Done()
		c.gone <- context.Cause(ctx)
	}
	return e
}

func (c *caller) Read(context.Context, string) *record.Envelope { return nil }

func (c *caller) Deliver(context.Context, string, ordjson.Value) *record.Envelope { return nil }

func toolLine(name, extra string) string {
	return fmt.Sprintf(`{"v":1,"kind":"resolved","id":"demo/tool/%[1]s","type":"tool","data":{"schema":"demo/things",`+
		`"namespace":"demo","name":"%[1]s","wireName":"%[1]s_demo","description":"Does %[1]s.","method":"GET",`+
		`"root":"https://example.com","path":"/x","parameters":[],"inputSchema":{"type":"object",`+
		`"properties":{"q":{"type":"string"}}}%[2]s}}`, name, extra)
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

// demo is a surface of six tools, who calls them, and execute.
func demo(t *testing.T) (*serve.Surface, *caller, func(ctx context.Context, code string) *record.Envelope) {
	t.Helper()
	tools := toolsOf(t, toolLine("one", ""), toolLine("fails", ""), toolLine("warns", ""), toolLine("slow", ""),
		toolLine("handled", ""), toolLine("panics", ""))
	c := &caller{slow: make(chan struct{}, 1), gone: make(chan error, 1)}
	s, err := serve.NewSurface(serve.Contents{Tools: tools, Caller: c})
	if err != nil {
		t.Fatal(err)
	}
	c.pool = sandbox.NewPool(sandbox.Limits{Workers: 2, Time: 2 * time.Second})
	t.Cleanup(c.pool.Close)
	own := Execute(c.pool, tools)
	return s, c, func(ctx context.Context, code string) *record.Envelope {
		return own.Answer(ctx, s, ordjson.NewObject(ordjson.Field("code", ordjson.NewString(code))))
	}
}

func TestExecute(t *testing.T) {
	_, _, run := demo(t)
	const (
		ok  = `{"status":true,"messages":[],"data":{"result":`
		bad = `{"status":false,"messages":["MCP014 execute: `
	)
	for _, tt := range []struct{ name, code, want string }{
		{"by MCP name", "return await call('one_demo', { q: 'a' })", ok + `{"q":"a"}}}`},
		{"by Spec-ID", "return await call('demo/tool/one', { q: 'a' })", ok + `{"q":"a"}}}`},
		{"null for nothing", "return await call('one_demo', null)", ok + `{}}}`},
		{"logs", "console.log('a', 1); console.warn('b'); return 2", ok + `2,"logs":["a 1","warn: b"]}}`},
		{"messages of its calls, each once", "await call('warns_demo'); await call('warns_demo'); return 1",
			`{"status":true,"messages":["warns_demo: page 2 is missing","warns_demo: warning: data is null"],` +
				`"data":{"result":1}}`},
		{"a failure that is caught", "try { await call('fails_demo') } catch (e) { return e.message }",
			ok + `"EXE020 fails: 503; try again"}}`},
		{"nothing is returned", "await call('one_demo')", `{"status":true,"messages":["the code returned nothing: ` +
			`end it with return, and give the body of a function, not a function"],"data":{"result":null}}`},
		{"neither await nor return", "call('fails_demo')", `{"status":true,"messages":["1 failure in what was ` +
			`not awaited, the first: CallError: EXE020 fails: 503; try again (line 1, column 5)","the code returned ` +
			`nothing: end it with return, and give the body of a function, not a function"],"data":{"result":null}}`},
		{"a failure", "console.log('x')\nawait call('one_demo'); await call('one_demo')\nawait call('fails_demo')",
			bad + `CallError: EXE020 fails: 503; try again (line 3, column 11)",` +
				`"3 calls had been made by then: one_demo ×2, fails_demo"],"data":{"logs":["x"]}}`},
		{"a mistake", "return 1 +", bad + `SyntaxError: Unexpected end of the code (line 1, column 11)"],"data":null}`},
		{"an unknown tool", "await call('oen_demo')", bad + `CallError: MCP006 there is no tool \"oen_demo\" ` +
			`(did you mean \"one_demo\"?); search finds tools (line 1, column 11)"],"data":null}`},
		{"execute itself", "await call('execute', { code: '' })", bad + `CallError: MCP006 there is no tool ` +
			`\"execute\"; search finds tools (line 1, column 11)"],"data":null}`},
		{"params that are no object", "await call('one_demo', ['a'])", bad + `CallError: MCP007 one_demo: expected ` +
			`params to be an object, found array (line 1, column 11)"],"data":null}`},
		{"many lines", "for (let i = 0; i < 30; i++) console.log('x'.repeat(1000)); return 1",
			ok + `1,"logs":["` + strings.Repeat(strings.Repeat("x", 1000)+`","`, 16)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := string(run(t.Context(), tt.code).Standard())
			if !strings.HasPrefix(got, tt.want) || len(got) > max(len(tt.want), maxLogs+500) {
				t.Errorf("%.2000s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// TestCutOff: the end of a call ends the code and its calls, and what was cut off
// is said.
func TestCutOff(t *testing.T) {
	_, c, run := demo(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-c.slow
		cancel(errors.New("the client cancelled the call"))
	}()
	got := string(run(ctx, "await call('one_demo'); await call('slow_demo')").Standard())
	const want = `{"status":false,"messages":["MCP014 execute: the code was cut off: the client cancelled the call",` +
		`"2 calls had been made by then: one_demo, slow_demo","cut off, though they may have had an effect: ` +
		`slow_demo"],"data":null}`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if err := <-c.gone; err == nil {
		t.Error("the call goes on")
	}
	got = string(run(t.Context(), "call('slow_demo'); await call('one_demo'); throw new Error('no')").Standard())
	if !strings.Contains(got, "MCP014 execute: Error: no (line 1, column 50)") ||
		!strings.Contains(got, "may have had an effect: slow_demo") {
		t.Errorf("code that fails: %s", got)
	}
	<-c.gone
}

// TestManyWithHandlers: code that waits for its calls leaves room for their
// handlers, which run in the same workers.
func TestManyWithHandlers(t *testing.T) {
	_, _, run := demo(t)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			got := string(run(t.Context(), "const all = await Promise.all(Array.from({ length: 10 }, () => "+
				"call('handled_demo'))); return all.length").Standard())
			if !strings.Contains(got, `"result":10`) {
				t.Error(got)
			}
		})
	}
	wg.Wait()
}

// TestFault: a panic in a call is one of the request, which does not end the server.
func TestFault(t *testing.T) {
	_, _, run := demo(t)
	defer func() {
		if p := recover(); p != "a defect" {
			t.Errorf("got %v", p)
		}
	}()
	t.Errorf("got %s", run(t.Context(), "try { await call('panics_demo') } catch {} return 1").Standard())
}

// TestEffects: execute can do what the tools can.
func TestEffects(t *testing.T) {
	reads, posts := toolLine("a", ""), toolLine("b", `,"meta":{"isReadOnly":false,"isDestructive":false}`)
	deletes := toolLine("c", `,"meta":{"isReadOnly":false,"isDestructive":true}`)
	for _, tt := range []struct {
		lines           []string
		reads, destroys bool
	}{
		{[]string{reads}, true, false},
		{[]string{reads, posts}, false, false},
		{[]string{reads, posts, deletes}, false, true},
	} {
		if own := Execute(nil, toolsOf(t, tt.lines...)); own.Reads != tt.reads || own.Destroys != tt.destroys {
			t.Errorf("%d tools: %t, %t", len(tt.lines), own.Reads, own.Destroys)
		}
	}
}

// TestArguments: what is no code and no query is said.
func TestArguments(t *testing.T) {
	s, _, _ := demo(t)
	for _, own := range []serve.OwnTool{Execute(nil, nil), Search(nil, nil)} {
		for _, args := range []string{`{}`, `{"code":1,"query":["a"]}`} {
			v, err := ordjson.Parse(args)
			if err != nil {
				t.Fatal(err)
			}
			if e := own.Answer(t.Context(), s, v); e.Status || !strings.HasPrefix(e.Messages[0], "MCP007 "+own.Name) {
				t.Errorf("%s %s: %s", own.Name, args, e.Standard())
			}
		}
	}
}

// shelf finds all tools, one of which declares an output.
type shelf []string

func (s shelf) Search(request string, limit int) []string {
	if request == "nothing" {
		return nil
	}
	return s[:min(limit, len(s))]
}

func (s shelf) Output(id string) ordjson.Value {
	v, _ := ordjson.Parse(map[string]string{"demo/tool/t1": `{"mimeType":"application/json","schema":` +
		`{"type":"object","properties":{"n":{"type":"number"}}}}`}[id])
	return v
}

func TestSearch(t *testing.T) {
	var lines, ids []string
	for i := range 7 {
		ids = append(ids, fmt.Sprintf("demo/tool/t%d", i))
		writes := map[bool]string{true: `,"meta":{"isReadOnly":false}`}[i == 2]
		lines = append(lines, toolLine(fmt.Sprintf("t%d", i), writes))
	}
	tools := toolsOf(t, lines...)
	hidden := func(name string) *words.Problem {
		if name == "secret_demo" {
			return words.Problemf("MCP022", "secret_demo is hidden: KEY is missing")
		}
		return nil
	}
	s, err := serve.NewSurface(serve.Contents{Tools: tools, Caller: &caller{}, Hidden: hidden})
	if err != nil {
		t.Fatal(err)
	}
	own := Search(shelf(append(ids, "gone/tool/x")), tools)
	ask := func(query string) string {
		e := own.Answer(t.Context(), s, ordjson.NewObject(ordjson.Field("query", ordjson.NewString(query))))
		if !e.Status || e.ContentType != "text/plain" {
			t.Errorf("%s: %s", query, e.Standard())
		}
		return e.Data.Str()
	}
	const t1 = "/** Does t1. */\ndeclare function call(id: \"t1_demo\", params?: {\n  q?: string;\n}): Promise<{\n" +
		"  n: number;\n}>;\n"
	got := ask("all there is")
	for _, want := range []string{t1, "/** May change data. Does t2. */",
		"// t5_demo: Does t5.\n// t6_demo: Does t6.\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks\n%s", got, want)
		}
	}
	if n := strings.Count(got, "declare function"); n != declared {
		t.Errorf("%d are declared", n)
	}
	if got := ask("t1_demo, `demo/tool/t6`"); !strings.HasPrefix(got, t1) || strings.Count(got, "declare ") != 2 {
		t.Errorf("by name: %s", got)
	}
	if got := ask("secret_demo t1_demo"); got != "// MCP022 secret_demo is hidden: KEY is missing\n"+t1 {
		t.Errorf("by the name of a tool that is hidden: %s", got)
	}
	if got := ask("nothing"); got != "// No tool fits \"nothing\": use other words.\n" {
		t.Errorf("nothing: %s", got)
	}
	if !strings.Contains(own.Description, "It has 7 tools; the name of each ends in its namespace: demo (7).") {
		t.Errorf("described: %s", own.Description)
	}
	if n := len(executeDescription); n > 2000 {
		t.Errorf("the description of execute has %d bytes: clients cut at 2,048", n)
	}
}
