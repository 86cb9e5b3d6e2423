package serve

import (
	"context"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

const (
	promptLine = `{"v":1,"kind":"resolved","id":"demo/prompt/about","type":"prompt","data":{"namespace":"demo",` +
		`"name":"about","description":"What <it> is","scope":{"type":"namespace","of":["demo"]},` +
		`"content":"About {{input:it}}."}}`
	skillLine = `{"v":1,"kind":"resolved","id":"demo/skill/look","type":"skill","data":{"namespace":"demo",` +
		`"name":"look","description":"Looks","whenToUse":"Now","scope":{"type":"namespace","of":["demo"]},` +
		`"requires":{"tools":[],"resources":[],"external":[]},"input":[` +
		`{"key":"unit","type":"enum","description":"In which unit","required":true,"values":["kilo","pound"]},` +
		`{"key":"n","type":"number","description":"How many","required":false},` +
		`{"key":"word","type":"string","description":"Which","required":false}],"prefill":[],"content":"Look."}}`
	modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
)

// deliverer answers what is asked of texts.
var deliverer = callerFunc(func(_ context.Context, id string, inputs ordjson.Value) *record.Envelope {
	switch {
	case id == "demo/skill/look":
		return &record.Envelope{Delivered: &record.Delivered{Type: record.TypeSkill, Text: strings.Repeat("x", 2000)}}
	case !inputs.Get("it").Exists():
		return &record.Envelope{Messages: []string{"EXE092 " + id + ": Input 'it' missing", "EXE092 more"}}
	}
	return &record.Envelope{Messages: []string{"EXE093 " + id + ": a\nb"}, Delivered: &record.Delivered{
		Type: record.TypePrompt, Text: "About <" + inputs.Get("it").Str() + ">.",
		References: []record.TextReference{{ID: "demo/prompt/more", Description: "More", Text: "There is more."}}}}
})

func servingPrompts(t *testing.T, opts Options) *client {
	t.Helper()
	l := listingOf(t, toolLine("one", ""), promptLine, skillLine)
	return serving(t, Contents{Name: "demo", Version: "1", Tools: l.Tools, Prompts: l.Prompts, Caller: deliverer}, opts)
}

// TestPromptsList: prompts and skills are listed by their Spec-IDs, with arguments
// that say what their types are.
func TestPromptsList(t *testing.T) {
	const prompts = `"prompts":[{"name":"demo/prompt/about","title":"about","description":"What <it> is",` +
		`"arguments":[{"name":"it","required":true}]},` +
		`{"name":"demo/skill/look","title":"look","description":"Looks","arguments":[` +
		`{"name":"unit","description":"In which unit (one of kilo, pound)","required":true},` +
		`{"name":"n","description":"How many (number)"},{"name":"word","description":"Which"}]}]`
	c := servingPrompts(t, Options{})
	for _, tc := range []struct{ params, want string }{
		{`{}`, `{` + prompts + `}`},
		{`{` + modernMeta + `}`, `{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1"}},` +
			`"resultType":"complete","ttlMs":60000,"cacheScope":"private",` + prompts + `}`},
	} {
		want := `{"jsonrpc":"2.0","id":1,"result":` + tc.want + `}`
		if got := c.ask(request("1", "prompts/list", tc.params)); got != want {
			t.Errorf("%s\n%s\nwant\n%s", tc.params, got, want)
		}
	}
}

// TestPromptsCapability: only a server with prompts says that it has some.
func TestPromptsCapability(t *testing.T) {
	discover := request("2", "server/discover", `{`+modernMeta+`}`)
	for _, line := range []string{initialize("2025-11-25"), discover} {
		c := servingPrompts(t, Options{})
		if got := c.ask(line); !strings.Contains(got, `"prompts":{}`) {
			t.Errorf("%s: %s", line, got)
		}
		if got := serving(t, demo(t, echo), Options{}).ask(line); strings.Contains(got, "prompts") {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// TestPromptsGet: the text is a message of the user, and so is each prompt beside it.
func TestPromptsGet(t *testing.T) {
	const messages = `"description":"What <it> is","messages":[` +
		`{"role":"user","content":{"type":"text","text":"About <tea>."}},` +
		`{"role":"user","content":{"type":"text","text":"demo/prompt/more: More\n\nThere is more."}}]`
	var log testLog
	c := servingPrompts(t, Options{Stderr: &log, maxAnswer: 2000})
	for _, tc := range []struct{ params, want string }{
		{`{"name":"demo/prompt/about","arguments":{"it":"tea"}}`, `"result":{` + messages + `}`},
		{`{"name":"about","arguments":{"it":"tea"}}`, `"result":{` + messages + `}`},
		{`{"name":"demo/prompt/about","arguments":{"it":"tea"},` + modernMeta + `}`,
			`"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1"}},` +
				`"resultType":"complete",` + messages + `}`},
		{`{"name":"demo/prompt/about"}`, `"error":{"code":-32602,"message":"EXE092 demo/prompt/about: Input 'it' ` +
			`missing; EXE092 more","data":{"code":"EXE092"}}`},
		{`{"name":"demo/prompt/abuot"}`, `"error":{"code":-32602,"message":"there is no prompt \"demo/prompt/abuot\" ` +
			`(did you mean \"demo/prompt/about\"?); prompts/list has the names of all","data":{"code":"MCP013"}}`},
		{`{"name":"demo/skill/loook",` + modernMeta + `}`, `"error":{"code":-32602,"message":"there is no prompt ` +
			`\"demo/skill/loook\" (did you mean \"demo/skill/look\"?); prompts/list has the names of all",` +
			`"data":{"code":"MCP013"}}`},
		{`{"name":"abuot"}`, `"error":{"code":-32602,"message":"there is no prompt \"abuot\"; prompts/list has the ` +
			`names of all","data":{"code":"MCP013"}}`},
		{`{"name":7}`, `"error":{"code":-32602,"message":"expected params.name to be the name of a prompt, found 7",` +
			`"data":{"code":"MCP005"}}`},
		{`{"name":"demo/prompt/about","arguments":["tea"]}`, `"error":{"code":-32602,"message":"demo/prompt/about: ` +
			`expected params.arguments to be an object of texts by name, found array","data":{"code":"MCP007"}}`},
		{`{"name":"demo/skill/look","arguments":null}`, `"error":{"code":-32603,"message":"the answer takes 2123 ` +
			`bytes, more than the limit of 2000 that clients accept; ask for less","data":{"code":"MCP008"}}`},
	} {
		want := `{"jsonrpc":"2.0","id":1,` + tc.want + `}`
		if got := c.ask(request("1", "prompts/get", tc.params)); got != want {
			t.Errorf("%s\n%s\nwant\n%s", tc.params, got, want)
		}
	}
	for _, line := range []string{`fmcp-serve: warning: EXE093 demo/prompt/about: a\u000ab`,
		`fmcp-serve: demo/prompt/about failed: EXE092 demo/prompt/about: Input 'it' missing; EXE092 more`,
		`fmcp-serve: demo/skill/loook failed: there is no prompt "demo/skill/loook" (did you mean ` +
			`"demo/skill/look"?); prompts/list has the names of all`} {
		if !strings.Contains("\n"+log.String(), "\n"+line+"\n") {
			t.Errorf("stderr %s has no line %s", log.String(), line)
		}
	}
}

// TestPromptsCancel: a delivery is a call that a client can cancel, and that does not
// hold up others.
func TestPromptsCancel(t *testing.T) {
	l := listingOf(t, toolLine("one", ""), promptLine)
	b := newBlocker()
	c := serving(t, Contents{Tools: l.Tools, Prompts: l.Prompts, Caller: b}, Options{})
	c.send(request("1", "prompts/get", `{"name":"demo/prompt/about","arguments":{"it":"tea"}}`))
	wait(t, b.started, "the delivery")
	c.send(cancelled("1"))
	if err := wait(t, b.ended, "its end"); err != errWithdrawn {
		t.Errorf("ended by %v", err)
	}
	if got := c.ask(request("2", "ping", "{}")); got != `{"jsonrpc":"2.0","id":2,"result":{}}` {
		t.Errorf("ping: %s", got)
	}
}
