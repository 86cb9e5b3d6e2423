package serve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// patience is how long a test waits for what must happen before it fails.
const patience = 30 * time.Second

// callerFunc makes a function a Caller.
type callerFunc func(ctx context.Context, id string, params ordjson.Value) *record.Envelope

func (f callerFunc) Call(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
	return f(ctx, id, params)
}

func (f callerFunc) Read(ctx context.Context, uri string) *record.Envelope {
	return f(ctx, uri, ordjson.Value{})
}

func (f callerFunc) Deliver(ctx context.Context, id string, inputs ordjson.Value) *record.Envelope {
	return f(ctx, id, inputs)
}

// echo answers with the arguments.
var echo = callerFunc(func(_ context.Context, id string, params ordjson.Value) *record.Envelope {
	return &record.Envelope{ID: id, Status: true, Data: params}
})

// toolLine is the record of a tool; extra are further members of its data.
func toolLine(name, extra string) string {
	return fmt.Sprintf(`{"v":1,"kind":"resolved","id":"demo/tool/%[1]s","type":"tool","data":{"schema":"demo/things",`+
		`"namespace":"demo","name":"%[1]s",`+
		`"wireName":"%[1]s_demo","description":"Does %[1]s","method":"GET","root":"https://example.com","path":"/x",`+
		`"parameters":[],`+
		`"inputSchema":{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}%[2]s}}`, name, extra)
}

// listed lists a catalog; errors are what cannot be served.
func listed(t testing.TB, outputSchemas bool, lines ...string) (l *listing.Listing, errs []*record.Error) {
	t.Helper()
	x, err := catalog.Read(strings.NewReader(strings.Join(lines, "\n")), catalog.ReadOptions{Name: "c.ndjson"})
	if err == nil {
		l, err = listing.Of(x, listing.Style{OutputSchemas: outputSchemas},
			func(e *record.Error) { errs = append(errs, e) })
	}
	if err != nil {
		t.Fatal(err)
	}
	return l, errs
}

func listingOf(t testing.TB, lines ...string) *listing.Listing {
	t.Helper()
	l, errs := listed(t, false, lines...)
	for _, err := range errs {
		t.Fatal(err)
	}
	return l
}

func demoTools(t testing.TB) []listing.Tool {
	return listingOf(t, toolLine("one", ""), toolLine("two", ""), toolLine("three", "")).Tools
}

// demo are three tools and who calls them.
func demo(t testing.TB, call Caller) Contents { return Contents{Tools: demoTools(t), Caller: call} }

func newServer(t testing.TB, c Contents, opts Options) *Server {
	t.Helper()
	surface, err := NewSurface(c)
	if err != nil {
		t.Fatal(err)
	}
	return New(surface, opts)
}

// client talks to a server through pipes.
type client struct {
	t      testing.TB
	in     *io.PipeWriter
	outR   *io.PipeReader
	lines  *bufio.Reader
	done   chan error
	cancel context.CancelCauseFunc
}

func serving(t testing.TB, contents Contents, opts Options) *client {
	t.Helper()
	if opts.Stderr == nil {
		opts.Stderr = &testLog{}
	}
	s := newServer(t, contents, opts)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancelCause(context.Background())
	c := &client{t: t, in: inW, outR: outR, lines: bufio.NewReader(outR), done: make(chan error, 1), cancel: cancel}
	go func() {
		err := s.Serve(ctx, inR, outW)
		outW.Close()
		c.done <- err
	}()
	t.Cleanup(func() {
		inW.Close()
		outR.Close()
		cancel(nil)
	})
	return c
}

// testLog is a stderr that may be written from everywhere.
type testLog struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *testLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *testLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (c *client) send(lines ...string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, strings.Join(lines, "\n")+"\n"); err != nil {
		c.t.Fatalf("send: %v", err)
	}
}

// recv reads one line, which must be JSON.
func (c *client) recv() ordjson.Value {
	c.t.Helper()
	v, err := c.next()
	if err != nil {
		c.t.Fatalf("recv: %v", err)
	}
	return v
}

func (c *client) next() (ordjson.Value, error) {
	type read struct {
		line string
		err  error
	}
	got := make(chan read, 1)
	go func() {
		line, err := c.lines.ReadString('\n')
		got <- read{line, err}
	}()
	select {
	case r := <-got:
		if r.err != nil {
			return ordjson.Value{}, r.err
		}
		v, err := ordjson.Parse(strings.TrimSuffix(r.line, "\n"))
		if err != nil {
			return v, fmt.Errorf("not JSON: %w: %q", err, r.line)
		}
		return v, nil
	case <-time.After(patience):
		return ordjson.Value{}, fmt.Errorf("no line within %v", patience)
	}
}

// envelopeOf is the envelope that the only block of a result holds.
func envelopeOf(t testing.TB, answer ordjson.Value) ordjson.Value {
	t.Helper()
	r := answer.Get("result")
	v, err := ordjson.Parse(r.Get("content").Index(0).Get("text").Str())
	if err != nil || r.Get("content").Len() != 1 || r.Get("structuredContent").Exists() {
		t.Fatalf("%s is not one block with an envelope: %v", ordjson.Text(answer), err)
	}
	return v
}

// ask sends a request and returns the text of its answer.
func (c *client) ask(line string) string {
	c.t.Helper()
	c.send(line)
	return ordjson.Text(c.recv())
}

// end waits for Serve to return.
func (c *client) end() error {
	c.t.Helper()
	select {
	case err := <-c.done:
		return err
	case <-time.After(patience):
		c.t.Fatalf("Serve did not return within %v", patience)
		return nil
	}
}

// wait waits for a channel to be closed or to give something.
func wait[T any](t testing.TB, ch <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(patience):
		t.Fatalf("%s: not within %v", what, patience)
		panic("unreachable")
	}
}

func request(id, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params)
}

func callOf(id, name, args string) string {
	return request(id, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, args))
}

func cancelled(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"test"}}`,
		id)
}
