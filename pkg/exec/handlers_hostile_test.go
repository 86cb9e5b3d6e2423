package exec

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/internal/await"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// hostile are handlers that must each end in an error envelope, in bounded time
// and memory, with everything else still answering (docs/handlers.md).
var hostile = map[string]struct{ stage, source string }{
	"long text":         {"postRequest", "response: 'x'.repeat(1e10)"},
	"nested source":     {"", "export const handlers = () => " + strings.Repeat("(", 500_000)},
	"nested expression": {"postRequest", "response: new RegExp('('.repeat(5e6))"},
	"nested JSON":       {"postRequest", "response: JSON.parse('['.repeat(5e6))"},
	"endless loop":      {"postRequest", "response: (() => { for (;;); })()"},
	"endless await":     {"postRequest", "response: await new Promise(() => {})"},
	"endless jobs":      {"postRequest", "response: await (async () => { for (;;) await null })()"},
	"sort": {"postRequest",
		"response: Array.from({ length: 1e7 }, (_, i) => -i).sort((a, b) => a - b).length"},
	"catastrophic regex": {"postRequest",
		"response: [/^(?=(a+)+$)b/.test('a'.repeat(40) + '!'), /(a+)+\\1$/.test('a'.repeat(50000) + '!')] && (() => " +
			"{ for (;;); })()"},
	"unbounded array": {"postRequest",
		"response: (() => { const a = []; for (;;) a.push(new Array(1000).fill({})) })()"},
	"toString recursion": {"postRequest",
		"response: (() => { const o = { toString() { return '' + o } }; return String(o) })()"},
	"recursion": {"postRequest", "response: (function f() { return f() + 1 })()"},
	"prototype pollution": {"postRequest",
		"response: (() => { Object.prototype.toJSON = function () { throw new Error('polluted') }; return {} })()"},
	"frozen list":     {"postRequest", "response: sharedLists.areas.push(1)"},
	"endless factory": {"", "export const handlers = () => { for (;;); }"},
	"endless fetches": {"executeRequest",
		"response: await (async () => { for (;;) await fetch(struct.url) })()"},
	"fetch that never ends": {"executeRequest", "response: await fetch(struct.url + '&slow=1')"},
	"many slow fetches": {"executeRequest",
		"response: await Promise.all(Array.from({ length: 90 }, () => fetch(struct.url + '&slow=1')))"},
	"busy beside a fetch":    {"executeRequest", "response: (() => { fetch(struct.url + '&slow=1'); for (;;); })()"},
	"huge answer":            {"postRequest", "response: Array.from({ length: 300 }, () => 'x'.repeat(1e6))"},
	"throws a proxy":         {"postRequest", "response: (() => { throw new Proxy({}, { get() { for (;;); } }) })()"},
	"toJSON that never ends": {"postRequest", "response: { toJSON() { for (;;); } }"},
	"getter that never ends": {"postRequest", "get response() { for (;;); }"},
	"deep answer": {"postRequest",
		"response: (() => { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a })()"},
	"cycle":                 {"postRequest", "response: (() => { const a = {}; a.a = a; return a })()"},
	"then that never calls": {"postRequest", "then: () => {}, response: 1"},
	"inflate bomb": {"postRequest",
		"response: libraries.zlib.inflateRawSync(Buffer.from('7MEBAQAAAIKg', 'base64'))"},
	"memory of typed arrays": {"postRequest",
		"response: (() => { const a = []; for (;;) a.push(new Uint8Array(1e7).fill(1)) })()"},
}

