package serve

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ndjson"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// waitingFrames is how many lines of the longest length may wait in calls; a
// client that sends more is not read until some are answered.
const waitingFrames = 4

// cost is what a waiting call holds of the gate, in bytes: its line, and what is
// made of that.
func (k *call) cost() int { return k.size + 16<<10 }

// session is one client.
type session struct {
	*Server
	out   *lineWriter
	gate  *gate
	ctx   context.Context // of the calls
	abort context.CancelCauseFunc

	mu      sync.Mutex
	running map[*call]struct{}
	waiting []*call       // in the order in which they came
	workers int           // at most Options.MaxInFlight, but for the end
	busy    int           // messages and calls that are not done
	stopped bool          // no further messages
	idle    chan struct{} // closed once stopped and not busy
}

// errStopping is why calls end with the server.
var errStopping = errors.New("the server is stopping")

func newSession(s *Server, out io.Writer) *session {
	c := &session{
		Server:  s,
		out:     newLineWriter(out),
		gate:    newGate(waitingFrames * s.opts.maxFrame),
		running: map[*call]struct{}{},
		idle:    make(chan struct{}),
	}
	// The calls outlive the context of Serve: they get time to finish.
	c.ctx, c.abort = context.WithCancelCause(context.Background())
	return c
}

// begin notes that a message or a call is under way; false once stopped.
func (c *session) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return false
	}
	c.busy++
	return true
}

func (c *session) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done()
}

// done notes, under the lock, the end of what begin noted.
func (c *session) done() {
	c.busy--
	c.checkIdle()
}

func (c *session) checkIdle() {
	if c.stopped && c.busy == 0 {
		close(c.idle)
	}
}

// enqueue takes a call on: it runs at once where a worker is free. It holds the
// reader up while too much waits already.
func (c *session) enqueue(k *call) {
	c.gate.enter(c.ctx, k.cost())
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy++
	c.waiting = append(c.waiting, k)
	if c.workers < c.opts.MaxInFlight || c.ctx.Err() != nil {
		c.startWorker()
	}
}

// startWorker starts, under the lock, a goroutine that runs calls while any
// wait.
func (c *session) startWorker() {
	c.workers++
	go func() {
		for k := c.next(); k != nil; k = c.next() {
			k.run()
			c.mu.Lock()
			delete(c.running, k)
			c.forget(k)
			c.mu.Unlock()
		}
	}()
}

// next is the call that has waited longest; nil ends the worker.
func (c *session) next() *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) == 0 {
		c.workers--
		return nil
	}
	k := c.waiting[0]
	c.waiting[0] = nil
	c.waiting = c.waiting[1:]
	c.running[k] = struct{}{}
	return k
}

// forget gives back, under the lock, what a call holds.
func (c *session) forget(k *call) {
	k.cancel(nil)
	c.gate.leave(k.cost())
	c.done()
}

// stop takes no further messages.
func (c *session) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	c.checkIdle()
}

// cancel ends the calls. One more worker refuses those that wait, should the
// others not come back.
func (c *session) cancel() {
	c.abort(errStopping)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) > 0 {
		c.startWorker()
	}
}

// windUp waits for the calls to finish while there is a client, then gives them
// up.
func (c *session) windUp(grace time.Duration) {
	select {
	case <-c.idle:
		return
	case <-c.out.failed:
	case <-time.After(grace):
	}
	c.giveUp(grace / 2)
}

// giveUp cancels the calls and waits for them to say so.
func (c *session) giveUp(wait time.Duration) {
	c.cancel()
	select {
	case <-c.idle:
	case <-time.After(wait):
	}
}

// read receives line after line until in ends or the session has stopped.
func (c *session) read(in io.Reader) error {
	lines := ndjson.NewReader(in, c.opts.maxFrame)
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !c.begin() {
			return nil
		}
		c.receive(line)
		c.end()
	}
}

