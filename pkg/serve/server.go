package serve

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
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
	Name         string     // what the server calls itself
	Version      string     //
	Instructions string     // shown to the model by some clients
	MaxInFlight  int        // calls that run at once: 64
	Stderr       io.Writer  // for warnings and faults; nil discards them
	Resources    []Resource // what clients may read, in the order in which it is listed
	Prompts      []Prompt   // what clients may get, likewise

	// Set by tests.
	maxFrame  int           // longest line read, in bytes
	maxAnswer int           // longest answer to a call, in bytes: more kills clients
	maxPage   int           // longest page of a list
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
	o.maxFrame = cmp.Or(o.maxFrame, 10<<20)
	o.maxAnswer = cmp.Or(o.maxAnswer, 10<<20)
	o.maxPage = cmp.Or(o.maxPage, maxPage)
	o.grace = cmp.Or(o.grace, time.Second)
	o.linger = cmp.Or(o.linger, 1500*time.Millisecond)
	return o
}

// Server serves a fixed set of tools, resources and prompts. It may serve several sessions at once.
type Server struct {
	opts    Options
	caller  Caller
	lists   map[mcp.MCPMethod]*pages
	tools   map[string]*Tool   // by MCP name
	prompts map[string]*Prompt // by ID
	uris    map[string]string  // types of the texts of resources, by the address without parameters

	logMu sync.Mutex
}

// New returns a server of tools, listed in the order given. Two tools of one
// name are an error (MCP021).
func New(tools []Tool, call Caller, opts Options) (*Server, error) {
	s := &Server{opts: opts.withDefaults(), caller: call, tools: make(map[string]*Tool, len(tools))}
	for i := range tools {
		t := &tools[i]
		if first, ok := s.tools[t.WireName]; ok {
			return nil, fmt.Errorf("%s: the MCP name %q stands for both %s and %s; make the catalog again with "+
				"fmcp-resolve, which keeps names apart",
				CodeNameTaken, t.WireName, first.ID, t.ID)
		}
		s.tools[t.WireName] = t
	}
	s.uris = make(map[string]string, len(opts.Resources))
	for i := range opts.Resources {
		s.uris[opts.Resources[i].URI] = opts.Resources[i].mime
	}
	nameSiblings(tools)
	all := make([][]byte, len(tools))
	for i := range tools {
		all[i] = tools[i].definition
	}
	s.prompts = make(map[string]*Prompt, len(opts.Prompts))
	prompts := make([][]byte, len(opts.Prompts))
	for i := range opts.Prompts {
		s.prompts[opts.Prompts[i].ID] = &opts.Prompts[i]
		prompts[i] = opts.Prompts[i].definition
	}
	s.lists = map[mcp.MCPMethod]*pages{
		mcp.MethodToolsList:     newPages("tools", all, s.opts.maxPage),
		mcp.MethodResourcesList: newPages("resources", definitions(opts.Resources, false), s.opts.maxPage),
		mcp.MethodResourcesTemplatesList: newPages("resourceTemplates", definitions(opts.Resources, true),
			s.opts.maxPage),
		mcp.MethodPromptsList: newPages("prompts", prompts, s.opts.maxPage),
	}
	return s, nil
}

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
	c := newSession(s, out)
	defer c.cancel()
	read := make(chan error, 1)
	go func() { read <- c.read(in) }()

	var err error
	select {
	case err = <-read:
	case <-ctx.Done():
	case <-c.out.failed:
	}
	c.stop()
	select {
	case <-c.idle:
	case <-ctx.Done():
		c.windUp(s.opts.grace)
	case <-c.out.failed:
		c.giveUp(s.opts.grace / 2)
	case <-time.After(s.opts.linger):
		c.giveUp(s.opts.linger / 3)
	}
	if gone := c.out.failure(); gone != nil {
		return fmt.Errorf("the client is gone: %w", gone)
	}
	return cmp.Or(err, context.Cause(ctx))
}

// logFailed says on stderr, in one line, why a call failed.
func (s *Server) logFailed(id, why string) {
	s.logf("%s failed: %s", report.Visible(id), report.Visible(why))
}

func (s *Server) logWarnings(id string, env *record.Envelope) {
	for _, w := range env.Warnings {
		s.logf("warning: %s: %s", report.Visible(id), report.Visible(w))
	}
}

// logf writes a line to stderr, as all commands begin theirs. Of what is not
// ours control characters are visible, so that it stays one line.
func (s *Server) logf(format string, args ...any) {
	s.logMu.Lock()
	defer s.logMu.Unlock()
	fmt.Fprintf(s.opts.Stderr, "fmcp-serve: "+format+"\n", args...)
}
