package exec

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// newScript is the source of a schema, and the lists and libraries that its
// factory gets.
func newScript(h *catalog.Handlers, bundles map[string]*sandbox.Library) *sandbox.Script {
	given := lists(h.Lists)
	sum := sha256.Sum256(given)
	return &sandbox.Script{
		Key: h.Schema + " " + h.Hashes.File + " " + hex.EncodeToString(sum[:8]), Path: h.Src.Path, Source: h.Source,
		Lists: given, Loose: h.Profile == record.ProfileCommunity, Libraries: h.Libraries, Bundles: bundles,
	}
}

func lists(v ordjson.Value) json.RawMessage {
	if !v.Is(ordjson.Object) {
		return nil
	}
	return ordjson.Append(nil, v)
}

// handling is a call of a tool with handlers (chapter 01, "Handler Types").
type handling struct {
	*Caller
	tool     *Tool
	redact   *secret.Redactor
	tokens   tokens
	in       Input
	envelope *record.Envelope // which the call fills
	base     *Request
	held     *held
	given    ordjson.Value // struct as the handlers got it
	params   ordjson.Value // payload, likewise
	said     string        // in the messages of struct, by the handlers until now

	fetchedBytes atomic.Int64 // of the answers to its fetches
}

// runHandled is the part of run from the request on. One deadline holds for all
// handlers and requests together.
func (c *Caller) runHandled(ctx context.Context, t *Tool, in Input, e *record.Envelope, redact *secret.Redactor) []*Error {
	if t.Script == nil || c.Sandbox == nil {
		return asErrors(fail(CodeHandlers, "the tool has handlers (%s), and the catalog does not carry their source: resolve it anew", strings.Join(t.Handlers, ", ")))
	}
	ctx, cancel := context.WithTimeout(ctx, c.Client.Timeout())
	defer cancel()
	h := &handling{Caller: c, tool: t, redact: redact, in: in, envelope: e}
	h.tokens = tokens{nonce: tokenNonce(t.Script.Key), env: c.Env.For(t.Domain), keys: t.ServerParams, shown: slices.Contains(c.Exposed, t.Schema)}
	h.tokens.hide(redact)
	req, err := h.request(ctx)
	if err != nil {
		return asErrors(err)
	}
	e.Request, e.Warnings = req.Redacted(), slices.Concat(e.Warnings, req.Warnings, c.unneeded(t, req))
	if e.DryRun {
		c.dryRun(t, req, e)
		if slices.Contains(t.Handlers, sandbox.ExecuteRequest) {
			h.warn("executeRequest makes the requests of this tool: shown is what it is given")
		}
		return nil
	}
	data, err := h.response(ctx, req)
	if err == nil {
		data, err = h.post(ctx, data)
	}
	if err != nil {
		return asErrors(err)
	}
	succeed(e, t, data, redact)
	return nil
}

func (h *handling) warn(msg string) { h.envelope.Warnings = append(h.envelope.Warnings, msg) }

// request is the request as preRequest leaves it. What is wrong with it counts
// only where no handler mends it.
func (h *handling) request(ctx context.Context) (req *Request, err error) {
	if h.tokens.shown {
		h.warn("the handlers of " + h.tool.Schema + " see the values of its server parameters (--expose-server-params)")
	}
	if h.base, h.held, err = draft(h.tool, h.in); err != nil {
		return nil, err
	}
	h.mayChoose(h.base)
	req = h.base
	h.given = h.structOf(req)
	h.params = h.payload(h.given)
	if slices.Contains(h.tool.Handlers, sandbox.PreRequest) {
		out, err := h.stage(ctx, sandbox.PreRequest, nil)
		if err != nil {
			return nil, err
		}
		if out.Exists() {
			if req, err = h.changed(out); err != nil {
				return nil, err
			}
		}
	}
	if !slices.Contains(h.tool.Handlers, sandbox.ExecuteRequest) {
		err = h.held.err()
	}
	return req, err
}

// mayChoose notes in a request that a handler may have chosen its parts.
func (h *handling) mayChoose(req *Request) {
	req.root = h.held.root
	if h.tokens.shown {
		req.exposed = h.tool.ServerParams
	}
}

