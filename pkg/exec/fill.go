package exec

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Fill puts the server parameters in. Missing ones are one *words.Problem that names
// them all.
func (r *Request) Fill(env *secret.Env) (*fetch.Request, error) {
	if err := lacking(env, r.ServerKeys()); err != nil {
		return nil, err
	}
	badHost := ""
	hole := func(key string, at place) string {
		v, _ := env.Lookup(key)
		if at == inHost && !fetch.IsHostText(v) {
			badHost = key
		}
		return encode(v, at)
	}
	u, err := fetch.ParseURL(r.url.render(hole))
	if badHost != "" {
		return nil, fail(CodeBadRequest,
			"server parameter %s is in the host name and may hold letters, digits, - and . only", badHost)
	}
	if err != nil {
		return nil, err
	}
	w := &fetch.Request{Method: r.Method, Reads: r.reads, URL: u, Origin: fetch.HostPort(u),
		Secrets: valuesOf(env, r.ServerKeys())}
	w.Shown = func() (*record.HTTPRequest, *secret.Redactor) { return r.forRecording(env) }
	if r.root != nil {
		root, err := fetch.ParseURL(r.root.render(hole))
		if err != nil {
			return nil, err
		}
		if own := fetch.HostPort(root); !standsFor(own, w.Origin) {
			w.Origin = own
			if r.exposed == nil && len(r.uses()) > 0 {
				return nil, fail(CodeHostRefused,
					"a handler sends a server parameter to %s: they go to the schema's own host only (%s)", u.Host, own)
			}
		}
	}
	for _, h := range r.headers {
		value := h.value.render(hole)
		if !model.IsHeaderValue(value) {
			return nil, fail(CodeBadRequest,
				"the server parameter in header %s holds a line break or another control character: fix its value",
				h.name)
		}
		w.Headers = append(w.Headers, fetch.Header{Name: h.name, Value: value, Secret: h.value.holes()})
	}
	switch {
	case r.hasBody && r.raw != nil:
		w.Body, w.InBody = []byte(r.raw.render(hole)), r.raw.holes()
	case r.hasBody:
		w.Body = ordjson.Append([]byte{}, r.bodyValue(hole))
		w.InBody = slices.ContainsFunc(r.body, func(f field) bool { return f.text.holes() })
	}
	if r.exposed != nil {
		w.Knows(valuesOf(env, r.exposed))
	}
	return w, nil
}

func valuesOf(env *secret.Env, keys []string) []string {
	var values []string
	for _, key := range keys {
		if v, ok := env.Lookup(key); ok {
			values = append(values, v)
		}
	}
	return values
}

// forRecording is the request as it is recorded, and the redactor of its secrets.
func (r *Request) forRecording(env *secret.Env) (*record.HTTPRequest, *secret.Redactor) {
	shown, redact := r.Redacted(), secret.NewRedactor(env, slices.Concat(r.keys, r.ServerKeys()))
	redact.Request(shown) // what handlers have put in that know the values (decision "Keys and handlers")
	return shown, redact
}

// lacking is the error of a call whose keys have no value; nil where all have.
func lacking(env *secret.Env, keys []string) *words.Problem {
	missing := env.Missing(keys)
	switch {
	case len(missing) == 0:
		return nil
	case slices.ContainsFunc(missing, func(key string) bool { return env.State(key) == secret.KeyUnbound }):
		return &words.Problem{Code: CodeUnbound, Message: env.Advice(missing)}
	}
	return &words.Problem{Code: CodeMissingServer, Message: env.Advice(missing)}
}

func (t text) holes() bool { return slices.ContainsFunc(t, func(p piece) bool { return p.key != "" }) }