// receive answers one line, or starts the call that will.
func (c *session) receive(line ndjson.Line) {
	m := message{id: noID}
	defer func() {
		if r := recover(); r != nil {
			if err := c.fault(r, string(m.method)); m.id != "" {
				c.fail(m.id, err)
			}
		}
	}()
	if line.TooLong {
		c.fail(noID, failure(mcp.INVALID_REQUEST, CodeFrameTooLong,
			"line of %d bytes is longer than the limit of %d and was skipped; send less in one message", line.Size,
			c.opts.maxFrame))
		return
	}
	var err *rpcError
	if m, err = parseMessage(string(line.Bytes)); err != nil {
		if m.id != "" {
			c.fail(m.id, err)
		}
		return
	}
	if m.method == "" {
		return // the answer to a request, and we make none
	}
	if m.id == "" {
		c.notified(m)
		return
	}
	if err := c.answer(m); err != nil {
		switch m.method {
		case mcp.MethodToolsCall, mcp.MethodResourcesRead, mcp.MethodPromptsGet:
			c.logFailed(cmp.Or(m.params.Get("name").Str(), m.params.Get("uri").Str(), string(m.method)), err.Message)
		}
		c.fail(m.id, err)
	}
}

// fault reports a panic on stderr and returns the error to answer with. What a
// panic says may hold a parameter's value, so only what the runtime itself says
// is repeated.
func (c *session) fault(r any, method string) *rpcError {
	what := "a panic"
	if err, ok := r.(runtime.Error); ok {
		what = err.Error()
	}
	c.logf("%s: fault in %q: %s\n%s", CodeCallFailed, method, what, debug.Stack())
	return failure(mcp.INTERNAL_ERROR, CodeCallFailed, "a fault in the server stopped %q; its stderr has the details",
		method)
}

// post answers without waiting for the client to read: its next message may be
// a cancellation.
func (c *session) post(parts ...[]byte) {
	c.mu.Lock()
	c.busy++
	c.mu.Unlock()
	c.out.post(c.end, parts...)
}

func (c *session) fail(id string, err *rpcError) {
	c.post(appendError(nil, id, err))
}

// reply answers a request with a result of the protocol.
func (c *session) reply(m message, result any) {
	c.post(appendAnswer(nil, m.id, result))
}

// list answers a request of a list. What it lists is encoded already.
func (c *session) list(m message) *rpcError {
	l := c.lists[m.method]
	text, next, err := l.page(m.params.Get("cursor"))
	if err != nil {
		return err
	}
	b := reopened(appendJSON(appendStart(nil, m.id), mcp.PaginatedResult{CacheableResult: c.cacheable(m),
		NextCursor: next}))
	b = append(ordjson.AppendKey(b, l.name), '[')
	c.post(b, text, []byte("]}}\n"))
	return nil
}

// notified reads a notification; only one means something to us.
func (c *session) notified(m message) {
	if m.method != mcp.MethodNotificationCancelled {
		return
	}
	key := idKey(m.params.Get("requestId"))
	if key == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for k := range c.running {
		if k.key == key {
			k.withdraw()
		}
	}
	c.waiting = slices.DeleteFunc(c.waiting, func(k *call) bool {
		if k.key != key {
			return false
		}
		c.forget(k)
		return true
	})
}

// wireName is the MCP name of the tool that has a Spec-ID, "" for none.
func (c *session) wireName(id string) string {
	for wire, t := range c.tools {
		if t.ID == id {
			return wire
		}
	}
	return ""
}

// unknownTool is the error of a call of no tool. Users know tools by their
// Spec-ID and descriptions by the schema's own name, so that either leads to
// the MCP name.
func (c *session) unknownTool(name string) *rpcError {
	hint := words.DidYouMean(name, slices.Sorted(maps.Keys(c.tools)))
	var wires []string
	for wire, t := range c.tools {
		if t.ID == name || t.Name == name {
			wires = append(wires, wire)
		}
	}
	if slices.Sort(wires); len(wires) > 0 {
		hint = " (did you mean " + words.QuoteList(wires) + "? tools are called by their MCP names)"
	}
	return failure(mcp.INVALID_PARAMS, CodeUnknownTool, "there is no tool %s%s; tools/list has the names of all",
		shown(ordjson.NewString(name)), hint)
}
