package fetch

import (
	"context"
	"math"
	"sync"
	"time"
)

// Starts says when requests to a host may start, for several processes. It reports its errors
// to the user itself; the process then limits its requests alone.
type Starts interface {
	// Start takes the next start of a host, and says how long it is until then. Where that is
	// more than most, none is taken.
	Start(ctx context.Context, host string, interval, most time.Duration) (wait time.Duration, err error)
}

// limits hold back calls per host, so that a stream of requests does not
// become an attack on a provider. The zero value limits nothing.
type limits struct {
	calls    int           // requests under way to one host; 0 for none
	interval time.Duration // between the starts of two requests to one host; 0 for none
	starts   Starts        // with other processes, nil for this one alone
	counted  bool          // waits are time of the call

	mu    sync.Mutex
	hosts map[string]*hostLimit // by host:port; as many as the catalog has
}

type hostLimit struct {
	slots chan struct{}
	next  time.Time // when the next request may start
}

func (l *limits) host(host string) *hostLimit {
	l.mu.Lock()
	defer l.mu.Unlock()
	h, ok := l.hosts[host]
	if !ok {
		if l.hosts == nil {
			l.hosts = map[string]*hostLimit{}
		}
		h = &hostLimit{slots: make(chan struct{}, l.calls)}
		l.hosts[host] = h
	}
	return h
}

// enter waits until a request to host may start. release is to be called once
// its answer is read.
func (l *limits) enter(ctx context.Context, host string) (release func(), err error) {
	release = func() {}
	defer l.hold(ctx)()
	if l.calls > 0 {
		h := l.host(host)
		select {
		case h.slots <- struct{}{}:
		default:
			select {
			case h.slots <- struct{}{}:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		release = func() { <-h.slots }
	}
	if err := l.pace(ctx, host); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// hold holds the time of a call while it waits.
func (l *limits) hold(ctx context.Context) (goOn func()) {
	if l.counted {
		return func() {}
	}
	return hold(ctx)
}

// pace waits for the start that the host's rate allows. A call that would have
// to wait for longer than it may last is refused at once and takes no start.
func (l *limits) pace(ctx context.Context, host string) error {
	if l.interval <= 0 {
		return nil
	}
	most := time.Duration(math.MaxInt64)
	if deadline, ok := l.latest(ctx); ok {
		most = time.Until(deadline)
	}
	wait := l.start(ctx, host, most)
	if wait > most {
		return fail(CodeTimeout, "%s is called as often as --host-rate allows, and the next start is %s away, after "+
			"--timeout: call less often, or raise one of them", host, wait.Round(time.Millisecond))
	}
	return pause(ctx, wait)
}

// start takes the next start of a host, unless it is more than most away.
func (l *limits) start(ctx context.Context, host string, most time.Duration) (wait time.Duration) {
	if l.starts != nil {
		if wait, err := l.starts.Start(ctx, host, l.interval, most); err == nil {
			return wait
		}
	}
	h := l.host(host)
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	start := h.next
	if start.Before(now) {
		start = now
	}
	if wait = start.Sub(now); wait <= most {
		h.next = start.Add(l.interval)
	}
	return wait
}

// latest is until when a call may wait, whatever becomes of its time.
func (l *limits) latest(ctx context.Context) (time.Time, bool) {
	for b := budgetOf(ctx); b != nil && !l.counted; b = b.outer {
		ctx = b.Context
	}
	return ctx.Deadline()
}

// pause waits, or returns the context's error.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
