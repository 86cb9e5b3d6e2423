package http

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// reply is the response to one message: JSON, or a stream of events once there
// is something to say before the result. It implements serve.Conn.
type reply struct {
	w       http.ResponseWriter
	control *http.ResponseController
	streams bool // the client can read a stream

	mu      sync.Mutex
	started bool // as a stream
	done    bool
	beat    *time.Timer
	err     error
}

const (
	// heartbeat is how often a stream says something, so that nobody on the way
	// takes it for dead.
	heartbeat = 15 * time.Second
	// stalled is how long a client may read nothing of what is sent to it.
	stalled = time.Minute
	// chunk is how many bytes a client has that long for.
	chunk = 256 << 10
)

var (
	errDone     = errors.New("the answer is written already")
	errNoStream = errors.New("the client does not accept text/event-stream")
)

func newReply(w http.ResponseWriter, r *http.Request) *reply {
	return &reply{w: w, control: http.NewResponseController(w), streams: readsStreams(r)}
}

func readsStreams(r *http.Request) bool {
	return strings.Contains(strings.Join(r.Header.Values("Accept"), ","), "text/event-stream")
}

// Send sends a notification, or a request, ahead of the result. To a client that
// reads no streams nothing can be sent.
func (p *reply) Send(ctx context.Context, line []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !p.streams:
		return errNoStream
	case p.done:
		return errDone
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	p.begin()
	return p.event(line)
}

// open begins a stream that may have nothing to say for long.
func (p *reply) open() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begin()
	p.flush()
}

// begin begins, under the lock, a stream.
func (p *reply) begin() {
	if p.started {
		return
	}
	p.started = true
	h := p.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	p.w.WriteHeader(http.StatusOK)
	p.beat = time.AfterFunc(heartbeat, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !p.done && p.err == nil {
			p.write([]byte(":\n\n"))
			p.beat.Reset(heartbeat)
		}
	})
}

// event writes, under the lock, a message as an event.
func (p *reply) event(line ...[]byte) error {
	p.write(append(append([][]byte{[]byte("data: ")}, line...), []byte("\n"))...)
	return p.err
}

// write writes, under the lock, until something goes wrong.
func (p *reply) write(parts ...[]byte) {
	for _, part := range parts {
		for some := range slices.Chunk(part, chunk) {
			if p.err == nil {
				_ = p.control.SetWriteDeadline(time.Now().Add(stalled)) // all connections of net/http can
				_, p.err = p.w.Write(some)
			}
		}
	}
	p.flush()
}

func (p *reply) flush() {
	if p.err == nil {
		p.err = p.control.Flush()
	}
}

// answer writes what ends the response. Without parts there is nothing to say.
func (p *reply) answer(status int, parts [][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return
	}
	p.done = true
	if p.started {
		p.beat.Stop()
		if parts != nil {
			_ = p.event(parts...) // the client is gone, which is its own affair
		}
		return
	}
	if parts == nil {
		p.w.WriteHeader(status)
		return
	}
	n := 0
	for _, part := range parts {
		n += len(part)
	}
	h := p.w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(n))
	h.Set("Cache-Control", "no-store")
	p.w.WriteHeader(status)
	p.write(parts...)
}