// TestHostileHandlers calls them all at the same time, and meanwhile 100 tools
// of others, with and without handlers.
func TestHostileHandlers(t *testing.T) {
	stop := make(chan struct{})
	root, c := upstream(t, fetch.Options{Timeout: 15 * time.Second, HostCalls: 200}, nil,
		func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("slow") != "" {
				select {
				case <-r.Context().Done():
				case <-stop:
				}
			}
			fmt.Fprint(w, `{"ok":true}`)
		})
	defer close(stop)
	c.Sandbox = sandbox.NewPool(sandbox.Limits{Time: 300 * time.Millisecond})
	t.Cleanup(c.Sandbox.Close)
	make := func(stage, source string) *Tool {
		tl := tool(t, data("GET", root, "/v", "", user("q", "query", "string()", "")))
		if stage != "" {
			tl.Handlers = []string{stage}
			tl.Script = &sandbox.Script{Key: source, Path: "a/b.mjs", Source: source,
				Lists: []byte(`{"areas":[{"alias":"north"}]}`)}
		}
		return tl
	}
	start := time.Now()
	var wg sync.WaitGroup
	for name, h := range hostile {
		source, stage := h.source, h.stage
		if stage == "" {
			stage = "postRequest"
		} else {
			source = "export const handlers = ({ sharedLists, libraries }) => ({ find: { " + stage +
				": async ({ response, struct, payload }) => ({ " + source + " }) } })"
		}
		wg.Go(func() {
			e := c.Call(t.Context(), make(stage, source), parse(t, `{"q":"a"}`), Options{})
			if e.Status || len(e.Messages) != 1 ||
				!strings.HasPrefix(e.Messages[0], "EXE0") && !strings.HasPrefix(e.Messages[0], "SEC10") {
				t.Errorf("%s: %.300s", name, e.AppendJSON(nil))
			}
			if d := e.Duration; d > 20*time.Second {
				t.Errorf("%s took %s", name, d)
			}
		})
	}
	good := make("postRequest", "export const handlers = () => ({ find: { postRequest: ({ response }) => ({ "+
		"response: [response.ok] }) } })")
	plain := make("", "")
	for i := range 100 {
		tl, want := good, "[true]"
		if i%2 == 1 {
			tl, want = plain, `{"ok":true}`
		}
		expect(t, c.Call(t.Context(), tl, parse(t, `{"q":"a"}`), Options{}), true, want)
	}
	wg.Wait()
	expect(t, c.Call(t.Context(), good, parse(t, `{"q":"a"}`), Options{}), true, "[true]")
	t.Logf("%d hostile handlers and 101 others in %s", len(hostile), time.Since(start))
}

// TestOneDeadline: --timeout holds for a whole call, not for each of its
// fetches, and a handler that waits does not keep others from going on.
func TestOneDeadline(t *testing.T) {
	stop := make(chan struct{})
	var waiting atomic.Int64
	root, c := upstream(t, fetch.Options{Timeout: time.Second, HostCalls: 50}, nil,
		func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("slow") != "" {
				waiting.Add(1)
				select {
				case <-time.After(300 * time.Millisecond):
				case <-stop:
				}
			}
			fmt.Fprint(w, `{"n":1}`)
		})
	defer close(stop)
	tl := handledTool(t, root, `export const handlers = () => ({ find: { executeRequest: async ({ struct }) => {
		let n = 0
		for (let i = 0; i < 50; i++) n += (await (await fetch(struct.url + '&slow=1')).json()).n
		return { response: n }
	} } })`, c, "executeRequest")
	quick := tool(t, data("GET", root, "/v", "", user("q", "query", "string()", "")))
	quick.Handlers = []string{"postRequest"}
	source := "export const handlers = () => ({ find: { postRequest: ({ response }) => ({ response: " +
		"[response.n] }) } })"
	quick.Script = &sandbox.Script{Key: source, Source: source}
	vars := map[string]string{"API_KEY": "canary-value"}
	c.Env = env(vars)
	var wg sync.WaitGroup
	for range 10 { // the pool of these tests runs two at a time
		wg.Go(func() {
			start := time.Now()
			e := c.Call(t.Context(), tl, parse(t, `{"q":"a"}`), Options{})
			if d := time.Since(start); d < 900*time.Millisecond || d > 5*time.Second {
				t.Errorf("took %s", d)
			}
			expect(t, e, false, "EXE035")
		})
	}
	await.Until(t, "eight handlers wait", func() bool { return waiting.Load() >= 8 })
	for range 20 {
		expect(t, c.Call(t.Context(), quick, parse(t, `{"q":"a"}`), Options{}), true, "[1]")
	}
	wg.Wait()
}

// TestFetchesKeepHostLimits: --host-calls holds for the fetches of a handler as
// it does for calls.
func TestFetchesKeepHostLimits(t *testing.T) {
	var open, most atomic.Int64
	pair := make(chan struct{}) // two at a time answer each other
	root, c := upstream(t, fetch.Options{HostCalls: 2}, map[string]string{"API_KEY": "canary-value"},
		func(w http.ResponseWriter, _ *http.Request) {
			n := open.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			select {
			case pair <- struct{}{}:
			case <-pair:
			}
			open.Add(-1)
			fmt.Fprint(w, `{"n":1}`)
		})
	tl := handledTool(t, root, `export const handlers = () => ({ find: { executeRequest: async ({ struct }) => {
		const all = await Promise.all(Array.from({ length: 20 }, () => fetch(struct.url).then((r) => r.json())))
		return { response: all.length }
	} } })`, c, "executeRequest")
	expect(t, c.Call(t.Context(), tl, parse(t, `{"q":"a"}`), Options{}), true, "20")
	if most.Load() > 2 {
		t.Errorf("%d requests at a time, --host-calls allows 2", most.Load())
	}
}
