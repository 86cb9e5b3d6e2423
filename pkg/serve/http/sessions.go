package http

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/auth"
	"github.com/flowmcp/fmcp/pkg/serve/metrics"
	"github.com/flowmcp/fmcp/pkg/serve/seal"
)

// sessions are those of revisions up to 2025-11-25, which begin with initialize.
type sessions struct {
	server  *serve.Server
	base    context.Context // of all of them
	metrics *metrics.Metrics
	max     int
	idle    time.Duration // after which a session without requests ends
	key     *seal.Key     // of servers that go on with each other's sessions, nil for none
	process string        // tells the IDs that this server has made from those of the others

	mu   sync.Mutex
	byID map[string]*session
}

// session is one of them. Its calls go on while the client is not connected, as
// those revisions want.
type session struct {
	*serve.Session
	id        string
	who       string // began it, and nobody else may use it
	ctx       context.Context
	end       context.CancelCauseFunc
	busy      int // requests and streams, under the lock of sessions
	used      time.Time
	listening atomic.Bool // there is a GET stream
	timer     *time.Timer // of the idle end
}

var errSessionEnded = errors.New("the session has ended")

// ticket is what the ID of a session says to the other servers that have the key.
type ticket struct {
	serve.Hello
	Process string `json:"process"`
	Number  string `json:"number"`
}

// begin begins a session of who; nil where there are too many.
func (s *sessions) begin(who string, h serve.Hello) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := rand.Text()
	if s.key != nil {
		text, _ := json.Marshal(ticket{h, s.process, id}) // of texts
		id = s.key.Seal(text, scopeOf(who))
	}
	return s.add(s.server.NewSession(), id, who)
}

// resume goes on, under the lock, with a session that another server has begun; nil if
// that cannot be. One that this server has begun, and does not know any more, has ended.
func (s *sessions) resume(id, who string) *session {
	if s.key == nil {
		return nil
	}
	text, ok := s.key.Open(id, scopeOf(who))
	var t ticket
	if !ok || json.Unmarshal(text, &t) != nil || t.Process == s.process {
		return nil
	}
	return s.add(s.server.Resume(t.Hello), id, who)
}

// scopeOf is what the ID of a session is signed with: nobody else may use it.
func scopeOf(who string) []byte { return []byte("session " + who) }

// add adds, under the lock, a session with one request. Where there are too many, the one
// ends that has been idle for longest; nil if none is.
func (s *sessions) add(core *serve.Session, id, who string) *session {
	if len(s.byID) >= s.max {
		var oldest *session
		for _, other := range s.byID {
			if other.busy == 0 && (oldest == nil || other.used.Before(oldest.used)) {
				oldest = other
			}
		}
		if oldest == nil {
			return nil
		}
		s.drop(oldest)
	}
	n := &session{Session: core, id: id, who: who, busy: 1}
	n.ctx, n.end = context.WithCancelCause(s.base)
	n.timer = time.AfterFunc(s.idle, func() { s.expire(n) })
	s.byID[n.id] = n
	s.metrics.Sessions.Inc()
	return n
}

// enter finds a session for a request of who; nil if there is none. leave is to
// be called for every one.
func (s *sessions) enter(id, who string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.byID[id]
	switch {
	case n == nil:
		return s.resume(id, who)
	case n.who != who:
		return nil
	}
	n.busy++
	return n
}

func (s *sessions) leave(n *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n.busy--
	n.used = time.Now()
	if s.byID[n.id] == n {
		n.timer.Reset(s.idle)
	}
}

// expire ends a session that has not been used.
func (s *sessions) expire(n *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.busy == 0 {
		s.drop(n)
	}
}

// close ends a session at the wish of its client.
func (s *sessions) close(n *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(n)
}

// drop ends, under the lock, a session and what runs in it.
func (s *sessions) drop(n *session) {
	if s.byID[n.id] != n {
		return
	}
	delete(s.byID, n.id)
	n.timer.Stop()
	n.end(errSessionEnded)
	s.metrics.Sessions.Dec()
}

// get opens the stream of a session, on which its client hears what it did not
// ask for. Revisions without sessions have no such stream.
func (s *Server) get(p *reply, r *http.Request, who auth.Caller) {
	version, id := r.Header.Get(mcp.HeaderProtocolVersion), r.Header.Get(mcp.HeaderSessionID)
	if mcp.IsModernProtocol(version) || version == "" && id == "" {
		notAllowed(p)
		return
	}
	n, bad := s.session(r, who)
	if bad != nil {
		bad.write(p, "")
		return
	}
	defer s.sessions.leave(n)
	switch {
	case !p.streams:
		wrong(http.StatusNotAcceptable, mcp.INVALID_REQUEST, CodeBadHTTP,
			"expected Accept to have text/event-stream").write(p, "")
		return
	case !n.listening.CompareAndSwap(false, true):
		wrong(http.StatusConflict, mcp.INVALID_REQUEST, CodeBadHTTP, "the session has a stream already").write(p, "")
		return
	}
	defer n.listening.Store(false)
	if !s.openStream() {
		tooMany(p, "")
		return
	}
	defer s.closeStream()
	ctx, cancel := endWith(r.Context(), n.ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.streaming, func() { cancel(errDraining) })()
	tell := n.Unasked()
	p.open()
	tell(ctx, p)
	p.answer(http.StatusOK, nil)
}

// delete ends a session. Revisions without sessions have nothing to end.
func (s *Server) delete(p *reply, r *http.Request, who auth.Caller) {
	if mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) {
		notAllowed(p)
		return
	}
	n, bad := s.session(r, who)
	if bad != nil {
		bad.write(p, "")
		return
	}
	s.sessions.close(n)
	s.sessions.leave(n)
	p.answer(http.StatusNoContent, nil)
}
