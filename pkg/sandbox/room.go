package sandbox

import (
	"context"
	"slices"
)

// The processes of a pool share one budget of memory. A handler that runs counts
// as what it may take, one that waits for a fetch and one without a handler as
// what it holds. So no handler that runs is refused what it is entitled to:
// others wait for room before they begin.

const (
	// leastHeld is what a process counts as at least: the runtime of Go, and goja.
	leastHeld = 32 << 20
	// leastRuns is how many handlers the budget has room for at least, so that
	// some run while others wait.
	leastRuns = 4
)

// budget is how many bytes all processes may hold together.
func (p *Pool) budget() int64 {
	return max(int64(p.limits.Workers)*min(p.limits.Memory, DefaultMemory), leastRuns*p.limits.Memory)
}

// fits reports whether there is room for a handler in a process that counts as
// so many bytes already. Where nothing runs, one that waited goes on in any
// case: no other caller would make room. p.mu is held.
func (p *Pool) fits(counts int64) bool {
	others := p.held - counts
	return others == 0 || p.running == 0 && counts > 0 ||
		p.running < p.limits.Workers && others+p.limits.Memory <= p.budget()
}

// count says what a process counts as from now on. p.mu is held.
func (p *Pool) count(w *process, bytes int64) {
	p.held += bytes - w.counts
	w.counts = bytes
}

// free tells those that wait for room. p.mu is held.
func (p *Pool) free() {
	close(p.freed)
	p.freed = make(chan struct{})
}

// holds is what a process counts as while no handler runs in it.
func (p *Pool) holds(w *process) int64 {
	return min(max(w.memory.resident(), leastHeld), p.limits.Memory)
}

// wake has a process count as one whose handler runs, as soon as there is room.
func (p *Pool) wake(ctx context.Context, w *process) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.fits(w.counts) {
		if p.spare(nil) {
			continue
		}
		if err := p.waits(ctx); err != nil {
			return err
		}
	}
	p.count(w, p.limits.Memory)
	p.running++
	return nil
}

// rest has a process count as one that waits for a fetch.
func (p *Pool) rest(w *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	p.count(w, p.holds(w))
	p.free()
}

// waits waits until something was freed. p.mu is held before and after.
func (p *Pool) waits(ctx context.Context) error {
	freed := p.freed
	p.mu.Unlock()
	defer p.mu.Lock()
	select {
	case <-freed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// spare ends an idle worker but one to make room. p.mu is held.
func (p *Pool) spare(but *process) bool {
	i := slices.IndexFunc(p.idle, func(w *process) bool { return w != but })
	if i < 0 {
		return false
	}
	w := p.idle[i]
	p.idle = slices.Delete(p.idle, i, i+1)
	p.drop(w)
	return true
}

// drop ends a worker. p.mu is held.
func (p *Pool) drop(w *process) {
	w.kill()
	p.count(w, 0)
	p.free()
}

// take takes an idle worker, best one that knows the script, or else its
// libraries, or starts one, as soon as there is room for what it may hold.
func (p *Pool) take(ctx context.Context, s *Script) (*process, error) {
	w, err := p.idling(ctx, s)
	if w != nil || err != nil {
		return w, err
	}
	if w, err = startProcess(p.limits.Memory); err != nil {
		p.give(&process{counts: p.limits.Memory}, false, false)
		return nil, &HandlerError{Code: CodeStart, Msg: "no process could be started for the handlers: " + err.Error()}
	}
	w.counts = p.limits.Memory
	return w, nil
}

// idling waits for room and takes an idle worker, nil where one is to be
// started. Either way it counts as one whose handler runs.
func (p *Pool) idling(ctx context.Context, s *Script) (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.best(s)
	for ; !p.fits(w.counts); w = p.best(s) {
		if p.spare(w) {
			continue
		}
		if err := p.waits(ctx); err != nil {
			return nil, err
		}
	}
	p.running++
	if w.cmd == nil {
		p.held += p.limits.Memory
		return nil, nil
	}
	p.idle = slices.DeleteFunc(p.idle, func(idle *process) bool { return idle == w })
	if !w.known[s.Key] && p.grown(w) { // no schema pays for what another left
		p.drop(w)
		p.held += p.limits.Memory
		return nil, nil
	}
	p.count(w, p.limits.Memory)
	return w, nil
}

// best is the idle worker that suits a script best, an empty one if there is
// none. p.mu is held.
func (p *Pool) best(s *Script) *process {
	best, fit := &process{}, -1
	for _, w := range p.idle {
		if n := w.fits(s); n >= fit {
			best, fit = w, n
		}
	}
	return best
}

// grown reports whether a worker holds so much that a call may not get what it
// is entitled to.
func (p *Pool) grown(w *process) bool { return w.memory.resident() > p.limits.Memory/2 }

// give takes a worker back after a call, and keeps it for the next one if it is
// of use, has not grown, and there are not enough.
func (p *Pool) give(w *process, waiting, reusable bool) {
	w.calls++
	grown := len(w.known) >= maxScripts || w.calls%sizeInterval == 0 && p.grown(w)
	p.mu.Lock()
	defer p.mu.Unlock()
	if !waiting {
		p.running--
	}
	if !reusable || p.closed || grown || len(p.idle) >= p.limits.Workers {
		p.drop(w)
		return
	}
	p.idle = append(p.idle, w)
	p.count(w, p.holds(w))
	p.free()
}
