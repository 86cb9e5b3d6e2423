package sandbox

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"time"
)

// run is a call that is under way.
type run struct {
	*process
	clock    clock
	pool     *Pool
	answers  chan Request   // to its fetches
	sends    sync.WaitGroup // of them
	fetching chan struct{}  // a slot for each fetch that is made

	started  int  // fetches
	answered int  // … whose answers were sent
	loading  bool // … its libraries, before the handler runs
	waiting  bool // the handler waits for an answer, and its slot is another's
	reusable bool // the worker may take the next call
}

func (r *run) call(ctx context.Context, s Script, c Call) (json.RawMessage, error) {
	m := Request{Key: s.Key, Name: c.Name, Query: c.Query, Stage: c.Stage, Input: c.Input, Loose: s.Loose,
		Logs: c.Log != nil}
	if !r.known[s.Key] {
		m.Source, m.Lists, m.Uses = s.Source, s.Lists, s.uses()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := r.prepare(ctx, &s); err != nil {
		return nil, err
	}
	ran := r.pool.limits.Time
	switch r.loading = len(m.Uses) > 0; {
	case r.loading:
		ran = r.pool.limits.Load
	case c.Time != nil:
		ran = c.Time()
	}
	r.start(ran, r.pool.limits.Wait)
	if c.Held != nil {
		before := c.Held()
		r.clock.held = func() time.Duration { return c.Held() - before }
	}
	sent := r.begin(m)
	last, err := r.wait(ctx, c)
	if err != nil {
		return nil, r.blame(err, strings.Join(s.Libraries, ", "))
	}
	// An answer to what was not read whole would be out of step with the next,
	// and so would one that is written after the next call.
	r.sends.Wait()
	r.reusable = !last.lost && r.started == r.answered && <-sent == nil
	r.known[s.Key] = last.Error == nil || last.Error.Code != CodeFactory && last.Error.Code != CodeLibrary
	if last.Error != nil {
		return nil, last.Error
	}
	if last.Warning != nil && c.Warn != nil {
		c.Warn(last.Warning.Error())
	}
	return last.Output, nil
}

// wait answers fetches until the call ends, or one of its limits is reached.
func (r *run) wait(ctx context.Context, c Call) (Reply, error) {
	tick := time.NewTicker(MemoryInterval)
	defer tick.Stop()
	for {
		select {
		case got, ok := <-r.replies:
			switch {
			case !ok && ctx.Err() != nil:
				return Reply{}, ctx.Err()
			case !ok:
				return Reply{}, r.ended(r.pool.limits.Memory)
			case got.Waits > 0:
				r.pause(got)
				continue
			case got.Loaded:
				// What a library needs to start is not the handler's time. Some
				// start when they are used first: the tables of ENS in ethers.
				r.loading = false
				r.clock.ran += r.pool.limits.Time
				r.clock.note = ", and " + r.pool.limits.Load.String() + " for its libraries to start"
				continue
			case got.Log != nil:
				if c.Log != nil {
					c.Log(got.Log.Level, got.Log.Text)
				}
				continue
			case got.Request == nil && got.Tool == nil:
				return got, nil
			}
			if r.started++; r.started > MaxFetches {
				return Reply{}, &HandlerError{Code: CodeFetches, Msg: "the handler makes more than " +
					strconv.Itoa(MaxFetches) + " fetches in one call: it must do with fewer"}
			}
			go func() { r.answers <- r.fetch(ctx, c, got) }()
		case a := <-r.answers:
			if err := r.resume(ctx, a); err != nil {
				return Reply{}, err
			}
		case <-ctx.Done():
			return Reply{}, ctx.Err()
		case <-tick.C:
			if n := r.memory.resident(); n > r.pool.limits.Memory {
				return Reply{}, tooLarge(r.pool.limits.Memory)
			}
			if late := r.late(); late != nil {
				return Reply{}, late
			}
		}
	}
}

func tooLarge(limit int64) *HandlerError {
	return &HandlerError{Code: CodeMemory, Msg: "the handler needs more than " + strconv.FormatInt(limit>>20, 10) +
		" MiB of memory: ask for less, or raise --handler-memory"}
}

// pause gives the slot of a handler that waits to another, unless the answer
// that it waits for is on its way already.
func (r *run) pause(got Reply) {
	if !r.waiting && got.Waits == r.answered+1 && r.started > r.answered {
		r.waiting = true
		r.clock.rest()
		r.pool.rest(r.process)
	}
}

// resume sends an answer to a handler, which runs from then on.
func (r *run) resume(ctx context.Context, answer Request) error {
	if r.waiting {
		if err := r.pool.wake(ctx, r.process); err != nil {
			return err
		}
		r.waiting = false
		r.clock.wake()
	}
	r.answered++
	// A worker that does not read must not stop us; that it may not do for long.
	r.sends.Go(func() { _ = r.send(answer) })
	return nil
}

// enter takes a slot.
func enter(ctx context.Context, slots chan struct{}) error {
	select {
	case slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// fetch makes a fetch, or a call of a tool, as soon as fewer than maxOpen of this
// call are made.
func (r *run) fetch(ctx context.Context, c Call, got Reply) Request {
	made := enter(ctx, r.fetching) == nil
	if made {
		defer func() { <-r.fetching }()
	}
	if got.Tool != nil {
		answer := ToolAnswer{Error: "calls are not available here"}
		if c.Tool != nil && made {
			answer = c.Tool(ctx, *got.Tool)
		}
		return Request{Fetch: got.Fetch, Result: &answer}
	}
	answer := FetchAnswer{Error: "fetch is not available here"}
	switch {
	case c.Fetch != nil && made:
		answer = c.Fetch(ctx, *got.Request)
	case c.Fetch != nil:
		answer = FetchAnswer{Error: "the call has ended"}
	}
	return Request{Fetch: got.Fetch, Answer: &answer}
}
