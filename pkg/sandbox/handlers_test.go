package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// handled calls a stage of tool t of a source.
func handled(t testing.TB, p *Pool, source, stage, input string, fetch func(context.Context, FetchRequest) FetchAnswer) (string, *HandlerError) {
	t.Helper()
	out, err := p.Call(t.Context(), Script{Key: source, Source: source, Lists: json.RawMessage(`{"areas":[{"alias":"a","code":1}]}`)},
		Call{Name: "t", Stage: stage, Input: json.RawMessage(input), Fetch: fetch})
	var failure *HandlerError
	if err != nil && !errors.As(err, &failure) {
		t.Fatal(err)
	}
	return string(out), failure
}

func newPool(t testing.TB, l Limits) *Pool {
	t.Helper()
	p := NewPool(l)
	t.Cleanup(p.Close)
	return p
}

// post is a schema whose postRequest returns an expression.
func post(expr string) string {
	return "export const handlers = ({ sharedLists, libraries }) => ({ t: { postRequest: async ({ response, struct, payload }) => ({ response: " + expr + " }) } })"
}

func TestHostObjects(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	tests := []struct{ name, expr, want string }{
		{"response", `response.a + payload.n`, `3`},
		{"shared list", `sharedLists.areas.find((a) => a.alias === 'a').code`, `1`},
		{"await", `await Promise.resolve(1).then((v) => v + 1)`, `2`},
		{"undefined is null", `undefined`, `null`},
		{"Buffer", `[Buffer.from('aGk=', 'base64').toString(), Buffer.from('hä').toString('hex'), Buffer.from([104, 105]).toString('base64'), Buffer.isBuffer(Buffer.from(''))]`, `["hi","68c3a4","aGk=",true]`},
		{"TextEncoder", `[...new TextEncoder().encode('ä')]`, `[195,164]`},
		{"TextDecoder", `new TextDecoder('latin1').decode(new Uint8Array([228]))`, `"ä"`},
		{"atob and btoa", `[atob('aGk='), btoa('hi')]`, `["hi","aGk="]`},
		{"URL", `(() => { const u = new URL('/p?a=1', 'https://Api.com/x'); u.searchParams.set('b', 'c d'); return [u.href, u.hostname, u.pathname] })()`, `["https://api.com/p?a=1&b=c+d","api.com","/p"]`},
		{"URLSearchParams", `new URLSearchParams({ a: 'x&y', b: 2 }).toString()`, `"a=x%26y&b=2"`},
		{"structuredClone", `(() => { const a = { d: [1, { x: 2 }] }; const b = structuredClone(a); b.d[1].x = 3; return [a, b] })()`, `[{"d":[1,{"x":2}]},{"d":[1,{"x":3}]}]`},
		{"Intl", `new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' }).format(new Date(0))`, `"January 1, 1970"`},
		{"createHash", `libraries.crypto.createHash('sha256').update('abc').digest('hex')`, `"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"`},
		{"inflateRawSync", `libraries.zlib.inflateRawSync(Buffer.from('y0jNyckHAA==', 'base64')).toString()`, `"hello"`},
		{"AbortSignal", `AbortSignal.timeout(5).aborted`, `false`},
		{"no state of another runtime", `typeof globalThis.leak`, `"undefined"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, failure := handled(t, p, post(tt.expr), PostRequest, `{"response":{"a":1},"struct":{},"payload":{"n":2}}`, nil)
			if failure != nil || got != `{"response":`+tt.want+`}` {
				t.Errorf("%s, %v; want %s", got, failure, tt.want)
			}
		})
	}
}

func TestHandlerErrors(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	tests := []struct {
		name, source, stage, code, msg string
		line                           int
	}{
		{"throws", "export const handlers = () => ({ t: {\n postRequest: async () => {\n  throw new Error('bad')\n } } })", PostRequest, CodeThrew, "Error: bad", 3},
		{"throws at once", "export const handlers = () => ({ t: {\n postRequest() {\n  null.x\n } } })", PostRequest, CodeThrew, "TypeError", 3},
		{"missing global", "\n" + post(`setTimeout(() => 1)`), PostRequest, CodeThrew, "setTimeout is not defined", 2},
		{"missing process", post(`process.env`), PostRequest, CodeThrew, "process is not defined", 1},
		{"fetch", post(`await fetch('https://a.com')`), PostRequest, CodeFetch, "executeRequest only", 1},
		{"shape", "export const handlers = () => ({ t: { postRequest: () => ({ data: 1 }) } })", PostRequest, CodeShape, "{ data }, expected { response }", 0},
		{"shape of preRequest", "export const handlers = () => ({ t: { preRequest: () => ({ struct: {} }) } })", PreRequest, CodeShape, "expected { struct, payload }", 0},
		{"undefined", "export const handlers = () => ({ t: { postRequest() {} } })", PostRequest, CodeShape, "undefined", 0},
		{"list", "\n\n" + post(`sharedLists.areas.push(1)`), PostRequest, CodeFrozen, "frozen", 3},
		{"entry of a list", post(`sharedLists.areas[0].code = 2`), PostRequest, CodeFrozen, "frozen", 1},
		{"factory", "\nexport const handlers = () => { throw new Error('no') }", PostRequest, CodeFactory, "Error: no", 2},
		{"factory calls fetch", "export const handlers = () => { fetch('https://a.com'); return {} }", PostRequest, CodeFetch, "executeRequest only", 1},
		{"no function", "export const handlers = () => ({ t: { postRequest: 1 } })", PostRequest, CodeShape, `"t" is not a function`, 0},
		{"eval", post(`eval('1')`), PostRequest, CodeThrew, "not available", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, f := handled(t, p, tt.source, tt.stage, `{"response":1,"struct":{},"payload":{}}`, nil)
			if f == nil || f.Code != tt.code || !strings.Contains(f.Msg, tt.msg) || f.Line != tt.line {
				t.Errorf("%s, %+v; want %s %q at line %d", got, f, tt.code, tt.msg, tt.line)
			}
		})
	}
}

// TestNoHandler: reading a source cannot always tell which handlers there are.
// Those of a resource lie one level deeper (chapter 13, "Handler Structure").
func TestNoHandler(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	s := Script{Key: "k", Source: "export const handlers = () => ({ r: { q: { postRequest: ({ response }) => ({ response: [response] }) }, odd: 1 }, t: { postRequest: null } })"}
	for call, want := range map[[2]string]string{
		{"r", "q"}: `{"response":[1]}`, {"r", ""}: "", {"r", "none"}: "", {"r", "odd"}: "", {"none", "q"}: "", {"none", ""}: "", {"t", ""}: "",
	} {
		got, err := p.Call(t.Context(), s, Call{Name: call[0], Query: call[1], Stage: PostRequest, Input: json.RawMessage(`{"response":1}`)})
		if string(got) != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", call, got, err, want)
		}
	}
}

func TestLibraryMissing(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	_, err := p.Call(t.Context(), Script{Key: "k", Source: post("1"), Libraries: []string{"crypto", "ethers"}}, Call{Name: "t", Stage: PostRequest, Input: json.RawMessage("{}")})
	var failure *HandlerError
	if !errors.As(err, &failure) || failure.Code != CodeLibrary || !strings.Contains(failure.Msg, `"ethers"`) {
		t.Errorf("got %v", err)
	}
}

func TestFetch(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	source := `export const handlers = () => ({ t: { executeRequest: async ({ struct }) => {
		const pages = await Promise.all([1, 2].map((n) => fetch(struct.url + n, { method: 'post', headers: { A: n }, body: '{}' }).then((r) => r.json())))
		try { await fetch('https://refused.com') } catch (e) { return { response: [pages, e.message] } }
	} } })`
	fetch := func(_ context.Context, f FetchRequest) FetchAnswer {
		if strings.Contains(f.URL, "refused") {
			return FetchAnswer{Error: "EXE030 refused"}
		}
		return FetchAnswer{Status: 200, Body: []byte(`{"n":"` + f.URL + f.Method + f.Headers["A"] + *f.Body + `"}`)}
	}
	got, failure := handled(t, p, source, ExecuteRequest, `{"struct":{"url":"https://a.com/"},"payload":{}}`, fetch)
	if want := `{"response":[[{"n":"https://a.com/1POST1{}"},{"n":"https://a.com/2POST2{}"}],"EXE030 refused"]}`; failure != nil || got != want {
		t.Errorf("%s, %v; want %s", got, failure, want)
	}
}

// TestHostile: each of these ends in an error, in bounded time and memory,
// while other calls go on (DESIGN, "The sandbox").
func TestHostile(t *testing.T) {
	bad := map[string]string{
		"repeat":              post(`'x'.repeat(1e10)`),
		"nested source":       "export const handlers = () => " + strings.Repeat("(", 500_000),
		"nested expression":   post(`new RegExp('('.repeat(5e6))`),
		"nested JSON":         post(`JSON.parse('['.repeat(5e6))`),
		"endless loop":        post(`(() => { for (;;); })()`),
		"endless await":       post(`await new Promise(() => {})`),
		"endless jobs":        post(`await (async () => { for (;;) await null })()`),
		"sort":                post(`Array.from({ length: 1e7 }, (_, i) => -i).sort((a, b) => a - b).length`),
		"catastrophic regex":  post(`/^(?=(a+)+$)b/.test('a'.repeat(40) + '!') || /(a+)+\1$/.test('a'.repeat(5000) + '!') || (() => { for (;;); })()`),
		"unbounded array":     post(`(() => { const a = []; for (;;) a.push(new Array(1000).fill({})) })()`),
		"toString recursion":  post(`(() => { const o = { toString() { return '' + o } }; return String(o) })()`),
		"recursion":           post(`(function f() { return f() + 1 })()`),
		"frozen list":         post(`sharedLists.areas.length = 0`),
		"factory never ends":  "export const handlers = () => { for (;;); }",
		"prototype pollution": post(`(() => { Object.prototype.toJSON = function () { throw new Error('polluted') }; return {} })()`),
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
		if got, failure := handled(t, good, post("response"), PostRequest, `{"response":1,"struct":{},"payload":{}}`, nil); failure != nil || got != `{"response":1}` {
			t.Fatalf("another call: %s, %v", got, failure)
		}
	}
	wg.Wait()
	if d := time.Since(start); d > 60*time.Second {
		t.Errorf("took %s", d)
	}
	if got, failure := handled(t, p, post("response"), PostRequest, `{"response":1,"struct":{},"payload":{}}`, nil); failure != nil || got != `{"response":1}` {
		t.Errorf("the next call: %s, %v", got, failure)
	}
}

func TestCallCancelled(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	source := post(`(() => { for (;;); })()`)
	if _, err := p.Call(ctx, Script{Key: source, Source: source}, Call{Name: "t", Stage: PostRequest, Input: json.RawMessage("{}")}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if got, failure := handled(t, p, post("1"), PostRequest, `{}`, nil); failure != nil || got != `{"response":1}` {
		t.Errorf("the next call: %s, %v", got, failure)
	}
}

func BenchmarkCall(b *testing.B) {
	p := newPool(b, Limits{Workers: 1})
	for b.Loop() {
		if got, failure := handled(b, p, post("response"), PostRequest, `{"response":{"a":[1,2,3]},"struct":{},"payload":{}}`, nil); failure != nil {
			b.Fatal(got, failure)
		}
	}
}
