package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

// withLibrary calls a stage of a schema that has a library of a script.
func withLibrary(t testing.TB, p *Pool, script, source, stage string,
	fetch func(context.Context, FetchRequest) FetchAnswer) (string, *HandlerError) {
	t.Helper()
	s := Script{Key: source + script, Source: source, Libraries: []string{"lib", "zlib"},
		Bundles: map[string]*Library{"lib": {Hash: script, Script: script}}}
	out, err := p.Call(t.Context(), s,
		Call{Name: "t", Stage: stage, Input: json.RawMessage(`{"response":1,"struct":{},"payload":{}}`), Fetch: fetch})
	var failure *HandlerError
	if err != nil && !errors.As(err, &failure) {
		t.Fatal(err)
	}
	return string(out), failure
}

func use(expr string) string {
	return strings.Replace(post(expr), "libraries })", "libraries: { lib } })", 1)
}

func TestLibraries(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	tests := []struct{ name, script, expr, want string }{
		{"default export", `module.exports = { library: { default: () => 1 } }`, `lib()`, `1`},
		{"namespace", `exports.library = { v: 2 }`, `lib.v`, `2`},
		{"timers", `exports.library = { wait: (ms) => new Promise((r) => setTimeout(r, ms, 'done')) }`,
			`await lib.wait(1)`, `"done"`},
		{"timers in order",
			`exports.library = { all: async () => { const seen = []; setTimeout(() => seen.push('c'), 20); ` +
				`const b = setTimeout(() => seen.push('b'), 10); setTimeout(() => seen.push('a')); clearTimeout(b); ` +
				`await new Promise((r) => setTimeout(r, 30)); return seen } }`, `await lib.all()`, `["a","c"]`},
		{"interval", `exports.library = { all: () => new Promise((r) => { let n = 0; const i = setInterval(() => { ` +
			`if (++n === 3) { clearInterval(i); r(n) } }, 1) }) }`, `await lib.all()`, `3`},
		{"what is left of timers is dropped", `exports.library = { v: 1 }; setInterval(() => {}, 1)`, `lib.v`, `1`},
		{"global object of its own",
			`globalThis.leak = 1; exports.library = { v: globalThis.leak + typeof globalThis.TextEncoder + typeof ` +
				`globalThis.setTimeout }`, `[lib.v, typeof leak]`, `["1functionfunction","undefined"]`},
		{"a globalThis that hides itself",
			`exports.library = (() => { var globalThis = (() => typeof globalThis === 'object' ? 1 : typeof ` +
				`global)(); return { v: globalThis } })()`, `[lib.v, typeof global]`, `["object","undefined"]`},
		{"large script", `exports.library = { v: 1 } // ` + strings.Repeat("x", 1<<20), `lib.v`, `1`},
		{"handlers have no timers", `exports.library = { v: typeof setTimeout }`,
			`[lib.v, typeof setTimeout, typeof Headers, typeof console]`,
			`["function","undefined","undefined","object"]`},
		{"console is quiet", `console.log('x'); exports.library = { v: 1 }`, `lib.v`, `1`},
		{"random", `exports.library = { v: crypto.getRandomValues(new Uint8Array(8)) }`, `[...lib.v].length`, `8`},
		{"Headers", `const h = new Headers({ A: 1 }); h.append('a', 2); exports.library = { v: [...h] }`, `lib.v`,
			`[["a","1, 2"]]`},
		{"abort", `const c = new AbortController(); let n = 0; c.signal.addEventListener('abort', () => n++); ` +
			`c.abort(); c.abort(); exports.library = { v: [n, c.signal.aborted, c.signal.reason.name] }`, `lib.v`,
			`[1,true,"AbortError"]`},
		{"no module", `try { require('fs') } catch (e) { exports.library = { v: e.code } }`, `lib.v`,
			`"MODULE_NOT_FOUND"`},
		{"parts of Node",
			`exports.library = { v: require('crypto').createHash('md5').update('a').digest('hex').length + typeof ` +
				`require('url').URL }`, `lib.v`, `"32function"`},
		{"sloppy", `leak = 1; exports.library = { v: (function () { return typeof this })() }`, `lib.v`, `"object"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, failure := withLibrary(t, p, tt.script, use(tt.expr), PostRequest, nil)
			if failure != nil || got != `{"response":`+tt.want+`}` {
				t.Errorf("%s, %v; want %s", got, failure, tt.want)
			}
		})
	}
}

// TestLibrariesFail: what a library does wrong ends in an error that says which
// one, and the next call is answered.
func TestLibrariesFail(t *testing.T) {
	p := newPool(t, Limits{Workers: 1, Time: 3 * time.Second, Wait: 3 * time.Second, Load: 5 * time.Second})
	tests := []struct{ name, script, expr, code, want string }{
		{"damaged", ``, `1`, CodeLibrary, `the library "lib" cannot be loaded: the catalog's record of it is damaged`},
		{"throws", `throw new Error('no')`, `1`, CodeLibrary, `the library "lib" cannot be loaded: Error: no`},
		{"sets nothing", `;`, `1`, CodeLibrary, `the library "lib" cannot be loaded: TypeError`},
		{"no JavaScript", `((`, `1`, CodeLibrary, `the library "lib" cannot be loaded`},
		{"closes its function", `})(); (function () {`, `1`, CodeLibrary, `the library "lib" cannot be loaded`},
		{"deep", strings.Repeat("(", 3_000_000), `1`, CodeLibrary, `too much memory or stack`},
		{"never ends", `for (;;);`, `1`, CodeLibrary,
			`the library "lib, zlib" cannot be loaded: it takes longer than 5s`},
		{"endless timers", `exports.library = { v: () => new Promise(() => { setInterval(() => {}, 1) }) }`,
			`await lib.v()`, CodeTime,
			`the handler waited for 3s, for fetches, timers or a free processor (--handler-wait)`},
		{"too many timers", `exports.library = { v: () => { for (let i = 0; i < 2000; i++) setTimeout(() => {}) } }`,
			`lib.v()`, CodeThrew, `more than 1000 timers`},
		{"a timer throws", `exports.library = { v: () => new Promise(() => { setTimeout(() => { ` +
			`throw new Error('late') }) }) }`, `await lib.v()`, CodeThrew, `late`},
		{"fetch while loading", `fetch('https://a.com').catch(() => {}); exports.library = { v: 1 }`,
			`await lib.none()`, CodeThrew, `none`},
		{"fetch in postRequest", `exports.library = { v: () => fetch('https://a.com') }`, `await lib.v()`, CodeFetch,
			`executeRequest only`},
		{"eval", `exports.library = { v: () => new Function('return 1')() }`, `lib.v()`, CodeThrew, `not available`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, failure := withLibrary(t, p, tt.script, use(tt.expr), PostRequest, nil)
			if failure == nil || failure.Code != tt.code || !strings.Contains(failure.Msg, tt.want) {
				t.Errorf("%s, %v; want %s %s", got, failure, tt.code, tt.want)
			}
			if got, failure := withLibrary(t, p, `exports.library = { v: 1 }`, use("lib.v"), PostRequest,
				nil); failure != nil {
				t.Errorf("the next call: %s, %v", got, failure)
			}
		})
	}
}

