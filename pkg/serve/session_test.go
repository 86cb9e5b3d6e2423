package serve

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// connFunc makes a function a Conn.
type connFunc func(ctx context.Context, line []byte) error

func (f connFunc) Send(ctx context.Context, line []byte) error { return f(ctx, line) }

// parsed is a message that is known to be one.
func parsed(t testing.TB, text string) Message {
	t.Helper()
	m, err := Parse(text)
	if err != nil {
		t.Fatal(err.Message)
	}
	return m
}

// lineOf is the line of an answer.
func lineOf(a Answer) string {
	var b strings.Builder
	for _, part := range a.Line {
		b.Write(part)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// TestSlotsOfAllSessions: calls of all clients together are bounded, and get
// their turns in the order in which they came.
func TestSlotsOfAllSessions(t *testing.T) {
	b := newBlocker()
	s := newServer(t, demo(t, b), Options{MaxInFlight: 1})
	one, two := s.NewSession(), s.NewSession()
	answers := make(chan string, 3)
	begin := func(c *Session, id string) {
		r := c.Begin(t.Context(), parsed(t, callOf(id, "one_demo", `{"q":"`+id+`"}`)), nil)
		go func() {
			defer r.End()
			answers <- lineOf(r.Run())
		}()
	}
	begin(one, "1")
	begin(two, "2")
	begin(one, "3")
	for _, want := range []string{"1", "2", "3"} {
		if got := wait(t, b.started, "a call"); got != want {
			t.Errorf("%s runs, want %s", got, want)
		}
		if len(b.started) > 0 {
			t.Error("two calls run at once")
		}
		b.release <- struct{}{}
		if got := wait(t, answers, "its answer"); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":`+want+`,"result"`) {
			t.Errorf("answer %s, want one to %s", got, want)
		}
	}
	// The number that a client gives its call is its own.
	begin(one, "4")
	wait(t, b.started, "a call")
	two.Begin(t.Context(), parsed(t, cancelled("4")), nil)
	if len(b.ended) > 0 {
		t.Error("a client has cancelled the call of another")
	}
	one.Begin(t.Context(), parsed(t, cancelled("4")), nil)
	if err := wait(t, b.ended, "the end of the call"); !errors.Is(err, errWithdrawn) {
		t.Errorf("ended by %v", err)
	}
}

// TestReplace: a request finishes with the surface that it came to.
func TestReplace(t *testing.T) {
	b := newBlocker()
	s := newServer(t, demo(t, b), Options{})
	c := s.NewSession()
	old := c.Begin(t.Context(), parsed(t, callOf("1", "one_demo", `{"q":"x"}`)), nil)
	next, err := NewSurface(Contents{Tools: listingOf(t, toolLine("four", "")).Tools, Caller: echo})
	if err != nil {
		t.Fatal(err)
	}
	s.Replace(next)
	list := c.Begin(t.Context(), parsed(t, request("2", "tools/list", "{}")), nil)
	if got := lineOf(list.Run()); !strings.Contains(got, "four_demo") || strings.Contains(got, "one_demo") {
		t.Errorf("the list is %s", got)
	}
	gone := c.Begin(t.Context(), parsed(t, callOf("3", "one_demo", `{"q":"x"}`)), nil)
	if a := gone.Run(); a.Err == nil || a.Err.Code != mcp.INVALID_PARAMS {
		t.Errorf("a tool that is gone: %s", lineOf(a))
	}
	close(b.release)
	if got := lineOf(old.Run()); len(b.started) != 1 || !strings.Contains(got, `{\"q\":\"x\"}`) {
		t.Errorf("the call of before: %s", got)
	}
}

// TestReplaceUnderLoad: 100 surfaces, one after the other, make no call fail and no
// list half.
func TestReplaceUnderLoad(t *testing.T) {
	surfaces := []*Surface{surfaceOf(t, nil, "one", "two"), surfaceOf(t, nil, "one", "three")}
	s := New(surfaces[0], Options{})
	stop := make(chan struct{})
	var clients sync.WaitGroup
	var calls atomic.Int64
	for range 16 {
		clients.Go(func() {
			c := s.NewSession()
			for {
				select {
				case <-stop:
					return
				default:
				}
				for _, line := range []string{callOf("1", "one_demo", `{"q":"x"}`), request("2", "tools/list", "{}")} {
					r := c.Begin(t.Context(), parsed(t, line), nil)
					a := r.Run()
					if a.Err != nil || !strings.Contains(lineOf(a), "one") && !strings.Contains(lineOf(a), `\"q\"`) {
						t.Error(lineOf(a))
					}
					r.End()
				}
				calls.Add(1)
			}
		})
	}
	for i := range 100 {
		for before := calls.Load(); calls.Load() == before; {
			runtime.Gosched()
		}
		s.Replace(surfaces[(i+1)%2])
	}
	close(stop)
	clients.Wait()
}

// TestAsk: a request of ours reaches the client, and its answer who asked.
func TestAsk(t *testing.T) {
	s := newServer(t, demo(t, newBlocker()), Options{})
	c := s.NewSession()
	lines := make(chan string, 1)
	conn := connFunc(func(_ context.Context, line []byte) error { lines <- string(line); return nil })
	r := c.Begin(t.Context(), parsed(t, callOf("1", "one_demo", `{}`)), conn)
	defer r.End()
	type asked struct {
		result ordjson.Value
		err    error
	}
	ask := func(ctx context.Context) <-chan asked {
		got := make(chan asked, 1)
		go func() {
			v, err := r.Ask(ctx, mcp.MethodElicitationCreate, mcp.ElicitationParams{Message: "Which?"})
			got <- asked{v, err}
		}()
		return got
	}
	answer := func(id, body string) {
		c.Begin(t.Context(), parsed(t, `{"jsonrpc":"2.0","id":`+id+`,`+body+`}`), nil)
	}
	got := ask(t.Context())
	const want = `{"jsonrpc":"2.0","id":"fmcp-1","method":"elicitation/create","params":{"message":"Which?"}}`
	if line := wait(t, lines, "the request"); line != want+"\n" {
		t.Errorf("asked %s, want %s", line, want)
	}
	answer(`"fmcp-9"`, `"result":{}`) // nobody asked that
	answer(`"fmcp-1"`, `"result":{"action":"decline"}`)
	if a := wait(t, got, "the answer"); a.err != nil || a.result.Get("action").Str() != "decline" {
		t.Errorf("got %s, %v", ordjson.Text(a.result), a.err)
	}
	answer(`"fmcp-1"`, `"result":{}`) // twice
	got = ask(t.Context())
	wait(t, lines, "the request")
	answer(`"fmcp-2"`, `"error":{"code":-1,"message":"no form"}`)
	if a := wait(t, got, "the answer"); a.err == nil ||
		a.err.Error() != `the client refused elicitation/create: "no form"` {
		t.Errorf("got %v", a.err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	got = ask(ctx)
	wait(t, lines, "the request")
	cancel()
	if a := wait(t, got, "the end"); !errors.Is(a.err, context.Canceled) || len(c.asks) > 0 {
		t.Errorf("got %v, %d wait", a.err, len(c.asks))
	}
}
