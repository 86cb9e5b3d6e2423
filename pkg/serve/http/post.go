package http

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/auth"
)

// The codes of what can be wrong with a request before the server looks at its
// message. They stand in data.code of the error.
const (
	CodeRefused   = "MCP030" // not allowed, or not now
	CodeBadHTTP   = "MCP031" // not a request that this endpoint takes
	CodeBadHeader = "MCP032" // a header that is missing, or unlike the message
	CodeNoSession = "MCP033" // no session, or one that has ended
)

// bodyTime is how long a body may take to arrive.
const bodyTime = 30 * time.Second

// wrong is what is wrong with a request: a status, and the error in its body.
func wrong(status, rpc int, code, format string, args ...any) *refusal {
	return &refusal{status: status, err: &serve.Error{Code: rpc, Message: fmt.Sprintf(format, args...),
		Data: map[string]string{"code": code}}}
}

type refusal struct {
	status int
	err    *serve.Error
}

// write answers with what is wrong; id is that of the message, where it has one.
func (f *refusal) write(p *reply, id string) {
	if id == "" {
		id = serve.NoID
	}
	p.answer(f.status, serve.Fail(id, f.err).Line)
}

// smallBody is how long a message may be that is read although there are too many
// requests.
const smallBody = 64 << 10

// post takes in a message. Where there are too many requests, or the server stops,
// what ends those under way is heard: a cancellation, and the answer to what the
// server has asked.
func (s *Server) post(p *reply, r *http.Request, who auth.Caller) {
	entered := s.flight.enter()
	leave := func() {}
	if entered {
		leave = sync.OnceFunc(s.flight.leave)
	} else if r.ContentLength < 0 || r.ContentLength > smallBody {
		s.busy(p, "")
		return
	}
	defer leave()
	text, bad := s.body(p, r)
	if bad != nil {
		bad.write(p, "")
		return
	}
	m, err := serve.Parse(text)
	if err != nil {
		p.answer(http.StatusBadRequest, serve.Fail(m.ID, err).Line)
		return
	}
	modern, bad := era(r, m)
	switch {
	case !entered && m.Method != "" && m.ID != "":
		s.busy(p, m.ID)
	case bad != nil:
		bad.write(p, m.ID)
	case modern:
		s.postModern(p, r, m, leave)
	default:
		s.postLegacy(p, r, m, who)
	}
}

// busy refuses a request that is too many, or too late.
func (s *Server) busy(p *reply, id string) {
	if s.flight.closed() {
		s.opts.Metrics.Refused("stopping")
		later(p, id, errDraining.Error())
		return
	}
	s.opts.Metrics.Refused("busy")
	tooMany(p, id)
}

// body reads the body of a request.
func (s *Server) body(p *reply, r *http.Request) (string, *refusal) {
	kind := r.Header.Get("Content-Type")
	if media, _, err := mime.ParseMediaType(kind); err != nil || media != "application/json" {
		return "", wrong(http.StatusUnsupportedMediaType, mcp.INVALID_REQUEST, CodeBadHTTP,
			"expected Content-Type: application/json, found %q", kind)
	}
	_ = p.control.SetReadDeadline(time.Now().Add(bodyTime)) // all connections of net/http can
	text, err := io.ReadAll(http.MaxBytesReader(p.w, r.Body, s.opts.MaxBody))
	_ = p.control.SetReadDeadline(time.Time{})
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return "", wrong(http.StatusRequestEntityTooLarge, mcp.INVALID_REQUEST, serve.CodeFrameTooLong,
			"the body is longer than the limit of %d bytes; send less in one message", s.opts.MaxBody)
	}
	if err != nil {
		return "", wrong(http.StatusBadRequest, mcp.INVALID_REQUEST, CodeBadHTTP, "the body did not arrive whole")
	}
	return string(text), nil
}

// era says whether a message is of a revision without sessions, and what is
// wrong with the headers that have to agree with it.
func era(r *http.Request, m serve.Message) (modern bool, bad *refusal) {
	named := m.Params.Get("_meta").Get(mcp.MetaKeyProtocolVersion).Str()
	header := r.Header.Get(mcp.HeaderProtocolVersion)
	switch {
	case mcp.IsModernProtocol(named):
		return true, headers(r, m, header, named)
	case m.Method == mcp.MethodServerDiscover, m.Method == mcp.MethodSubscriptionsListen:
		return true, nil // no session has them: the core says what is missing
	case !mcp.IsModernProtocol(header):
		if header != "" && !slices.Contains(serve.Revisions(), header) {
			return false, wrong(http.StatusBadRequest, mcp.INVALID_REQUEST, CodeBadHeader,
				"%s %q is not served; send one of %s", mcp.HeaderProtocolVersion, header,
				strings.Join(serve.Revisions(), ", "))
		}
		return false, nil
	case m.ID == "" && m.Method != "":
		return true, nil // a notification needs no _meta
	case named != "":
		return true, mismatch(mcp.HeaderProtocolVersion, header, named)
	}
	return true, wrong(http.StatusBadRequest, mcp.INVALID_PARAMS, CodeBadHeader,
		"missing or invalid _meta field %s, which %s says is %s", mcp.MetaKeyProtocolVersion,
		mcp.HeaderProtocolVersion, header)
}

