package http

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// An answer is JSON, until something is to be said before it.
func TestReply(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	line := []byte("{\"a\":1}\n")
	for name, tt := range map[string]struct {
		accept string
		ctx    context.Context
		send   int
		want   string
		kind   string
	}{
		"JSON": {"application/json, text/event-stream", t.Context(), 0, "{\"r\":1}\n", "application/json"},
		"stream": {"application/json, text/event-stream", t.Context(), 2,
			"data: {\"a\":1}\n\ndata: {\"a\":1}\n\ndata: {\"r\":1}\n\n", "text/event-stream"},
		"JSON alone":   {"application/json", t.Context(), 2, "{\"r\":1}\n", "application/json"},
		"context over": {"text/event-stream", ended, 1, "{\"r\":1}\n", "application/json"},
	} {
		w := httptest.NewRecorder()
		p := newReply(deadlines{w}, &http.Request{Header: http.Header{"Accept": {tt.accept}}})
		for range tt.send {
			want := tt.ctx.Err()
			if !p.streams {
				want = errNoStream
			}
			if err := p.Send(tt.ctx, line); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", name, err, want)
			}
		}
		p.answer(http.StatusOK, [][]byte{[]byte(`{"r":`), []byte("1}\n")})
		if got := w.Body.String(); got != tt.want || w.Header().Get("Content-Type") != tt.kind {
			t.Errorf("%s: %q %v, want %q", name, got, w.Header(), tt.want)
		}
		if tt.kind == "text/event-stream" && w.Header().Get("X-Accel-Buffering") != "no" {
			t.Errorf("%s: proxies keep the stream back: %v", name, w.Header())
		}
		if err := p.Send(t.Context(), line); err == nil {
			t.Errorf("%s: said after the answer", name)
		}
	}
}

// A stream says that it is alive while there is nothing else to say.
func TestHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := httptest.NewRecorder()
		p := newReply(deadlines{w}, &http.Request{Header: http.Header{"Accept": {"text/event-stream"}}})
		p.open()
		for range 2 {
			<-time.After(heartbeat)
			synctest.Wait()
		}
		p.answer(http.StatusOK, [][]byte{[]byte("{}\n")})
		<-time.After(heartbeat)
		<-time.After(heartbeat)
		if got, want := w.Body.String(), ":\n\n:\n\ndata: {}\n\n"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// deadlines is a recorder that takes deadlines, as connections do.
type deadlines struct{ *httptest.ResponseRecorder }

func (deadlines) SetWriteDeadline(time.Time) error { return nil }
