package suite

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Options say how tests are run.
type Options struct {
	Mode     record.TestMode
	Delay    time.Duration // between the starts of two calls of one host
	Jobs     int           // calls under way at a time, however many wait for their turn; 1 where it is less
	ReadOnly bool          // skip tools that may change something
	Model    *Model        // asks the tests of agents; nil for none
	Cases    []*Case       // all that will be run: calls of a host start in this order; nil for as they come
	Answers  Answers       // of other processes, in the place of calls; nil for none
}

// Runner runs tests. It may be used by many goroutines.
type Runner struct {
	caller  *exec.Caller
	mode    record.TestMode
	delay   time.Duration
	reads   bool // only
	model   *Model
	answers Answers
	turns   turns
	slots   chan struct{} // of calls under way
	writes  chan struct{} // the one query under way of the databases that are written to

	mu   sync.Mutex
	last map[string]time.Time // start of the last call of a host
}

// NewRunner makes a runner. The caller has no cache: tests ask the API as it is
// now (chapter 11, "Tests").
func NewRunner(caller *exec.Caller, o Options) *Runner {
	return &Runner{
		caller: caller, mode: o.Mode, delay: o.Delay, reads: o.ReadOnly, model: o.Model, answers: o.Answers,
		turns: newTurns(o.Cases), slots: make(chan struct{}, max(1, o.Jobs)), writes: make(chan struct{}, 1),
		last: map[string]time.Time{},
	}
}

