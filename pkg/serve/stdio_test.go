package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// 20 calls and the end of the input: 20 answers, every time.
func TestAnswersAfterEOF(t *testing.T) {
	var in strings.Builder
	for i := range 20 {
		fmt.Fprintln(&in, callOf(fmt.Sprint(i), "one_demo", `{"q":1}`))
	}
	for range 100 {
		// All calls are running before the first answers: none is ahead of EOF.
		var waiting atomic.Int32
		all := make(chan struct{})
		call := callerFunc(func(_ context.Context, id string, params ordjson.Value) *record.Envelope {
			if waiting.Add(1) == 20 {
				close(all)
			}
			<-all
			return echo(nil, id, params)
		})
		s := newServer(t, demo(t, call), Options{})
		var out bytes.Buffer
		if err := s.Serve(t.Context(), strings.NewReader(in.String()), &out); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for line := range bytes.Lines(out.Bytes()) {
			v, err := ordjson.Parse(string(line))
			if err != nil {
				t.Fatalf("%v: %q", err, line)
			}
			seen[v.Get("id").NumberText()] = true
		}
		if len(seen) != 20 {
			t.Fatalf("%d answers, want 20", len(seen))
		}
	}
}

// blocker is a Caller whose calls go on until they are let go or cancelled.
type blocker struct {
	started chan string // ids of the arguments' q
	ended   chan error  // causes of cancelled calls
	release chan struct{}
}

func newBlocker() *blocker {
	return &blocker{started: make(chan string, 100), ended: make(chan error, 100), release: make(chan struct{})}
}

func (b *blocker) Call(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
	b.started <- params.Get("q").Str()
	select {
	case <-ctx.Done():
		b.ended <- context.Cause(ctx)
		return &record.Envelope{ID: id, Messages: []string{"cut off"}}
	case <-b.release:
		return echo(ctx, id, params)
	}
}

func (b *blocker) Read(ctx context.Context, uri string) *record.Envelope {
	return b.Call(ctx, uri, ordjson.Value{})
}

func (b *blocker) Deliver(ctx context.Context, id string, inputs ordjson.Value) *record.Envelope {
	return b.Call(ctx, id, inputs)
}

func TestPingWhileCallsRun(t *testing.T) {
	b := newBlocker()
	c := serving(t, demo(t, b), Options{MaxInFlight: 1})
	for i := range 50 {
		c.send(callOf(fmt.Sprint(i), "one_demo", `{"q":"x"}`))
	}
	wait(t, b.started, "the first call")
	if got := c.ask(request(`"p"`, "ping", "{}")); got != `{"jsonrpc":"2.0","id":"p","result":{}}` {
		t.Errorf("ping: %s", got)
	}
	close(b.release)
	for range 50 {
		c.recv()
	}
}

func TestCancel(t *testing.T) {
	b := newBlocker()
	c := serving(t, demo(t, b), Options{MaxInFlight: 1})
	c.send(callOf("1", "one_demo", `{"q":"runs"}`))
	wait(t, b.started, "the first call")
	c.send(callOf(`"2"`, "one_demo", `{"q":"waits"}`), callOf("2", "one_demo", `{"q":"stays"}`))
	// A waiting call, by the string and not the number of the same digits.
	c.send(cancelled(`"2"`))
	// A running one.
	c.send(cancelled("1"))
	if err := wait(t, b.ended, "the end of the running call"); !errors.Is(err, errWithdrawn) {
		t.Errorf("the call ended by %v", err)
	}
	if q := wait(t, b.started, "the call that stays"); q != "stays" {
		t.Errorf("%q was called, want the call that was not cancelled", q)
	}
	close(b.release)
	if got := ordjson.Text(c.recv().Get("id")); got != "2" {
		t.Errorf("answer to %s, want 2 alone", got)
	}
	c.in.Close()
	if err := c.end(); err != nil {
		t.Error(err)
	}
	if v, err := c.next(); err != io.EOF {
		t.Errorf("a further line: %s", ordjson.Text(v))
	}
}