// response is what executeRequest gives, else the upstream.
func (h *handling) response(ctx context.Context, req *Request) (ordjson.Value, error) {
	var out ordjson.Value
	if slices.Contains(h.tool.Handlers, sandbox.ExecuteRequest) {
		var err error
		if out, err = h.stage(ctx, sandbox.ExecuteRequest, nil); err != nil {
			return out, err
		}
	}
	if !out.Exists() {
		if err := h.held.err(); err != nil {
			return out, err
		}
		data, errs := h.exchange(ctx, h.tool, h.in, req, h.envelope, h.redact)
		if errs != nil {
			return data, errs[0]
		}
		return data, nil
	}
	if v := out.Get("response"); v.Exists() {
		return v, nil
	}
	if v := out.Get("struct").Get("data"); v.Exists() && !v.Is(ordjson.Null) {
		return v, nil
	}
	h.warn(sandbox.CodeShape + " executeRequest returned { struct } and set no data: data is null")
	return ordjson.NewNull(), nil
}

// post is what postRequest makes of a response.
func (h *handling) post(ctx context.Context, data ordjson.Value) (ordjson.Value, error) {
	if !slices.Contains(h.tool.Handlers, sandbox.PostRequest) {
		return data, nil
	}
	if !h.tokens.shown {
		data = h.redact.Value(data)
	}
	h.given = h.given.With("status", ordjson.NewBool(true)).With("data", data)
	out, err := h.stage(ctx, sandbox.PostRequest, &data)
	if err != nil || !out.Exists() {
		return data, err
	}
	h.envelope.ContentType = "" // of the answer, which this is no more
	return out.Get("response"), nil
}

// stage runs one handler.
func (h *handling) stage(ctx context.Context, stage string, response *ordjson.Value) (ordjson.Value, error) {
	input := []ordjson.Member{ordjson.Field("struct", h.given), ordjson.Field("payload", h.params)}
	if response != nil {
		input = append(input, ordjson.Field("response", *response))
	}
	out, err := h.handler(ctx, h.tool.Script, sandbox.Call{
		Name: h.tool.Name, Stage: stage, Input: ordjson.Append(nil, ordjson.NewObject(input...)), Fetch: h.fetch, Warn: h.warn,
	})
	if err != nil || !out.Exists() {
		return out, err
	}
	said, err := verdict(stage, out, h.redact.Text)
	if said != "" && said != h.said {
		h.said = said
		h.envelope.Messages = append(h.envelope.Messages, stage+" says: "+said)
	}
	return out, err
}

// handler runs a handler and reads what it returned: Missing where the schema
// has no such handler. The errors are *Error.
func (c *Caller) handler(ctx context.Context, s *sandbox.Script, call sandbox.Call) (ordjson.Value, error) {
	call.Log = tracedOf(ctx).logger()
	out, err := c.Sandbox.Call(ctx, *s, call)
	if err != nil {
		return ordjson.Value{}, handlerError(s, call.Stage, err)
	}
	if out == nil {
		return ordjson.Value{}, nil
	}
	v, err := ordjson.Parse(string(out))
	if err != nil || !v.Get("response").Exists() && !v.Get("struct").Exists() {
		return ordjson.Value{}, fail(sandbox.CodeShape, "%s returned what JSON does not have, such as a function", call.Stage)
	}
	return v, nil
}

// handlerError makes an *Error of one of the sandbox.
func handlerError(s *sandbox.Script, stage string, err error) *Error {
	var failure *sandbox.HandlerError
	switch {
	case errors.As(err, &failure):
		return fail(failure.Code, "%s: %s%s", stage, failure.Msg, whereText(s.Path, failure))
	case errors.Is(err, context.DeadlineExceeded):
		return fail(CodeTimeout, "the call did not end in time, and %s still ran: ask for less, or raise --timeout", stage)
	}
	return fail(CodeCancelled, "the call was cancelled in %s", stage)
}

// whereText is the place of an error in the schema's file, and from where that
// was called.
func whereText(path string, e *sandbox.HandlerError) string {
	if e.Line == 0 {
		return ""
	}
	text := fmt.Sprintf(" (%s:%d:%d", path, e.Line, e.Col)
	for i, p := range e.Callers {
		sep := ", "
		if i == 0 {
			sep = ", called at "
		}
		text += fmt.Sprintf("%s%d:%d", sep, p.Line, p.Col)
	}
	return text + ")"
}

