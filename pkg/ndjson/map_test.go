package ndjson

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// feed delivers 0 … n-1 and closes the channel.
func feed(n int) <-chan int {
	in := make(chan int)
	go func() {
		defer close(in)
		for i := range n {
			in <- i
		}
	}()
	return in
}

// Every test here runs in a bubble, which fails if a goroutine is left behind.
func forWorkers(t *testing.T, test func(t *testing.T, workers int)) {
	for _, workers := range []int{-1, 0, 1, 2, 8} {
		t.Run(fmt.Sprint(workers, " workers"), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test(t, workers) })
		})
	}
}

func TestMapOrder(t *testing.T) {
	forWorkers(t, func(t *testing.T, workers int) {
		const n = 1000
		i := 0
		for o := range Map(t.Context(), workers, feed(n), func(i int) int {
			time.Sleep(time.Duration(i*7919%13) * time.Millisecond) // bubble time: later items finish first
			return i * i
		}) {
			if o != i*i {
				t.Fatalf("result %d is %d, want %d", i, o, i*i)
			}
			i++
		}
		if i != n {
			t.Errorf("%d results, want %d", i, n)
		}
	})
}

func TestMapEmpty(t *testing.T) {
	forWorkers(t, func(t *testing.T, workers int) {
		for o := range Map(t.Context(), workers, feed(0), func(i int) int { return i }) {
			t.Errorf("result %d of nothing", o)
		}
	})
}

func TestMapParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		for range Map(t.Context(), 8, feed(8), func(int) int { time.Sleep(time.Second); return 0 }) {
		}
		if d := time.Since(start); d != time.Second {
			t.Errorf("8 calls of a second by 8 workers took %v", d)
		}
	})
}

func TestMapBackpressure(t *testing.T) {
	forWorkers(t, func(t *testing.T, workers int) {
		var taken atomic.Int64
		in := make(chan int)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for i := 0; ; i++ {
				select {
				case in <- i:
					taken.Add(1)
				case <-ctx.Done():
					return
				}
			}
		}()
		out := Map(ctx, workers, in, func(i int) int { return i })
		limit := int64(2*workers + 2)
		if workers <= 1 {
			limit = 1
		}
		synctest.Wait() // the consumer does not read
		if n := taken.Load(); n < 1 || n > limit {
			t.Errorf("%d items in flight, want at most %d", n, limit)
		}
		<-out
		synctest.Wait()
		if n := taken.Load(); n > limit+1 {
			t.Errorf("%d items taken after one was delivered, want at most %d", n, limit+1)
		}
		cancel()
	})
}

func TestMapCancel(t *testing.T) {
	waiting := map[string]func(ctx context.Context, workers int) <-chan int{
		"for input": func(ctx context.Context, workers int) <-chan int {
			return Map(ctx, workers, make(chan int), func(i int) int { return i })
		},
		"for the consumer": func(ctx context.Context, workers int) <-chan int {
			full := make(chan int, 100)
			for i := range 100 {
				full <- i
			}
			return Map(ctx, workers, full, func(i int) int { return i })
		},
		"for a call": func(ctx context.Context, workers int) <-chan int {
			full := make(chan int, 100)
			for i := range 100 {
				full <- i
			}
			return Map(ctx, workers, full, func(i int) int { <-ctx.Done(); return i })
		},
	}
	for name, start := range waiting {
		t.Run(name, func(t *testing.T) {
			forWorkers(t, func(t *testing.T, workers int) {
				ctx, cancel := context.WithCancel(t.Context())
				out := start(ctx, workers)
				synctest.Wait()
				cancel()
				synctest.Wait() // the bubble fails the test if a goroutine stays
				n := 0
				for range out {
					n++
				}
				if n > 1 {
					t.Errorf("%d results after the end", n)
				}
			})
		})
	}
}

func TestMapLeavesNoGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		in := make(chan int, 10) // which stays open
		in <- 1
		out := Map(ctx, 8, in, func(i int) int { return i })
		<-out
		cancel()
		for range out {
		}
	})
}

// journal records the calls that Drain makes.
type journal []string

func (j *journal) emit(s string) error { *j = append(*j, s); return nil }
func (j *journal) flush() error        { *j = append(*j, "flush"); return nil }

func TestDrainBatches(t *testing.T) {
	out := make(chan string, 3)
	out <- "a"
	out <- "b"
	out <- "c"
	close(out)
	var j journal
	if err := Drain(t.Context(), out, j.emit, j.flush); err != nil {
		t.Fatal(err)
	}
	if want := (journal{"a", "b", "c", "flush"}); !slices.Equal(j, want) {
		t.Errorf("%v, want %v", j, want)
	}
}

func TestDrainIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := make(chan string)
		var j journal
		done := make(chan error)
		go func() { done <- Drain(t.Context(), out, j.emit, j.flush) }()
		for _, s := range []string{"a", "b"} {
			j = nil
			out <- s
			time.Sleep(2 * idleAfter) // bubble time: a slow producer
			synctest.Wait()
			if want := (journal{s, "flush"}); !slices.Equal(j, want) {
				t.Errorf("while the input is idle: %v, want %v", j, want)
			}
		}
		j = nil
		out <- "c"
		out <- "d" // at once: one batch
		time.Sleep(time.Hour)
		synctest.Wait()
		if want := (journal{"c", "d", "flush"}); !slices.Equal(j, want) {
			t.Errorf("after an hour: %v, want %v (one flush)", j, want)
		}
		close(out)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestDrainErrors(t *testing.T) {
	broken := errors.New("broken pipe")
	filled := func() <-chan string {
		c := make(chan string, 2)
		c <- "a"
		c <- "b"
		close(c)
		return c
	}
	t.Run("emit", func(t *testing.T) {
		calls := 0
		err := Drain(t.Context(), filled(), func(string) error { calls++; return broken }, func() error { return nil })
		if !errors.Is(err, broken) || calls != 1 {
			t.Errorf("%v after %d calls", err, calls)
		}
	})
	t.Run("flush at the end", func(t *testing.T) {
		err := Drain(t.Context(), filled(), func(string) error { return nil }, func() error { return broken })
		if !errors.Is(err, broken) {
			t.Error(err)
		}
	})
	t.Run("flush when idle", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			err := Drain(t.Context(), make(chan string), func(string) error { return nil },
				func() error { return broken })
			if !errors.Is(err, broken) {
				t.Error(err)
			}
		})
	})
	t.Run("cancelled", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			var j journal
			done := make(chan error)
			out := make(chan string)
			go func() { done <- Drain(ctx, out, j.emit, j.flush) }()
			out <- "a"
			cancel(broken)
			if err := <-done; !errors.Is(err, broken) {
				t.Errorf("%v, want the cause", err)
			}
			if want := (journal{"a", "flush"}); !slices.Equal(j, want) {
				t.Errorf("%v, want %v: what was emitted leaves", j, want)
			}
		})
	})
}
