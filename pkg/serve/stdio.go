package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ndjson"
)

// waitingFrames is how many lines of the longest length may wait in calls; a
// client that sends more is not read until some are answered.
const waitingFrames = 4

// stdio is the transport of one client over a pair of streams, one message a line.
type stdio struct {
	*Session
	out   *lineWriter
	gate  *gate
	ctx   context.Context // of the calls
	abort context.CancelCauseFunc

	mu      sync.Mutex
	busy    int           // messages and calls that are not done
	stopped bool          // no further messages
	idle    chan struct{} // closed once stopped and not busy
}

// errStopping is why calls end with the server.
var errStopping = errors.New("the server is stopping")

// Serve answers the lines of in on out, one JSON-RPC message a line, until one
// of three things happens, and delivers the answers of running calls first:
//
//   - in ends: calls have Options.linger to finish, then they are cancelled and
//     a third of that to say so; nil.
//   - ctx ends: likewise with Options.grace, and half of that; the cause of ctx.
//   - out fails: calls are cancelled; the error.
//
// A Read or Write under way when ctx ends is not waited for; it ends when the
// caller closes in and out or the process ends.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	t := &stdio{
		Session: s.NewSession(),
		out:     newLineWriter(out),
		gate:    newGate(waitingFrames * s.opts.maxFrame),
		idle:    make(chan struct{}),
	}
	// The calls outlive the context of Serve: they get time to finish.
	t.ctx, t.abort = context.WithCancelCause(context.Background())
	defer t.abort(errStopping)
	go t.Unasked()(t.ctx, t)
	read := make(chan error, 1)
	go func() { read <- t.read(in) }()

	var err error
	select {
	case err = <-read:
	case <-ctx.Done():
	case <-t.out.failed:
	}
	t.stop()
	t.endListens()
	select {
	case <-t.idle:
	case <-ctx.Done():
		t.windUp(s.opts.grace)
	case <-t.out.failed:
		t.giveUp(s.opts.grace / 2)
	case <-time.After(s.opts.linger):
		t.giveUp(s.opts.linger / 3)
	}
	if gone := t.out.failure(); gone != nil {
		return fmt.Errorf("the client is gone: %w", gone)
	}
	return cmp.Or(err, context.Cause(ctx))
}

// Send implements Conn.
func (t *stdio) Send(ctx context.Context, line []byte) error {
	return t.out.write(ctx, func() bool { return ctx.Err() == nil }, line)
}

// begin notes that something is under way; false once stopped.
func (t *stdio) begin() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stopped {
		return false
	}
	t.busy++
	return true
}

// more is begin where something is under way already.
func (t *stdio) more() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy++
}

func (t *stdio) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy--
	t.checkIdle()
}

func (t *stdio) checkIdle() {
	if t.stopped && t.busy == 0 {
		close(t.idle)
	}
}

// stop takes no further messages.
func (t *stdio) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stopped = true
	t.checkIdle()
}

// windUp waits for the calls to finish while there is a client, then gives them
// up.
func (t *stdio) windUp(grace time.Duration) {
	select {
	case <-t.idle:
		return
	case <-t.out.failed:
	case <-time.After(grace):
	}
	t.giveUp(grace / 2)
}

// giveUp cancels the calls and waits for them to say so.
func (t *stdio) giveUp(wait time.Duration) {
	t.abort(errStopping)
	select {
	case <-t.idle:
	case <-time.After(wait):
	}
}

// read receives line after line until in ends or the session has stopped.
func (t *stdio) read(in io.Reader) error {
	lines := ndjson.NewReader(in, t.server.opts.maxFrame)
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !t.begin() {
			return nil
		}
		t.receive(line)
		t.end()
	}
}

// receive answers one line, or starts the call that will.
func (t *stdio) receive(line ndjson.Line) {
	if line.TooLong {
		t.post(Fail(idOf(line.Start, line.End), failure(mcp.INVALID_REQUEST, CodeFrameTooLong,
			"line of %d bytes is longer than the limit of %d and was skipped; send less in one message", line.Size,
			t.server.opts.maxFrame)))
		return
	}
	m, err := Parse(string(line.Bytes))
	if err != nil {
		if m.ID != "" {
			t.post(Fail(m.ID, err))
		}
		return
	}
	r := t.Begin(t.ctx, m, t)
	if !r.Waits() {
		t.post(r.Run())
		r.End()
		return
	}
	t.gate.enter(t.ctx, r.cost())
	t.more()
	go t.run(r)
}

// run works and answers. It ends when the answer is written: a client that does
// not read gets no further calls.
func (t *stdio) run(r *Request) {
	if a := r.Run(); a.Line != nil {
		// An error of out is seen by who waits for out.failed.
		_ = t.out.write(r.wanted, r.Close, a.Line...)
	}
	r.End()
	t.gate.leave(r.cost())
	t.end()
}

// cost is what a waiting call holds of the gate, in bytes: its line, and what is
// made of that.
func (r *Request) cost() int { return r.size + 16<<10 }

// post answers without waiting for the client to read: its next message may be
// a cancellation.
func (t *stdio) post(a Answer) {
	if a.Line == nil {
		return
	}
	t.more()
	t.out.post(t.end, a.Line...)
}