// The end of ctx gives running calls time; those that do not finish say that
// they were cut off, and so do those that never began.
func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBlocker()
		s := newServer(t, Contents{Tools: demoTools(t), Prompts: listingOf(t, promptLine).Prompts, Caller: b},
			Options{MaxInFlight: 1})
		ctx, cancel := context.WithCancelCause(t.Context())
		inR, inW := io.Pipe()
		var out bytes.Buffer
		done := make(chan error)
		go func() { done <- s.Serve(ctx, inR, &out) }()
		io.WriteString(inW, callOf("1", "one_demo", `{"q":"x"}`)+"\n"+callOf("2", "two_demo", `{}`)+"\n"+
			request("3", "prompts/get", `{"name":"demo/prompt/about"}`)+"\n")
		<-b.started
		synctest.Wait()
		signal := errors.New("terminated")
		begin := time.Now()
		cancel(signal)
		if err := <-done; !errors.Is(err, signal) {
			t.Errorf("Serve: %v", err)
		}
		if took := time.Since(begin); took != time.Second {
			t.Errorf("took %v, want the grace of 1s", took)
		}
		for _, want := range []string{`"id":1,"result"`, `cut off`, `"id":2,"result"`,
			`MCP009 two_demo was not called: the server is stopping`,
			`"id":3,"error":{"code":-32603,"message":"\"demo/prompt/about\" was not begun: the server is stopping",` +
				`"data":{"code":"MCP009"}}`} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("no %s in %s", want, out.String())
			}
		}
		inW.Close()
	})
}

// Calls that finish in time are answered as usual.
// The end of the input gives running calls time, too; then they are cancelled
// and say so.
func TestEndOfInputGivesCallsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBlocker()
		s := newServer(t, demo(t, b), Options{MaxInFlight: 1})
		var out bytes.Buffer
		start := time.Now()
		err := s.Serve(t.Context(), strings.NewReader(callOf("1", "one_demo", `{"q":"x"}`)+"\n"+callOf("2", "two_demo",
			`{}`)+"\n"), &out)
		if took := time.Since(start); err != nil || took != 1500*time.Millisecond {
			t.Errorf("Serve: %v after %v", err, took)
		}
		if n := strings.Count(out.String(), `"isError":true`); n != 2 || !strings.Contains(out.String(), CodeStopping) {
			t.Errorf("two failures are wanted, one of a call that never began: %s", out.String())
		}
	})
}

func TestStopLetsCallsFinish(t *testing.T) {
	b := newBlocker()
	c := serving(t, demo(t, b), Options{grace: patience})
	c.send(callOf("1", "one_demo", `{"q":"x"}`))
	wait(t, b.started, "the call")
	c.cancel(nil)
	close(b.release)
	if v := c.recv(); !envelopeOf(t, v).Get("status").True() {
		t.Errorf("got %s", ordjson.Text(v))
	}
	if err := c.end(); !errors.Is(err, context.Canceled) {
		t.Errorf("Serve: %v", err)
	}
}

// A client that does not read does not keep the server from ending.
func TestStopWithStuckClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, demo(t, echo), Options{})
		ctx, cancel := context.WithCancel(t.Context())
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		done := make(chan error)
		go func() { done <- s.Serve(ctx, inR, outW) }()
		io.WriteString(inW, callOf("1", "one_demo", `{}`)+"\n"+request("2", "ping", "{}")+"\n")
		synctest.Wait()
		begin := time.Now()
		cancel()
		<-done
		if took := time.Since(begin); took > 2*time.Second {
			t.Errorf("took %v, want under 2s", took)
		}
		outR.Close()
		inW.Close()
	})
}

