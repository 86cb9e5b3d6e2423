package http

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/internal/await"
)

func TestMessagesThatStandAlone(t *testing.T) {
	s := start(t, nil)
	tooLong := strings.Repeat(" ", 1<<20) + listTools
	noCapabilities := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":` +
		`{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	for name, tt := range map[string]struct {
		body   string
		header http.Header
		status int
		want   string // in the body
	}{
		"list":         {listTools, modern("tools/list"), 200, `"tools":[{"name":"echo_demo"`},
		"call":         {call("hello"), modern("tools/call"), 200, `hello`},
		"encoded name": {call("hello"), modern("tools/call", "Mcp-Name", "=?base64?ZWNob19kZW1v?="), 200, `hello`},
		"of a session": {listTools, modern("tools/list", "Mcp-Session-Id", "gone", "Last-Event-ID", "7"), 200,
			`echo_demo`},
		"notification": {`{"jsonrpc":"2.0","method":"notifications/x"}`, modern("notifications/x"), 202, ``},
		"no method header": {listTools, modern("tools/list", "Mcp-Method", ""), 400,
			`"code":-32020,"message":"the header Mcp-Method is missing, and the message says \"tools/list\""`},
		"another method": {listTools, modern("tools/call"), 400, `"code":-32020`},
		"no name header": {call("x"), modern("tools/call", "Mcp-Name", ""), 400, `"code":-32020`},
		"another name":   {call("x"), modern("tools/call", "Mcp-Name", "other"), 400, `"code":-32020`},
		"broken name":    {call("x"), modern("tools/call", "Mcp-Name", "=?base64?!?="), 400, `"code":-32020`},
		"no version":     {listTools, modern("tools/list", "Mcp-Protocol-Version", ""), 400, `"code":-32020`},
		"older header":   {listTools, modern("tools/list", "Mcp-Protocol-Version", "2025-11-25"), 400, `"code":-32020`},
		"no _meta": {listLegacy, modern("tools/list"), 400,
			`"code":-32602,"message":"missing or invalid _meta field`},
		"older _meta": {strings.Replace(listTools, "2026-07-28", "2025-11-25", 1), modern("tools/list"), 400,
			`"code":-32020`},
		"discover without _meta": {`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, nil, 400, `"code":-32602`},
		"listen without _meta": {`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`, nil, 400,
			`"code":-32602`},
		"initialize": {strings.Replace(listTools, "tools/list", "initialize", 1), modern("initialize"), 404,
			`"code":-32601`},
		"no capabilities": {noCapabilities, modern("tools/list"), 400, `"code":-32602`},
		"later version": {strings.Replace(listTools, "2026-07-28", "2099-01-01", 1),
			modern("tools/list", "Mcp-Protocol-Version", "2099-01-01"), 400, `"code":-32022`},
		"removed method": {strings.Replace(listTools, "tools/list", "ping", 1), modern("ping"), 404, `"code":-32601`},
		"no such method": {strings.Replace(listTools, "tools/list", "x/y", 1), modern("x/y"), 404, `"code":-32601`},
		"no such tool": {strings.Replace(call("x"), "echo_demo", "other", 1), modern("tools/call", "Mcp-Name", "other"),
			200, `"code":-32602`},
		"fault":    {call("panic"), modern("tools/call"), 200, `"code":-32603`},
		"no JSON":  {`{`, modern("tools/list"), 400, `"code":-32700`},
		"batch":    {`[` + listTools + `]`, modern("tools/list"), 400, `"MCP004"`},
		"too long": {tooLong, modern("tools/list"), 413, `"MCP001"`},
		"text":     {listTools, modern("tools/list", "Content-Type", "text/plain"), 415, `found \"text/plain\"`},
		"no type":  {listTools, modern("tools/list", "Content-Type", ""), 415, `"MCP031"`},
	} {
		t.Run(name, func(t *testing.T) {
			got := s.post(tt.body, tt.header)
			if got.status != tt.status || !strings.Contains(got.body, tt.want) {
				t.Errorf("%d %s\nwant %d and %s", got.status, got.body, tt.status, tt.want)
			}
			if got.header.Get("Mcp-Session-Id") != "" {
				t.Error("a message that stands alone is given a session")
			}
			if got.body != "" && got.header.Get("Content-Type") != "application/json" {
				t.Errorf("Content-Type %q", got.header.Get("Content-Type"))
			}
		})
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut} {
		got := s.send(s.request(t.Context(), method, Path, "", modern("x")))
		if got.status != http.StatusMethodNotAllowed || got.header.Get("Allow") != http.MethodPost {
			t.Errorf("%s: %+v", method, got)
		}
	}
	if got := s.metric(`fmcp_calls_total{id="demo/tool/echo",kind="tool",outcome="panic"}`); got != "1" {
		t.Errorf("faults: %s", got)
	}
}

func TestSessions(t *testing.T) {
	s := start(t, nil)
	for name, tt := range map[string]struct {
		body   string
		header http.Header
		status int
	}{
		"no session":      {listLegacy, nil, 400},
		"no such session": {listLegacy, http.Header{"Mcp-Session-Id": {"gone"}}, 404},
		"unknown version": {initialize, http.Header{"Mcp-Protocol-Version": {"2025-01-01"}}, 400},
		"bad initialize":  {strings.Replace(initialize, `"2025-11-25"`, `7`, 1), nil, 200},
	} {
		if got := s.post(tt.body, tt.header); got.status != tt.status || !strings.Contains(got.body, `"error"`) ||
			got.header.Get("Mcp-Session-Id") != "" {
			t.Errorf("%s: %+v, want %d", name, got, tt.status)
		}
	}
	h := s.initialized()
	if got := s.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, h); got.status != http.StatusAccepted {
		t.Errorf("initialized: %+v", got)
	}
	if got := s.post(listLegacy, h); got.status != http.StatusOK || !strings.Contains(got.body, "echo_demo") {
		t.Errorf("list: %+v", got)
	}
	if got := s.post(`{"jsonrpc":"2.0","id":2,"method":"x/y"}`, h); got.status != http.StatusOK {
		t.Errorf("a method that does not exist: %+v, want 200", got)
	}
	if got := s.metric("fmcp_http_sessions"); got != "1" {
		t.Errorf("%s sessions", got)
	}
	if got := s.send(s.request(t.Context(), http.MethodDelete, Path, "", h)); got.status != http.StatusNoContent {
		t.Errorf("DELETE: %+v", got)
	}
	for _, method := range []string{http.MethodDelete, http.MethodPost} {
		if got := s.send(s.request(t.Context(), method, Path, listLegacy, h)); got.status != http.StatusNotFound {
			t.Errorf("%s of an ended session: %+v", method, got)
		}
	}
	if got := s.metric("fmcp_http_sessions"); got != "0" {
		t.Errorf("%s sessions", got)
	}
}

// A server that takes no more requests still hears what ends those under way: a
// cancellation, or the answer to what it has asked.
func TestBusyServerHears(t *testing.T) {
	s := start(t, func(o *Options) { o.MaxRequests = 1 })
	h := s.initialized()
	done := make(chan response, 1)
	go func() { done <- s.post(legacyCall("5", "wait"), h) }()
	running := <-s.begun
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`
	if got := s.post(cancel+strings.Repeat(" ", smallBody), h); got.status != http.StatusServiceUnavailable {
		t.Errorf("a long one: %+v", got)
	}
	if got := s.post(listLegacy, h); got.status != http.StatusServiceUnavailable ||
		!strings.Contains(got.body, `"id":1,`) {
		t.Errorf("a request: %+v", got)
	}
	if got := s.post(cancel, h); got.status != http.StatusAccepted {
		t.Errorf("%+v", got)
	}
	<-running.Done()
	<-done
}

// There are so many sessions at most: the one that has rested longest gives way, and one
// that is busy does not.
func TestSessionsAreBounded(t *testing.T) {
	s := start(t, func(o *Options) { o.sessions = 2 })
	first, second := s.initialized(), s.initialized()
	s.post(listLegacy, first)
	third := s.initialized()
	for name, tt := range map[string]struct {
		h    http.Header
		want int
	}{"first": {first, 200}, "second": {second, 404}, "third": {third, 200}} {
		if got := s.post(listLegacy, tt.h); got.status != tt.want {
			t.Errorf("%s: %d, want %d", name, got.status, tt.want)
		}
	}
	done := make(chan response, 2)
	for _, h := range []http.Header{first, third} {
		go func() { done <- s.post(legacyCall("1", "wait"), h) }()
		<-s.begun
	}
	got := s.post(initialize, nil)
	if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") == "" {
		t.Errorf("%+v", got)
	}
	close(s.free)
	<-done
	<-done
	s.initialized()
}

func TestIdleSessionsEnd(t *testing.T) {
	s := start(t, func(o *Options) { o.idle = time.Millisecond })
	h := s.initialized()
	await.Until(t, "the end of the session", func() bool { return s.metric("fmcp_http_sessions") == "0" })
	if got := s.post(listLegacy, h); got.status != http.StatusNotFound {
		t.Errorf("%+v", got)
	}
}

// In revision 2026-07-28 a client that goes away cancels; in a session it does
// so by a notification, and going away means nothing.
func TestCancel(t *testing.T) {
	s := start(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		s.abandoned(s.request(ctx, "POST", Path, call("wait"), modern("tools/call")))
	}()
	running := <-s.begun
	cancel()
	<-gone
	<-running.Done()

	h := s.initialized()
	ctx, cancel = context.WithCancel(t.Context())
	gone = make(chan struct{})
	go func() {
		defer close(gone)
		s.abandoned(s.request(ctx, "POST", Path, legacyCall("5", "wait"), h))
	}()
	running = <-s.begun
	cancel()
	<-gone
	s.post(listLegacy, h)
	if running.Err() != nil {
		t.Error("a call of a session ended with its connection")
	}
	if got := s.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`, h); got.status !=
		http.StatusAccepted {
		t.Errorf("%+v", got)
	}
	<-running.Done()

	done := make(chan response, 1)
	go func() { done <- s.post(legacyCall("6", "wait"), h) }()
	running = <-s.begun
	s.send(s.request(t.Context(), http.MethodDelete, Path, "", h))
	<-running.Done()
	<-done
}
