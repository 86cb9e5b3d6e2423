package stage

import (
	"context"
	"sync"
	"time"
)

// inline is a pipeline of one job: the source's own goroutine takes each batch
// through all steps into the sink. Among the commands of a pipe, which the
// system runs side by side, handing batches from goroutine to goroutine would
// only cost.
type inline struct {
	ctx   context.Context
	steps []Step
	sink  func(*Item) error
	flush func() error

	mu      sync.Mutex // held while anything is under way
	flushed time.Time
	idle    *time.Timer
	ended   bool
	err     error
}

// idleAfter is how long records wait for more at most, as in ndjson.Drain: the
// next command has something to do, and a slow source's records leave.
const idleAfter = time.Millisecond

func runInline(ctx context.Context, source Source, steps []Step, sink func(*Item) error, flush func() error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p := &inline{ctx: ctx, steps: fuse(steps), sink: sink, flush: flush}
	p.idle = time.AfterFunc(time.Hour, p.whenIdle)
	done := make(chan error, 1)
	go func() { done <- source(ctx, p.send) }()
	select {
	case err := <-done:
		return p.end(err)
	case <-ctx.Done():
		// The source is not waited for: it may be stuck reading.
		return p.end(context.Cause(ctx))
	}
}

// send takes a batch through the steps.
func (p *inline) send(b Batch) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || p.err != nil || p.ctx.Err() != nil {
		return false
	}
	if !p.deliver(p.steps, b) {
		return false
	}
	if time.Since(p.flushed) < idleAfter {
		p.idle.Reset(idleAfter)
		return true
	}
	p.err = p.flush()
	p.flushed = time.Now()
	return p.err == nil
}

// deliver takes a batch through steps into the sink.
func (p *inline) deliver(steps []Step, b Batch) bool {
	for _, s := range steps {
		if p.err = s.observe(b); p.err != nil {
			return false
		}
		b = s.apply(p.ctx, b)
	}
	for _, it := range b {
		if p.err = p.sink(it); p.err != nil {
			return false
		}
	}
	return true
}

// finish takes what each step has left to say through the steps behind it.
func (p *inline) finish() {
	for i, s := range p.steps {
		if s.Finish == nil {
			continue
		}
		err := s.Finish(p.ctx, func(b Batch) bool { return p.deliver(p.steps[i+1:], b) })
		if p.err == nil {
			p.err = err
		}
		if p.err != nil {
			return
		}
	}
}

func (p *inline) whenIdle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended && p.err == nil {
		p.err = p.flush()
	}
}

// end flushes what is left and returns the first error.
func (p *inline) end(sourceErr error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle.Stop()
	p.ended = true
	if p.err == nil && sourceErr == nil && p.ctx.Err() == nil {
		p.finish()
	}
	if err := p.flush(); p.err == nil {
		p.err = err
	}
	if p.err == nil {
		p.err = sourceErr
	}
	return p.err
}
