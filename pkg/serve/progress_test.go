package serve

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/progress"
	"github.com/flowmcp/fmcp/pkg/record"
)

// slowly answers after the time that q says, or when it is cancelled.
var slowly = callerFunc(func(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
	d, err := time.ParseDuration(params.Get("q").Str())
	if err != nil {
		panic(err)
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
	return echo(ctx, id, params)
})

func callWithToken(id, q, token string) string {
	return request(id, "tools/call",
		fmt.Sprintf(`{"name":"one_demo","arguments":{"q":%q},"_meta":{"progressToken":%s}}`, q, token))
}

// served are the lines that a server answers to those of a client.
func served(t *testing.T, s *Server, lines ...string) []string {
	t.Helper()
	in, w := io.Pipe()
	var out bytes.Buffer
	done := make(chan error)
	go func() { done <- s.Serve(t.Context(), in, &out) }()
	io.WriteString(w, strings.Join(lines, "\n")+"\n")
	time.Sleep(time.Minute) // of the bubble
	w.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

// TestProgress: who gave a token hears of a call that takes over a second, by
// growing numbers, before its answer and never after it.
func TestProgress(t *testing.T) {
	told := func(token, rest string) string {
		return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + rest + `}}`
	}
	ran := func(token string, s int) string {
		return told(token, fmt.Sprintf(`,"progress":%d,"message":"running for %[1]d s"`, s))
	}
	for _, tc := range []struct {
		line string
		want []string
	}{
		{callWithToken("1", "3.5s", `"a"`), []string{ran(`"a"`, 1), ran(`"a"`, 2), ran(`"a"`, 3), "answer"}},
		{callWithToken("1", "2.5s", `9007199254740993`),
			[]string{ran(`9007199254740993`, 1), ran(`9007199254740993`, 2), "answer"}},
		{callWithToken("1", "900ms", `"a"`), []string{"answer"}},
		{callWithToken("1", "3.5s", `null`), []string{"answer"}},
		{callWithToken("1", "3.5s", `{}`), []string{"answer"}},
		{callOf("1", "one_demo", `{"q":"3.5s"}`), []string{"answer"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			got := served(t, newServer(t, demo(t, slowly), Options{}), tc.line)
			for i, line := range got {
				if strings.HasPrefix(line, `{"jsonrpc":"2.0","id":1,"result"`) {
					got[i] = "answer"
				}
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("%s\n%s\nwant\n%s", tc.line, strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
			}
		})
	}
}

// TestProgressOfSteps: work that says how far it has come is believed, as long as
// the numbers grow.
func TestProgressOfSteps(t *testing.T) {
	call := callerFunc(func(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
		for _, done := range []int64{0, 1, 1, 0, 3} {
			progress.Report(ctx, done, 3, fmt.Sprintf("<%d>", done))
			time.Sleep(2 * time.Second)
		}
		progress.Report(ctx, 4, -1, "all")
		time.Sleep(time.Second)
		return echo(ctx, id, params)
	})
	synctest.Test(t, func(t *testing.T) {
		got := served(t, newServer(t, demo(t, call), Options{}), callWithToken("1", "x", "7"))
		want := []string{`"progress":0,"total":3,"message":"<0>"`, `"progress":1,"total":3,"message":"<1>"`,
			`"progress":3,"total":3,"message":"<3>"`, `"progress":4,"message":"all"`, `"result"`}
		if len(got) != len(want) {
			t.Fatalf("%d lines, want %d: %s", len(got), len(want), strings.Join(got, "\n"))
		}
		for i := range want {
			if !strings.Contains(got[i], want[i]) {
				t.Errorf("%s has no %s", got[i], want[i])
			}
		}
	})
}

// TestProgressEnds: a client that cancels hears nothing more, and one that does
// not read keeps no call from ending.
func TestProgressEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, demo(t, slowly), Options{})
		c := s.NewSession()
		var sent atomic.Int32
		conn := connFunc(func(ctx context.Context, _ []byte) error {
			if sent.Add(1) < 3 {
				return nil
			}
			<-ctx.Done() // nobody reads
			return context.Cause(ctx)
		})
		start := time.Now()
		r := c.Begin(t.Context(), parsed(t, callWithToken("1", "10s", "1")), conn)
		if a := r.Run(); a.Err != nil || a.Line == nil || time.Since(start) != 10*time.Second {
			t.Errorf("answer %s after %v", lineOf(a), time.Since(start))
		}
		r.End()

		r = c.Begin(t.Context(), parsed(t, callWithToken("2", "10s", "1")), conn)
		ended := make(chan Answer)
		go func() { ended <- r.Run() }()
		time.Sleep(5 * time.Second)
		sent.Store(0)
		c.Begin(t.Context(), parsed(t, cancelled("2")), nil)
		if a := <-ended; a.Line != nil && r.Close() {
			t.Errorf("a withdrawn call is answered: %s", lineOf(a))
		}
		time.Sleep(time.Minute)
		if n := sent.Load(); n > 0 {
			t.Errorf("%d notifications after the call was withdrawn", n)
		}
		r.End()
	})
}

// TestCancelDelivery: an answer that waits for the client to read is not written
// once the call is withdrawn, and its slot is free.
func TestCancelDelivery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBlocker()
		close(b.release)
		s := newServer(t, demo(t, b), Options{})
		in, w := io.Pipe()
		read, out := io.Pipe()
		done := make(chan error)
		go func() { done <- s.Serve(t.Context(), in, out) }()
		io.WriteString(w, request("1", "ping", "{}")+"\n")
		synctest.Wait() // its answer is being written
		io.WriteString(w, callOf("2", "one_demo", `{}`)+"\n")
		synctest.Wait() // and that of the call waits
		io.WriteString(w, cancelled("2")+"\n")
		synctest.Wait()
		if s.slots.free != s.opts.MaxInFlight {
			t.Errorf("%d slots are free, want %d", s.slots.free, s.opts.MaxInFlight)
		}
		w.Close()
		text := make(chan string)
		go func() { all, _ := io.ReadAll(read); text <- string(all) }()
		if err := <-done; err != nil {
			t.Error(err)
		}
		out.Close()
		if got := <-text; strings.Count(got, "\n") != 1 || !strings.Contains(got, `"id":1,`) {
			t.Errorf("got %s, want the answer to ping alone", got)
		}
	})
}
