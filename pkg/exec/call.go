package exec

import (
	"context"
	"errors"
	"slices"
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
	Tag    ordjson.Value // echoed in the envelope
	Label  string        // of the call in the trace
	DryRun bool          // build and show the request, send nothing
}

// Failure is the envelope of a call that failed before it had a tool.
func Failure(id string, tag ordjson.Value, err error) *record.Envelope {
	return &record.Envelope{ID: id, Tag: tag, Data: ordjson.NewNull(), Messages: []string{message(id, err)}}
}

// message words an error as chapter 04 does: "CODE name: what".
func message(name string, err error) string {
	e := asError(err)
	return e.Code + " " + name + ": " + e.Msg
}

// asError is an error as one of a call.
func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var r *resource.Error
	if errors.As(err, &r) {
		return &Error{Code: r.Code, Msg: r.Msg}
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
	if errs := c.run(ctx, t, params, e, redact); len(errs) > 0 {
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
func (c *Caller) run(ctx context.Context, target Target, params ordjson.Value, e *record.Envelope, redact *secret.Redactor) (errs []*Error) {
	defer func() {
		// The values of a panic are not shown: they may hold anything.
		if p := recover(); p != nil {
			errs = []*Error{fail(CodeInternal, "the call ended in a defect of fmcp (%T): please report it with the tool's id", p)}
		}
	}()
	params = target.inputs().ownKeys(params)
	in, errs := CheckInput(target, params)
	if len(errs) > 0 {
		return errs
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
	if len(t.Handlers) > 0 {
		return c.runHandled(ctx, t, in, e, redact)
	}
	req, err := BuildRequest(t, in)
	if err != nil {
		return asErrors(err)
	}
	e.Request, e.Warnings = req.Redacted(), slices.Concat(req.Warnings, c.unneeded(t, req))
	if e.DryRun {
		c.dryRun(t, req, e)
		return nil
	}
	data, errs := c.exchange(ctx, t, in, req, e, redact)
	if errs != nil {
		return errs
	}
	succeed(e, t, data, redact)
	return nil
}

// succeed ends a call with its data. What the output schema says is held
// against what is shown: a warning quotes the start of a value, and a start of
// a server parameter would not be recognised as one.
func succeed(e *record.Envelope, t *Tool, data ordjson.Value, redact *secret.Redactor) {
	e.Status, e.Data = true, redact.Value(data)
	e.Warnings = append(e.Warnings, CheckOutput(t.OutputSchema(), e.Data)...)
}

// unneeded warns of keys that the schema asks for and this call does without:
// fmcp-serve hides all tools of such a schema (chapter 02; docs/decisions.md,
// "Tools without their key").
func (c *Caller) unneeded(t *Tool, req *Request) []string {
	env, used := c.Env.For(t.Domain), req.ServerKeys()
	var keys []string
	for _, key := range t.ServerParams {
		if _, ok := env.Lookup(key); !ok && !slices.Contains(used, key) {
			keys = append(keys, key)
		}
	}
	if keys == nil {
		return nil
	}
	return []string{env.Advice(keys) + "; this call does without, but fmcp-serve hides all tools of the schema"}
}

// dryRun ends a call that is not made.
func (c *Caller) dryRun(t *Tool, req *Request, e *record.Envelope) {
	e.Status, e.Data = true, ordjson.NewNull()
	if err := lacking(c.Env.For(t.Domain), req.ServerKeys()); err != nil {
		e.Warnings = append(e.Warnings, "a real call would fail: "+err.Msg)
	}
}

// exchange gives what the upstream answers, or has answered while the cache
// keeps it (decision "Cached answers").
func (c *Caller) exchange(ctx context.Context, t *Tool, in Input, req *Request, e *record.Envelope, redact *secret.Redactor) (ordjson.Value, []*Error) {
	env := c.Env.For(t.Domain)
	wire, err := req.Fill(env)
	if err != nil {
		return ordjson.Value{}, asErrors(err)
	}
	slot := c.slot(t, in, req, env, e)
	data, ok := slot.Load()
	if ok {
		tracedOf(ctx).cached(req, e.Cache, data)
		return data, nil
	}
	data, warnings, err := c.fetch(ctx, t, req, wire, e, redact)
	if err != nil {
		return data, asErrors(err)
	}
	slot.Store(data, warnings, redact)
	return data, nil
}

// send sends a request, which the trace shows with its answer.
func (c *Caller) send(ctx context.Context, req *Request, wire *fetch.Request) (*fetch.Response, error) {
	trace, start := tracedOf(ctx), time.Now()
	trace.request(req)
	res, err := c.Client.Do(ctx, wire)
	trace.answer(res, err, time.Since(start))
	return res, err
}

// fetch sends a request and reads the answer as data. It returns the warnings
// about the data, which belong to it wherever it is kept; they are in the
// envelope already.
func (c *Caller) fetch(ctx context.Context, t *Tool, req *Request, wire *fetch.Request, e *record.Envelope, redact *secret.Redactor) (ordjson.Value, []string, error) {
	res, err := c.send(ctx, req, wire)
	if err != nil {
		return ordjson.Value{}, nil, err
	}
	e.Warnings = append(e.Warnings, res.Notes...)
	if res.Status >= 300 {
		return ordjson.Value{}, nil, statusError(t, res, wire.URL.Host, redact)
	}
	data, warnings, bad := decode(t, res, redact)
	e.Warnings = append(e.Warnings, warnings...)
	if bad != nil {
		return ordjson.Value{}, nil, bad
	}
	if ct, _ := res.ContentType(); slices.Contains(dataTypes, ct) {
		e.ContentType = ct
	}
	return data, warnings, nil
}

func asErrors(err error) []*Error {
	return []*Error{asError(err)}
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
