// Package http is the transport of MCP over streamable HTTP: one path, which
// takes messages that stand alone (revision 2026-07-28) and those of sessions
// (2025-11-25 and before), and what a server that is reached by a network needs
// around it. What a message means is the affair of pkg/serve.
package http

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/auth"
	"github.com/flowmcp/fmcp/pkg/serve/metrics"
	"github.com/flowmcp/fmcp/pkg/serve/seal"
)

// Options of a Server.
type Options struct {
	Guard   *auth.Guard
	Metrics *metrics.Metrics
	Public  *url.URL // under which clients call the server; nil if that is not known
	Origins []string // scheme://host of pages whose scripts may call
	TLS     *tls.Config
	Warn    func(text string)
	// Context adds to the context of a request what the request says of it; nil for nothing.
	Context func(ctx context.Context, r *http.Request) context.Context

	Key   *seal.Key     // by which servers go on with each other's sessions; nil for none
	Delay time.Duration // between the end of the context of Serve and the first request that is refused

	MaxBody     int64         // of one message, in bytes
	MaxRequests int           // that are answered at once, streams apart
	Between     time.Duration // two requests of one caller, on average; 0 for no limit

	// Set by tests.
	drain    time.Duration
	idle     time.Duration // after which a session ends
	sessions int
	streams  int
	// how long a request of a session goes on whose client has gone away
	abandoned time.Duration
	after     func(time.Duration) <-chan time.Time // time.After
}

func (o Options) withDefaults() Options {
	o.drain = cmp.Or(o.drain, Drain)
	o.idle = cmp.Or(o.idle, 30*time.Minute)
	o.abandoned = cmp.Or(o.abandoned, time.Minute)
	o.sessions = cmp.Or(o.sessions, 1000)
	o.streams = cmp.Or(o.streams, 1024)
	if o.after == nil {
		o.after = time.After
	}
	return o
}

// Server serves one core over HTTP.
type Server struct {
	opts     Options
	core     *serve.Server
	flight   *flight
	rates    *rates
	origins  *origins
	sessions *sessions

	leaving   context.Context // ends when /readyz says so
	open      atomic.Int32    // streams
	streaming context.Context // of streams; ends when draining begins
}

// Drain is how long requests may go on after the end of the context of Serve.
const Drain = 25 * time.Second

// Path is where the endpoint is.
const Path = "/mcp"

// errDraining is why streams end with the server.
var errDraining = errors.New("the server is stopping")

// Serve answers requests that come by l until ctx ends. Then /readyz says so, and
// after a delay streams end, new requests are refused, and those under way have a time
// to finish.
func Serve(ctx context.Context, l net.Listener, core *serve.Server, o Options) error {
	o = o.withDefaults()
	// Requests outlive ctx: they get time to finish.
	base, abort := context.WithCancelCause(context.WithoutCancel(ctx))
	defer abort(errDraining)
	local := false
	if at, ok := l.Addr().(*net.TCPAddr); ok {
		local = at.IP.IsLoopback()
	}
	streaming, endStreams := context.WithCancelCause(base)
	defer endStreams(nil)
	s := &Server{opts: o, core: core, flight: newFlight(o.MaxRequests), rates: newRates(o.Between),
		origins: newOrigins(o.Public, o.Origins, local), leaving: ctx, streaming: streaming,
		sessions: &sessions{server: core, base: base, metrics: o.Metrics, max: o.sessions, idle: o.idle,
			key: o.Key, process: rand.Text(), byID: map[string]*session{}}}
	h := &http.Server{
		Handler: s.handler(), TLSConfig: o.TLS,
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		BaseContext: func(net.Listener) context.Context { return base },
		ErrorLog:    log.New(faults(o.Warn), "", 0),
	}
	served := make(chan error, 1)
	go func() {
		if o.TLS != nil {
			served <- h.ServeTLS(l, "", "")
		} else {
			served <- h.Serve(l)
		}
	}()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	if o.Delay > 0 {
		<-o.after(o.Delay)
	}
	endStreams(errDraining)
	s.flight.land()
	end, stop := context.WithTimeout(base, o.drain)
	defer stop()
	select {
	case <-s.flight.landed:
	case <-end.Done():
		abort(errDraining)
		end, stop = context.WithTimeout(context.WithoutCancel(ctx), time.Second) // to say so
		defer stop()
	}
	if err := h.Shutdown(end); err != nil {
		return h.Close()
	}
	return nil
}

