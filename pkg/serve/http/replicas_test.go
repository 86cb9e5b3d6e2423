package http

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/internal/await"
	"github.com/flowmcp/fmcp/pkg/serve/auth"
	"github.com/flowmcp/fmcp/pkg/serve/seal"
)

// as is a call of the tool in a session.
func (s *served) as(h http.Header) response {
	s.t.Helper()
	return s.post(legacyCall("1", "hello"), h)
}

// A session that begins with one server goes on with another that has the same key, and
// with the one that is started in place of a dead one.
func TestSessionsMove(t *testing.T) {
	key := seal.New()
	keyed := func(o *Options) { o.Key = key }
	one, two := start(t, keyed), start(t, keyed)
	h := one.initialized()
	for name, s := range map[string]*served{"its own": one, "another": two, "a third": start(t, keyed)} {
		for range 2 {
			if got := s.as(h); got.status != http.StatusOK || !strings.Contains(got.body, "hello") {
				t.Errorf("%s: %+v", name, got)
			}
		}
		if got := s.metric("fmcp_http_sessions"); got != "1" {
			t.Errorf("%s: %s sessions, want 1", name, got)
		}
	}
	stream := two.stream(http.MethodGet, "", h)
	two.replace()
	stream.expect("notifications/tools/list_changed")
}

// What another server, or another caller, would not be given stays theirs.
func TestSessionsStay(t *testing.T) {
	key := seal.New()
	keyed := func(o *Options) { o.Key = key }
	one, other, none := start(t, keyed), start(t, func(o *Options) { o.Key = seal.New() }), start(t, nil)
	h := one.initialized()
	id := h.Get("Mcp-Session-Id")
	for name, tt := range map[string]struct {
		s  *served
		id string
	}{
		"another key": {other, id}, "no key": {none, id}, "changed": {start(t, keyed), "x" + id},
		"made up": {one, "made-up"}, "a session without a key": {one, none.initialized().Get("Mcp-Session-Id")},
	} {
		h := http.Header{"Mcp-Session-Id": {tt.id}, "Mcp-Protocol-Version": {"2025-11-25"}}
		if got := tt.s.as(h); got.status != http.StatusNotFound {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := one.send(one.request(t.Context(), http.MethodDelete, Path, "", h)); got.status != http.StatusNoContent {
		t.Fatalf("%+v", got)
	}
	if got := one.as(h); got.status != http.StatusNotFound {
		t.Errorf("a session that its client has ended: %+v", got)
	}
}

func TestSessionsOfOthersStay(t *testing.T) {
	key, path := seal.New(), filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte("ada 0123456789abcdef\nbob fedcba9876543210\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	guarded := func(o *Options) {
		o.Key = key
		guard, err := auth.New(t.Context(), auth.Options{TokenFile: path})
		if err != nil {
			t.Fatal(err)
		}
		o.Guard = guard
	}
	one, two := start(t, guarded), start(t, guarded)
	ada, bob := "Bearer 0123456789abcdef", "Bearer fedcba9876543210"
	got := one.post(initialize, http.Header{"Authorization": {ada}})
	h := http.Header{"Authorization": {bob}, "Mcp-Session-Id": {got.header.Get("Mcp-Session-Id")}}
	if got := two.as(h); got.status != http.StatusNotFound {
		t.Errorf("the session of another: %+v", got)
	}
	h.Set("Authorization", ada)
	if got := two.as(h); got.status != http.StatusOK {
		t.Errorf("%+v", got)
	}
}

// A name of a client that would not fit into a header is cut.
func TestSessionIDsAreShort(t *testing.T) {
	s := start(t, func(o *Options) { o.Key = seal.New() })
	got := s.post(strings.Replace(initialize, `"name":"t"`, `"name":"`+strings.Repeat("ü", 100_000)+`"`, 1), nil)
	id := got.header.Get("Mcp-Session-Id")
	if got.status != http.StatusOK || id == "" || len(id) > 1024 {
		t.Errorf("%d, an ID of %d bytes", got.status, len(id))
	}
}

// Before it refuses requests, a server that is told to stop says so, for who sends it
// requests to send them elsewhere.
func TestReadyzFirst(t *testing.T) {
	over := make(chan time.Time)
	s := start(t, func(o *Options) {
		o.Delay = time.Hour
		o.after = func(d time.Duration) <-chan time.Time {
			if d != time.Hour {
				t.Errorf("waits for %s", d)
			}
			return over
		}
	})
	h := s.initialized()
	stream := s.stream(http.MethodGet, "", h)
	if got := s.post(listTools, modern("tools/list")); got.closes {
		t.Errorf("the connection ends early: %+v", got)
	}
	s.stop()
	await.Until(t, "readyz to say no", func() bool { return s.get("/readyz", nil).status == 503 })
	for range 2 {
		got := s.post(call("hello"), modern("tools/call"))
		if got.status != http.StatusOK || !got.closes {
			t.Errorf("while it says so: %+v", got)
		}
	}
	if got := s.as(h); got.status != http.StatusOK {
		t.Errorf("in a session: %+v", got)
	}
	s.replace()
	stream.expect("list_changed")
	close(over)
	if err := <-s.stopped; err != nil {
		t.Error(err)
	}
	s.stopped <- nil
}
