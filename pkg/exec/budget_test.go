package exec

import (
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// TestWaitingForLimitsIsNotTimeOfCalls: a call that waits for the limits of its host has
// its whole time when it starts, and no more; a redirect and a further try wait alike.
func TestWaitingForLimitsIsNotTimeOfCalls(t *testing.T) {
	const s = time.Second
	slow := func(*http.Request, int32) (time.Duration, int) { return 40 * s, 200 }
	redirected := func(d time.Duration) func(r *http.Request, n int32) (time.Duration, int) {
		return func(r *http.Request, _ int32) (time.Duration, int) {
			if r.URL.Path == "/" {
				return d, 302
			}
			return d, 200
		}
	}
	for _, tt := range []struct {
		name   string
		o      fetch.Options
		answer func(r *http.Request, n int32) (time.Duration, int) // how long it takes, and its status
		calls  int
		took   time.Duration
		want   string
	}{
		{"a rate", fetch.Options{HostInterval: 30 * s}, slow, 5, 4*30*s + 40*s, "1"},
		{"calls under way", fetch.Options{HostCalls: 1}, slow, 5, 5 * 40 * s, "1"},
		{"a slow answer after a wait", fetch.Options{HostInterval: 100 * s},
			func(_ *http.Request, n int32) (time.Duration, int) { return time.Duration(n-1) * 50 * s, 200 },
			2, 145 * s, "EXE035 find: api.com gave no whole answer within 45s"},
		{"a redirect", fetch.Options{HostInterval: 60 * s}, redirected(20 * s), 1, 60*s + 20*s, "1"},
		{"a redirect, slow in all", fetch.Options{HostInterval: 60 * s}, redirected(30 * s), 1, 60*s + 15*s, "EXE035"},
		{"a further try", fetch.Options{HostInterval: 60 * s, Retries: 1, RetryWait: s},
			func(_ *http.Request, n int32) (time.Duration, int) { return 0, 503 - int(n-1)*303 }, 1, 60 * s, "1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var n atomic.Int32
				_, client := newFakeNet(t, apiNames(), tt.o, func(w http.ResponseWriter, r *http.Request) {
					d, status := tt.answer(r, n.Add(1))
					select {
					case <-time.After(d):
					case <-r.Context().Done():
					}
					w.Header().Set("Location", "/end")
					w.WriteHeader(status)
					_, _ = io.WriteString(w, "1")
				})
				c := &Caller{Client: client, Env: env(nil)}
				start := time.Now()
				list := make([]*record.Envelope, tt.calls)
				var wg sync.WaitGroup
				for i := range list {
					wg.Go(func() {
						list[i] = c.Call(t.Context(), bareTool(t, "GET", "https://api.com"), ordjson.Value{}, Options{})
					})
					synctest.Wait() // they wait in this order
				}
				wg.Wait()
				expect(t, list[tt.calls-1], tt.want == "1", tt.want)
				if took := time.Since(start); took != tt.took {
					t.Errorf("took %s, want %s", took, tt.took)
				}
			})
		})
	}
}

// TestWaitingForLimitsEnds: who gives up waits no longer, and a deadline that is none of
// a call's time holds: what cannot start in time is refused, and takes no start.
func TestWaitingForLimitsEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, client := newFakeNet(t, apiNames(), fetch.Options{HostInterval: time.Minute},
			func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "1") })
		c := &Caller{Client: client, Env: env(nil)}
		call := func(ctx context.Context) *record.Envelope {
			return c.Call(ctx, bareTool(t, "GET", "https://api.com"), ordjson.Value{}, Options{})
		}
		expect(t, call(t.Context()), true, "1")
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Second)
		defer cancel()
		expect(t, call(ctx), false, "EXE035")
		if took := time.Since(start); took != 0 {
			t.Errorf("refused after %s", took)
		}
		ctx, give := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Second, give)
		expect(t, call(ctx), false, "EXE036 find: the call was cancelled while --host-calls or --host-rate held it "+
			"back: api.com has not got the request")
		if took := time.Since(start); took != 50*time.Second {
			t.Errorf("gave up after %s", took)
		}
		expect(t, call(t.Context()), true, "1")
		if took := time.Since(start); took != 2*time.Minute {
			t.Errorf("the next start after %s", took)
		}
	})
}

// TestBudgetHolds: the time of a call that makes several requests goes on when none of
// them waits any more; what they waited is told.
func TestBudgetHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, client := newFakeNet(t, apiNames(), fetch.Options{HostInterval: time.Minute},
			func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "1") })
		c := &Caller{Client: client, Env: env(nil)}
		ctx, cancel := fetch.WithBudget(t.Context(), 10*time.Second)
		defer cancel()
		time.Sleep(4 * time.Second)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				expect(t, c.Call(ctx, bareTool(t, "GET", "https://api.com"), ordjson.Value{}, Options{}), true, "1")
			})
		}
		wg.Wait()
		if held := fetch.Held(ctx); held != 2*time.Minute {
			t.Errorf("held for %s", held)
		}
		if at, ok := ctx.Deadline(); !ok || time.Until(at) != 6*time.Second {
			t.Errorf("left: %s", time.Until(at))
		}
		<-ctx.Done()
		if d := fetch.Held(t.Context()); d != 0 || context.Cause(ctx) != context.DeadlineExceeded {
			t.Errorf("ended by %v, and %s without a budget", context.Cause(ctx), d)
		}
	})
}

// TestCancelledSaysWhatMayBe: who is to repeat a call that was cancelled has to know
// whether it may have had its effect.
func TestCancelledSaysWhatMayBe(t *testing.T) {
	for method, want := range map[string]string{
		"GET":  "EXE036 find: the call was cancelled before api.com answered",
		"POST": "answered: the POST may have had its effect all the same, so look before you try again",
	} {
		synctest.Test(t, func(t *testing.T) {
			_, client := newFakeNet(t, apiNames(), fetch.Options{}, func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				<-r.Context().Done()
			})
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			c := &Caller{Client: client, Env: env(nil)}
			expect(t, c.Call(ctx, bareTool(t, method, "https://api.com"), ordjson.Value{}, Options{}), false, want)
		})
	}
}
