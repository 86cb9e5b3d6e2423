package exec

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/cache"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// calling is a call of a tool, whose parameters are checked.
type calling struct {
	*Caller
	tool     *Tool
	in       Input
	env      *secret.Env      // for the domain of the tool
	envelope *record.Envelope // which the call fills
	redact   *secret.Redactor
}

func (k *calling) warn(list ...string) { k.envelope.Warnings = append(k.envelope.Warnings, list...) }

// show puts a request into the envelope. Of a dry run that is the end.
func (k *calling) show(req *Request) {
	k.envelope.Request = req.Redacted()
	k.warn(slices.Concat(req.Warnings, k.unneeded(req))...)
	if !k.envelope.DryRun {
		return
	}
	k.envelope.Status, k.envelope.Data = true, ordjson.NewNull()
	if err := lacking(k.env, req.ServerKeys()); err != nil {
		k.warn("a real call would fail: " + err.Message)
	}
}

// unneeded warns of keys that the schema asks for and this call does without:
// fmcp-serve hides all tools of such a schema (chapter 02; docs/decisions.md,
// "Tools without their key").
func (k *calling) unneeded(req *Request) []string {
	used := req.ServerKeys()
	missing := slices.DeleteFunc(k.env.Missing(k.tool.ServerParams),
		func(key string) bool { return slices.Contains(used, key) })
	if len(missing) == 0 {
		return nil
	}
	return []string{k.env.Advice(missing) + "; this call does without, but fmcp-serve hides all tools of the schema"}
}

// succeed ends a call with its data. What is checked against the output schema is
// what is shown: a warning quotes the start of a value, and a start of a server
// parameter would not be recognised as one.
func (k *calling) succeed(data ordjson.Value) {
	k.envelope.Status, k.envelope.Data = true, k.redact.Value(data)
	k.warn(CheckOutput(k.tool.OutputSchema(), k.envelope.Data)...)
}

// exchange gives what the upstream answers, or has answered while the cache
// keeps it (decision "Cached answers").
func (k *calling) exchange(ctx context.Context, req *Request) (ordjson.Value, error) {
	wire, err := req.Fill(k.env)
	if err != nil {
		return ordjson.Value{}, err
	}
	slot := k.slot(ctx, req)
	if slot != nil { // its time is that of waits for equal calls too, where those count
		var cancel context.CancelFunc
		ctx, cancel = fetch.WithBudget(ctx, k.Client.Timeout())
		defer cancel()
	}
	ask := func() (ordjson.Value, error) { return k.ask(ctx, req, wire, slot) }
	if slot == nil || !k.tool.ReadsOnly() {
		return ask()
	}
	data, shared, err := slot.Once(ctx, k.Client.Hold, ask)
	switch {
	case errors.Is(err, cache.ErrGaveUp) && errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return data, fail(CodeTimeout, "an equal call that is under way has no answer yet: try again, or raise "+
			"--timeout")
	case errors.Is(err, cache.ErrGaveUp):
		return data, fail(CodeCancelled, "the call was cancelled while an equal one was under way")
	case err == nil && shared:
		tracedOf(ctx).cached(req, k.envelope.Cache, data)
	}
	return data, err
}

// ask is exchange for a call that is made, whatever others there are.
func (k *calling) ask(ctx context.Context, req *Request, wire *fetch.Request, slot *cache.Slot) (ordjson.Value, error) {
	data, ok, err := slot.Load(ctx)
	if ok {
		tracedOf(ctx).cached(req, k.envelope.Cache, data)
	}
	if ok || err != nil {
		return data, err
	}
	data, warnings, err := k.fetch(ctx, req, wire)
	if err != nil {
		return data, err
	}
	slot.Store(ctx, data, warnings, k.redact)
	return data, nil
}

// cacheTTL is how long answers of a tool are kept, 0 if they are not: its
// preload does not say so, or its calls are there to change something.
func cacheTTL(t *Tool) time.Duration {
	preload := t.Preload
	ttl := preload.Get("ttl")
	if !preload.Get("enabled").True() || !ttl.Is(ordjson.Number) ||
		!slices.Contains([]string{"GET", "POST"}, t.Method) {
		return 0
	}
	seconds := ttl.Float()
	if !(seconds >= 1) {
		return 0
	}
	return time.Duration(min(seconds, cache.MaxTTL.Seconds())) * time.Second
}

// slot finds the place in the cache for a call, nil where its answer is not
// cached.
func (k *calling) slot(ctx context.Context, req *Request) *cache.Slot {
	ttl := cacheTTL(k.tool)
	if k.Cache == nil || ttl == 0 {
		return nil
	}
	var params []ordjson.Member
	for _, key := range slices.Sorted(maps.Keys(k.in.values)) {
		params = append(params, ordjson.Field(key, k.in.values[key]))
	}
	var server []string
	for _, key := range req.ServerKeys() {
		v, _ := k.env.Lookup(key)
		server = append(server, key, v)
	}
	return k.Cache.Slot(ctx, cache.Key{
		ID: k.tool.ID, Name: k.tool.Name, Type: k.tool.MIMEType(), Request: req.Redacted(),
		Params: ordjson.NewObject(params...), Server: server, TTL: ttl, Note: k.tool.Preload.Get("description").Str(),
	}, k.envelope)
}

// fetch sends a request and reads the answer as data. It returns the warnings
// about the data, which belong to it wherever it is kept; they are in the
// envelope already.
func (k *calling) fetch(ctx context.Context, req *Request, wire *fetch.Request) (ordjson.Value, []string, error) {
	res, err := k.send(ctx, req, wire)
	if err != nil {
		return ordjson.Value{}, nil, err
	}
	k.warn(res.Notes...)
	if res.Status >= 300 {
		k.envelope.HTTPStatus = res.Status
		return ordjson.Value{}, nil, statusError(k.tool, res, wire.URL.Host, k.redact)
	}
	data, warnings, bad := decode(k.tool, res, k.redact)
	k.warn(warnings...)
	if bad != nil {
		return ordjson.Value{}, nil, bad
	}
	if ct, _ := res.ContentType(); slices.Contains(dataTypes, ct) {
		k.envelope.ContentType = ct
	}
	return data, warnings, nil
}

// send sends a request, which the trace shows with its answer.
func (k *calling) send(ctx context.Context, req *Request, wire *fetch.Request) (*fetch.Response, error) {
	trace, start := tracedOf(ctx), time.Now()
	trace.request(req)
	res, err := k.Client.Do(ctx, wire)
	trace.answer(res, err, time.Since(start))
	return res, err
}
