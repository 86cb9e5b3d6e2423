package serve

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/elicit"
)

// Whatever comes in, what goes out is lines of JSON-RPC answers, each with a
// result or an error, and Serve ends with its input.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		initialize("2025-06-18") + "\n" + request("2", "tools/list", "{}") + "\n" +
			callOf("3", "one_demo", `{"q":"\ud800"}`),
		callOf(`"\u0000\""`, "one_demo", `{}`) + "\r\n" + cancelled(`"\u0000\""`),
		request("1", "tools/call",
			`{"name":"one_demo","_meta":{"progressToken":1e400,`+
				`"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`),
		request("1e999", "initialize", `{"protocolVersion":1e999,"_meta":7}`),
		"\xef\xbb\xbf[]\n{}\nnull\n\xff\n" + strings.Repeat("[", 3000),
		`{"jsonrpc":"2.0","id":1,"method":"\ud800"}`,
		`{"jsonrpc":"2.0","id":"\uD800\\\"","method":"tools/call","params":{"name":"\ud800"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":null}}` + "\n" +
			`{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":7}}`,
		`{"jsonrpc":"2.0","id":1,"method":"server/discover",` +
			`"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
			`"io.modelcontextprotocol/clientCapabilities":{}}}}`,
		request("1", "prompts/list", `{"cursor":"x"}`) + "\n" +
			request("2", "prompts/get", `{"name":"demo/prompt/about","arguments":{"it":"\ud800{{input:it}}"}}`) + "\n" +
			request("3", "prompts/get", `{"name":"\ud800","arguments":[]}`),
		modernCall("1", "tools/call", `"name":"one_demo","requestState":"e30.e30","inputResponses":{"input":7}`,
			`{"elicitation":{}}`),
		asking(`{"elicitation":{"form":7}}`) + "\n" + callOf("1", "one_demo", `{"q":null}`) + "\n" +
			`{"jsonrpc":"2.0","id":"fmcp-1","result":{"action":"accept","content":{"q":"\ud800"}}}`,
	} {
		f.Add([]byte(seed))
	}
	l := listingOf(f, toolLine("one", ""), promptLine)
	call := callerFunc(func(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
		e := echo(ctx, id, params)
		e.Delivered = &record.Delivered{Type: record.TypePrompt, Text: ordjson.Text(params)}
		return e
	})
	forms, err := ordjson.Parse(`{"enabled":true,"maxRounds":2}`)
	if err != nil {
		f.Fatal(err)
	}
	policy := elicit.NewPolicy(forms)
	f.Fuzz(func(t *testing.T, in []byte) {
		log := &testLog{}
		s := newServer(t, Contents{Tools: l.Tools, Prompts: l.Prompts, Caller: call, Asking: policy},
			Options{maxFrame: 2000, Stderr: log, linger: 10 * time.Millisecond})
		var out bytes.Buffer
		if err := s.Serve(t.Context(), bytes.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		if out.Len() > 0 && !bytes.HasSuffix(out.Bytes(), []byte("\n")) {
			t.Fatalf("the last line is cut off: %q", out.Bytes())
		}
		for line := range bytes.Lines(out.Bytes()) {
			v, err := ordjson.Parse(string(line))
			if err != nil {
				t.Fatalf("%v: %q", err, line)
			}
			if v.Get("method").Exists() {
				continue // what the client is asked
			}
			if v.Get("jsonrpc").Str() != "2.0" || !v.Get("id").Exists() && !v.Get("error").Exists() ||
				v.Get("result").Is(ordjson.Object) == v.Get("error").Is(ordjson.Object) {
				t.Fatalf("no answer: %q", line)
			}
		}
		if strings.Contains(log.String(), CodeCallFailed) {
			t.Fatalf("a fault: %s", log.String())
		}
	})
}