// TestLibraryFetch: a library's requests are those of executeRequest.
func TestLibraryFetch(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	script := `exports.library = { get: (u, o) => fetch(u, o).then((r) => r.json()) }`
	source := `export const handlers = ({ libraries: { lib } }) => ({ t: { executeRequest: async () => ({ ` +
		`response: await lib.get('https://a.com/x', { method: 'POST', headers: [['A', 1]], ` +
		`body: new TextEncoder().encode('{}') }) }) } })`
	fetch := func(_ context.Context, f FetchRequest) FetchAnswer {
		return FetchAnswer{Status: 200, Body: []byte(`"` + f.Method + f.URL + f.Headers["a"] + string(f.Body) + `"`)}
	}
	got, failure := withLibrary(t, p, script, source, ExecuteRequest, fetch)
	if want := `{"response":"POSThttps://a.com/x1{}"}`; failure != nil || got != want {
		t.Errorf("%s, %v; want %s", got, failure, want)
	}
	// A timer rests while a fetch is under way, and is cleared by then.
	race := `exports.library = { get: () => new Promise((r, no) => { const t = setTimeout(no, 1, 'late'); ` +
		`fetch('https://a.com').then(() => { clearTimeout(t); setTimeout(r, 1, 'in time') }) }) }`
	slow := func(context.Context, FetchRequest) FetchAnswer {
		time.Sleep(20 * time.Millisecond)
		return FetchAnswer{Status: 200}
	}
	if got, failure := withLibrary(t, p, race, source, ExecuteRequest, slow); failure != nil ||
		got != `{"response":"in time"}` {
		t.Errorf("%s, %v; want in time", got, failure)
	}
	wrapped := strings.Replace(script, "r.json())",
		"r.json()).catch((e) => { throw Object.assign(new Error('wrapped'), { cause: e }) })", 1)
	if got, failure := withLibrary(t, p, wrapped, strings.Replace(source, "executeRequest", "postRequest", 1),
		PostRequest, nil); failure == nil || failure.Code != CodeFetch {
		t.Errorf("%s, %v; want %s", got, failure, CodeFetch)
	}
}

// TestLibrariesAreShared: two schemas of one worker have the same program of a
// library, and not the same library.
func TestLibrariesAreShared(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	script := `let n = 0; exports.library = { count: () => ++n }`
	for _, source := range []string{use("[lib.count(), 'a']"), use("[lib.count(), 'b']")} {
		if got, failure := withLibrary(t, p, script, source, PostRequest, nil); failure != nil ||
			!strings.HasPrefix(got, `{"response":[1,`) {
			t.Errorf("%s, %v", got, failure)
		}
	}
	if n := len(p.idle[0].compiled); n != 1 {
		t.Errorf("%d libraries compiled, want 1", n)
	}
}
