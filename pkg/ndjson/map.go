package ndjson

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Map applies do to everything that in delivers, in up to workers goroutines,
// and delivers the results in the order of in. At most 2·workers+2 items are
// in flight: a consumer that does not read stops the producer. The result is
// closed when in is closed and everything has been delivered, or when ctx
// ends; in both cases no call of do is running any more.
func Map[I, O any](ctx context.Context, workers int, in <-chan I, do func(I) O) <-chan O {
	if workers <= 1 {
		return mapOne(ctx, in, do)
	}
	m := &ordered[I, O]{
		in: in, out: make(chan O), do: do,
		turn: make(chan struct{}, 1), room: make(chan struct{}, 2*workers+2), ring: make([]slot[O], 2*workers+2),
	}
	m.turn <- struct{}{}
	m.left.Store(int64(workers))
	for range workers {
		go m.work(ctx)
	}
	return m.out
}

// ordered is a Map at work. No goroutine but the workers has a part in it, as
// handing an item to another one costs as much as little work on it: they take
// the items in turns, and the one that ends the oldest hands out what is ready.
type ordered[I, O any] struct {
	in   <-chan I
	out  chan O
	do   func(I) O
	turn chan struct{} // holds one token: the worker that has it may take an item
	room chan struct{} // an element for each item in flight
	next int           // number of the next item; of the item whose turn it is
	left atomic.Int64  // workers

	mu      sync.Mutex
	ring    []slot[O] // results that wait, by number
	head    int       // number of the next result to hand out
	handing bool      // a worker hands out
}

type slot[O any] struct {
	value O
	ready bool
}

func (m *ordered[I, O]) work(ctx context.Context) {
	defer func() {
		if m.left.Add(-1) == 0 {
			close(m.out)
		}
	}()
	for {
		item, n, ok := m.take(ctx)
		if !ok || !m.deliver(ctx, n, m.do(item)) {
			return
		}
	}
}

// take returns the next item and its number.
func (m *ordered[I, O]) take(ctx context.Context) (item I, n int, ok bool) {
	if _, ok := receive(ctx, m.turn); !ok {
		return item, 0, false
	}
	defer func() { m.turn <- struct{}{} }()
	if !send(ctx, m.room, struct{}{}) {
		return item, 0, false
	}
	item, ok = receive(ctx, m.in)
	n = m.next
	m.next++
	return item, n, ok
}

// deliver keeps a result until those before it are out, and hands out what is
// ready by then, unless another worker is doing that. It returns false if there
// is no reader any more.
func (m *ordered[I, O]) deliver(ctx context.Context, n int, o O) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ring[n%len(m.ring)] = slot[O]{o, true}
	if m.handing {
		return true
	}
	m.handing = true
	for {
		s := &m.ring[m.head%len(m.ring)]
		if !s.ready {
			m.handing = false
			return true
		}
		o = s.value
		*s = slot[O]{}
		m.head++
		m.mu.Unlock()
		ok := send(ctx, m.out, o)
		<-m.room
		m.mu.Lock()
		if !ok {
			return false // handing stays: there is nothing to hand out any more
		}
	}
}

func mapOne[I, O any](ctx context.Context, in <-chan I, do func(I) O) <-chan O {
	out := make(chan O)
	go func() {
		defer close(out)
		for {
			item, ok := receive(ctx, in)
			if !ok || !send(ctx, out, do(item)) {
				return
			}
		}
	}()
	return out
}

// MapUnordered is Map that delivers each result as soon as it is there.
func MapUnordered[I, O any](ctx context.Context, workers int, in <-chan I, do func(I) O) <-chan O {
	out := make(chan O)
	var running sync.WaitGroup
	for range max(1, workers) {
		running.Go(func() {
			for {
				item, ok := receive(ctx, in)
				if !ok || !send(ctx, out, do(item)) {
					return
				}
			}
		})
	}
	go func() {
		running.Wait()
		close(out)
	}()
	return out
}

// Append delivers what in delivers, and then what last emits, unless ctx has
// ended by then; an emit that returns false says that it has.
func Append[T any](ctx context.Context, in <-chan T, last func(emit func(T) bool)) <-chan T {
	out := make(chan T)
	go func() {
		defer close(out)
		for {
			v, ok := receive(ctx, in)
			if !ok {
				break
			}
			if !send(ctx, out, v) {
				return
			}
		}
		if ctx.Err() == nil {
			last(func(v T) bool { return send(ctx, out, v) })
		}
	}()
	return out
}

// receive takes from c; ok is false where c is closed or ctx has ended.
func receive[T any](ctx context.Context, c <-chan T) (v T, ok bool) {
	if ctx.Err() != nil {
		return v, false
	}
	select {
	case v, ok = <-c:
	case <-ctx.Done():
	}
	return v, ok
}

// send gives v to c; it returns false where ctx ended first.
func send[T any](ctx context.Context, c chan<- T, v T) bool {
	select {
	case c <- v:
		return true
	case <-ctx.Done():
		return false
	}
}

// idleAfter is how long nothing must have come before Drain calls the stream
// idle. Without it a busy stream would be flushed after every record: a system
// call each, and a wake-up of the next command in the pipe.
const idleAfter = time.Millisecond

// Drain emits what out delivers, and flushes when nothing comes for a moment
// and at the end, so that the records of a slow producer leave at once and
// those of a fast one in batches. It returns the first error of emit or flush,
// or the cause of ctx's end.
func Drain[O any](ctx context.Context, out <-chan O, emit func(O) error, flush func() error) error {
	idle := time.NewTimer(idleAfter)
	defer idle.Stop()
	for {
		var o O
		var ok bool
		select {
		case o, ok = <-out:
		default:
			idle.Reset(idleAfter)
			select {
			case o, ok = <-out:
			case <-ctx.Done():
			case <-idle.C:
				if err := flush(); err != nil {
					return err
				}
				o, ok = receive(ctx, out)
			}
		}
		if !ok {
			if err := flush(); err != nil {
				return err
			}
			return context.Cause(ctx)
		}
		if err := emit(o); err != nil {
			return err
		}
	}
}
