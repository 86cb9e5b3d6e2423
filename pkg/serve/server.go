package serve

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/serve/audit"
	"github.com/flowmcp/fmcp/pkg/serve/fit"
	"github.com/flowmcp/fmcp/pkg/serve/seal"
)

// Caller calls tools. Call gets the Spec-ID and the arguments as the client
// gave them, an object; it checks them, says in the envelope what is wrong with
// them, and returns soon after ctx has ended, which
// it has once the answer is written. It is called concurrently.
type Caller interface {
	Call(ctx context.Context, id string, params ordjson.Value) *record.Envelope
	// Read asks what the URI of a Resource stands for; after a ? it has
	// parameters.
	Read(ctx context.Context, uri string) *record.Envelope
	// Deliver fills in the text of a Prompt. Without Delivered the envelope says
	// why there is none: inputs that are missing or wrong (decision "Missing inputs").
	Deliver(ctx context.Context, id string, inputs ordjson.Value) *record.Envelope
}

// Options of a Server. Zero values mean the defaults.
type Options struct {
	MaxInFlight int        // calls that run at once, of all clients together: 64
	MaxResult   int        // bytes of the answer to a call, longer ones are cut: fit.DefaultLimit
	Stderr      io.Writer  // for warnings and faults; nil discards them
	Audit       *audit.Log // of calls; nil for none
	Reloads     bool       // Replace will be called: clients hear that lists may change
	Key         *seal.Key  // that servers behind one balancer share; nil for one of its own
	// Redact takes keys out of what Stderr is told of a request: a client may send one
	// as an argument, and messages repeat it. nil leaves it as it is.
	Redact func(text string) string
	// Context adds to the context of a message what the message says of it; nil for nothing.
	Context func(ctx context.Context, m Message) context.Context

	// Set by tests.
	maxFrame  int           // longest line read, in bytes
	maxAnswer int           // longest answer of a resource or a prompt, in bytes: more kills clients
	grace     time.Duration // how long running calls may go on after the end of ctx
	linger    time.Duration // likewise after the end of the input: clients send a signal after 2 s
}

func (o Options) withDefaults() Options {
	if o.MaxInFlight < 1 {
		o.MaxInFlight = 64
	}
	if o.Stderr == nil {
		o.Stderr = io.Discard
	}
	if o.Redact == nil {
		o.Redact = func(text string) string { return text }
	}
	o.maxFrame = cmp.Or(o.maxFrame, 10<<20)
	o.MaxResult = cmp.Or(o.MaxResult, fit.DefaultLimit)
	o.maxAnswer = cmp.Or(o.maxAnswer, 10<<20)
	o.grace = cmp.Or(o.grace, time.Second)
	o.linger = cmp.Or(o.linger, 1500*time.Millisecond)
	return o
}

// Server answers the requests of any number of clients from its present Surface.
// It knows nothing of how messages travel: a transport makes a Session for each
// client and hands it what the client sends (see Session.Begin).
type Server struct {
	opts    Options
	present atomic.Pointer[Surface]
	slots   *slots
	key     *seal.Key

	listening sync.Mutex
	listeners map[*listener]struct{}

	logMu sync.Mutex
}

// New returns a server of a surface.
func New(s *Surface, opts Options) *Server {
	server := &Server{opts: opts.withDefaults(), listeners: map[*listener]struct{}{}}
	server.key = cmp.Or(opts.Key, seal.New())
	server.slots = newSlots(server.opts.MaxInFlight)
	server.present.Store(s)
	return server
}

// logFailed says on stderr, in one line, why a call failed.
func (s *Server) logFailed(id, why string) {
	s.logf("%s failed: %s", s.shown(id), s.shown(why))
}

func (s *Server) logWarnings(id string, env *record.Envelope) {
	for _, w := range env.Warnings {
		s.logf("warning: %s: %s", s.shown(id), s.shown(w))
	}
}

// shown is untrusted text as stderr has it.
func (s *Server) shown(text string) string { return report.Visible(s.opts.Redact(text)) }

// logf writes a line to stderr, as all commands begin theirs. Of what is not
// ours control characters are visible, so that it stays one line.
func (s *Server) logf(format string, args ...any) {
	s.logMu.Lock()
	defer s.logMu.Unlock()
	fmt.Fprintf(s.opts.Stderr, "fmcp-serve: "+format+"\n", args...)
}

// fault reports a panic on stderr and returns the error to answer with. What a
// panic says may hold a parameter's value, so only what the runtime itself says
// is repeated.
func (s *Server) fault(r any, method string) *Error {
	what := "a panic"
	if err, ok := r.(runtime.Error); ok {
		what = err.Error()
	}
	s.logf("%s: fault in %q: %s\n%s", CodeCallFailed, method, what, debug.Stack())
	return failure(mcp.INTERNAL_ERROR, CodeCallFailed, "a fault in the server stopped %q; its stderr has the details",
		method)
}
