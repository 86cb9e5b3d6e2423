package exec

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/words"
)

// changed is the request after preRequest: built again where it changed the
// user's parameters, then with what it changed of the request itself, in struct
// or in payload (decision "Handler arguments"). The handlers that follow see
// it.
func (h *handling) changed(out ordjson.Value) (*Request, error) {
	values := maps.Clone(h.in.values)
	again := false
	for _, key := range h.tool.UserKeys() {
		v := out.Get("payload").Get(key)
		if slices.Contains(requestKeys, key) || !v.Exists() || ordjson.Equal(v, h.params.Get(key)) {
			continue
		}
		if moved := h.tokens.in(v); moved != "" {
			return nil, fail(CodeMovedSecret,
				"a handler puts server parameter %s into the parameter %s: it may go where the schema puts it only",
				moved, key)
		}
		values[key], again = v, true
	}
	req := *h.base
	if again {
		built, held, err := draft(h.tool, Input{values})
		if err != nil {
			return nil, err
		}
		req, h.held = *built, held
		h.mayChoose(&req)
	}
	before := h.given
	h.given, h.params = out.Get("struct"), out.Get("payload")
	for _, key := range requestKeys {
		from := []ordjson.Value{h.given.Get(key), h.params.Get(key)}
		is := before.Get(key)
		wanted := slices.IndexFunc(from, func(v ordjson.Value) bool { return v.Exists() && !ordjson.Equal(v, is) })
		if wanted < 0 {
			continue
		}
		if err := h.set(&req, key, from[wanted]); err != nil {
			return nil, err
		}
	}
	req.fitBody()
	if err := h.allow(&req); err != nil {
		return nil, err
	}
	now := h.structOf(&req)
	for _, m := range now.Members() {
		if v := h.given.Get(m.Key); !v.Exists() || slices.Contains(requestKeys, m.Key) &&
			ordjson.Equal(v, before.Get(m.Key)) {
			h.given = h.given.With(m.Key, m.Value)
		}
	}
	for _, key := range requestKeys {
		if v := h.params.Get(key); !v.Exists() || ordjson.Equal(v, before.Get(key)) {
			h.params = h.params.With(key, now.Get(key))
		}
	}
	return &req, nil
}

// fitBody does for a body that a handler gave what BuildRequest does for one of
// parameters: GET and DELETE have none (decision "Body of GET"), and others say what it is.
func (r *Request) fitBody() {
	switch {
	case r.raw == nil:
	case !hasBody(r.Method):
		r.raw, r.hasBody = nil, false
		r.Warnings = append(slices.Clip(r.Warnings),
			"the handler makes a body, and "+r.Method+" requests have none: it was not sent")
	case r.rawJSON && !slices.ContainsFunc(r.headers,
		func(x header) bool { return strings.EqualFold(x.name, "Content-Type") }):
		r.headers = append(slices.Clip(r.headers), header{name: "Content-Type", value: plainText(model.MIMEJSON)})
	}
}

// allow checks where a request of a handler holds server parameters. What is
// left of a token is cut, or of another tool's key: a handler may remember it.
func (h *handling) allow(req *Request) error {
	if h.tokens.shown {
		return nil
	}
	if req.holds(h.tokens.nonce) {
		return fail(CodeMovedSecret, "a handler sends a part of a server parameter, or one that %s does not use: list "+
			"the key in requiredServerParams, and declare its place in this tool", h.tool.Name)
	}
	if slices.ContainsFunc(encoded(h.tokens.nonce), req.holds) {
		return fail(CodeMovedSecret, "a handler encodes a server parameter, whose value it does not have: let main "+
			"put the encoded value in its place; or, for a schema that you have read, add --expose-server-params %s",
			h.tool.Schema)
	}
	return req.checkUses(h.base.uses())
}

// set replaces a part of a request by what a handler wants there, and takes the
// error back that the draft had for it.
func (h *handling) set(req *Request, key string, v ordjson.Value) error {
	switch key {
	case "url":
		if h.held.root == nil {
			return fail(CodeHostRefused, "the handler makes a URL, and which host is the schema's own is not "+
				"known: %s", h.held.rootErr.Message)
		}
		req.url, h.held.url = h.tokens.url(v.Str()), nil
		if _, err := fetch.ParseURL(req.url.render(func(string, place) string { return "x" })); err != nil ||
			!strings.HasPrefix(v.Str(), scheme) {
			return fail(CodeBadRequest, "the handler makes the URL %s, which is not a valid https URL",
				words.Quote(req.url.render(redactedHole)))
		}
	case "method":
		return h.setMethod(req, v.Str())
	case "headers":
		req.headers, h.held.headers = nil, nil
		for _, m := range v.Members() {
			if err := h.addHeader(req, m.Key, scalar(m.Value)); err != nil {
				return err
			}
		}
	case "body":
		req.body, req.raw, req.rawJSON, req.hasBody = nil, nil, false, !v.Is(ordjson.Null)
		if req.hasBody {
			text := v.Str()
			if !v.Is(ordjson.String) {
				text = ordjson.Text(v)
			}
			h.setBody(req, text)
		}
	}
	return nil
}

