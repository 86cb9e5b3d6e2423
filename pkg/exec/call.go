package exec

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/cache"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/resource"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Caller calls tools. It may be used by many goroutines.
type Caller struct {
	Client  *fetch.Client
	Env     *secret.Env
	Cache   *cache.Cache  // nil for none
	Sandbox *sandbox.Pool // runs handlers; nil fails the tools that have some
	Trace   *Trace        // shows requests and answers; nil for none
	Exposed []string      // Schema-File-IDs whose handlers see server parameters (decision "Keys and handlers")

	Resources *resource.Store // data of resources; nil fails the queries
	QueryTime time.Duration   // for a query of a resource; 0 is resource.DefaultTime
}

// Close ends what waits for further calls: connections and workers.
func (c *Caller) Close() {
	c.Client.Close()
	if c.Sandbox != nil {
		c.Sandbox.Close()
	}
	if c.Resources != nil {
		c.Resources.Close()
	}
}

// Options of one call.
type Options struct {
	Tag     ordjson.Value // echoed in the envelope
	Label   string        // of the call in the trace
	DryRun  bool          // build and show the request, send nothing
	Attempt int           // above 1, what is not safe to repeat is not sent
}

// Failure is the envelope of a call that failed before it had a tool.
func Failure(id string, tag ordjson.Value, err error) *record.Envelope {
	return &record.Envelope{ID: id, Tag: tag, Data: ordjson.NewNull(), Messages: []string{message(id, err)}}
}

// message words an error as chapter 04 does: "CODE name: what".
func message(name string, err error) string {
	e := asError(err)
	return e.Code + " " + name + ": " + e.Text()
}

// asError is an error as one of a call.
func asError(err error) *words.Problem {
	var e *words.Problem
	if errors.As(err, &e) {
		return e
	}
	return fail(CodeInternal, "%v", err)
}

// Call calls a tool with the caller's parameters and returns an envelope,
// whatever happens: Status tells how it went, Messages why it failed or what is
// missing of the answer. No value of a server parameter is in it.
func (c *Caller) Call(ctx context.Context, t Target, params ordjson.Value, o Options) *record.Envelope {
	start := time.Now()
	e := &record.Envelope{ID: t.Record().ID, Tag: o.Tag, DryRun: o.DryRun}
	redact := secret.NewRedactor(c.Env, t.ServerKeys())
	ctx = c.Trace.begin(ctx, e.ID, o, redact)
	if errs := c.run(ctx, t, params, o.Attempt, e, redact); len(errs) > 0 {
		e.Status, e.Data, e.Messages = false, ordjson.NewNull(), nil
		for _, err := range errs {
			e.Messages = append(e.Messages, message(t.Label(), err))
		}
	}
	c.hide(e, redact)
	e.Duration = time.Since(start)
	return e
}

// run does the steps of a call and fills the envelope.
func (c *Caller) run(ctx context.Context, target Target, params ordjson.Value, attempt int, e *record.Envelope,
	redact *secret.Redactor) (errs []*words.Problem) {
	defer func() {
		// The values of a panic are not shown: they may hold anything.
		if p := recover(); p != nil {
			errs = []*words.Problem{fail(CodeInternal, "the call ended in a defect of fmcp (%T): please report it "+
				"with the tool's id", p)}
		}
	}()
	params = target.inputs().ownKeys(params)
	in, errs := CheckInput(target, params)
	if len(errs) > 0 {
		return errs
	}
	if attempt > 1 && !e.DryRun && !target.ReadsOnly() {
		return asErrors(fail(CodeNotRepeated, "this is attempt %d, and an earlier one may have been sent: it is not "+
			"sent again, since it may change something; look whether that had its effect, and if not send the request "+
			"without attempt", attempt))
	}
	t, ok := target.(*Tool)
	if !ok {
		return c.runQuery(ctx, target.(*Query), in, params, e)
	}
	if !e.DryRun {
		leave, err := enterAlone(ctx, t)
		if err != nil {
			return asErrors(err)
		}
		defer leave()
	}
	k := &calling{Caller: c, tool: t, in: in, env: c.Env.For(t.Domain), envelope: e, redact: redact}
	var err error
	if len(t.Handlers) > 0 {
		err = k.handled(ctx)
	} else {
		err = k.plain(ctx)
	}
	if err != nil {
		return asErrors(err)
	}
	return nil
}

// plain calls a tool without handlers.
func (k *calling) plain(ctx context.Context) error {
	req, err := BuildRequest(k.tool, k.in)
	if err != nil {
		return err
	}
	if k.show(req); k.envelope.DryRun {
		return nil
	}
	data, err := k.exchange(ctx, req)
	if err != nil {
		return err
	}
	k.succeed(data)
	return nil
}

func asErrors(err error) []*words.Problem {
	return []*words.Problem{asError(err)}
}

// maxMessage is how many bytes of a message are shown: an upstream may call its
// answer, or the place that it redirects to, whatever it likes.
const maxMessage = 4096

// hide redacts everything in the envelope that could hold a server parameter,
// but for the data, which is redacted already. Only then are messages cut: half
// a secret would not be recognised.
func (c *Caller) hide(e *record.Envelope, redact *secret.Redactor) {
	for _, list := range [][]string{e.Messages, e.Warnings} {
		for i, m := range list {
			list[i] = words.Clip(redact.Text(m), maxMessage)
		}
	}
	if r := e.Request; r != nil {
		redact.Request(r)
	}
}

// turns are those of tools that must not run beside themselves, by Spec-ID
// (chapter 19, meta.isConcurrencySafe). They are of the process: a catalog may
// be read again, and make its tools again, while calls are under way.
var turns sync.Map

// enterAlone waits for the tool's turn; leave ends it.
func enterAlone(ctx context.Context, t *Tool) (leave func(), err error) {
	if !record.Alone(t.Meta) {
		return func() {}, nil
	}
	made, _ := turns.LoadOrStore(t.ID, make(chan struct{}, 1))
	turn := made.(chan struct{})
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, fail(CodeCancelled, "the call was cancelled while it waited for another of the same tool "+
			"(meta.isConcurrencySafe: false)")
	}
}
