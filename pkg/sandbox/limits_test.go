package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestHostile: each of these ends in an error, in bounded time and memory,
// while other calls go on (docs/handlers.md).
func TestHostile(t *testing.T) {
	bad := map[string]string{
		"repeat":            post(`'x'.repeat(1e10)`),
		"nested source":     "export const handlers = () => " + strings.Repeat("(", 500_000),
		"nested expression": post(`new RegExp('('.repeat(5e6))`),
		"nested JSON":       post(`JSON.parse('['.repeat(5e6))`),
		"endless loop":      post(`(() => { for (;;); })()`),
		"endless await":     post(`await new Promise(() => {})`),
		"endless jobs":      post(`await (async () => { for (;;) await null })()`),
		"sort":              post(`Array.from({ length: 1e7 }, (_, i) => -i).sort((a, b) => a - b).length`),
		"catastrophic regex": post(`/^(?=(a+)+$)b/.test('a'.repeat(40) + '!') || /(a+)+\1$/.test('a'.repeat(5000) + ` +
			`'!') || (() => { for (;;); })()`),
		"unbounded array":    post(`(() => { const a = []; for (;;) a.push(new Array(1000).fill({})) })()`),
		"toString recursion": post(`(() => { const o = { toString() { return '' + o } }; return String(o) })()`),
		"recursion":          post(`(function f() { return f() + 1 })()`),
		"frozen list":        post(`sharedLists.areas.length = 0`),
		"factory never ends": "export const handlers = () => { for (;;); }",
		"prototype pollution": post(`(() => { Object.prototype.toJSON = function () { throw new Error('polluted') }; ` +
			`return {} })()`),
	}
	p := newPool(t, Limits{Workers: 6, Time: 2 * time.Second})
	var wg sync.WaitGroup
	start := time.Now()
	for name, source := range bad {
		wg.Go(func() {
			got, failure := handled(t, p, source, PostRequest, `{"response":1,"struct":{},"payload":{}}`, nil)
			if failure == nil {
				t.Errorf("%s: answered %.100s", name, got)
			}
		})
	}
	good := newPool(t, Limits{Workers: 1})
	for range 100 {
		if got, failure := handled(t, good, post("response"), PostRequest, `{"response":1,"struct":{},"payload":{}}`,
			nil); failure != nil || got != `{"response":1}` {
			t.Fatalf("another call: %s, %v", got, failure)
		}
	}
	wg.Wait()
	if d := time.Since(start); d > 60*time.Second {
		t.Errorf("took %s", d)
	}
	if got, failure := handled(t, p, post("response"), PostRequest, `{"response":1,"struct":{},"payload":{}}`,
		nil); failure != nil || got != `{"response":1}` {
		t.Errorf("the next call: %s, %v", got, failure)
	}
}

func TestCallCancelled(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	source := post(`(() => { for (;;); })()`)
	if _, err := p.Call(ctx, Script{Key: source, Source: source},
		Call{Name: "t", Stage: PostRequest, Input: json.RawMessage("{}")}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if got, failure := handled(t, p, post("1"), PostRequest, `{}`, nil); failure != nil || got != `{"response":1}` {
		t.Errorf("the next call: %s, %v", got, failure)
	}
}

// executing is a schema whose executeRequest runs statements.
func executing(body string) string {
	return "export const handlers = () => ({ t: { executeRequest: async ({ payload }) => {" + body + "} } })"
}

// TestWaitingGivesItsSlot: a handler that waits for a fetch does not keep
// others from running, though only one may run at a time.
func TestWaitingGivesItsSlot(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	arrived, release := make(chan bool, 3), make(chan bool)
	slow := func(context.Context, FetchRequest) FetchAnswer {
		arrived <- true
		<-release
		return FetchAnswer{Status: 200, Body: []byte("late")}
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			got, failure := handled(t, p, executing("return { response: await (await fetch('https://a.com')).text() }"),
				ExecuteRequest, `{"payload":{}}`, slow)
			if failure != nil || got != `{"response":"late"}` {
				t.Errorf("the slow one: %s, %v", got, failure)
			}
		})
	}
	for range 3 {
		<-arrived
	}
	for range 20 {
		if got, failure := handled(t, p, post("response"), PostRequest, `{"response":1}`, nil); failure != nil ||
			got != `{"response":1}` {
			t.Fatalf("meanwhile: %s, %v", got, failure)
		}
	}
	close(release)
	wg.Wait()
	if running, held := taken(p); running != 0 || held > p.limits.Memory {
		t.Errorf("%d still run, and %d bytes are held", running, held)
	}
}

// taken is what of a pool is in use.
func taken(p *Pool) (running int, held int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.running, p.held
}

// TestOneBudget: the processes of a pool share one budget of memory. Those that
// wait for fetches leave room for one that runs, however many they are.
func TestOneBudget(t *testing.T) {
	p := newPool(t, Limits{Workers: 2, Memory: 128 << 20 * raceMemory, Time: time.Minute, Wait: 5 * time.Minute})
	var most atomic.Int64
	release, all := make(chan bool), make(chan bool, 100)
	slow := func(context.Context, FetchRequest) FetchAnswer {
		_, held := taken(p)
		for m := most.Load(); held > m && !most.CompareAndSwap(m, held); m = most.Load() {
		}
		all <- true
		<-release
		return FetchAnswer{Status: 200}
	}
	var wg sync.WaitGroup
	const calls = 40
	for range calls {
		wg.Go(func() {
			source := executing("const kept = new Uint8Array(3e7).fill(7); const r = await fetch('https://a.com'); " +
				"return { response: r.status + kept[9] }")
			if got, failure := handled(t, p, source, ExecuteRequest, `{}`, slow); failure != nil ||
				got != `{"response":207}` {
				t.Errorf("%s, %v", got, failure)
			}
		})
	}
	for range 4 { // these are under way at the same time in any case
		<-all
	}
	close(release)
	wg.Wait()
	// One that has waited goes on where nothing else runs.
	if most.Load() > p.budget()+p.limits.Memory {
		t.Errorf("%d bytes were held, and the budget is %d", most.Load(), p.budget())
	}
	if running, held := taken(p); running != 0 || held > p.budget() {
		t.Errorf("%d still run, and %d bytes are held", running, held)
	}
}

