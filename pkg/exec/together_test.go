package exec

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/cache"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// TestEqualCallsAreOne: of equal calls at the same time, whose answer may be cached, one
// is sent, and its answer is that of all, failures too. What may change something is sent
// each time, and so is what is not cached.
func TestEqualCallsAreOne(t *testing.T) {
	const calls = 10
	for _, tt := range []struct {
		name, method, more string
		status             int
		o                  cache.Options
		sent               int32
		want               string // in each envelope
	}{
		{"cold", "GET", preloadHour, 200, cache.Options{}, 1, `"cache":{"state":"miss","fetchedAt":"`},
		{"refreshed", "GET", preloadHour, 200, cache.Options{Refresh: true}, 1, `{"state":"refresh","fetchedAt":"`},
		{"refused", "GET", preloadHour, 404, cache.Options{}, 1, `EXE040 find: api.com answered 404`},
		{"too large to cache", "GET", preloadHour, 200, cache.Options{Size: 10}, 1,
			"the answer is not cached (it takes "},
		{"POST that reads", "POST", preloadHour + `,"meta":{"isReadOnly":true}`, 200, cache.Options{}, 1, `"miss"`},
		{"POST", "POST", preloadHour, 200, cache.Options{}, calls, `"miss"`},
		{"GET that changes something", "GET", preloadHour + `,"meta":{"isReadOnly":false}`, 200, cache.Options{}, calls,
			`"miss"`},
		{"not cached", "GET", "", 200, cache.Options{}, calls, `"status":true`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "cache")
			synctest.Test(t, func(t *testing.T) {
				var sent atomic.Int32
				_, client := newFakeNet(t, apiNames(), fetch.Options{}, func(w http.ResponseWriter, _ *http.Request) {
					sent.Add(1)
					time.Sleep(time.Second)
					w.WriteHeader(tt.status)
					_, _ = io.WriteString(w, `{"n":1}`)
				})
				tt.o.Dir = dir
				c := &Caller{Client: client, Env: env(nil), Cache: cache.New(tt.o)}
				list := make([]*record.Envelope, calls)
				var wg sync.WaitGroup
				for i := range list {
					wg.Go(func() {
						list[i] = c.Call(t.Context(), findTool(t, tt.method, tt.more), ordjson.Value{}, Options{})
					})
				}
				wg.Wait()
				for _, e := range list {
					got := string(e.AppendJSON(nil))
					if ok := tt.status == 200; e.Status != ok || e.HTTPStatus != list[0].HTTPStatus ||
						!strings.Contains(got, tt.want) {
						t.Errorf("%s, want %s", got, tt.want)
					}
				}
				if sent.Load() != tt.sent {
					t.Errorf("sent %d times, want %d", sent.Load(), tt.sent)
				}
			})
		})
	}
}

func findTool(t *testing.T, method, more string) *Tool {
	return tool(t, `{"name":"find","method":"`+method+`","root":"https://api.com","path":"/","serverParams":[],`+
		`"parameters":[]`+more+`}`)
}

// TestEqualCallsGiveUp: who gives up gets no answer, and the others get one: where the
// one that was sent gave up, another is.
func TestEqualCallsGiveUp(t *testing.T) {
	for first, sent := range map[bool]int32{true: 2, false: 1} {
		t.Run(fmt.Sprint("the first ", first), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "cache")
			synctest.Test(t, func(t *testing.T) {
				var n atomic.Int32
				_, client := newFakeNet(t, apiNames(), fetch.Options{}, func(w http.ResponseWriter, r *http.Request) {
					n.Add(1)
					select {
					case <-time.After(10 * time.Second):
					case <-r.Context().Done():
					}
					_, _ = io.WriteString(w, `{"n":1}`)
				})
				c := &Caller{Client: client, Env: env(nil), Cache: cache.New(cache.Options{Dir: dir})}
				ctx, give := context.WithCancel(t.Context())
				time.AfterFunc(5*time.Second, give)
				var wg sync.WaitGroup
				for i := range 4 {
					gives := i == 1 || first && i == 0
					of := t.Context()
					if gives {
						of = ctx
					}
					wg.Go(func() {
						e := c.Call(of, findTool(t, "GET", preloadHour), ordjson.Value{}, Options{})
						if gives {
							expect(t, e, false, "EXE036 find: ")
							return
						}
						expect(t, e, true, `{"n":1}`)
					})
					synctest.Wait()
				}
				wg.Wait()
				if n.Load() != sent {
					t.Errorf("sent %d times, want %d", n.Load(), sent)
				}
			})
		})
	}
}

// TestEqualCallsWait: waiting for an equal call takes no time of a call, as waiting for
// limits; where that counts, it ends with its own time.
func TestEqualCallsWait(t *testing.T) {
	for _, count := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "cache")
		synctest.Test(t, func(t *testing.T) {
			_, client := newFakeNet(t, apiNames(), fetch.Options{}, func(w http.ResponseWriter, _ *http.Request) {
				time.Sleep(20 * time.Second)
				_, _ = io.WriteString(w, `{"n":1}`)
			})
			if count {
				client.CountWaits()
			}
			c := &Caller{Client: client, Env: env(nil), Cache: cache.New(cache.Options{Dir: dir})}
			call := func(d time.Duration) *record.Envelope {
				ctx, cancel := fetch.WithBudget(t.Context(), d)
				defer cancel()
				return c.Call(ctx, findTool(t, "GET", preloadHour), ordjson.Value{}, Options{})
			}
			var wg sync.WaitGroup
			wg.Go(func() { expect(t, call(40*time.Second), true, `{"n":1}`) })
			synctest.Wait()
			if count {
				expect(t, call(10*time.Second), false, "EXE035 find: an equal call")
			} else {
				expect(t, call(10*time.Second), true, `{"n":1}`)
			}
			wg.Wait()
		})
	}
}
