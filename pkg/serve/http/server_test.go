package http

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/internal/await"
	"github.com/flowmcp/fmcp/pkg/serve/auth"
)

func TestWhoMayCall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte("ada 0123456789abcdef\nbob fedcba9876543210\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, func(o *Options) {
		guard, err := auth.New(t.Context(), auth.Options{TokenFile: path})
		if err != nil {
			t.Fatal(err)
		}
		o.Guard = guard
	})
	ada, bob := "Bearer 0123456789abcdef", "Bearer fedcba9876543210"
	for _, path := range []string{Path, "/metrics"} {
		got := s.get(path, nil)
		if got.status != http.StatusUnauthorized || got.header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if got := s.get("/healthz", nil); got.status != http.StatusOK {
		t.Errorf("%+v", got)
	}
	if got := s.post(call("who"), modern("tools/call", "Authorization", ada)); !strings.Contains(got.body, "ada") {
		t.Errorf("%+v", got)
	}
	got := s.post(initialize, http.Header{"Authorization": {ada}})
	h := http.Header{"Authorization": {ada}, "Mcp-Session-Id": {got.header.Get("Mcp-Session-Id")}}
	if got := s.post(legacyCall("1", "who"), h); !strings.Contains(got.body, "ada") {
		t.Errorf("%+v", got)
	}
	h.Set("Authorization", bob)
	if got := s.post(listLegacy, h); got.status != http.StatusNotFound {
		t.Errorf("the session of another: %+v", got)
	}
}

func TestOrigins(t *testing.T) {
	public, err := url.Parse("https://mcp.example.com/mcp")
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, func(o *Options) { o.Public, o.Origins = public, []string{"https://app.example.com"} })
	for name, tt := range map[string]struct {
		host, origin string
		want         int
	}{
		"no browser":     {"", "", 200},
		"localhost":      {"localhost:1234", "http://localhost:6274", 200},
		"IPv6":           {"[::1]:80", "http://[::1]", 200},
		"public":         {"mcp.example.com", "https://mcp.example.com", 200},
		"allowed":        {"", "https://APP.example.com", 200},
		"rebound":        {"evil.example", "", 403},
		"rebound page":   {"evil.example:8080", "http://evil.example:8080", 403},
		"like localhost": {"localhost.evil.example", "", 403},
		"page":           {"", "https://evil.example", 403},
		"page like it":   {"", "https://app.example.com.evil.example", 403},
		"file":           {"", "null", 403},
		"extension":      {"", "evil://localhost", 403},
	} {
		got := s.post(listTools, modern("tools/list", "Host", tt.host, "Origin", tt.origin))
		if got.status != tt.want {
			t.Errorf("%s: %d, want %d", name, got.status, tt.want)
		}
		if tt.want == 403 && !strings.HasPrefix(got.body, `{"jsonrpc":"2.0","error":{`) {
			t.Errorf("%s: the error has an id: %s", name, got.body)
		}
		shared := got.header.Get("Access-Control-Allow-Origin")
		if want := map[bool]string{true: tt.origin}[tt.want == 200]; shared != want {
			t.Errorf("%s: shared with %q, want %q", name, shared, want)
		}
	}
	for _, path := range []string{"/metrics", "/readyz"} {
		if got := s.get(path, http.Header{"Host": {"evil.example"}}); got.status != http.StatusForbidden {
			t.Errorf("%s of a rebound page: %d", path, got.status)
		}
	}
	// The check of a balancer: HTTP/1.0 without a Host, which no browser sends.
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET /readyz HTTP/1.0\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(conn); err != nil || !strings.HasPrefix(string(got), "HTTP/1.0 200 ") {
		t.Errorf("a check without a Host: %v %s", err, got)
	}
	r := s.request(t.Context(), http.MethodOptions, Path, "", http.Header{"Origin": {"https://app.example.com"},
		"Access-Control-Request-Headers": {"mcp-method,authorization"}})
	if got := s.send(r); got.status != http.StatusNoContent ||
		got.header.Get("Access-Control-Allow-Headers") != "mcp-method,authorization" {
		t.Errorf("%+v", got)
	}
	if got := s.metric(`fmcp_http_refused_total{reason="origin"}`); got != "4" {
		t.Errorf("%s pages refused, want 4", got)
	}
}

func TestTooMuch(t *testing.T) {
	s := start(t, func(o *Options) { o.MaxRequests = 1 })
	done := make(chan response, 1)
	go func() { done <- s.post(call("wait"), modern("tools/call")) }()
	<-s.begun
	got := s.post(listTools, modern("tools/list"))
	if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") != "1" {
		t.Errorf("%+v", got)
	}
	close(s.free)
	if got := <-done; got.status != http.StatusOK {
		t.Errorf("%+v", got)
	}
	if got := s.post(listTools, modern("tools/list")); got.status != http.StatusOK {
		t.Errorf("%+v", got)
	}
	if got := s.metric(`fmcp_http_refused_total{reason="busy"}`); got != "1" {
		t.Errorf("%s refused, want 1", got)
	}
}

