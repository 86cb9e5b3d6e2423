package exec

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// changed is the request after preRequest: built anew where it changed the
// user's parameters, then with what it changed of the request itself, in
// struct or in payload (READINGS 11).
func (h *handling) changed(in Input, out ordjson.Value) (*Request, error) {
	values := maps.Clone(in.values)
	again := false
	for _, key := range h.tool.UserKeys() {
		if v := out.Get("payload").Get(key); !slices.Contains(requestKeys, key) && v.Exists() && !ordjson.Equal(v, h.params.Get(key)) {
			values[key], again = v, true
		}
	}
	req := *h.base
	if again {
		built, err := BuildRequest(h.tool, Input{values})
		if err != nil {
			return nil, err
		}
		req = *built
	}
	req.root = h.base.url
	for _, from := range []string{"struct", "payload"} {
		for _, key := range requestKeys {
			v := out.Get(from).Get(key)
			if !v.Exists() || ordjson.Equal(v, h.given.Get(key)) {
				continue
			}
			if err := h.set(&req, key, v); err != nil {
				return nil, err
			}
		}
	}
	return &req, nil
}

// set replaces a part of a request by what a handler wants there.
func (h *handling) set(req *Request, key string, v ordjson.Value) error {
	switch key {
	case "url":
		req.url = h.text(v.Str(), inPath)
		if _, err := parseURL(req.url.render(func(string, place) string { return "x" })); err != nil || !strings.HasPrefix(v.Str(), scheme) {
			return fail(CodeBadRequest, "the handler makes the URL %q, which is no valid https URL", snippet(req.url.render(redactedHole)))
		}
	case "method":
		if req.Method = strings.ToUpper(v.Str()); !slices.Contains([]string{"GET", "POST", "PUT", "DELETE"}, req.Method) {
			return fail(CodeBadRequest, "the handler wants method %q, expected GET, POST, PUT or DELETE", snippet(v.Str()))
		}
	case "headers":
		req.headers = nil
		for _, m := range v.Members() {
			if err := h.addHeader(req, m.Key, scalar(m.Value)); err != nil {
				return err
			}
		}
	case "body":
		req.body, req.raw, req.hasBody = nil, nil, !v.Is(ordjson.Null)
		if req.hasBody {
			text := v.Str()
			if !v.Is(ordjson.String) {
				text = ordjson.Text(v)
			}
			req.raw = h.text(text, inBody)
			if req.raw == nil {
				req.raw = plainText("")
			}
		}
	}
	return nil
}

// plainText is a text of one piece, which may be empty.
func plainText(s string) text { return text{{lit: s}} }

func (h *handling) addHeader(req *Request, name, value string) error {
	if lower := strings.ToLower(name); slices.Contains(ownHeaders, lower) || strings.HasPrefix(lower, "proxy-") {
		return nil
	}
	if !isToken(name) || !isHeaderValue(value) {
		return fail(CodeBadRequest, "the handler makes the header %q, whose name or value is not valid", snippet(name))
	}
	req.headers = append(req.headers, header{name: name, value: h.text(value, inHeader)})
	return nil
}

// maxFetched is how many bytes the fetches of one call may give in all. They are
// held until the worker takes them, which has less memory than a hundred of the
// largest answers would need.
const maxFetched = 64 << 20

// fetch makes a fetch of executeRequest under the policy of all requests
// (READINGS 10). What comes back holds no server parameter.
func (h *handling) fetch(ctx context.Context, f sandbox.FetchRequest) sandbox.FetchAnswer {
	res, err := h.fetched(ctx, f)
	if err != nil {
		return sandbox.FetchAnswer{Error: h.redact.Text(err.Error())}
	}
	if h.fetchedBytes.Add(int64(len(res.Body))) > maxFetched {
		return sandbox.FetchAnswer{Error: fail(CodeTooLarge, "the fetches of one call gave more than %d MiB: ask for less", maxFetched>>20).Error()}
	}
	header, body := redactedBody(res, h.redact)
	a := sandbox.FetchAnswer{Status: res.Status, StatusText: http.StatusText(res.Status), URL: f.URL, Headers: map[string]string{}, Body: body}
	for name := range header {
		a.Headers[strings.ToLower(name)] = h.redact.Text(strings.Join(header.Values(name), ", "))
	}
	for _, v := range res.Header.Values("Set-Cookie") {
		a.Cookies = append(a.Cookies, h.redact.Text(v))
	}
	return a
}

func (h *handling) fetched(ctx context.Context, f sandbox.FetchRequest) (*Response, error) {
	req := &Request{Method: h.base.Method, root: h.base.url, keys: h.base.keys}
	if err := h.set(req, "url", ordjson.NewString(f.URL)); err != nil {
		return nil, err
	}
	if err := h.set(req, "method", ordjson.NewString(f.Method)); err != nil {
		return nil, err
	}
	agent := false
	for name, value := range f.Headers {
		agent = agent || strings.EqualFold(name, "User-Agent")
		if err := h.addHeader(req, name, value); err != nil {
			return nil, err
		}
	}
	if !agent {
		req.headers = append(req.headers, header{name: "User-Agent", value: plainText(userAgent)})
	}
	if f.HasBody {
		if err := h.set(req, "body", ordjson.NewString(string(f.Body))); err != nil {
			return nil, err
		}
	}
	wire, err := req.Fill(h.Env)
	if err != nil {
		return nil, err
	}
	return h.Client.Do(ctx, wire)
}