// headers are what a message of a revision without sessions says of itself in its headers, so
// that who stands between can tell messages apart (SEP-2243).
func headers(r *http.Request, m serve.Message, version, named string) *refusal {
	if version != named {
		return mismatch(mcp.HeaderProtocolVersion, version, named)
	}
	if method := strings.TrimSpace(r.Header.Get(mcp.HeaderMethod)); method != string(m.Method) {
		return mismatch(mcp.HeaderMethod, method, string(m.Method))
	}
	if !mcp.MethodRequiresNameHeader(m.Method) {
		return nil
	}
	field := "name"
	if m.Method == mcp.MethodResourcesRead {
		field = "uri"
	}
	want := m.Params.Get(field)
	found := strings.TrimSpace(r.Header.Get(mcp.HeaderName))
	name, ok := mcp.DecodeHeaderValue(found)
	if !ok || found == "" || want.Is(ordjson.String) && name != want.Str() {
		return mismatch(mcp.HeaderName, found, want.Str())
	}
	return nil
}

// mismatch is the error of a header that is missing, cannot be read, or says
// something else than the message.
func mismatch(header, found, want string) *refusal {
	what := fmt.Sprintf("is %q", found)
	if found == "" {
		what = "is missing"
	}
	return wrong(http.StatusBadRequest, mcp.HEADER_MISMATCH, CodeBadHeader, "the header %s %s, and the message says %q",
		header, what, want)
}

// postModern answers a message that stands alone. A client that goes away wants
// no answer any more. What listens is under way for hours, and counts apart.
func (s *Server) postModern(p *reply, r *http.Request, m serve.Message, leave func()) {
	ctx, cancel := r.Context(), func(error) {}
	if m.Method == mcp.MethodSubscriptionsListen {
		if !p.streams {
			wrong(http.StatusNotAcceptable, mcp.INVALID_REQUEST, CodeBadHTTP,
				"expected Accept to have text/event-stream, for %s", m.Method).write(p, m.ID)
			return
		}
		if !s.openStream() {
			tooMany(p, m.ID)
			return
		}
		defer s.closeStream()
		leave()
		ctx, cancel = endWith(ctx, s.streaming)
	}
	defer func() { cancel(nil) }()
	q := s.core.NewSession().Begin(ctx, m, p)
	defer q.End()
	a := q.Run()
	if !q.Close() || a.Line == nil {
		p.answer(http.StatusAccepted, nil)
		return
	}
	p.answer(modernStatus(m, a.Err), a.Line)
}

// modernStatus is the status of an answer in revision 2026-07-28 (decision
// "Callers over HTTP").
func modernStatus(m serve.Message, err *serve.Error) int {
	switch {
	case err == nil:
	case err.Code == mcp.METHOD_NOT_FOUND:
		return http.StatusNotFound
	case err.Code != mcp.INVALID_PARAMS && err.Code != mcp.INTERNAL_ERROR:
		return http.StatusBadRequest
	case err.Code == mcp.INVALID_PARAMS &&
		!m.Params.Get("_meta").Get(mcp.MetaKeyClientCapabilities).Is(ordjson.Object):
		return http.StatusBadRequest
	}
	return http.StatusOK
}

var errAbandoned = errors.New("the client has gone away")

// postLegacy answers a message of a session, or begins one. That its client goes
// away cancels nothing at once (decision "Callers over HTTP").
func (s *Server) postLegacy(p *reply, r *http.Request, m serve.Message, who auth.Caller) {
	var n *session
	if m.Method == mcp.MethodInitialize && m.ID != "" {
		if n = s.sessions.begin(who.Name, serve.HelloOf(m.Params)); n == nil {
			tooMany(p, m.ID)
			return
		}
	} else {
		var bad *refusal
		if n, bad = s.session(r, who); bad != nil {
			bad.write(p, m.ID)
			return
		}
	}
	defer s.sessions.leave(n)
	ctx, cancel := context.WithCancelCause(n.ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.Context(), func() {
		time.AfterFunc(s.opts.abandoned, func() { cancel(errAbandoned) })
	})()
	q := n.Begin(s.context(ctx, r, who), m, p)
	defer q.End()
	a := q.Run()
	if m.Method == mcp.MethodInitialize {
		if a.Err != nil {
			s.sessions.close(n)
		} else {
			p.w.Header().Set(mcp.HeaderSessionID, n.id)
		}
	}
	if !q.Close() || a.Line == nil {
		p.answer(http.StatusAccepted, nil)
		return
	}
	p.answer(http.StatusOK, a.Line)
}

// session is the one that a request is of. The caller leaves it.
func (s *Server) session(r *http.Request, who auth.Caller) (*session, *refusal) {
	id := r.Header.Get(mcp.HeaderSessionID)
	if id == "" {
		return nil, wrong(http.StatusBadRequest, mcp.INVALID_REQUEST, CodeNoSession,
			"the header %s is missing; begin with initialize, or send a message of revision 2026-07-28",
			mcp.HeaderSessionID)
	}
	n := s.sessions.enter(id, who.Name)
	if n == nil {
		return nil, wrong(http.StatusNotFound, mcp.INVALID_REQUEST, CodeNoSession,
			"there is no such session, or it has ended; begin another with initialize")
	}
	return n, nil
}

// tooMany refuses for the moment.
func tooMany(p *reply, id string) { later(p, id, "the server has too much to do") }

func later(p *reply, id, why string) {
	p.w.Header().Set("Retry-After", "1")
	wrong(http.StatusServiceUnavailable, mcp.INTERNAL_ERROR, CodeRefused, "%s; try again later", why).write(p, id)
}