// faults are the lines that net/http logs: of panics, and of connections, where
// those that never became a request say nothing about this server.
type faults func(string)

func (f faults) Write(line []byte) (int, error) {
	if !bytes.HasPrefix(line, []byte("http: TLS handshake error")) {
		f(string(bytes.TrimSpace(line)))
	}
	return len(line), nil
}

// handler answers all paths.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if s.leaving.Err() != nil {
			http.Error(w, "stopping", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if _, refused := s.opts.Guard.Check(r); refused != nil {
			s.unauthorized(newReply(w, r), refused)
			return
		}
		s.opts.Metrics.Handler().ServeHTTP(w, r)
	})
	metadata := s.opts.Guard.Metadata()
	mux.HandleFunc("GET /.well-known/", func(w http.ResponseWriter, r *http.Request) {
		text, ok := metadata[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		_, _ = w.Write(text) // the client is gone, which is its own affair
	})
	mux.HandleFunc(Path, s.endpoint)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "not found; the MCP endpoint is "+Path, http.StatusNotFound)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The deadline of what was written before on this connection.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
		if s.leaving.Err() != nil { // the next request is to find another server
			w.Header().Set("Connection", "close")
		}
		if !s.origins.hostAllowed(r) {
			s.opts.Metrics.Refused("host")
			wrong(http.StatusForbidden, mcp.INVALID_REQUEST, CodeRefused, "%q is not a host of this server; use its "+
				"loopback address, localhost, or the host of --public-url", r.Host).
				write(newReply(w, r), "")
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// endpoint takes a request of the endpoint as far as who may ask it.
func (s *Server) endpoint(w http.ResponseWriter, r *http.Request) {
	counted := &statusWriter{ResponseWriter: w, status: http.StatusOK}
	defer func() { s.opts.Metrics.Answered(counted.status) }()
	w = counted
	p := newReply(w, r)
	refuse := func(reason string, status int, format string, args ...any) {
		s.opts.Metrics.Refused(reason)
		wrong(status, mcp.INVALID_REQUEST, CodeRefused, format, args...).write(p, "")
	}
	switch {
	case !s.origins.originAllowed(r):
		refuse("origin", http.StatusForbidden, "pages of %q may not call this server; --allow-origin lets them",
			r.Header.Get("Origin"))
		return
	case s.origins.shareWith(w, r):
		return
	}
	who, refused := s.opts.Guard.Check(r)
	if refused != nil {
		s.opts.Metrics.Refused("token")
		s.unauthorized(p, refused)
		return
	}
	if d := s.rates.wait(callerKey(r, who)); d > 0 {
		w.Header().Set("Retry-After", fmt.Sprint(seconds(d)))
		refuse("rate", http.StatusTooManyRequests, "too many requests; the next may come in %d s", seconds(d))
		return
	}
	r = r.WithContext(s.context(r.Context(), r, who))
	switch r.Method {
	case http.MethodPost:
		s.post(p, r, who)
	case http.MethodGet:
		s.get(p, r, who)
	case http.MethodDelete:
		s.delete(p, r, who)
	default:
		notAllowed(p)
	}
}

// context is that of a request of who, within another.
func (s *Server) context(ctx context.Context, r *http.Request, who auth.Caller) context.Context {
	if s.opts.Context != nil {
		ctx = s.opts.Context(ctx, r)
	}
	return auth.With(ctx, who)
}

func (s *Server) unauthorized(p *reply, refused *auth.Refusal) {
	p.w.Header().Set("WWW-Authenticate", refused.Challenge)
	wrong(refused.Status, mcp.INVALID_REQUEST, CodeRefused, "%s", refused.Message).write(p, "")
}

func notAllowed(p *reply) {
	p.w.Header().Set("Allow", http.MethodPost)
	wrong(http.StatusMethodNotAllowed, mcp.INVALID_REQUEST, CodeBadHTTP, "send messages by POST").write(p, "")
}

// openStream says whether one more stream may be opened; closeStream is to be
// called if so.
func (s *Server) openStream() bool {
	if int(s.open.Add(1)) > s.opts.streams || s.streaming.Err() != nil {
		s.open.Add(-1)
		return false
	}
	s.opts.Metrics.Streams.Inc()
	return true
}

func (s *Server) closeStream() {
	s.open.Add(-1)
	s.opts.Metrics.Streams.Dec()
}

// statusWriter remembers the status.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
