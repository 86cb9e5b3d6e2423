package serve

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Request is a message that was taken in. What it is answered with depends on
// the surface that was present then, and on nothing of the transport.
type Request struct {
	Message
	server  *Server
	session *Session
	surface *Surface
	conn    Conn

	ctx    context.Context // ended once the request is
	cancel context.CancelCauseFunc
	wanted context.Context // ended once the client no longer wants the answer
	unwant context.CancelFunc
	answer Answer // of what needs no work
	work   *work  // nil where there is an answer already, or none is due
	failed string // code by which the call of a tool failed

	asks    bool          // the answer asks the user
	written ordjson.Value // what the user has been asked for and has given
	turn    *turn         // of work; nil where it takes no slot

	closed atomic.Bool // answered or withdrawn: nothing more is said of it
}

// Answer is the message that ends a request.
type Answer struct {
	// Line is the message in parts, with the end of the line. There are none where
	// nothing is to be said: to a notification, an answer, and what was withdrawn.
	Line [][]byte
	Err  *Error // that Line tells; nil for a result
}

// Fail is the answer to a message that Parse has refused.
func Fail(id string, err *Error) Answer {
	return Answer{Line: [][]byte{appendError(nil, id, err)}, Err: err}
}

// work is a part of an answer that takes its time: it waits for a slot, and can
// be cancelled.
type work struct {
	about   string // on stderr: a Spec-ID or an address
	endless bool   // it ends with the client, takes no slot, and has no progress
	do      func() ([]byte, *Error)
}

// errWithdrawn is why a call ends that the client cancelled.
var errWithdrawn = errors.New("the client cancelled the call")

// Begin takes a message of the client in. This is the way in for every transport:
//
//	m, err := serve.Parse(text)     // on an error serve.Fail(m.ID, err) is the answer, where m.ID is not ""
//	r := session.Begin(ctx, m, conn)
//	answer := r.Run()               // waits for the calls before it, and works
//	if r.Close() { write(answer) }  // unless the client has withdrawn it
//	r.End()                         // for every request, once the answer is written
//
// Begin itself does not wait. What does not take long is answered when it
// returns, and Waits says no: a transport that reads on at once calls Run in
// another goroutine for the others. The end of ctx ends the work. What is said to
// the client before the answer is sent on conn.
func (c *Session) Begin(ctx context.Context, m Message, conn Conn) *Request {
	r := &Request{Message: m, server: c.server, session: c, surface: c.server.present.Load(), conn: conn}
	if c.server.opts.Context != nil {
		ctx = c.server.opts.Context(ctx, m)
	}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	r.wanted, r.unwant = context.WithCancel(context.WithoutCancel(ctx))
	switch {
	case m.Method == "":
		c.answered(m)
	case m.ID == "":
		c.notified(m)
	default:
		r.begin()
	}
	return r
}

// begin answers the request or finds the work that will.
func (r *Request) begin() {
	defer func() {
		if p := recover(); p != nil {
			r.answer = Fail(r.ID, r.server.fault(p, string(r.Method)))
		}
	}()
	how, err := r.method()
	switch {
	case err != nil:
	case how.now != nil:
		r.answer.Line, err = how.now(r)
	default:
		r.work, err = how.later(r)
	}
	switch {
	case err != nil:
		switch r.Method {
		case mcp.MethodToolsCall, mcp.MethodResourcesRead, mcp.MethodPromptsGet:
			about := cmp.Or(r.Params.Get("name").Str(), r.Params.Get("uri").Str(), string(r.Method))
			r.server.logFailed(about, err.Message)
			r.answer = Fail(r.ID, err)
			if r.audited() {
				r.note(r.entry(about), r.answer)
			}
			return
		}
		r.answer = Fail(r.ID, err)
	case r.work != nil:
		if !r.work.endless {
			r.turn = r.server.slots.line()
		}
		r.session.mu.Lock()
		r.session.running[r] = struct{}{}
		r.session.mu.Unlock()
	}
}

// Waits says whether Run may take its time.
func (r *Request) Waits() bool { return r.work != nil }

// Run returns the answer. It is called once.
func (r *Request) Run() Answer {
	if r.work == nil {
		return r.answer
	}
	if r.turn != nil {
		ctx, stop := r.tell()
		defer stop()
		r.ctx = ctx
		r.turn.wait(ctx)
	}
	if !r.open() {
		return Answer{}
	}
	if r.audited() {
		return r.doAudited()
	}
	return r.do()
}

// do does the work.
func (r *Request) do() (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = Fail(r.ID, r.server.fault(p, r.work.about))
		}
	}()
	line, err := r.work.do()
	if err != nil {
		r.server.logFailed(r.work.about, err.Message)
		return Fail(r.ID, err)
	}
	return Answer{Line: [][]byte{line}}
}

// withdraw ends a running call that the client no longer wants. Once it
// returns, no answer is begun.
func (r *Request) withdraw() {
	r.closed.Store(true)
	r.cancel(errWithdrawn)
	r.unwant()
}

func (r *Request) open() bool { return !r.closed.Load() }

// Close says whether the answer may be written, which is then the last that is
// said of the request.
func (r *Request) Close() bool { return r.closed.CompareAndSwap(false, true) }

// End gives back what the request holds.
func (r *Request) End() {
	r.cancel(nil)
	r.unwant()
	if r.work == nil {
		return
	}
	r.session.mu.Lock()
	delete(r.session.running, r)
	r.session.mu.Unlock()
	if r.turn != nil {
		r.turn.leave()
	}
}

// Ask sends a request to the client, as revisions up to 2025-11-25 allow while a
// request of its own runs, and returns its result.
func (r *Request) Ask(ctx context.Context, method mcp.MCPMethod, params any) (ordjson.Value, error) {
	return r.session.ask(ctx, r.conn, method, params)
}

// stopping is the error of what was not begun before the server stopped.
func (r *Request) stopping(about string) *Error {
	if r.ctx.Err() == nil {
		return nil
	}
	return failure(mcp.INTERNAL_ERROR, CodeStopping, "%s was not begun: the server is stopping",
		ordjson.Shown(ordjson.NewString(about)))
}
