package serve

import (
	"context"
	"io"
	"sync"
)

// lineWriter writes whole answers, one at a time. A client that does not read
// holds up whoever has an answer for it; only of what the reader of its messages
// answers itself, a little is queued, so that a cancellation is still read.
type lineWriter struct {
	turn   chan struct{} // taken by who writes
	w      io.Writer
	err    error
	failed chan struct{} // closed at the first error

	mu      sync.Mutex
	queue   []posted
	queued  int           // bytes of queue
	written chan struct{} // holds a token after every line of queue
}

// posted is a line of the queue.
type posted struct {
	parts [][]byte
	done  func()
}

// maxQueued is how many bytes are queued before the reader waits as well.
const maxQueued = 16 << 20

func newLineWriter(w io.Writer) *lineWriter {
	return &lineWriter{turn: make(chan struct{}, 1), w: w, failed: make(chan struct{}), written: make(chan struct{}, 1)}
}

// post writes the parts of one line after those that were posted before it,
// and calls done. It waits only where too much is queued. One goroutine posts.
func (lw *lineWriter) post(done func(), parts ...[]byte) {
	p := posted{parts, done}
	lw.mu.Lock()
	for lw.queued > maxQueued {
		lw.mu.Unlock()
		<-lw.written
		lw.mu.Lock()
	}
	lw.queue, lw.queued = append(lw.queue, p), lw.queued+p.size()
	if len(lw.queue) == 1 {
		go lw.drain()
	}
	lw.mu.Unlock()
}

func (p posted) size() (n int) {
	for _, part := range p.parts {
		n += len(part)
	}
	return n
}

// drain writes the queue until it is empty. What is being written is its first.
func (lw *lineWriter) drain() {
	lw.mu.Lock()
	defer lw.mu.Unlock()
	for len(lw.queue) > 0 {
		p := lw.queue[0]
		lw.mu.Unlock()
		_ = lw.write(context.Background(), nil, p.parts...) // who waits for failed sees an error
		p.done()
		lw.mu.Lock()
		lw.queue[0] = posted{}
		lw.queue, lw.queued = lw.queue[1:], lw.queued-p.size()
		select {
		case lw.written <- struct{}{}:
		default:
		}
	}
}

// write writes the parts of one line if still, asked when its turn has come,
// says so. It waits for its turn until ctx ends. After an error nothing is
// written any more.
func (lw *lineWriter) write(ctx context.Context, still func() bool, parts ...[]byte) error {
	select {
	case lw.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-lw.turn }()
	if lw.err != nil || still != nil && !still() {
		return lw.err
	}
	for _, p := range parts {
		if _, lw.err = lw.w.Write(p); lw.err != nil {
			close(lw.failed)
			return lw.err
		}
	}
	return nil
}

// failure is the error that closed failed, or nil. It does not wait for a write
// that is under way.
func (lw *lineWriter) failure() error {
	select {
	case <-lw.failed:
		return lw.err
	default:
		return nil
	}
}

// gate bounds the memory that waiting calls hold. Only one goroutine enters.
type gate struct {
	limit int
	freed chan struct{} // holds a token after every leave

	mu   sync.Mutex
	used int
}

func newGate(limit int) *gate {
	return &gate{limit: limit, freed: make(chan struct{}, 1)}
}

// enter waits until cost fits under the limit, or nothing else is inside, or
// ctx has ended.
func (g *gate) enter(ctx context.Context, cost int) {
	for !g.fits(cost, ctx.Err() != nil) {
		select {
		case <-g.freed:
		case <-ctx.Done():
		}
	}
}

func (g *gate) fits(cost int, anyhow bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !anyhow && g.used > 0 && g.used+cost > g.limit {
		return false
	}
	g.used += cost
	return true
}

func (g *gate) leave(cost int) {
	g.mu.Lock()
	g.used -= cost
	g.mu.Unlock()
	select {
	case g.freed <- struct{}{}:
	default:
	}
}
