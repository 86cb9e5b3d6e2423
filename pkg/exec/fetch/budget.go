package fetch

import (
	"context"
	"sync"
	"time"
)

// budget is a context that ends when its time is used up. Waiting for the limits of a
// host uses none: who sends a stream of requests waits for them as long as it takes.
type budget struct {
	context.Context
	outer  *budget // that Context was made from, nil for none
	cancel context.CancelCauseFunc

	mu    sync.Mutex
	timer *time.Timer
	left  time.Duration // at since
	since time.Time     // when the time began, or went on
	waits int           // that are under way
	held  time.Duration // of waits that are over
	began time.Time     // of the first that is under way
}

type budgetKey struct{}

// WithBudget is context.WithTimeout for time of which waits for the limits of hosts take
// none. The cause of its end is context.DeadlineExceeded, its error may be another.
func WithBudget(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	b := newBudget(ctx, d, context.DeadlineExceeded)
	return b, b.end
}

func newBudget(ctx context.Context, d time.Duration, cause error) *budget {
	b := &budget{outer: budgetOf(ctx), left: d, since: time.Now()}
	b.Context, b.cancel = context.WithCancelCause(ctx)
	b.timer = time.AfterFunc(d, func() { b.cancel(cause) })
	return b
}

func (b *budget) end() {
	b.timer.Stop()
	b.cancel(nil)
}

// budgetOf is the innermost one of a context, nil for none.
func budgetOf(ctx context.Context) *budget {
	b, _ := ctx.Value(budgetKey{}).(*budget)
	return b
}

// Value implements context.Context.
func (b *budget) Value(key any) any {
	if key == (budgetKey{}) {
		return b
	}
	return b.Context.Value(key)
}

// Deadline implements context.Context: the end if nothing waits from now on.
func (b *budget) Deadline() (time.Time, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := b.since.Add(b.left)
	if b.waits > 0 {
		at = time.Now().Add(b.left)
	}
	if outer, ok := b.Context.Deadline(); ok && outer.Before(at) {
		at = outer
	}
	return at, true
}

// again gives the budget its time anew.
func (b *budget) again(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left, b.since = d, time.Now()
	b.timer.Reset(d)
}

func (b *budget) hold() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waits++; b.waits == 1 {
		b.timer.Stop()
		b.began = time.Now()
		b.left -= b.began.Sub(b.since)
	}
}

func (b *budget) goOn() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waits--; b.waits == 0 {
		b.since = time.Now()
		b.held += b.since.Sub(b.began)
		b.timer.Reset(b.left)
	}
}

// Held is how much of the time of a context has gone to waits for the limits of hosts.
func Held(ctx context.Context) time.Duration {
	b := budgetOf(ctx)
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waits > 0 {
		return b.held + time.Since(b.began)
	}
	return b.held
}

// hold holds all budgets of a context until goOn.
func hold(ctx context.Context) (goOn func()) {
	inner := budgetOf(ctx)
	for b := inner; b != nil; b = b.outer {
		b.hold()
	}
	return func() {
		for b := inner; b != nil; b = b.outer {
			b.goOn()
		}
	}
}
