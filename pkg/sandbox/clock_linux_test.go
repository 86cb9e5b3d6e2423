package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// burn is JavaScript that keeps a processor busy for milliseconds.
const burn = `const burn = (ms) => { for (const end = Date.now() + ms; Date.now() < end;); }; `

// TestBusyMachine: a worker that gets no processor for longer than its handler
// may run fails no handler that hardly runs.
func TestBusyMachine(t *testing.T) {
	p := newPool(t, Limits{Workers: 1, Time: 200 * time.Millisecond})
	if _, failure := handled(t, p, post("1"), PostRequest, "{}", nil); failure != nil {
		t.Fatal(failure)
	}
	pid := p.idle[0].cmd.Process.Pid
	stopped := func(context.Context, FetchRequest) FetchAnswer {
		stop(pid)
		time.AfterFunc(600*time.Millisecond, func() { _ = syscall.Kill(pid, syscall.SIGCONT) })
		return FetchAnswer{Status: 200}
	}
	start := time.Now()
	got, failure := handled(t, p, executing("return { response: (await fetch('https://a.com')).status }"),
		ExecuteRequest, "{}", stopped)
	if took := time.Since(start); failure != nil || got != `{"response":200}` || took < 500*time.Millisecond {
		t.Errorf("%s, %v after %s", got, failure, took)
	}
}

// stop stops a process, and returns when none of its threads runs.
func stop(pid int) {
	_ = syscall.Kill(pid, syscall.SIGSTOP)
	for running := true; running; runtime.Gosched() {
		running = false
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
		for _, thread := range threads {
			stat, err := os.ReadFile(thread)
			running = running || err == nil && !bytes.Contains(stat, []byte(") T "))
		}
	}
}

// TestHandlerTime: what a handler runs, and what it waits.
func TestHandlerTime(t *testing.T) {
	quick := newPool(t, Limits{Workers: 1, Time: 300 * time.Millisecond})
	patient := newPool(t, Limits{Workers: 1, Wait: 400 * time.Millisecond})
	never := func(ctx context.Context, _ FetchRequest) FetchAnswer {
		<-ctx.Done()
		return FetchAnswer{Error: "gone"}
	}
	if got, failure := handled(t, quick, executing(burn+"burn(20); return { response: 1 }"), ExecuteRequest, "{}",
		never); got != `{"response":1}` {
		t.Errorf("%s, %v", got, failure)
	}
	for _, tt := range []struct {
		pool         *Pool
		source, want string
	}{
		{quick, executing("for (;;);"), "did not end within 300ms of processor time (--handler-timeout)"},
		{patient, executing("await fetch('https://a.com')"),
			"waited for 400ms, for fetches, timers or a free processor (--handler-wait)"},
	} {
		got, failure := handled(t, tt.pool, tt.source, ExecuteRequest, "{}", never)
		if failure == nil || failure.Code != CodeTime || !strings.Contains(failure.Msg, tt.want) {
			t.Errorf("%s: %s, %v; want %s", tt.source, got, failure, tt.want)
		}
	}
}

// TestLibraryStarts: the time in which a library starts is not the handler's,
// be it when it is loaded or when it is used first.
func TestLibraryStarts(t *testing.T) {
	p := newPool(t, Limits{Workers: 1, Time: 300 * time.Millisecond, Load: 2 * time.Second})
	script := burn + `burn(600); let calls = 0, more = 0; exports.library = { v: 1, burn, ` +
		`once: () => burn(calls++ ? 0 : 600), twice: () => burn(more++ ? 60000 : 600) }`
	for _, tt := range []struct{ expr, want string }{
		{"lib.v", ""}, {"lib.once()", ""}, {"lib.once(), 1", ""}, {"lib.twice()", ""},
		{"lib.twice()", "did not end within 300ms of processor time (--handler-timeout)"},
		{"lib.burn(60000)", "did not end within 2.3s of processor time (--handler-timeout, and 2s for its libraries " +
			"to start)"},
	} {
		got, failure := withLibrary(t, p, script, use("("+tt.expr+")"), PostRequest, nil)
		if tt.want == "" && failure != nil ||
			tt.want != "" && (failure == nil || !strings.HasSuffix(failure.Msg, tt.want)) {
			t.Errorf("%s: %s, %v; want %s", tt.expr, got, failure, tt.want)
		}
	}
}

// TestHeldIsNotWaiting: while its fetch is held back, a handler does not use up what it
// may wait; what it waits besides that does.
func TestHeldIsNotWaiting(t *testing.T) {
	p := newPool(t, Limits{Workers: 1, Wait: 200 * time.Millisecond})
	call := func(held func() time.Duration, fetch func(context.Context, FetchRequest) FetchAnswer) error {
		source := executing("await fetch('https://a.com'); return { response: 1 }")
		_, err := p.Call(t.Context(), Script{Key: source, Source: source}, Call{Name: "t", Stage: ExecuteRequest,
			Input: json.RawMessage("{}"), Fetch: fetch, Held: held})
		return err
	}
	start, looks, enough := time.Now(), 0, make(chan struct{})
	if err := call(func() time.Duration {
		// Each look but the first is at the end of what it may wait.
		if looks++; looks == 5 {
			close(enough)
		}
		return time.Since(start)
	}, func(context.Context, FetchRequest) FetchAnswer {
		<-enough
		return FetchAnswer{Status: 200}
	}); err != nil {
		t.Errorf("after %s: %v", time.Since(start), err)
	}
	var failure *HandlerError
	if err := call(func() time.Duration { return time.Hour }, func(ctx context.Context, _ FetchRequest) FetchAnswer {
		<-ctx.Done()
		return FetchAnswer{}
	}); !errors.As(err, &failure) || failure.Code != CodeTime {
		t.Errorf("held before it began: %v", err)
	}
}
