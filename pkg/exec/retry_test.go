package exec

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func apiNames() map[string]string { return map[string]string{"api.com": "93.184.216.34"} }

// TestRetry runs on the clock of synctest: no wait takes real time.
func TestRetry(t *testing.T) {
	date := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	const s = time.Second
	tests := []struct {
		name, method string        // method and, where there is meta, isReadOnly
		status       int           // of every answer before the last
		after        func() string // Retry-After of those
		o            fetch.Options
		tries        int           // how many reach the upstream
		least, most  time.Duration // all of it
		want         string        // in data or messages
	}{
		{"429", "GET", 429, nil, fetch.Options{}, 3, 375 * time.Millisecond, 750 * time.Millisecond, "done"},
		{"503", "GET", 503, nil, fetch.Options{}, 3, 375 * time.Millisecond, 750 * time.Millisecond, "done"},
		{"PUT is not sent again", "PUT", 503, nil, fetch.Options{}, 1, 0, 0, "EXE041"},
		{"DELETE is not sent again", "DELETE", 503, nil, fetch.Options{}, 1, 0, 0,
			"the DELETE may have had its effect all the same"},
		{"POST is not sent again", "POST", 500, nil, fetch.Options{}, 1, 0, 0,
			"a problem of its own: the POST may have had its effect all the same, so look before you try again later"},
		{"POST is not sent again on 503", "POST", 503, nil, fetch.Options{}, 1, 0, 0, "EXE041"},
		{"POST is not sent again on 429", "POST", 429, nil, fetch.Options{}, 1, 0, 0, "EXE040"},
		{"POST that reads", "POST true", 503, nil, fetch.Options{}, 3, 0, s, "done"},
		{"GET that does not only read", "GET false", 503, nil, fetch.Options{}, 1, 0, 0, "EXE041"},
		{"500 is not asked again", "GET", 500, nil, fetch.Options{}, 1, 0, 0, "EXE041"},
		{"502 is not asked again", "GET", 502, nil, fetch.Options{}, 1, 0, 0, "EXE041"},
		{"404 is not asked again", "GET", 404, nil, fetch.Options{}, 1, 0, 0, "EXE040"},
		{"none wanted", "GET", 503, nil, fetch.Options{Retries: -1}, 1, 0, 0, "EXE041"},
		{"four wanted", "GET", 503, nil, fetch.Options{Retries: 4}, 5, 1875 * time.Millisecond, 3750 * time.Millisecond,
			"done"},
		{"seconds", "GET", 429, func() string { return "3" }, fetch.Options{}, 3, 6 * s, 6500 * time.Millisecond,
			"done"},
		{"seconds with 503", "GET", 503, func() string { return " 2 " }, fetch.Options{}, 3, 4 * s,
			4500 * time.Millisecond, "done"},
		{"date", "GET", 429, func() string { return date(4 * s) }, fetch.Options{Retries: 1}, 2, 4 * s,
			4500 * time.Millisecond, "done"},
		{"date that is past", "GET", 429, func() string { return date(-time.Hour) }, fetch.Options{}, 3,
			375 * time.Millisecond, 750 * time.Millisecond, "done"},
		{"zero", "GET", 429, func() string { return "0" }, fetch.Options{}, 3, 375 * time.Millisecond,
			750 * time.Millisecond, "done"},
		{"nonsense", "GET", 429, func() string { return "soon" }, fetch.Options{}, 3, 375 * time.Millisecond,
			750 * time.Millisecond, "done"},
		{"negative", "GET", 429, func() string { return "-5" }, fetch.Options{}, 3, 375 * time.Millisecond,
			750 * time.Millisecond, "done"},
		{"longer than --retry-wait", "GET", 429, func() string { return "11" }, fetch.Options{}, 1, 0, 0,
			"retry after 11 s"},
		{"a day", "GET", 503, func() string { return date(24 * time.Hour) }, fetch.Options{}, 1, 0, 0,
			"a problem of its own: retry after "},
		{"negative, none wanted", "GET", 429, func() string { return "-5" }, fetch.Options{Retries: -1}, 1, 0, 0,
			"limit is reached: wait before the next call"},
		{"more than any number", "GET", 429, func() string { return strings.Repeat("9", 40) }, fetch.Options{}, 1, 0, 0,
			"EXE040"},
		{"longer than the call may last", "GET", 429, func() string { return "9" }, fetch.Options{Timeout: 5 * s}, 1, 0,
			0, "retry after 9 s"},
		{"until the call may last no longer", "GET", 429, func() string { return "9" }, fetch.Options{Timeout: 10 * s},
			2, 9 * s, 9500 * time.Millisecond, "EXE040"},
		{"doubling is bounded", "GET", 503, nil, fetch.Options{Retries: 30, RetryWait: s}, 31, 14 * s, 30 * s, "done"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tries, last := 0, max(1, tt.o.Retries+1)
				if tt.o.Retries == 0 {
					last = fetch.DefaultRetries + 1
				}
				_, client := newFakeNet(t, apiNames(), tt.o, func(w http.ResponseWriter, r *http.Request) {
					if tries++; tries < last || tt.tries < last || tt.o.Retries < 0 {
						if tt.after != nil {
							w.Header().Set("Retry-After", tt.after())
						}
						w.WriteHeader(tt.status)
						return
					}
					_, _ = io.WriteString(w, `"done"`)
				})
				start := time.Now()
				method, meta, _ := strings.Cut(tt.method, " ")
				d := data(method, "https://api.com", "/", "")
				if meta != "" {
					d = strings.Replace(d, `"name":"find"`, `"name":"find","meta":{"isReadOnly":`+meta+`}`, 1)
				}
				tl := tool(t, d)
				e := (&Caller{Client: client, Env: env(map[string]string{"API_KEY": "x"})}).Call(t.Context(), tl,
					ordjson.Value{}, Options{})
				expect(t, e, tt.want == "done", tt.want)
				if took := time.Since(start); took < tt.least || took > tt.most || tries != tt.tries {
					t.Errorf("%d tries in %s, want %d in %s to %s", tries, took, tt.tries, tt.least, tt.most)
				}
				if len(e.Warnings) < tries-1 ||
					tries > 1 && !strings.Contains(e.Warnings[0],
						"try 1 of "+strconv.Itoa(last)+" failed ("+strconv.Itoa(tt.status)+"): sent again after") {
					t.Errorf("warnings %q", e.Warnings)
				}
			})
		})
	}
}

