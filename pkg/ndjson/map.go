package ndjson

import (
	"context"
	"sync"
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
	type job struct {
		item   I
		result chan O
	}
	jobs := make(chan job)
	order := make(chan chan O, 2*workers)
	out := make(chan O)

	go func() { // takes items in
		defer close(order)
		defer close(jobs)
		for {
			item, ok := receive(ctx, in)
			if !ok {
				return
			}
			j := job{item, make(chan O, 1)}
			if !send(ctx, order, j.result) || !send(ctx, jobs, j) {
				return
			}
		}
	}()
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for j := range jobs {
				j.result <- do(j.item)
			}
		})
	}
	go func() { // hands results out
		defer close(out)
		defer running.Wait()
		for result := range order {
			o, ok := receive(ctx, result)
			if !ok || !send(ctx, out, o) {
				return
			}
		}
	}()
	return out
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

// Append delivers what in delivers, and last, unless ctx has ended by then.
func Append[T any](ctx context.Context, in <-chan T, last func() T) <-chan T {
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
			send(ctx, out, last())
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
