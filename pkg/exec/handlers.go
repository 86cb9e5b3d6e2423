package exec

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// handling is a call of a tool with handlers (chapter 01, "Handler Types").
type handling struct {
	*calling
	tokens tokens
	base   *Request
	held   *held
	given  ordjson.Value // struct as the handlers got it
	params ordjson.Value // payload, likewise
	said   string        // in the messages of struct, by the handlers until now

	fetchedBytes atomic.Int64 // of the answers to its fetches
}

// handled calls a tool with handlers. One deadline holds for all handlers and
// requests together.
func (k *calling) handled(ctx context.Context) error {
	t := k.tool
	if t.Script == nil || k.Sandbox == nil {
		return fail(CodeHandlers, "the tool has handlers (%s), and the catalog does not carry their source: resolve "+
			"it again",
			strings.Join(t.Handlers, ", "))
	}
	ctx, cancel := fetch.WithBudget(ctx, k.Client.Timeout())
	defer cancel()
	h := &handling{calling: k}
	h.tokens = tokens{nonce: tokenNonce(t.Script.Key), env: k.env, keys: t.ServerParams,
		shown: slices.Contains(k.Exposed, t.Schema)}
	h.tokens.hide(k.redact)
	req, err := h.request(ctx)
	if err != nil {
		return err
	}
	if k.show(req); k.envelope.DryRun {
		if slices.Contains(t.Handlers, sandbox.ExecuteRequest) {
			k.warn("executeRequest makes the requests of this tool: shown is what it is given")
		}
		return nil
	}
	data, err := h.response(ctx, req)
	if err == nil {
		data, err = h.post(ctx, data)
	}
	if err != nil {
		return err
	}
	k.succeed(data)
	return nil
}

// request is the request as preRequest leaves it. What is wrong with it counts
// only where no handler fixes it.
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
		return h.exchange(ctx, req)
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
	h.envelope.ContentType = "" // of the answer, which this no longer is
	return out.Get("response"), nil
}

// stage runs one handler.
func (h *handling) stage(ctx context.Context, stage string, response *ordjson.Value) (ordjson.Value, error) {
	input := []ordjson.Member{ordjson.Field("struct", h.given), ordjson.Field("payload", h.params)}
	if response != nil {
		input = append(input, ordjson.Field("response", *response))
	}
	out, err := h.handler(ctx, h.tool.Script, sandbox.Call{
		Name: h.tool.Name, Stage: stage, Input: ordjson.Append(nil, ordjson.NewObject(input...)), Fetch: h.fetch,
		Warn: func(w string) { h.warn(w) }, Held: func() time.Duration { return fetch.Held(ctx) },
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
