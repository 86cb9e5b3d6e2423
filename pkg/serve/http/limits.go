package http

import (
	"context"
	"math"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/flowmcp/fmcp/pkg/serve/auth"
)

// flight counts the requests that are under way, up to a limit.
type flight struct {
	max int

	mu      sync.Mutex
	n       int
	landing bool          // no more
	landed  chan struct{} // closed once landing and none is under way
}

func newFlight(most int) *flight { return &flight{max: most, landed: make(chan struct{})} }

// enter says whether a request may be taken on; leave is to be called if so.
func (f *flight) enter() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.landing || f.n >= f.max {
		return false
	}
	f.n++
	return true
}

func (f *flight) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n--
	f.check()
}

// land takes no more requests.
func (f *flight) land() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.landing = true
	f.check()
}

func (f *flight) check() {
	if f.landing && f.n == 0 {
		close(f.landed)
	}
}

func (f *flight) closed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.landing
}

// rates limits how often each caller may ask.
type rates struct {
	every rate.Limit // 0 for no limit
	burst int

	mu sync.Mutex
	of map[string]*rate.Limiter
}

// maxRates is how many callers are told apart at a time.
const maxRates = 10_000

func newRates(between time.Duration) *rates {
	r := &rates{of: map[string]*rate.Limiter{}}
	if between > 0 {
		// Clients ask in bursts when they start: several lists at once.
		r.every, r.burst = rate.Every(between), max(20, int(time.Second/between))
	}
	return r
}

// wait says how long a caller has to wait; 0 if not at all.
func (r *rates) wait(who string) time.Duration {
	if r.every == 0 {
		return 0
	}
	r.mu.Lock()
	l := r.of[who]
	if l == nil {
		if len(r.of) >= maxRates {
			r.forget()
		}
		l = rate.NewLimiter(r.every, r.burst)
		r.of[who] = l
	}
	r.mu.Unlock()
	asked := l.Reserve()
	d := asked.Delay()
	if d > 0 {
		asked.Cancel()
	}
	return d
}

// forget drops, under the lock, the callers that have not asked for a while, and
// all of them if there are none of those.
func (r *rates) forget() {
	for who, l := range r.of {
		if l.Tokens() >= float64(r.burst) {
			delete(r.of, who)
		}
	}
	if len(r.of) >= maxRates {
		clear(r.of)
	}
}

// callerKey is what a caller is told apart by: the name, or the address. Of IPv6
// a customer has a whole network of addresses.
func callerKey(r *http.Request, who auth.Caller) string {
	if who.Name != "" {
		return who.Name
	}
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	ip := at.Addr().Unmap()
	if ip.Is6() {
		return netip.PrefixFrom(ip, 64).Masked().String()
	}
	return ip.String()
}

// seconds is the value of Retry-After.
func seconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }

// endWith returns a context that ends with either of two.
func endWith(ctx, other context.Context) (context.Context, context.CancelCauseFunc) {
	both, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(other, func() { cancel(context.Cause(other)) })
	return both, func(cause error) { stop(); cancel(cause) }
}