// A client that sends and does not read is not read any more: what waits is
// bounded.
func TestBackpressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, demo(t, echo), Options{maxFrame: 64 << 10})
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		done := make(chan error)
		go func() { done <- s.Serve(t.Context(), inR, outW) }()
		line := callOf("1", "one_demo", `{"q":"`+strings.Repeat("x", 60<<10)+`"}`) + "\n"
		var sent atomic.Int32
		go func() {
			for {
				if _, err := io.WriteString(inW, line); err != nil {
					return
				}
				sent.Add(1)
			}
		}()
		synctest.Wait() // everybody is stuck
		// 4 frames in calls and a line on either side of the reader's buffer.
		if n := sent.Load(); n > waitingFrames+3 {
			t.Errorf("%d lines were taken from a client that does not read", n)
		}
		outR.CloseWithError(io.ErrClosedPipe)
		if err := <-done; !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("Serve: %v", err)
		}
		inR.Close()
	})
}

func TestClientGone(t *testing.T) {
	b := newBlocker()
	c := serving(t, demo(t, b), Options{grace: patience})
	c.send(callOf("1", "one_demo", `{"q":"x"}`))
	wait(t, b.started, "the call")
	c.outR.Close()
	c.send(request("2", "ping", "{}"))
	if err := wait(t, b.ended, "the end of the call"); !errors.Is(err, errStopping) {
		t.Errorf("the call ended by %v", err)
	}
	if err := c.end(); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Serve: %v", err)
	}
}

func TestReadFails(t *testing.T) {
	s := newServer(t, demo(t, echo), Options{})
	var out bytes.Buffer
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader(callOf("1", "one_demo", "{}")+"\n"), brokenReader{broken})
	if err := s.Serve(t.Context(), in, &out); !errors.Is(err, broken) {
		t.Errorf("Serve: %v", err)
	}
	if !strings.Contains(out.String(), `"id":1,"result"`) {
		t.Errorf("the call before was not answered: %q", out.String())
	}
}

type brokenReader struct{ err error }

func (r brokenReader) Read([]byte) (int, error) { return 0, r.err }

func TestCallerFaults(t *testing.T) {
	const secret = "s3cret"
	log := &testLog{}
	call := callerFunc(func(_ context.Context, id string, params ordjson.Value) *record.Envelope {
		switch params.Get("q").Str() {
		case "panic":
			panic("value " + secret)
		case "index":
			return &record.Envelope{Messages: []string{"x"}[len(id):]}
		case "fail":
			return &record.Envelope{ID: id, Messages: []string{"EXE000 one:\x1b no", "second"}, Data: ordjson.NewNull()}
		case "warn":
			return &record.Envelope{ID: id, Status: true, Warnings: []string{"data.price\nis missing"}}
		}
		return nil
	})
	c := serving(t, demo(t, call), Options{Stderr: log})
	for _, q := range []string{"panic", "index", "nil"} {
		got := c.ask(callOf("1", "one_demo", `{"q":"`+q+`"}`))
		if !strings.Contains(got, `"error":{"code":-32603`) || !strings.Contains(got, CodeCallFailed) {
			t.Errorf("%s: %s", q, got)
		}
	}
	if got := c.ask(callOf("2", "one_demo", `{"q":"warn"}`)); !strings.Contains(got,
		`\"messages\":[\"warning: data.price\\nis missing\"]`) {
		t.Errorf("warn: %s", got)
	}
	c.ask(callOf("3", "one_demo", `{"q":"fail"}`))
	c.ask(callOf("4", "no\nsuch", `{}`))
	c.ask(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{}}`)
	text := log.String()
	for _, line := range []string{`fmcp-serve: demo/tool/one failed: EXE000 one:\u001b no; second`,
		`fmcp-serve: no\u000asuch failed: there is no tool "no\nsuch"; tools/list has the names of all`,
		`fmcp-serve: tools/call failed: expected params.name to be the name of a tool, found none`} {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("stderr %s has no line %s", text, line)
		}
	}
	if strings.Contains(text, secret) || !strings.Contains(text, "out of range") ||
		!strings.Contains(text, `fmcp-serve: warning: demo/tool/one: data.price\u000ais missing`) {
		t.Errorf("stderr: %s", text)
	}
}
