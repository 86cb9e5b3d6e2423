package http

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/internal/await"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/elicit"
)

// events is a stream that is being read.
type events struct {
	t      *testing.T
	lines  *bufio.Scanner
	cancel context.CancelFunc
}

// stream opens a stream.
func (s *served) stream(method, body string, h http.Header) *events {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	got, err := http.DefaultClient.Do(s.request(ctx, method, Path, body, h))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { cancel(); got.Body.Close() })
	if got.StatusCode != http.StatusOK || got.Header.Get("Content-Type") != "text/event-stream" ||
		got.Header.Get("X-Accel-Buffering") != "no" {
		s.t.Fatalf("%d %v", got.StatusCode, got.Header)
	}
	return &events{s.t, bufio.NewScanner(got.Body), cancel}
}

// next is the next message, "" at the end of the stream.
func (e *events) next() string {
	for e.lines.Scan() {
		if text, ok := strings.CutPrefix(e.lines.Text(), "data: "); ok {
			return text
		}
	}
	return ""
}

func (e *events) expect(want string) {
	e.t.Helper()
	if got := e.next(); !strings.Contains(got, want) {
		e.t.Fatalf("%q, want %s", got, want)
	}
}

// replace has the server serve nothing any more.
func (s *served) replace() { s.core.Replace(surface(s.t, serve.Contents{Name: "demo", Caller: s})) }

const listen = `{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":` +
	`{"toolsListChanged":true},` + meta + `}}`

// What listens hears of changes and ends with the server, by a result.
func TestListen(t *testing.T) {
	s := start(t, nil)
	e := s.stream(http.MethodPost, listen, modern("subscriptions/listen"))
	e.expect(`"notifications/subscriptions/acknowledged"`)
	s.replace()
	e.expect(`"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":7}`)
	if got := s.metric("fmcp_http_streams"); got != "1" {
		t.Errorf("%s streams, want 1", got)
	}
	s.stop()
	e.expect(`"id":7,"result":`)
	if got := e.next(); got != "" {
		t.Errorf("after the end: %s", got)
	}
}

// A client that goes away listens no more, and streams are bounded.
func TestStreamsAreBounded(t *testing.T) {
	s := start(t, func(o *Options) { o.streams, o.MaxRequests = 1, 1 })
	first := s.stream(http.MethodPost, listen, modern("subscriptions/listen"))
	if got := s.post(listen, modern("subscriptions/listen")); got.status != http.StatusServiceUnavailable {
		t.Errorf("%+v", got)
	}
	if got := s.post(listTools, modern("tools/list")); got.status != http.StatusOK {
		t.Errorf("a stream takes the place of a request: %+v", got)
	}
	first.cancel()
	await.Until(t, "the stream to end", func() bool { return s.metric("fmcp_http_streams") == "0" })
	s.stream(http.MethodPost, listen, modern("subscriptions/listen")).expect("acknowledged")
	got := s.post(listen, modern("subscriptions/listen", "Accept", "application/json"))
	if got.status != http.StatusNotAcceptable {
		t.Errorf("%+v", got)
	}
}

// The stream of a session tells what nobody asked for.
func TestStreamOfSession(t *testing.T) {
	s := start(t, nil)
	h := s.initialized()
	e := s.stream(http.MethodGet, "", h)
	if got := s.get(Path, h); got.status != http.StatusConflict {
		t.Errorf("a second stream: %+v", got)
	}
	s.replace()
	e.expect(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"`)
	s.send(s.request(t.Context(), http.MethodDelete, Path, "", h))
	if got := e.next(); got != "" {
		t.Errorf("after the end of the session: %s", got)
	}
	for name, tt := range map[string]struct {
		h    http.Header
		want int
	}{
		"nothing":    {nil, 405},
		"no session": {http.Header{"Mcp-Protocol-Version": {"2025-11-25"}}, 400},
		"ended":      {h, 404},
		"no stream":  {headersWith(s.initialized(), "Accept", "application/json"), 406},
	} {
		if got := s.get(Path, tt.h); got.status != tt.want {
			t.Errorf("%s: %+v, want %d", name, got, tt.want)
		}
	}
}

// A session's streams end when the server stops.
func TestStreamOfSessionEnds(t *testing.T) {
	s := start(t, nil)
	e := s.stream(http.MethodGet, "", s.initialized())
	s.stop()
	if got := e.next(); got != "" {
		t.Error(got)
	}
}

// asksForQ has the server ask the user for what a call lacks.
func (s *served) asksForQ() {
	s.t.Helper()
	v, err := ordjson.Parse(`{"enabled":true,"maxRounds":1}`)
	if err != nil {
		s.t.Fatal(err)
	}
	needy := strings.Replace(toolRecord, `"properties":`, `"required":["q"],"properties":`, 1)
	s.core.Replace(surface(s.t, serve.Contents{Name: "demo", Tools: tools(s.t, needy), Caller: s,
		Asking: elicit.NewPolicy(v)}))
}

// asking begins a session whose client shows forms, and returns the stream of a
// call that lacks something, once its client is asked for that.
func (s *served) asking() (http.Header, *events) {
	s.t.Helper()
	s.asksForQ()
	got := s.post(strings.Replace(initialize, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1), nil)
	h := http.Header{"Mcp-Session-Id": {got.header.Get("Mcp-Session-Id")}}
	e := s.stream(http.MethodPost, strings.Replace(legacyCall("1", ""), `{"q":""}`, `{}`, 1), h)
	e.expect(`"id":"fmcp-1","method":"elicitation/create"`)
	return h, e
}

// What the server asks goes out on the stream of the call, and the answer comes by
// a request of its own.
func TestAskClient(t *testing.T) {
	s := start(t, nil)
	h, e := s.asking()
	const answer = `{"jsonrpc":"2.0","id":"fmcp-1","result":{"action":"accept","content":{"q":"written"}}}`
	if got := s.post(answer, h); got.status != http.StatusAccepted || got.body != "" {
		t.Errorf("%+v", got)
	}
	e.expect(`written`)
}

// A client that goes away while it is asked is not waited for.
func TestAskClientThatGoesAway(t *testing.T) {
	s := start(t, func(o *Options) { o.abandoned = time.Millisecond })
	_, e := s.asking()
	e.cancel()
	await.Until(t, "the call to end", func() bool { return s.metric(`fmcp_http_responses_total{code="200"}`) == "2" })
}

// Progress comes before the result, as a stream, to who asked for it.
func TestProgress(t *testing.T) {
	s := start(t, nil)
	body := strings.Replace(call("wait"), `"_meta":{`, `"_meta":{"progressToken":"p",`, 1)
	begun := make(chan *events)
	go func() { begun <- s.stream(http.MethodPost, body, modern("tools/call")) }()
	<-s.begun
	e := <-begun // which is there once there is progress
	e.expect(`"notifications/progress"`)
	close(s.free)
	for {
		got := e.next()
		if strings.Contains(got, `"id":1,"result"`) {
			break
		}
		if !strings.Contains(got, `"notifications/progress"`) {
			t.Fatal(got)
		}
	}
	if got := e.next(); got != "" {
		t.Errorf("after the result: %s", got)
	}
}
