package serve

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/auth"
	"github.com/flowmcp/fmcp/pkg/serve/elicit"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/serve/seal"
)

// strict refuses a call without q, as the checks of parameters would.
var strict = callerFunc(func(_ context.Context, id string, params ordjson.Value) *record.Envelope {
	switch {
	case id == "demo/skill/look" && params.Get("unit").Exists():
		return &record.Envelope{Delivered: &record.Delivered{Text: "Look in " + params.Get("unit").Str() + "."}}
	case id != "demo/skill/look" && params.Get("q").Exists():
		return &record.Envelope{ID: id, Status: true, Data: params}
	}
	return &record.Envelope{ID: id, Messages: []string{"EXE001 " + id + ": something is missing"}}
})

// servingAgent serves tools and a skill of an agent that may ask twice.
func servingAgent(t *testing.T, opts Options, own ...OwnTool) *client {
	t.Helper()
	v, err := ordjson.Parse(`{"enabled":true,"maxRounds":2,"requestedSchemas":[{"message":"What is q?",` +
		`"requestedSchema":{"type":"object","properties":{"q":{"type":"string","title":"Q"}}}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	l := listingOf(t, toolLine("one", ""), skillLine)
	return serving(t, Contents{Tools: l.Tools, Own: own, Prompts: l.Prompts, Caller: strict,
		Asking: elicit.NewPolicy(v)}, opts)
}

const formQ = `{"message":"What is q?","requestedSchema":{"type":"object",` +
	`"properties":{"q":{"type":"string","title":"Q"}},"required":["q"]}}`

// asking is an initialize of a client that shows forms, or not.
func asking(capabilities string) string {
	return request("0", "initialize", `{"protocolVersion":"2025-11-25","capabilities":`+capabilities+
		`,"clientInfo":{"name":"t","version":"1"}}`)
}

// TestElicitByRequest: in a session the client is asked while its call waits, as
// often as the agent allows; what is not given is an error as before, with the
// reason.
func TestElicitByRequest(t *testing.T) {
	const why = `EXE001 demo/tool/one: something is missing\",\"MCP019 one_demo: `
	const alone = `EXE001 demo/tool/one: something is missing\"],`
	for name, tc := range map[string]struct {
		capabilities, args string
		answers            []string // members of the answers to forms
		want               string
	}{
		"accepted": {`{"elicitation":{}}`, `{"n":1}`,
			[]string{`"result":{"action":"accept","content":{"q":"x","z":1}}`},
			`\"data\":{\"n\":1,\"q\":\"x\"}`},
		"with modes": {`{"elicitation":{"form":{},"url":{}}}`, `{}`,
			[]string{`"result":{"action":"accept","content":{"q":"x"}}`}, `\"data\":{\"q\":\"x\"}`},
		"in the second round": {`{"elicitation":{}}`, `{"q":null}`, []string{`"result":{"action":"accept"}`,
			`"result":{"action":"accept","content":{"q":"x"}}`}, `\"data\":{\"q\":\"x\"}`},
		"never given": {`{"elicitation":{}}`, `{}`, []string{`"result":{"action":"accept","content":{}}`,
			`"result":{"action":"accept","content":{"q":null}}`},
			why + `the user was asked 2 times, as often as the agent allows`},
		"declined": {`{"elicitation":{}}`, `{}`, []string{`"result":{"action":"decline"}`},
			why + `the user declined to give q`},
		"cancelled": {`{"elicitation":{}}`, `{}`, []string{`"result":{"action":"cancel"}`},
			why + `the user cancelled when asked for q`},
		"an unknown action": {`{"elicitation":{}}`, `{}`, []string{`"result":{"action":"maybe"}`},
			why + `expected action to be accept, decline or cancel, found \\\"maybe\\\"`},
		"an error": {`{"elicitation":{}}`, `{}`, []string{`"error":{"code":-1,"message":"no"}`},
			why + `the client refused elicitation/create: \\\"no\\\"`},
		"nothing is missing":   {`{"elicitation":{}}`, `{"q":"y"}`, nil, `\"data\":{\"q\":\"y\"}`},
		"no forms":             {`{}`, `{}`, nil, alone},
		"forms by URL are not": {`{"elicitation":{"url":{}}}`, `{}`, nil, alone},
	} {
		t.Run(name, func(t *testing.T) {
			c := servingAgent(t, Options{MaxInFlight: 1})
			c.ask(asking(tc.capabilities))
			c.send(callOf("1", "one_demo", tc.args))
			for _, answer := range tc.answers {
				form := c.recv()
				if got := ordjson.Text(form.Get("params")); got != formQ ||
					form.Get("method").Str() != "elicitation/create" {
					t.Fatalf("asked %s", ordjson.Text(form))
				}
				// Whoever waits for a user holds up nobody.
				if got := c.ask(callOf("2", "one_demo", `{"q":"other"}`)); !strings.Contains(got, "other") {
					t.Errorf("another call meanwhile: %s", got)
				}
				c.send(`{"jsonrpc":"2.0","id":` + ordjson.Text(form.Get("id")) + `,` + answer + `}`)
			}
			if got := ordjson.Text(c.recv()); !strings.Contains(got, tc.want) {
				t.Errorf("got\n%s\nwant %s", got, tc.want)
			}
		})
	}
}

// modernCall is a call of a client that shows forms, or not.
func modernCall(id, method, params, capabilities string) string {
	return request(id, method, `{`+params+`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":`+capabilities+`}}`)
}

// TestElicitByAnswer: since 2026-07-28 the answer asks, and the next try of the call
// brings what was written.
func TestElicitByAnswer(t *testing.T) {
	const call, forms = `"name":"one_demo","arguments":{"n":1}`, `{"elicitation":{}}`
	c := servingAgent(t, Options{})
	try := func(params string) ordjson.Value {
		c.send(modernCall("1", "tools/call", params, forms))
		return c.recv()
	}
	first := try(call)
	result := first.Get("result")
	if got := ordjson.Text(result.Get("inputRequests")); result.Get("resultType").Str() != "input_required" ||
		got != `{"input":{"method":"elicitation/create","params":`+formQ+`}}` ||
		!result.Get("_meta").Get("io.modelcontextprotocol/serverInfo").Exists() {
		t.Fatalf("the first answer is %s", ordjson.Text(first))
	}
	state := `,"requestState":` + ordjson.Text(result.Get("requestState"))
	content := func(s string) string { return `,"inputResponses":{"input":{"action":"accept","content":` + s + `}}` }
	second := try(call + state + content(`{"q":null}`)).Get("result")
	later := `,"requestState":` + ordjson.Text(second.Get("requestState"))
	for name, tc := range map[string]struct{ params, want string }{
		"given": {call + state + content(`{"q":"x","z":1}`), `"content":[{"type":"text","text":"{\"status\":true,` +
			`\"messages\":[],\"data\":{\"n\":1,\"q\":\"x\"}}"`},
		"in the second round": {call + later + content(`{"q":"x"}`), `\"data\":{\"n\":1,\"q\":\"x\"}`},
		"never given": {call + later + content(`{}`),
			`MCP019 one_demo: the user was asked 2 times, as often as the agent allows\"],\"data\":null}"}],` +
				`"isError":true`},
		"declined": {call + state + `,"inputResponses":{"input":{"action":"decline"}}`,
			`MCP019 one_demo: the user declined to give q`},
		"under another key": {call + state + `,"inputResponses":{"other":{"action":"accept"}}`, `"input_required"`},
		"without answers":   {call + state, `"input_required"`},
		"without a state":   {call + content(`{"q":"x"}`), `"input_required"`},
		"answers of a wrong form": {call + state + `,"inputResponses":[]`,
			`"error":{"code":-32602,"message":"expected params.inputResponses to be an object, found array"`},
		"an answer of a wrong form": {call + state + `,"inputResponses":{"input":7}`,
			`"error":{"code":-32602,"message":"params.inputResponses.input: expected action to be accept, decline ` +
				`or cancel, found none"`},
		"content of a wrong form": {call + state + content(`"x"`),
			`"error":{"code":-32602,"message":"params.inputResponses.input: expected content to be an object, ` +
				`found string"`},
		"the state of another call": {`"name":"one_demo","arguments":{"n":2}` + state + content(`{"q":"x"}`),
			`"error":{"code":-32602,"message":"params.requestState cannot be used: it is not what this server gave ` +
				`for this request; send the request again without it"`},
		"a state of a wrong form": {call + `,"requestState":7`, `"error":{"code":-32602`},
	} {
		if got := ordjson.Text(try(tc.params)); !strings.Contains(got, tc.want) {
			t.Errorf("%s: got\n%s\nwant %s", name, got, tc.want)
		}
	}
	if second.Get("resultType").Str() != "input_required" {
		t.Errorf("the second answer is %s", ordjson.Text(second))
	}
	c.send(modernCall("2", "tools/call", call, `{}`))
	if got := ordjson.Text(c.recv()); !strings.Contains(got, "EXE001 demo/tool/one: something is missing") {
		t.Errorf("without forms: %s", got)
	}
}

// TestElicitForPrompts: prompts and skills ask as calls do, by a form of their
// inputs.
func TestElicitForPrompts(t *testing.T) {
	c := servingAgent(t, Options{})
	c.send(modernCall("1", "prompts/get", `"name":"demo/skill/look"`, `{"elicitation":{}}`))
	result := c.recv().Get("result")
	if got := ordjson.Text(result.Get("inputRequests")); got != `{"input":{"method":"elicitation/create","params":{`+
		`"message":"demo/skill/look needs unit.","requestedSchema":{"type":"object","properties":{"unit":{`+
		`"type":"string","description":"In which unit","enum":["kilo","pound"]}},"required":["unit"]}}}}` {
		t.Errorf("asked %s", got)
	}
	for _, tc := range []struct{ answer, want string }{
		{`{"action":"accept","content":{"unit":"kilo"}}`, `"text":"Look in kilo."`},
		{`{"action":"cancel"}`, `"error":{"code":-32602,"message":"EXE001 demo/skill/look: something is missing; ` +
			`MCP019 demo/skill/look: the user cancelled when asked for unit"`},
	} {
		c.send(modernCall("2", "prompts/get", `"name":"demo/skill/look","inputResponses":{"input":`+tc.answer+
			`},"requestState":`+ordjson.Text(result.Get("requestState")), `{"elicitation":{}}`))
		if got := ordjson.Text(c.recv()); !strings.Contains(got, tc.want) {
			t.Errorf("%s gives\n%s", tc.answer, got)
		}
	}
	c.ask(asking(`{"elicitation":{}}`))
	c.send(request("3", "prompts/get", `{"name":"demo/skill/look"}`))
	form := c.recv()
	c.send(`{"jsonrpc":"2.0","id":` + ordjson.Text(form.Get("id")) +
		`,"result":{"action":"accept","content":{"unit":"pound"}}}`)
	if got := ordjson.Text(c.recv()); !strings.Contains(got, "Look in pound.") {
		t.Errorf("in a session: %s", got)
	}
}

// TestElicitCancelled: where the client cancels a call while its user is asked, so is
// the form, and nothing more is said.
func TestElicitCancelled(t *testing.T) {
	c := servingAgent(t, Options{MaxInFlight: 1})
	c.ask(asking(`{"elicitation":{}}`))
	c.send(callOf("1", "one_demo", `{}`))
	form := c.recv()
	c.send(cancelled("1"))
	if got := c.recv(); got.Get("method").Str() != "notifications/cancelled" ||
		!ordjson.Equal(got.Get("params").Get("requestId"), form.Get("id")) {
		t.Errorf("told %s", ordjson.Text(got))
	}
	if got := c.ask(callOf("2", "one_demo", `{"q":"next"}`)); !strings.Contains(got, `"id":2`) {
		t.Errorf("after it: %s", got)
	}
}

// TestElicitAudited: the audit log has what the user gave, and that a request only
// asked. A tool of the server that lets another answer asks for what that one lacks.
func TestElicitAudited(t *testing.T) {
	log, file := auditLog(t, false)
	read := OwnTool{Name: "call_read", Input: listing.Typed("object"), Reads: true,
		Target: func(s *Surface, args ordjson.Value) (*listing.Tool, ordjson.Value, error) {
			tool, err := s.Find(args.Get("name").Str())
			return tool, args.Get("arguments"), err
		}}
	c := servingAgent(t, Options{Audit: log}, read)
	for _, params := range []string{`"name":"one_demo","arguments":{"n":1}`,
		`"name":"call_read","arguments":{"name":"one_demo"}`} {
		c.send(modernCall("1", "tools/call", params, `{"elicitation":{}}`))
		state := ordjson.Text(c.recv().Get("result").Get("requestState"))
		c.send(modernCall("2", "tools/call", params+`,"requestState":`+state+
			`,"inputResponses":{"input":{"action":"accept","content":{"q":"x"}}}`, `{"elicitation":{}}`))
		if got := ordjson.Text(c.recv()); !strings.Contains(got, `\"q\":\"x\"`) {
			t.Errorf("%s: %s", params, got)
		}
	}
	const direct = `{"transport":"stdio","method":"tools/call","id":"demo/tool/one","params":{"n":1`
	lines := logged(t, file)
	if len(lines) != 5 || !strings.HasPrefix(lines[0], direct+`},"outcome":"asked",`) ||
		!strings.HasPrefix(lines[1], direct+`,"q":"x"},"outcome":"ok",`) ||
		!strings.Contains(lines[2], `"outcome":"asked"`) ||
		!strings.Contains(lines[3], `"id":"demo/tool/one","via":"call_read","params":{"q":"x"},"outcome":"ok"`) {
		t.Errorf("logged\n%s", strings.Join(lines, "\n"))
	}
}

// TestElicitOfAnother: a state that one user has got is no use to another, nor to a server
// with another key.
func TestElicitOfAnother(t *testing.T) {
	server := func(key *seal.Key) *Server {
		return newServer(t, Contents{Tools: demoTools(t), Caller: strict, Asking: &elicit.Policy{MaxRounds: 1}},
			Options{Key: key})
	}
	key := seal.New()
	one := server(key)
	try := func(s *Server, who, more string) ordjson.Value {
		m := parsed(t, modernCall("1", "tools/call", `"name":"one_demo"`+more, `{"elicitation":{}}`))
		r := s.NewSession().Begin(auth.With(t.Context(), auth.Caller{Name: who}), m, nil)
		defer r.End()
		v, err := ordjson.Parse(string(bytes.Join(r.Run().Line, nil)))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	retry := `,"requestState":` + ordjson.Text(try(one, "ann", "").Get("result").Get("requestState")) +
		`,"inputResponses":{"input":{"action":"accept","content":{"q":"x"}}}`
	const refused, answered = "params.requestState cannot be used", `\"q\":\"x\"`
	for name, tt := range map[string]struct {
		server    *Server
		who, want string
	}{
		"another user":                     {one, "bob", refused},
		"the user":                         {one, "ann", answered},
		"the user, with another server":    {server(key), "ann", answered},
		"another user, and another server": {server(key), "bob", refused},
		"a server with a key of its own":   {server(nil), "ann", refused},
	} {
		if got := ordjson.Text(try(tt.server, tt.who, retry)); !strings.Contains(got, tt.want) {
			t.Errorf("%s got %s", name, got)
		}
	}
}
