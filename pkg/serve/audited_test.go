package serve

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/audit"
	"github.com/flowmcp/fmcp/pkg/serve/auth"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// logged are the lines of an audit log, without what differs from run to run.
func logged(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`"time":"[^"]*",|,"ms":\d+`).ReplaceAll(text, nil)
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

func auditLog(t *testing.T, required bool) (*audit.Log, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "audit.ndjson")
	log, err := audit.Open(audit.Options{File: file, MaxSize: 1, Required: required,
		Say: func(s string) { t.Error(s) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	return log, file
}

// Every call, read and prompt has its line, whoever makes it and however it comes
// out; nothing else has one.
func TestAudit(t *testing.T) {
	log, file := auditLog(t, false)
	call := callerFunc(func(_ context.Context, id string, params ordjson.Value) *record.Envelope {
		if params.Get("q").Str() == "bad" {
			return &record.Envelope{Messages: []string{"EXE040 one: status 500"}, Data: ordjson.NewNull()}
		}
		return &record.Envelope{Status: true, Data: ordjson.NewString("text"), Delivered: &record.Delivered{Text: "hi"}}
	})
	l := listingOf(t, toolLine("one", ""))
	own := OwnTool{Name: "twice", Input: listing.Typed("object"), Reads: true,
		Answer: func(ctx context.Context, s *Surface, args ordjson.Value) *record.Envelope {
			one, err := s.Find("one_demo")
			if err != nil {
				t.Error(err)
			}
			s.Call(ctx, one, ordjson.NewObject(ordjson.Field("q", ordjson.NewString("bad"))))
			return s.Call(ctx, one, args)
		}}
	through := OwnTool{Name: "through", Input: listing.Typed("object"), Reads: true,
		Target: func(s *Surface, args ordjson.Value) (*listing.Tool, ordjson.Value, error) {
			one, err := s.Find("one_demo")
			return one, args.Get("arguments"), err
		}}
	c := serving(t, Contents{Tools: l.Tools, Own: []OwnTool{own, through},
		Resources: []listing.Resource{{URI: "flowmcp://a/resource/b"}},
		Prompts:   []listing.Prompt{{ID: "a/skill/b"}}, Caller: call}, Options{Audit: log})
	for _, line := range []string{
		request("1", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},`+
			`"clientInfo":{"name":"inspector","version":"2"}}`),
		request("2", "tools/list", "{}"),
		callOf("3", "one_demo", `{"q":"x"}`),
		callOf("4", "one_demo", `{"q":"bad"}`),
		callOf("5", "three_demo", `{}`),
		callOf("6", "twice", `{"q":"y"}`),
		request("7", "resources/read", `{"uri":"flowmcp://a/resource/b?x=1"}`),
		request("8", "prompts/get", `{"name":"a/skill/b","arguments":{"a":"1"}}`),
		request("9", "prompts/get", `{"name":"a/skill/c"}`),
		callOf("10", "through", `{"arguments":{"q":"z"}}`),
	} {
		c.ask(line)
	}
	head := `{"client":"inspector 2","transport":"stdio","method":"tools/call","id":`
	bytes := regexp.MustCompile(`"bytes":\d\d+`)
	for i, want := range []string{
		head + `"demo/tool/one","params":{"q":"x"},"outcome":"ok","bytes":N}`,
		head + `"demo/tool/one","params":{"q":"bad"},"outcome":"failed","code":"EXE040","bytes":N}`,
		head + `"three_demo","params":{},"outcome":"failed","code":"MCP006","bytes":N}`,
		head + `"demo/tool/one","via":"twice","params":{"q":"bad"},"outcome":"failed","code":"EXE040","bytes":0}`,
		head + `"demo/tool/one","via":"twice","params":{"q":"y"},"outcome":"ok","bytes":6}`,
		head + `"twice","params":{"q":"y"},"outcome":"ok","bytes":N}`,
		strings.Replace(head, "tools/call", "resources/read", 1) +
			`"flowmcp://a/resource/b?x=1","outcome":"ok","bytes":N}`,
		strings.Replace(head, "tools/call", "prompts/get", 1) +
			`"a/skill/b","params":{"a":"1"},"outcome":"ok","bytes":N}`,
		strings.Replace(head, "tools/call", "prompts/get", 1) +
			`"a/skill/c","outcome":"failed","code":"MCP013","bytes":N}`,
		head + `"demo/tool/one","via":"through","params":{"q":"z"},"outcome":"ok","bytes":6}`,
		head + `"through","params":{"arguments":{"q":"z"}},"outcome":"ok","bytes":N}`,
		"",
	} {
		got := ""
		if lines := logged(t, file); i < len(lines) {
			got = bytes.ReplaceAllString(lines[i], `"bytes":N`)
		}
		if got != want {
			t.Errorf("line %d: %s, want %s", i, got, want)
		}
	}
}

// A client without a session says in each request who it is; what it withdraws was
// called all the same.
func TestAuditOfModernClients(t *testing.T) {
	log, file := auditLog(t, true)
	b := newBlocker()
	s := newServer(t, demo(t, b), Options{Audit: log})
	m := parsed(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"one_demo",`+
		`"arguments":{"q":"x"},"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},`+
		`"io.modelcontextprotocol/clientInfo":{"name":"claude","version":"3"}}}}`)
	session := s.NewSession()
	r := session.Begin(auth.With(t.Context(), auth.Caller{Name: "ann"}), m, nil)
	done := make(chan Answer)
	go func() { done <- r.Run() }()
	wait(t, b.started, "the call")
	session.Begin(t.Context(), parsed(t, cancelled("1")), nil)
	wait(t, done, "its end")
	r.End()
	head := `{"client":"claude 3","transport":"http","user":"ann","method":"tools/call","id":"demo/tool/one",` +
		`"params":{"q":"x"},"outcome":`
	want := head + `"begun"}` + "\n" + head + `"cancelled","bytes":0}`
	if got := strings.Join(logged(t, file), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Without its line no call is made where the log is required, neither by the client
// nor by a tool of the server.
func TestAuditRequired(t *testing.T) {
	for _, required := range []bool{false, true} {
		var said []string
		dir := filepath.Join(t.TempDir(), "logs")
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		log, err := audit.Open(audit.Options{File: filepath.Join(dir, "a"), MaxSize: 1, Required: required,
			Say: func(s string) { said = append(said, s) }})
		if err != nil {
			t.Fatal(err)
		}
		// A file where the folder was is as good as a disk that is full.
		if err := errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
		calls := 0
		call := callerFunc(func(context.Context, string, ordjson.Value) *record.Envelope {
			calls++
			return &record.Envelope{Status: true, Data: ordjson.NewNull()}
		})
		c := serving(t, demo(t, call), Options{Audit: log})
		answer := c.ask(callOf("1", "one_demo", `{"q":"x"}`))
		refused := strings.Contains(answer, `"code":"MCP017"`)
		if refused != required || calls > 0 == required || len(said) != 1 {
			t.Errorf("required %v: %d calls, said %q, answer %s", required, calls, said, answer)
		}
	}
}