// TestBusyWhileFetching: a fetch that is under way stops the clock only while
// the handler waits for it.
func TestBusyWhileFetching(t *testing.T) {
	p := newPool(t, Limits{Workers: 1, Time: 300 * time.Millisecond})
	never := func(ctx context.Context, _ FetchRequest) FetchAnswer {
		<-ctx.Done()
		return FetchAnswer{Error: "gone"}
	}
	_, failure := handled(t, p, executing("fetch('https://a.com'); for (;;);"), ExecuteRequest, `{"payload":{}}`, never)
	if failure == nil || failure.Code != CodeTime {
		t.Errorf("got %v", failure)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 900*time.Millisecond)
	defer cancel()
	source := executing("await fetch('https://a.com')")
	if _, err := p.Call(ctx, Script{Key: source, Source: source},
		Call{Name: "t", Stage: ExecuteRequest, Input: json.RawMessage(`{"payload":{}}`), Fetch: never}); !errors.Is(err,
		context.DeadlineExceeded) {
		t.Errorf("a fetch that never ends: %v, want the caller's deadline", err)
	}
	if running, held := taken(p); running != 0 || held > p.limits.Memory {
		t.Errorf("%d still run, and %d bytes are held", running, held)
	}
}

func TestFetchesAreCounted(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	var mu sync.Mutex
	open, most, made := 0, 0, 0
	full := make(chan struct{}) // closed when as many are under way as may be
	fill := sync.OnceFunc(func() { close(full) })
	fetch := func(context.Context, FetchRequest) FetchAnswer {
		mu.Lock()
		open, made = open+1, made+1
		if most = max(most, open); most == maxOpen {
			fill()
		}
		mu.Unlock()
		<-full
		mu.Lock()
		open--
		mu.Unlock()
		return FetchAnswer{Status: 200}
	}
	all := func(n string) string {
		return executing("return { response: (await Promise.all(Array.from({ length: " + n +
			" }, () => fetch('https://a.com').then((r) => r.status)))).length }")
	}
	if got, failure := handled(t, p, all("100"), ExecuteRequest, `{}`, fetch); failure != nil ||
		got != `{"response":100}` || most != maxOpen {
		t.Errorf("%s, %v, at most %d at a time", got, failure, most)
	}
	made = 0
	if _, failure := handled(t, p, all("101"), ExecuteRequest, `{}`, fetch); failure == nil ||
		failure.Code != CodeFetches {
		t.Errorf("got %v", failure)
	}
	if _, failure := handled(t, p, executing("for (;;) await fetch('https://a.com')"), ExecuteRequest, `{}`,
		fetch); failure == nil || failure.Code != CodeFetches {
		t.Errorf("one after another: %v", failure)
	}
}

func TestFetchTimeout(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	var asked int64
	fetch := func(_ context.Context, f FetchRequest) FetchAnswer {
		asked = f.Timeout
		time.Sleep(time.Duration(f.Timeout) * time.Millisecond)
		return FetchAnswer{Error: "out of time"}
	}
	got, failure := handled(t, p, executing("try { await fetch('https://a.com', { signal: AbortSignal.timeout(20) }) "+
		"} catch (e) { return { response: e.name } }"), ExecuteRequest, `{}`, fetch)
	if failure != nil || got != `{"response":"TimeoutError"}` || asked < 1 || asked > 20 {
		t.Errorf("%s, %v, asked for %d ms", got, failure, asked)
	}
}

// TestNoScriptPaysForAnother: what one schema left in a worker does not bring the
// next one to the limit.
func TestNoScriptPaysForAnother(t *testing.T) {
	p := newPool(t, Limits{Workers: 1, Memory: raceMemory * 128 << 20, Time: time.Minute})
	hold := func(name string) string {
		return "let kept; export const handlers = () => ({ t: { postRequest: async ({ response }) => { kept = new " +
			"Uint8Array(90e6).fill(7); return { response: '" + name + "' } } } })"
	}
	for _, name := range []string{"a", "b", "c"} {
		if got, failure := handled(t, p, hold(name), PostRequest, `{"response":1}`, nil); failure != nil ||
			got != `{"response":"`+name+`"}` {
			t.Errorf("%s: %s, %v", name, got, failure)
		}
	}
}

func TestOutputIsBounded(t *testing.T) {
	p := newPool(t, Limits{Workers: 1, Memory: raceMemory * DefaultMemory, Time: time.Minute})
	_, failure := handled(t, p, post("'x'.repeat(17e6)"), PostRequest, `{}`, nil)
	if failure == nil || failure.Code != CodeMemory || !strings.Contains(failure.Msg, "more than 16777216 bytes") {
		t.Errorf("got %v", failure)
	}
	if got, failure := handled(t, p, post("'x'.repeat(3)"), PostRequest, `{}`, nil); failure != nil ||
		got != `{"response":"xxx"}` {
		t.Errorf("the next call: %s, %v", got, failure)
	}
}
