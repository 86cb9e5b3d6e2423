package exec

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

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
		ordjson.Field("url", ordjson.NewString(r.url.render(hole))),
		ordjson.Field("method", ordjson.NewString(r.Method)),
		ordjson.Field("headers", ordjson.NewObject(headers...)), ordjson.Field("body", body),
		ordjson.Field("status", ordjson.NewBool(true)), ordjson.Field("messages", ordjson.NewArray()),
		ordjson.Field("data", ordjson.NewNull()),
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