// setMethod lets handlers of a tool that says that it only reads send what
// reads: clients call such a tool without asking (docs/decisions.md, "Read-only
// tools"). Its own method main declares, where it can be read.
func (h *handling) setMethod(req *Request, method string) error {
	req.Method = strings.ToUpper(method)
	switch {
	case req.Method != http.MethodHead && !slices.Contains(model.Methods, req.Method):
		return fail(CodeBadRequest, "the handler wants method %s, expected GET, HEAD, POST, PUT or DELETE",
			words.Quote(method))
	case req.reads && req.Method != http.MethodGet && req.Method != http.MethodHead && req.Method != h.tool.Method:
		return fail(CodeNotReadOnly, "the handler sends %s, and the tool, whose method is %s, has meta.isReadOnly: "+
			"true: its handlers may send that, GET and HEAD only; set isReadOnly: false if it changes something",
			req.Method, h.tool.Method)
	}
	return nil
}

func (h *handling) setBody(req *Request, body string) {
	form := slices.ContainsFunc(req.headers, func(x header) bool {
		return strings.EqualFold(x.name, "Content-Type") &&
			strings.Contains(strings.ToLower(x.value.render(redactedHole)), "x-www-form-urlencoded")
	})
	req.hasBody = true
	if req.raw, req.rawJSON = h.tokens.body(body, form); req.raw == nil {
		req.raw = plainText("")
	}
}

// plainText is a text of one piece, which may be empty.
func plainText(s string) text { return text{{lit: s}} }

func (h *handling) addHeader(req *Request, name, value string) error {
	if isOwnHeader(strings.ToLower(name)) {
		return nil
	}
	if !model.IsHeaderName(name) || !model.IsHeaderValue(value) {
		return fail(CodeBadRequest, "the handler makes the header %s, whose name or value is not valid",
			words.Quote(h.redact.Text(name)))
	}
	req.headers = append(req.headers, header{name: name, value: h.tokens.text(value, inHeader)})
	return nil
}

// maxFetched is how many bytes the fetches of one call may give in all. They are
// held until the worker takes them, which has less memory than a hundred of the
// largest answers would need.
const maxFetched = 64 << 20

// refused is the answer to a fetch that failed. A handler that lets the error
// through fails with its code.
func (h *handling) refused(err error) sandbox.FetchAnswer {
	a := sandbox.FetchAnswer{Error: h.redact.Text(err.Error())}
	var p *words.Problem
	if errors.As(err, &p) {
		a.Code = p.Code
	}
	return a
}

// fetch makes a fetch of executeRequest under the policy of all requests
// (decision "Fetch in handlers"). What comes back holds no server parameter.
func (h *handling) fetch(ctx context.Context, f sandbox.FetchRequest) sandbox.FetchAnswer {
	if f.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx,
			time.Duration(min(f.Timeout, int64(time.Hour/time.Millisecond)))*time.Millisecond)
		defer cancel()
	}
	res, err := h.fetched(ctx, f)
	if err != nil {
		return h.refused(err)
	}
	if h.fetchedBytes.Add(int64(len(res.Body))) > maxFetched {
		return h.refused(fail(CodeTooLarge, "the fetches of one call gave more than %d MiB: ask for less",
			maxFetched>>20))
	}
	header, body, seen := res.Header, res.Body, func(s string) string { return s }
	if !h.tokens.shown {
		header, body = res.Redacted(h.redact)
		seen = h.redact.Text
	}
	a := sandbox.FetchAnswer{
		Status: res.Status, StatusText: http.StatusText(res.Status), URL: f.URL,
		Headers: map[string]string{}, Body: body,
	}
	for name, values := range header {
		a.Headers[strings.ToLower(name)] = seen(strings.Join(values, ", "))
	}
	for _, v := range res.Header.Values("Set-Cookie") {
		a.Cookies = append(a.Cookies, seen(v))
	}
	return a
}

func (h *handling) fetched(ctx context.Context, f sandbox.FetchRequest) (*fetch.Response, error) {
	if err := h.held.err(); err != nil && f.URL == h.given.Get("url").Str() {
		return nil, err // no handler has fixed it
	}
	held := *h.held
	h = &handling{calling: h.calling, tokens: h.tokens, base: h.base, held: &held} // others fetch too
	req := newRequest(h.tool)
	req.hasBody = false // until the handler says what it is
	h.mayChoose(req)
	for key, text := range map[string]string{"url": f.URL, "method": f.Method} {
		if err := h.set(req, key, ordjson.NewString(text)); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Headers)) {
		if err := h.addHeader(req, name, f.Headers[name]); err != nil {
			return nil, err
		}
	}
	for name, value := range map[string]string{"Accept": "*/*", "User-Agent": fetch.UserAgent} {
		if !slices.ContainsFunc(req.headers, func(x header) bool { return strings.EqualFold(x.name, name) }) {
			req.headers = append(req.headers, header{name: name, value: plainText(value)})
		}
	}
	if f.HasBody {
		h.setBody(req, string(f.Body))
	}
	if err := h.allow(req); err != nil {
		return nil, err
	}
	wire, err := req.Fill(h.env)
	if err != nil {
		return nil, err
	}
	return h.send(ctx, req, wire)
}
