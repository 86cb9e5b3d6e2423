package serve

import (
	"context"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/audit"
	"github.com/flowmcp/fmcp/pkg/serve/auth"
	"github.com/flowmcp/fmcp/pkg/serve/elicit"
)

// audited reports whether the audit log has requests of a method: those that reach
// something.
func (r *Request) audited() bool {
	switch r.Method {
	case mcp.MethodToolsCall, mcp.MethodResourcesRead, mcp.MethodPromptsGet:
		return r.server.opts.Audit != nil
	}
	return false
}

// entry is what the audit log says of the request before it is answered.
func (r *Request) entry(id string) audit.Entry {
	e := audit.Entry{Time: time.Now(), Client: r.client(), Transport: "http", User: auth.From(r.ctx).Name,
		Method: string(r.Method), ID: id, Params: r.Params.Get("arguments")}
	if _, ok := r.conn.(*stdio); ok {
		e.Transport = "stdio"
	}
	return e
}

// client is what the client calls itself: in each request since 2026-07-28, at the
// beginning of a session before.
func (r *Request) client() string {
	if info := r.Params.Get("_meta").Get(mcp.MetaKeyClientInfo); info.Exists() {
		return clientName(info)
	}
	r.session.mu.Lock()
	defer r.session.mu.Unlock()
	return r.session.hello.Client
}

func clientName(info ordjson.Value) string {
	return strings.TrimSpace(info.Get("name").Str() + " " + info.Get("version").Str())
}

// note writes down how a request came out.
func (r *Request) note(e audit.Entry, a Answer) {
	e.Duration = time.Since(e.Time)
	for _, part := range a.Line {
		e.Bytes += len(part)
	}
	e.Outcome, e.Params = audit.OK, elicit.With(e.Params, r.written)
	switch {
	case r.asks:
		e.Outcome = audit.Asked
	case !r.open():
		e.Outcome = audit.Cancelled
	case a.Err != nil:
		data, _ := a.Err.Data.(errorData)
		e.Outcome, e.Code = audit.Failed, data.Code
	case r.failed != "":
		e.Outcome, e.Code = audit.Failed, r.failed
	}
	r.server.opts.Audit.End(e)
}

// failedBy is the code in the messages of a call that failed.
func failedBy(env *record.Envelope) string {
	code, _, _ := strings.Cut(strings.Join(env.Messages, " "), " ")
	return code
}

// doAudited does the work, and writes down that it is done.
func (r *Request) doAudited() Answer {
	e := r.entry(r.work.about)
	if r.server.opts.Audit.Begin(e) != nil {
		return Fail(r.ID, failure(mcp.INTERNAL_ERROR, CodeNotAudited, "%s", notAudited))
	}
	r.ctx = context.WithValue(r.ctx, requestKey{}, r)
	a := r.do()
	r.note(e, a)
	return a
}

const notAudited = "the call was not made: the audit log cannot be written, and this server makes no call without " +
	"it; its stderr says why"

// requestKey is where a context has its Request.
type requestKey struct{}

// Audited makes a call that a tool or a prompt makes on its own, and writes it down
// beside the request of ctx.
func Audited(ctx context.Context, id string, params ordjson.Value, call func() *record.Envelope) *record.Envelope {
	r, _ := ctx.Value(requestKey{}).(*Request)
	if r == nil || r.server.opts.Audit == nil {
		return call()
	}
	e := r.entry(id)
	e.Method, e.Params, e.Via = string(mcp.MethodToolsCall), params, r.work.about
	if err := r.server.opts.Audit.Begin(e); err != nil {
		return Refused(CodeNotAudited, "%s: %s", id, notAudited)
	}
	env := call()
	e.Duration, e.Outcome = time.Since(e.Time), audit.OK
	switch {
	case ctx.Err() != nil:
		e.Outcome = audit.Cancelled
	case !env.Status:
		e.Outcome, e.Code = audit.Failed, failedBy(env)
	default:
		e.Bytes = len(ordjson.Append(nil, env.Data))
	}
	r.server.opts.Audit.End(e)
	return env
}