func TestTooOften(t *testing.T) {
	s := start(t, func(o *Options) { o.Between = time.Hour })
	for i := range 21 {
		got := s.post(listTools, modern("tools/list"))
		if want := map[bool]int{true: 200, false: 429}[i < 20]; got.status != want {
			t.Errorf("request %d: %d, want %d", i, got.status, want)
		}
		if i == 20 && got.header.Get("Retry-After") != "3600" {
			t.Errorf("Retry-After: %q", got.header.Get("Retry-After"))
		}
	}
}

// A server that is told to stop answers what is under way, and takes nothing
// new.
func TestDrain(t *testing.T) {
	s := start(t, nil)
	h := s.initialized()
	done := make(chan response, 2)
	go func() { done <- s.post(call("wait"), modern("tools/call")) }()
	go func() { done <- s.post(legacyCall("1", "wait"), h) }()
	<-s.begun
	<-s.begun
	if got := s.get("/readyz", nil); got.status != http.StatusOK {
		t.Errorf("%+v", got)
	}
	s.stop()
	await.Until(t, "readyz to say no", func() bool { return s.get("/readyz", nil).status == 503 })
	if got := s.get("/healthz", nil); got.status != http.StatusOK {
		t.Errorf("%+v", got)
	}
	if got := s.post(listTools, modern("tools/list")); got.status != http.StatusServiceUnavailable ||
		!strings.Contains(got.body, "the server is stopping") {
		t.Errorf("%+v", got)
	}
	close(s.free)
	for range 2 {
		if got := <-done; got.status != http.StatusOK || !strings.Contains(got.body, "wait") {
			t.Errorf("%+v", got)
		}
	}
	if err := <-s.stopped; err != nil {
		t.Error(err)
	}
	s.stopped <- nil
}

// What takes longer than that is cancelled.
func TestDrainEnds(t *testing.T) {
	s := start(t, func(o *Options) { o.drain = time.Millisecond })
	done := make(chan response, 1)
	go func() { done <- s.post(call("wait"), modern("tools/call")) }()
	running := <-s.begun
	s.stop()
	<-running.Done()
	if got := <-done; got.status != http.StatusOK {
		t.Errorf("%+v", got)
	}
}

func TestMetrics(t *testing.T) {
	s := start(t, nil)
	s.post(call("x"), modern("tools/call"))
	s.post(listTools, modern("tools/call"))
	for name, want := range map[string]string{
		`fmcp_calls_total{id="demo/tool/echo",kind="tool",outcome="ok"}`: "1",
		`fmcp_call_duration_seconds_count{kind="tool"}`:                  "1",
		`fmcp_calls_in_flight`:                                           "0",
		`fmcp_http_responses_total{code="200"}`:                          "1",
		`fmcp_http_responses_total{code="400"}`:                          "1",
		`fmcp_build_info{version="1.2.3"}`:                               "1",
	} {
		if got := s.metric(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if got := s.metric("go_goroutines"); got == "none" {
		t.Error("no metrics of the process")
	}
}

func TestHeadersAreBounded(t *testing.T) {
	s := start(t, nil)
	got := s.post(listTools, modern("tools/list", "X-Long", strings.Repeat("x", 64<<10)))
	if got.status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("%d", got.status)
	}
}

func TestOtherPaths(t *testing.T) {
	s := start(t, nil)
	if got := s.get("/.well-known/oauth-protected-resource", nil); got.status != http.StatusNotFound {
		t.Errorf("metadata of no authorization server: %+v", got)
	}
	if got := s.get("/", nil); got.status != http.StatusNotFound || !strings.Contains(got.body, Path) {
		t.Errorf("%+v", got)
	}
}

func TestRatesForget(t *testing.T) {
	r := newRates(time.Hour)
	for i := range maxRates + 5 {
		r.wait(fmt.Sprint(i))
	}
	if n := len(r.of); n > maxRates {
		t.Errorf("%d callers are kept, at most %d may be", n, maxRates)
	}
	for address, want := range map[string]string{
		"192.0.2.7:1000": "192.0.2.7", "[::ffff:192.0.2.7]:1": "192.0.2.7", "[2001:db8::1:2]:9": "2001:db8::/64",
		"pipe": "pipe",
	} {
		if got := callerKey(&http.Request{RemoteAddr: address}, auth.Caller{}); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
	if got := callerKey(&http.Request{RemoteAddr: "192.0.2.7:1"}, auth.Caller{Name: "ada"}); got != "ada" {
		t.Error(got)
	}
}