// TestRetryAfterFailedConnections: no connection, or one that breaks, is tried
// again; what a policy refuses is not.
func TestRetryAfterFailedConnections(t *testing.T) {
	refused := &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	tests := []struct {
		name, method string
		names        string
		refuse       func(n int, address string) error
		broken       int // answers that end in the middle
		dials        int
		want         string
	}{
		{"refused once", "GET", "93.184.216.34", func(n int, _ string) error { return only(n < 2, refused) }, 0, 2,
			"done"},
		{"refused for ever", "GET", "93.184.216.34", func(int, string) error { return refused }, 0, 3,
			"EXE033 find: no connection to api.com (connection refused): check the network and whether the host is " +
				"up; this was try 3"},
		{"refused, POST", "POST", "93.184.216.34", func(int, string) error { return refused }, 0, 1,
			"connection refused): check the network and whether the host is up"},
		{"broken answer", "GET", "93.184.216.34", nil, 1, 2, "done"},
		{"broken answer, PUT", "PUT", "93.184.216.34", nil, 1, 1, "failed (EOF): the PUT may have had its effect"},
		{"broken answer, POST", "POST", "93.184.216.34", nil, 1, 1,
			"failed (EOF): the POST may have had its effect all the same, so look before you try again"},
		{"the policy refuses", "GET", "10.0.0.1", nil, 0, 0, "EXE031"},
		{"the policy refuses the second time", "GET", "93.184.216.34|10.0.0.1",
			func(int, string) error { return refused }, 0, 1, "EXE031"},
		{"unknown host", "GET", "", nil, 0, 0, "EXE033"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, client := newFakeNet(t, map[string]string{"api.com": tt.names}, fetch.Options{},
					func(w http.ResponseWriter, _ *http.Request) {
						w.Header().Set("Content-Length", "6")
						if tt.broken--; tt.broken >= 0 {
							_, _ = io.WriteString(w, `"do`)
							panic(http.ErrAbortHandler)
						}
						_, _ = io.WriteString(w, `"done"`)
					})
				n.refuse = tt.refuse
				e := (&Caller{Client: client, Env: env(nil)}).Call(t.Context(),
					bareTool(t, tt.method, "https://api.com"), ordjson.Value{}, Options{})
				expect(t, e, tt.want == "done", tt.want)
				if len(n.dialled) != tt.dials {
					t.Errorf("connected %d times, want %d", len(n.dialled), tt.dials)
				}
			})
		})
	}
}

func only(when bool, err error) error {
	if when {
		return err
	}
	return nil
}

func bareTool(t testing.TB, method, root string) *Tool {
	return tool(t, `{"name":"find","method":"`+method+`","root":"`+root+
		`","path":"/","serverParams":[],"parameters":[]}`)
}

// TestRetryIsCancelled: a caller who gives up does not wait for the next try.
func TestRetryIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, client := newFakeNet(t, apiNames(), fetch.Options{}, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "8")
			w.WriteHeader(429)
		})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		e := (&Caller{Client: client, Env: env(nil)}).Call(ctx, bareTool(t, "GET", "https://api.com"), ordjson.Value{},
			Options{})
		expect(t, e, false, CodeCancelled)
		if took := time.Since(start); took != time.Second {
			t.Errorf("took %s", took)
		}
	})
}

// TestTimeouts: connecting has its own limit, and everything together one.
func TestTimeouts(t *testing.T) {
	hang := func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }
	tests := []struct {
		name string
		o    fetch.Options
		took time.Duration
		want string
	}{
		{"connect", fetch.Options{Retries: -1}, fetch.DefaultConnectTimeout,
			"no connection to api.com within 10s: try again later, or raise --connect-timeout"},
		{"connect by flag", fetch.Options{Retries: -1, ConnectTimeout: 2 * time.Second}, 2 * time.Second, "within 2s"},
		{"in all", fetch.Options{Retries: 100}, fetch.DefaultTimeout,
			"within 45s: try again, ask for less, or raise --timeout"},
		{"in all by flag", fetch.Options{Timeout: 3 * time.Second}, 3 * time.Second, "within 3s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tt.o.Resolver, tt.o.Dial = &fakeNet{names: apiNames()}, hang
				client, err := fetch.NewClient(tt.o)
				if err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				e := (&Caller{Client: client, Env: env(nil)}).Call(t.Context(), bareTool(t, "GET", "https://api.com"),
					ordjson.Value{}, Options{})
				expect(t, e, false, CodeTimeout)
				expect(t, e, false, tt.want)
				if took := time.Since(start); took != tt.took {
					t.Errorf("took %s, want %s", took, tt.took)
				}
				time.Sleep(fetch.DefaultConnectTimeout) // net/http lets a dial that is not waited for run on
			})
		})
	}
	if fetch.DefaultTimeout >= 50*time.Second {
		t.Error("the default of --timeout is not below 50 s")
	}
}