// List makes the handlers of a schema without calling one, and says what there
// is. The error is an *Error.
func (s SchemaScript) List(ctx context.Context, pool *sandbox.Pool) ([]sandbox.Handler, error) {
	if s.Err != nil {
		return nil, s.Err
	}
	list, err := pool.Handlers(ctx, *s.Script)
	if err != nil {
		return nil, handlerError(s.Script, "handlers", err)
	}
	return list, nil
}

// PostQuery runs the postRequest of a resource's query over its rows and
// returns what it makes of them, the rows themselves where the schema has no
// such handler (chapter 13, "Handler Integration"). s is NewScript of the
// schema's record of type handlers, payload the caller's parameters as an
// object; e gets what the handler says, and what was let pass. The errors are *Error: SEC100 to SEC104, EXE035, EXE036, EXE050 to
// EXE053.
func (c *Caller) PostQuery(ctx context.Context, s *sandbox.Script, resource, query string, rows, payload ordjson.Value, e *record.Envelope) (ordjson.Value, error) {
	if s == nil || c.Sandbox == nil {
		return rows, nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.Client.Timeout())
	defer cancel()
	warn := func(w string) { e.Warnings = append(e.Warnings, w) }
	given := ordjson.NewObject(ordjson.Field("status", ordjson.NewBool(true)), ordjson.Field("messages", ordjson.NewArray()), ordjson.Field("data", rows))
	input := ordjson.NewObject(ordjson.Field("response", rows), ordjson.Field("struct", given), ordjson.Field("payload", payload))
	out, err := c.handler(ctx, s, sandbox.Call{Name: resource, Query: query, Stage: sandbox.PostRequest, Input: ordjson.Append(nil, input), Warn: warn})
	if err != nil || !out.Exists() {
		return rows, err
	}
	said, err := verdict(sandbox.PostRequest, out, func(s string) string { return s })
	if said != "" {
		e.Messages = append(e.Messages, sandbox.PostRequest+" says: "+said)
	}
	return out.Get("response"), err
}

// structOf shows a request to a handler: tokens stand for server parameters
// (docs/decisions.md, handlers). Its status is that of a call that has not
// failed: many handlers set data only, and return it.
func (h *handling) structOf(r *Request) ordjson.Value {
	hole := h.tokens.hole
	var headers []ordjson.Member
	for _, x := range r.headers {
		headers = append(headers, ordjson.Field(x.name, ordjson.NewString(x.value.render(hole))))
	}
	body := r.bodyValue(hole)
	if !body.Exists() {
		body = ordjson.NewNull()
	}
	return h.withExposed(ordjson.NewObject(
		ordjson.Field("url", ordjson.NewString(r.url.render(hole))), ordjson.Field("method", ordjson.NewString(r.Method)),
		ordjson.Field("headers", ordjson.NewObject(headers...)), ordjson.Field("body", body),
		ordjson.Field("status", ordjson.NewBool(true)), ordjson.Field("messages", ordjson.NewArray()), ordjson.Field("data", ordjson.NewNull()),
	))
}

// requestKeys are the keys of payload that are of the request, not of the user.
var requestKeys = []string{"url", "method", "headers", "body"}

// payload is the user's parameters with those of struct (decision "Handler arguments").
func (h *handling) payload(st ordjson.Value) ordjson.Value {
	var user []ordjson.Member
	for _, key := range h.tool.UserKeys() {
		if v := h.in.Get(key); v.Exists() {
			user = append(user, ordjson.Field(key, v))
		}
	}
	all := ordjson.NewObject(slices.Clone(user)...)
	for _, key := range requestKeys {
		all = all.With(key, st.Get(key))
	}
	return h.withExposed(all.With("userParams", ordjson.NewObject(user...)))
}

// withExposed adds serverParams, as the field's handlers know them, where the
// user shows them.
func (h *handling) withExposed(v ordjson.Value) ordjson.Value {
	if !h.tokens.shown {
		return v
	}
	var values []ordjson.Member
	for _, key := range h.tool.ServerParams {
		if value, ok := h.tokens.env.Lookup(key); ok {
			values = append(values, ordjson.Field(key, ordjson.NewString(value)))
		}
	}
	return v.With("serverParams", ordjson.NewObject(values...))
}