// start waits for the turn of a call, and returns what ends it. Those that wait
// for the delay hold no slot, so that other hosts get on; what has no host, a
// query of a database, waits for no delay. One of a database that is written to
// waits for the one before it to end: it may count what that has written.
func (r *Runner) start(ctx context.Context, c *Case) (end func(), err error) {
	if err := r.turns.wait(ctx, c); err != nil {
		return nil, err
	}
	end = func() { <-r.slots }
	if q, ok := c.Target.(*exec.Query); ok && q.Resource.Mode == model.FileBased {
		select {
		case r.writes <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		end = func() { <-r.slots; <-r.writes }
	}
	host := hostOf(c.Target)
	for {
		select {
		case r.slots <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		wait := r.mayStart(host)
		if wait <= 0 {
			r.turns.pass(c)
			return end, nil
		}
		<-r.slots
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// mayStart returns how long a call of a host has to wait for the delay since the
// last one, and notes the start of this one where that is over.
func (r *Runner) mayStart(host string) time.Duration {
	if host == "" {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if last, ok := r.last[host]; ok && now.Sub(last) < r.delay {
		return r.delay - now.Sub(last)
	}
	r.last[host] = now
	return 0
}

// Result is what became of a test. As a record it is the envelope.
type Result struct {
	*record.Envelope
	Case   *Case
	Params ordjson.Value // of the call, without server parameters
	Began  time.Time
	Called bool // there was a call, be it one that failed
}

// Run runs one test.
func (r *Runner) Run(ctx context.Context, c *Case) *Result {
	res := &Result{Case: c, Params: c.Params}
	if c.Target != nil {
		res.Params = secret.NewRedactor(r.caller.Env, c.Target.ServerKeys()).Value(c.Params)
	}
	defer r.turns.pass(c) // where nothing is called
	t := &record.Test{Index: c.Index, Description: c.Description, Mode: r.mode, Outcome: record.TestFailed}
	missing, why := r.missing(c, res.Params)
	switch {
	case c.IsAggregate(): // Tally fills it in
		res.Envelope = &record.Envelope{ID: c.ID, Data: ordjson.NewNull()}
	case c.err != nil:
		res.Envelope = r.failed(c, c.err)
		if c.skip {
			t.Outcome = record.TestSkipped
		}
	case r.reads && c.Target != nil && r.mode != record.TestDryRun && !c.Target.ReadsOnly():
		t.Outcome = record.TestSkipped
		res.Envelope = r.failed(c, &words.Problem{Code: exec.CodeTestSkipped,
			Message: "skipped, since a call of it may change something: leave --read-only out to run it"})
	case r.answers != nil && c.stays():
		t.Outcome = record.TestSkipped
		res.Envelope = r.failed(c, &words.Problem{Code: exec.CodeTestSkipped,
			Message: "skipped, since no other process can make its calls: leave --answers out to run it"})
	case len(missing) > 0:
		t.Outcome, t.Missing = record.TestSkipped, missing
		err := &words.Problem{Code: exec.CodeTestSkipped, Message: "skipped, since " + why}
		if lost := r.caller.Client.NoteUnset(c.ID, res.Params, missing); lost != nil {
			t.Outcome, err = record.TestFailed, lost
		}
		res.Envelope = r.failed(c, err)
	case c.question != nil && r.model != nil && r.mode != record.TestDryRun:
		r.ask(ctx, c, t, res)
	case c.question != nil:
		res.Envelope = &record.Envelope{ID: c.ID, Status: true, Data: ordjson.NewNull()}
		t.Outcome = record.TestChecked
		r.describe(c, t, res.Envelope)
	case c.text != nil:
		r.deliver(ctx, c, t, res)
	case r.answers != nil:
		r.answered(c, t, res)
	default:
		r.call(ctx, c, t, res)
	}
	t.ExpectedTools = c.expected
	res.Test = t
	return res
}

// describe says that a test does not say what it shows: a dry run fails for it.
func (r *Runner) describe(c *Case, t *record.Test, e *record.Envelope) {
	switch {
	case c.Description != "":
	case r.mode == record.TestDryRun:
		e.Status, e.Data, t.Outcome = false, ordjson.NewNull(), record.TestFailed
		e.Messages = append(e.Messages, r.failed(c, &words.Problem{Code: exec.CodeBadTest,
			Message: "the test has no _description: say what it shows (TST002)"}).Messages...)
	default:
		e.Warnings = append(e.Warnings, "the test has no _description (TST002)")
	}
}

// failed is the envelope of a test that was not run.
func (r *Runner) failed(c *Case, err *words.Problem) *record.Envelope {
	name := c.ID
	if c.Target != nil {
		name = c.Target.Label()
	}
	e := exec.Failure(name, ordjson.Value{}, err)
	e.ID = c.ID
	return e
}

// missing are the server parameters that the test needs and that are not set, or
// were not when the answers were recorded, and what to do about it. What is wrong
// with its values counts first: that can be said without them.
func (r *Runner) missing(c *Case, params ordjson.Value) (keys []string, why string) {
	tool, ok := c.Target.(*exec.Tool)
	if r.mode == record.TestDryRun || r.answers != nil || c.err != nil || !ok {
		return nil, ""
	}
	in, errs := exec.CheckInput(tool, c.Params)
	if len(errs) > 0 {
		return nil, ""
	}
	if keys = r.caller.Client.Unset(tool.ID, params); len(keys) > 0 {
		return keys, "server parameter " + strings.Join(keys, ", ") +
			" was not set when the answers were recorded: record them with it"
	}
	keys = slices.Clone(tool.ServerParams) // where only a handler can make the request
	if req, err := exec.BuildRequest(tool, in); err == nil {
		keys = req.ServerKeys()
	} else if len(tool.Handlers) == 0 {
		return nil, ""
	}
	env := r.caller.Env.For(tool.Domain)
	keys = slices.DeleteFunc(keys, func(key string) bool {
		_, ok := env.Lookup(key)
		return ok
	})
	return keys, env.Advice(keys)
}

// call makes the call of a test and judges it.
func (r *Runner) call(ctx context.Context, c *Case, t *record.Test, res *Result) {
	dry := r.mode == record.TestDryRun
	if !dry {
		if lost := r.caller.Client.NoteUnset(c.ID, res.Params, nil); lost != nil {
			res.Envelope = r.failed(c, lost)
			return
		}
		// A wait that is cut short leaves the call to say so.
		if end, err := r.start(ctx, c); err == nil {
			defer end()
		}
	}
	res.Began, res.Called = time.Now(), !dry
	e := r.caller.Call(ctx, c.Target, c.Params, exec.Options{DryRun: dry, Label: strings.TrimSpace("test " +
		strconv.Itoa(c.Index) + " " + c.Description)})
	res.Envelope = e
	r.judge(c, t, e)
}

// judge says how a test came out by the envelope of its call.
func (r *Runner) judge(c *Case, t *record.Test, e *record.Envelope) {
	if e.Status {
		t.Outcome = record.TestPassed
	}
	r.describe(c, t, e)
	if e.Status && r.mode == record.TestValidate {
		t.Mismatches = mismatches(c.Target.Record().OutputSchema(), e)
	}
}

// mismatches are the deviations from output.schema, which are among the
// warnings of every call; there they are taken out. To declare no output.schema
// is allowed (chapter 04, "When Output Schema is Omitted") and deviates from
// nothing.
func mismatches(schema ordjson.Value, e *record.Envelope) []string {
	if !schema.Is(ordjson.Object) {
		e.Warnings = append(e.Warnings, "the tool declares no output.schema: there is nothing to compare the "+
			"answer with")
		return nil
	}
	list := exec.CheckOutput(schema, e.Data)
	e.Warnings = slices.DeleteFunc(e.Warnings, func(w string) bool { return slices.Contains(list, w) })
	return list
}

// hostOf is the host of a tool's root as written, server parameters included; ""
// of a query.
func hostOf(target exec.Target) string {
	t, ok := target.(*exec.Tool)
	if !ok {
		return ""
	}
	_, rest, _ := strings.Cut(t.Root, "://")
	host, _, _ := strings.Cut(rest, "/")
	return strings.ToLower(host)
}
