package exec

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// TestHostLimits: how many requests are under way to a host, and how often one
// starts; another host has its own.
func TestHostLimits(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name  string
		o     fetch.Options
		calls int // to each of two hosts; an answer takes a second
		took  time.Duration
		peak  int32 // under way to both
	}{
		{"as many as wanted", fetch.Options{HostCalls: 20}, 20, s, 40},
		{"the default", fetch.Options{}, 17, 2 * s, 32},
		{"two at a time", fetch.Options{HostCalls: 2}, 10, 5 * s, 4},
		{"one at a time", fetch.Options{HostCalls: 1}, 3, 3 * s, 2},
		{"one every 3 s", fetch.Options{HostInterval: 3 * s}, 4, 10 * s, 2},
		{"two a second, one at a time", fetch.Options{HostInterval: s / 2, HostCalls: 1}, 4, 4 * s, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var now, peak atomic.Int32
				names := map[string]string{"api.com": "93.184.216.34", "other.com": "1.1.1.1"}
				_, client := newFakeNet(t, names, tt.o, func(w http.ResponseWriter, _ *http.Request) {
					peak.Store(max(peak.Load(), now.Add(1)))
					time.Sleep(s)
					now.Add(-1)
					_, _ = io.WriteString(w, "1")
				})
				c := &Caller{Client: client, Env: env(nil)}
				start := time.Now()
				var wg sync.WaitGroup
				for range tt.calls {
					for _, host := range []string{"api.com", "other.com"} {
						wg.Go(func() {
							expect(t, c.Call(t.Context(), bareTool(t, "GET", "https://"+host), ordjson.Value{},
								Options{}), true, "1")
						})
					}
				}
				wg.Wait()
				if took := time.Since(start); took != tt.took || peak.Load() != tt.peak {
					t.Errorf("took %s with %d under way, want %s with %d", took, peak.Load(), tt.took, tt.peak)
				}
			})
		})
	}
}

// TestHostRateBeyondTimeout: where waits are time of calls, one that could not start in time fails at
// once, and takes no start from others.
func TestHostRateBeyondTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, client := newFakeNet(t, apiNames(), fetch.Options{HostInterval: 30 * time.Second},
			func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "1") })
		client.CountWaits()
		c := &Caller{Client: client, Env: env(nil)}
		call := func() *record.Envelope {
			return c.Call(t.Context(), bareTool(t, "GET", "https://api.com"), ordjson.Value{}, Options{})
		}
		expect(t, call(), true, "1")
		var second *record.Envelope
		var wg sync.WaitGroup
		wg.Go(func() { second = call() })
		synctest.Wait()
		start := time.Now()
		expect(t, call(), false, "EXE035 find: api.com:443 is called as often as --host-rate allows, and the next "+
			"start is 1m0s away")
		if took := time.Since(start); took != 0 {
			t.Errorf("refused after %s", took)
		}
		wg.Wait()
		expect(t, second, true, "1")
	})
}

// TestRedirectsCountForTheRate: a redirect is a request too.
func TestRedirectsCountForTheRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, client := newFakeNet(t, apiNames(), fetch.Options{HostInterval: 2 * time.Second},
			func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/" {
					http.Redirect(w, r, "/end", http.StatusFound)
					return
				}
				_, _ = io.WriteString(w, "1")
			})
		start := time.Now()
		expect(t, (&Caller{Client: client, Env: env(nil)}).Call(t.Context(), bareTool(t, "GET", "https://api.com"),
			ordjson.Value{}, Options{}), true, "1")
		if took := time.Since(start); took != 2*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

// TestGzipIsLimitedUnpacked: 20 KB that expand to 20 MB.
func TestGzipIsLimitedUnpacked(t *testing.T) {
	for _, tt := range []struct {
		size  int
		o     fetch.Options
		whole bool
	}{{20 << 20, fetch.Options{}, false}, {10<<20 + 1, fetch.Options{}, false}, {10 << 20, fetch.Options{}, true},
		{1001, fetch.Options{MaxResponse: 1000}, false}, {1000, fetch.Options{MaxResponse: 1000}, true}} {
		t.Run(fmt.Sprint(tt.size), func(t *testing.T) {
			_, client := newFakeNet(t, apiNames(), tt.o, func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Accept-Encoding") != "gzip" {
					t.Error("gzip is not asked for")
				}
				w.Header().Set("Content-Encoding", "gzip")
				z := gzip.NewWriter(w)
				_, _ = io.WriteString(z, strings.Repeat(" ", tt.size-1)+"7")
				_ = z.Close()
			})
			e := (&Caller{Client: client, Env: env(nil)}).Call(t.Context(), bareTool(t, "GET", "https://api.com"),
				ordjson.Value{}, Options{})
			if tt.whole {
				expect(t, e, true, "7")
			} else {
				expect(t, e, false, "EXE037 find: the answer is larger than ")
				expect(t, e, false, "--max-response")
			}
		})
	}
}
