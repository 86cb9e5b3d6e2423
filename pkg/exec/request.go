package exec

import (
	"net/http"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Request is an HTTP request in which the server parameters are still holes. It
// is a pure value: Redacted shows it, Fill makes it ready to be sent.
type Request struct {
	Method   string
	reads    bool // of a tool that only reads
	Warnings []string
	url      text
	headers  []header
	body     []field
	hasBody  bool
	raw      text     // the body that a handler made, in the place of fields; nil where it made none
	keys     []string // all server parameters of the tool, which an answer may echo
	rawJSON  bool     // … which is JSON
	root     text     // URL whose host is the schema's own, where a handler may have chosen another; else nil
	exposed  []string // server parameters whose values the handlers know
}

type header struct {
	name  string
	value text
}

// field is a member of the JSON body: a typed value, or text with holes.
type field struct {
	key   string
	value ordjson.Value // Missing where text is meant
	text  text
}

// BuildRequest makes the request of a call; it is the one place where that is
// done. Every value is encoded for its place (decision "Path placeholders"), optional parameters
// without a value are left out, array order is kept (chapter 02, "Parameter
// Ordering"). The errors are *words.Problem.
func BuildRequest(t *Tool, in Input) (*Request, error) {
	b := builder{tool: t, in: in, req: newRequest(t)}
	return b.build()
}

// newRequest is a request without parameters: of a POST or PUT with the body {},
// as the field sends it (docs/decisions.md, "Empty bodies").
func newRequest(t *Tool) *Request {
	return &Request{Method: t.Method, reads: t.ReadsOnly(), keys: t.ServerParams, hasBody: hasBody(t.Method)}
}

// hasBody says which methods have one (docs/decisions.md, "Body of GET").
func hasBody(method string) bool { return method == http.MethodPost || method == http.MethodPut }

func (b *builder) build() (*Request, error) {
	if err := b.buildURL(); err != nil {
		return nil, err
	}
	if err := b.buildParams(); err != nil {
		return nil, err
	}
	h := b.tool.headers()
	if h.err != nil {
		if b.held == nil {
			return nil, h.err
		}
		b.held.headers = h.err
	}
	b.req.headers, b.req.Warnings = slices.Clip(h.list), append(b.req.Warnings, h.warnings...)
	// What the host will be is known only with the server parameters; all else
	// that is wrong is found now, so that a dry run finds it too.
	_, err := fetch.ParseURL(b.req.url.render(func(string, place) string { return "x" }))
	if err := b.hold(err); err != nil {
		return nil, err
	}
	return b.req, nil
}

// ServerKeys are the server parameters that the request needs, in order.
func (r *Request) ServerKeys() []string {
	var keys []string
	add := func(t text) {
		for _, p := range t {
			if p.key != "" && !slices.Contains(keys, p.key) {
				keys = append(keys, p.key)
			}
		}
	}
	add(r.url)
	for _, h := range r.headers {
		add(h.value)
	}
	for _, f := range r.body {
		add(f.text)
	}
	add(r.raw)
	add(r.root)
	return keys
}

// Redacted is the request as it is shown: [REDACTED:KEY] stands for every
// server parameter, set or not.
func (r *Request) Redacted() *record.HTTPRequest {
	h := &record.HTTPRequest{Method: r.Method, URL: r.url.render(redactedHole), Body: r.bodyValue(redactedHole)}
	for _, x := range r.headers {
		h.Headers = append(h.Headers, record.Header{Name: x.name, Value: x.value.render(redactedHole)})
	}
	return h
}

func (r *Request) bodyValue(hole func(string, place) string) ordjson.Value {
	if !r.hasBody {
		return ordjson.Value{}
	}
	if r.raw != nil {
		body := r.raw.render(hole)
		if v, err := ordjson.Parse(body); err == nil && r.rawJSON {
			return v
		}
		return ordjson.NewString(body)
	}
	members := make([]ordjson.Member, len(r.body))
	for i, f := range r.body {
		if v := f.value; v.Exists() {
			members[i] = ordjson.Field(f.key, v)
		} else {
			members[i] = ordjson.Field(f.key, ordjson.NewString(f.text.render(hole)))
		}
	}
	return ordjson.NewObject(members...)
}

// builder collects a request.
type builder struct {
	tool *Tool
	in   Input
	req  *Request
	sep  string // what comes before the next query parameter
	held *held  // where errors are held back, see draft; else nil
}

func (b *builder) warn(msg string) { b.req.Warnings = append(b.req.Warnings, msg) }

// valueOf is what a parameter sends: a typed value, or, where its template
// holds more than {{USER_PARAM}}, text with holes. ok is false where the caller
// left the parameter out.
func (b *builder) valueOf(p *Param) (v ordjson.Value, t text, ok bool, err error) {
	template := p.Value.Str()
	list := model.Placeholders(template)
	if !p.Value.Is(ordjson.String) || len(list) == 0 {
		return b.fixed(p), nil, true, nil
	}
	user := b.in.Get(p.Key)
	if p.Source == model.User && !user.Exists() {
		return v, nil, false, nil
	}
	if len(list) == 1 && list[0].Bare() && list[0].Name == userParam &&
		strings.TrimSpace(template) == template[list[0].Start:list[0].End] {
		return user, nil, true, nil
	}
	at := 0
	for _, ph := range list {
		t = t.addLit(template[at:ph.Start])
		at = ph.End
		if ph.Bare() && ph.Name == userParam {
			t = t.addLit(strings.Join(elements(user), ","))
		} else if key, isServer := ph.ServerKey(b.tool.ServerParams); isServer {
			t = t.addHole(key, inBody)
		} else {
			return v, nil, false, unresolved(template[ph.Start:ph.End], "the value of parameter "+p.Key)
		}
	}
	return v, t.addLit(template[at:]), true, nil
}

// fixed is a fixed value: in the body typed by the parameter's primitive, so
// that a number is one there, elsewhere as written, so that 1.0 stays 1.0.
func (b *builder) fixed(p *Param) ordjson.Value {
	if !p.Value.Is(ordjson.String) || p.Location != model.Body {
		return p.Value
	}
	if v, err := p.Z.FromText(p.Value.Str()); err == nil {
		return v
	}
	return p.Value
}

func unresolved(placeholder, where string) *words.Problem {
	return fail(CodeBadRequest, "%s holds %s, which stands for nothing there: write {{SERVER_PARAM:KEY}} and list KEY "+
		"in requiredServerParams, or {{USER_PARAM}} as the value of a parameter", where, placeholder)
}

// buildParams adds query and body parameters in one pass (chapter 02,
// "Parameter Ordering" 4); insert parameters are in the path already.
func (b *builder) buildParams() error {
	for i := range b.tool.Params {
		p := &b.tool.Params[i]
		if p.Location == model.Insert {
			continue
		}
		v, t, ok, err := b.valueOf(p)
		if err := b.hold(err); err != nil {
			return err
		}
		switch {
		case p.Location == model.Body:
			b.addBody(p, v, t, ok)
		case ok && v.Exists():
			value := strings.Join(elements(v), ",")
			b.req.url = b.req.url.addLit(b.sep + encode(p.Key, inQuery) + "=" + encode(value, inQuery))
			b.sep = "&"
		case ok:
			b.req.url = appendIn(b.req.url.addLit(b.sep+encode(p.Key, inQuery)+"="), t, inQuery)
			b.sep = "&"
		}
	}
	return nil
}

// appendIn adds plain text and holes, both encoded for a place.
func appendIn(to, t text, at place) text {
	for _, p := range t {
		if p.key != "" {
			to = to.addHole(p.key, at)
		} else {
			to = to.addLit(encode(p.lit, at))
		}
	}
	return to
}

// addBody puts a parameter into the JSON body, which keeps its type.
func (b *builder) addBody(p *Param, v ordjson.Value, t text, ok bool) {
	if !b.req.hasBody {
		if ok {
			b.warn("parameter " + p.Key + " is a body parameter, and " + b.req.Method +
				" requests have no body: it was not sent")
		}
		return
	}
	if !ok {
		return
	}
	f := field{key: p.Key, value: v, text: t}
	for i := range b.req.body {
		if b.req.body[i].key == p.Key {
			b.warn("body parameter " + p.Key + " is there twice: the last value was sent")
			b.req.body[i] = f
			return
		}
	}
	b.req.body = append(b.req.body, f)
}
