package http

import (
	"bufio"
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/auth"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/serve/metrics"
)

// served is a server on a loopback address with one tool, echo_demo. A call with
// the argument q "wait" begins and waits for free, or the end of its context.
type served struct {
	t       *testing.T
	url     string
	core    *serve.Server
	begun   chan context.Context
	free    chan struct{}
	stop    context.CancelFunc
	stopped chan error

	mu     sync.Mutex
	warned []string
}

const toolRecord = `{"v":1,"kind":"resolved","id":"demo/tool/echo","type":"tool","data":{"schema":"demo/things",` +
	`"namespace":"demo","name":"echo","wireName":"echo_demo","description":"Says it again","method":"GET",` +
	`"root":"https://example.com","path":"/x","parameters":[],` +
	`"inputSchema":{"type":"object","properties":{"q":{"type":"string"}}}}}`

// start starts a server with changes to its options.
func start(t *testing.T, change func(*Options)) *served {
	t.Helper()
	s := &served{t: t, begun: make(chan context.Context, 100), free: make(chan struct{}), stopped: make(chan error, 1)}
	guard, err := auth.New(t.Context(), auth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	opts := Options{Guard: guard, Metrics: metrics.New("1.2.3"), MaxBody: 1 << 20, MaxRequests: 10, Warn: s.warn}
	if change != nil {
		change(&opts)
	}
	s.core = serve.New(surface(t, serve.Contents{Name: "demo", Version: "1.2.3", Tools: tools(t, toolRecord),
		Caller: opts.Metrics.Caller(s)}), serve.Options{Reloads: true})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	scheme := "http://"
	if opts.TLS != nil {
		scheme = "https://"
	}
	s.url = scheme + l.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	go func() { s.stopped <- Serve(ctx, l, s.core, opts) }()
	t.Cleanup(func() {
		stop()
		select {
		case <-s.free:
		default:
			close(s.free)
		}
		if err := <-s.stopped; err != nil {
			t.Error("Serve:", err)
		}
	})
	return s
}

// tools are those of a catalog.
func tools(t *testing.T, text string) []listing.Tool {
	t.Helper()
	index, err := catalog.Read(strings.NewReader(text), catalog.ReadOptions{Name: "c.ndjson"})
	if err != nil {
		t.Fatal(err)
	}
	list, err := listing.Of(index, listing.Style{}, func(e *record.Error) { t.Error(e) })
	if err != nil {
		t.Fatal(err)
	}
	return list.Tools
}

func surface(t *testing.T, c serve.Contents) *serve.Surface {
	t.Helper()
	s, err := serve.NewSurface(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *served) warn(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.warned = append(s.warned, text)
}

// Call implements serve.Caller.
func (s *served) Call(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
	switch params.Get("q").Str() {
	case "wait":
		s.begun <- ctx
		select {
		case <-s.free:
		case <-ctx.Done():
		}
	case "who":
		params = ordjson.NewString(auth.From(ctx).Name)
	case "panic":
		panic("as asked")
	}
	return &record.Envelope{ID: id, Status: true, Data: params}
}

// Read implements serve.Caller.
func (s *served) Read(context.Context, string) *record.Envelope { panic("nothing is read") }

// Deliver implements serve.Caller.
func (s *served) Deliver(context.Context, string, ordjson.Value) *record.Envelope {
	panic("nothing is delivered")
}

const (
	meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
	listTools  = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`
	listLegacy = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
)

// call is a call of the tool in the revision without sessions.
func call(q string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo_demo","arguments":{"q":"` + q + `"},` +
		meta + `}}`
}

// legacyCall is a call of the tool in a session.
func legacyCall(id, q string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"echo_demo","arguments":{"q":"` +
		q + `"}}}`
}

type response struct {
	status int
	header http.Header
	body   string
	closes bool // the connection ends with it
}

// modern are the headers of a message of the revision without sessions; those of
// with, pairs of name and value, count in their place.
func modern(method string, with ...string) http.Header {
	h := http.Header{"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {method}}
	if method == "tools/call" {
		h.Set("Mcp-Name", "echo_demo")
	}
	return headersWith(h, with...)
}

func headersWith(h http.Header, with ...string) http.Header {
	for i := 0; i < len(with); i += 2 {
		if h[with[i]] = []string{with[i+1]}; with[i+1] == "" {
			h[with[i]] = nil
		}
	}
	return h
}

// request makes a request of the endpoint, or of another path.
func (s *served) request(ctx context.Context, method, path, body string, h http.Header) *http.Request {
	s.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	maps.Copy(r.Header, h)
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
		r.Header.Del("Host")
	}
	return r
}

// send sends a request and reads the response.
func (s *served) send(r *http.Request) response {
	s.t.Helper()
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response{got.StatusCode, got.Header, string(body), got.Close}
}

// abandoned sends a request whose response nobody waits for until its end.
func (s *served) abandoned(r *http.Request) {
	if got, err := http.DefaultClient.Do(r); err == nil {
		got.Body.Close()
	}
}

func (s *served) post(body string, h http.Header) response {
	s.t.Helper()
	return s.send(s.request(s.t.Context(), http.MethodPost, Path, body, h))
}

func (s *served) get(path string, h http.Header) response {
	s.t.Helper()
	return s.send(s.request(s.t.Context(), http.MethodGet, path, "", h))
}

// initialized begins a session.
func (s *served) initialized() http.Header {
	s.t.Helper()
	got := s.post(initialize, nil)
	id := got.header.Get("Mcp-Session-Id")
	if got.status != http.StatusOK || id == "" {
		s.t.Fatalf("initialize: %+v", got)
	}
	return http.Header{"Mcp-Session-Id": {id}, "Mcp-Protocol-Version": {"2025-11-25"}}
}

// metric is the value of a metric.
func (s *served) metric(name string) string {
	s.t.Helper()
	lines := bufio.NewScanner(strings.NewReader(s.get("/metrics", nil).body))
	for lines.Scan() {
		if value, ok := strings.CutPrefix(lines.Text(), name+" "); ok {
			return value
		}
	}
	return "none"
}
