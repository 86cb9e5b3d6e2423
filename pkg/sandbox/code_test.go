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

// echo answers each call with what was called.
func echo(_ context.Context, c ToolCall) ToolAnswer {
	if c.ID == "fails" {
		return ToolAnswer{Error: "EXE020 the upstream is down"}
	}
	text, _ := json.Marshal(map[string]any{"id": c.ID, "params": c.Params})
	return ToolAnswer{Data: text}
}

func TestRun(t *testing.T) {
	p := newPool(t, Limits{Workers: 2, Time: time.Minute})
	for _, tt := range []struct{ name, code, want, warning string }{
		{"a value", "return 1 + 1", "2", ""},
		{"a call", "return await call('a/tool/b', { n: 1 })", `{"id":"a/tool/b","params":{"n":1}}`, ""},
		{"no parameters", "return (await call('b')).id", `"b"`, ""},
		{"side by side", "const [a, b] = await Promise.all([call('a'), call('b')]); return a.id + b.id", `"ab"`, ""},
		{"a call is returned", "return call('a')", `{"id":"a","params":null}`, ""},
		{"a failure that is caught", "try { await call('fails') } catch (e) { return [e.name, e.message] }",
			`["CallError","EXE020 the upstream is down"]`, ""},
		{"a failure that is settled",
			"return (await Promise.allSettled([call('a'), call('fails')])).map((r) => r.status)",
			`["fulfilled","rejected"]`, ""},
		{"no comment hides the end", "return 1 // done", "1", ""},
		{"unicode",
			"return '\u00e4\U0001F600\u2028' + (await call('\u00fc')).id", "\"\u00e4\U0001F600\u2028\u00fc\"", ""},
		{"own names", "const call2 = call; { const call = 1 } return (await call2('x')).id", `"x"`, ""},
		{"nothing is returned", "await call('a')", "", ""},
		{"a function that nobody calls", "async () => { return 1 }", "", ""},
		{"undefined members", "return { a: undefined, b: 1 }", `{"b":1}`, ""},
		{"a call that nobody awaits is finished", "call('a'); return 1", "1", ""},
		{"a failure that nobody awaits", "call('a')\ncall('fails'); return 1", "1",
			"1 failure in what was not awaited, the first: CallError: EXE020 the upstream is down (line 2, column 5)"},
		{"a call after the end", "call('a').then(() => call('b')); return 1", "1",
			"1 failure in what was not awaited, the first: CallError: the code has already returned"},
		{"a polluted prototype", "Object.prototype.id = 'x'; Promise.prototype.then2 = 1; " +
			"Array.prototype.map = null; return (await call('a')).id", `"a"`, ""},
		{"another Promise", "Promise.prototype.then = null; globalThis.Promise = null; return (await call('a')).id",
			`"a"`, ""},
		{"a thenable is returned", "return { then(r) { r(call('a').then((v) => v.id)) } }", `"a"`, ""},
		{"own __proto__", `return (await call('a', JSON.parse('{"__proto__":{"x":1}}'))).params`,
			`{"__proto__":{"x":1}}`, ""},
		{"a call in a toJSON", "return await call('a', { toJSON() { return { p: call('b') } } })",
			`{"id":"a","params":{"p":{}}}`, ""},
		{"another JSON", "JSON.stringify = () => '[]'; JSON.parse = () => 7; return (await call('a')).id", `"a"`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var warning string
			got, err := p.Run(t.Context(), tt.code, Call{Tool: echo, Warn: func(w string) { warning += w }})
			if err != nil || string(got) != tt.want {
				t.Errorf("%s, %v; want %s", got, err, tt.want)
			}
			if !strings.HasPrefix(warning, tt.warning) || (tt.warning == "") != (warning == "") {
				t.Errorf("warning %q, want %q", warning, tt.warning)
			}
		})
	}
}

// TestRunFails: errors name the line and the column of the code, and what is
// wrong with it.
func TestRunFails(t *testing.T) {
	p := newPool(t, Limits{Workers: 1, Memory: raceMemory * DefaultMemory, Time: time.Minute})
	quick := newPool(t, Limits{Workers: 1, Memory: raceMemory * DefaultMemory, Time: time.Second})
	small := newPool(t, Limits{Workers: 1, Time: time.Minute})
	for _, tt := range []struct{ name, code, want string }{
		{"syntax", "const a = 1\nreturn a +* 2", "SyntaxError: Unexpected token * (line 2, column 11)"},
		{"a bracket", "return [1, 2", "unexpected end of file, expected ]"},
		{"out of the wrapper", "return 1 }); globalThis.x = 1; (async () => {", "(line 1, column 10)"},
		{"twice", "const a = 1\nconst a = 2", "(line 2, column 7)"},
		{"types", "const a: string = 'b'\nreturn a", "write JavaScript, without types (line 1, column 8)"},
		{"an import", "import fs from 'fs'\nreturn 1", "import from another module"},
		{"an unknown name", "const x = 1\nreturn  proces.env",
			"ReferenceError: proces is not defined; besides the language, there are AbortSignal"},
		{"its place", "const x = 1\nreturn  proces.env", "(line 2, column 9)"},
		{"in a function", "const f = (o) => o.a.b\nreturn [{}].map(f)", "(line 1, column 22)"},
		{"after a call", "const r = await call('a')\n\n  return r.x.y", "(line 3, column 14)"},
		{"a call that fails", "\n  await call('fails')", "CallError: EXE020 the upstream is down (line 2, column 13)"},
		{"a text is thrown", "throw 'no'", "no"},
		{"an object is thrown", "throw { code: 7 }", `{"code":7}`},
		{"null is thrown", "throw null", "null"},
		{"what has no text is thrown", "throw { toString() { throw 1 } }", "without a usable toString"},
		{"no ID", "await call({ id: 'a' })", "expected call(id, params) with the ID of a tool, found [object Object]"},
		{"params without JSON", "await call('a', { n: 1n })", "BigInt"},
		{"params without end", "const p = {}; p.p = p; await call('a', p)", "circular"},
		{"a function for params", "await call('a', () => 1)", "expected params to be an object, found () => 1"},
		{"a symbol for params", "await call('a', Symbol('x'))", "expected params to be an object, found"},
		{"a trap in params", "await call('a', new Proxy({}, { ownKeys() { throw new Error('trap') } }))",
			"CallError: Error: trap (line 1, column 11)"},
		{"no toString", "Error.prototype.toString = () => { throw 1 }; await call('fails')",
			"without a usable toString"},
		{"a place that is made up", "const e = new Error('y'); e.stack = 'module:99999999999:1'; throw e",
			"Error: y (line 1"},
		{"a stack that throws", "const e = new Error('y')\n" +
			"Object.defineProperty(e, 'stack', { get() { throw e } })\nthrow e", "Error: y"},
		{"a Map is returned", "return { m: new Map([[1, 2]]) }", `a Map at "m": return Object.fromEntries(map)`},
		{"a Set is returned", "return new Set([1])", `a Set: return [...set]`},
		{"a promise is returned", "return { list: [1].map(async (x) => x) }", `a Promise at "0": await it`},
		{"a cyclic result", "const r = {}; r.r = r; return r", "circular"},
		{"fetch", "return await fetch('https://example.com')", "fetch is not available: await call(id, params)"},
		{"eval", "return eval('1')", "eval and Function are not available"},
		{"Function", "return (async () => {}).constructor('return 1')()", "eval and Function are not available"},
		{"too many calls", "for (;;) await call('a')", "the code makes more than 100 calls"},
		{"too many calls at once", "await Promise.all(Array.from({ length: 1000 }, () => call('a')))",
			"the code makes more than 100 calls"},
		{"no end", "for (;;);", "EXE052 the code did not end within 1s of processor time"},
		{"no end, with calls that fail", "for (;;) call('a')", "EXE05"},
		{"no answer", "await new Promise(() => {})", "code waits for a promise that nothing will ever settle"},
		{"recursion", "const f = () => f() + 1\nreturn f()", "functions call each other more than"},
		{"memory", "const a = []; for (;;) a.push('x'.repeat(1e6) + a.length)", "EXE053 the code needs more than"},
		{"a long result", "return 'x'.repeat(17e6)", "the code returned, or sent, more than"},
		{"toJSON of all objects", "Object.prototype.toJSON = () => { throw new Error('polluted') }; return {}",
			"polluted"},
		{"an endless getter", "return { get x() { for (;;); } }", "EXE052"},
		{"jobs without end", "(async () => { for (;;) await null })(); return 1", "EXE052"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pool := p
			switch { // what ends at a limit has a low one, and the rest gets all that it needs
			case strings.HasPrefix(tt.want, "EXE053"):
				pool = small
			case strings.HasPrefix(tt.want, "EXE05"):
				pool = quick
			}
			got, err := pool.Run(t.Context(), tt.code, Call{Tool: echo})
			if failure := (*HandlerError)(nil); !errors.As(err, &failure) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%.80s, %v; want %s", got, err, tt.want)
			}
		})
	}
	if got, err := p.Run(t.Context(), "return typeof x + typeof Object.prototype.toJSON", Call{}); err != nil ||
		string(got) != `"undefinedundefined"` {
		t.Errorf("the next one: %s, %v", got, err)
	}
}

// TestRunEscapes: nothing of the process is in reach of code.
func TestRunEscapes(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	got, err := p.Run(t.Context(), `
		const found = []
		for (const name of ['require', 'process', 'module', 'exports', 'sharedLists', 'libraries', 'handlers', 'native',
			'setTimeout', 'XMLHttpRequest', 'WebSocket', 'Deno', 'WebAssembly']) {
			if (typeof globalThis[name] !== 'undefined') found.push(name)
		}
		const own = Object.getOwnPropertyNames(call)
		try { call.constructor('return this')(); found.push('constructor') } catch {}
		try { Object.getPrototypeOf(async () => {}).constructor('return this')(); found.push('async') } catch {}
		return { found, own }`, Call{})
	if want := `{"found":[],"own":["length","name"]}`; err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

// TestRunCalls: calls run side by side, up to a limit, and end with the code.
func TestRunCalls(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	var open, most atomic.Int64
	var all sync.WaitGroup
	all.Add(maxOpen)
	tool := func(ctx context.Context, c ToolCall) ToolAnswer {
		if c.ID == "slow" {
			<-ctx.Done()
			open.Store(-1)
			return ToolAnswer{Error: "cut off"}
		}
		n := open.Add(1)
		most.Store(max(most.Load(), n))
		if all.Done(); n > maxOpen {
			t.Error("too many")
		}
		all.Wait() // the first ones meet
		open.Add(-1)
		return ToolAnswer{Data: json.RawMessage("1")}
	}
	code := "return (await Promise.all(Array.from({ length: 6 }, () => call('a')))).length"
	got, err := p.Run(t.Context(), code, Call{Tool: tool})
	if err != nil || string(got) != "6" || most.Load() != maxOpen {
		t.Errorf("%s, %v, %d at a time", got, err, most.Load())
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	if got, err := p.Run(ctx, "await call('slow')", Call{Tool: tool}); !errors.Is(err, context.Canceled) {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := p.Run(t.Context(), "call('slow'); throw new Error('no')", Call{Tool: tool}); err == nil ||
		!strings.Contains(err.Error(), "Error: no") {
		t.Errorf("%v", err)
	}
	if got, err := p.Run(t.Context(), "return 1", Call{}); err != nil || string(got) != "1" {
		t.Errorf("the next one: %s, %v", got, err)
	}
}

// TestTooLong: a worker that waits for the answer to what was too long to be read
// gets no further call.
func TestTooLong(t *testing.T) {
	p := newPool(t, Limits{Workers: 1, Memory: raceMemory * DefaultMemory, Time: time.Minute})
	for range 2 {
		if _, err := p.Run(t.Context(), "await call('a', { x: 'x'.repeat(17e6) })", Call{Tool: echo}); err == nil ||
			!strings.Contains(err.Error(), "the code returned, or sent, more than") {
			t.Error(err)
		}
	}
	if got, err := p.Run(t.Context(), "return 1", Call{}); err != nil || string(got) != "1" {
		t.Errorf("the next one: %s, %v", got, err)
	}
}

// TestRunBesideHandlers: code that uses up its time keeps no handler waiting.
func TestRunBesideHandlers(t *testing.T) {
	p := newPool(t, Limits{Workers: 2, Time: time.Minute})
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	var ended atomic.Int64
	began := make(chan struct{}, 1)
	for range 4 {
		all.Go(func() {
			_, _ = p.Run(ctx, "await call('begin'); for (;;);", Call{Tool: func(context.Context, ToolCall) ToolAnswer {
				select {
				case began <- struct{}{}:
				default:
				}
				return ToolAnswer{Data: json.RawMessage("1")}
			}})
			ended.Add(1)
		})
	}
	<-began
	for range 10 {
		if got, failure := handled(t, p, post("1"), PostRequest, "{}", nil); failure != nil || got != `{"response":1}` {
			t.Errorf("%s, %v", got, failure)
		}
	}
	if n := ended.Load(); n > 0 {
		t.Errorf("%d have ended", n)
	}
	cancel()
	all.Wait()
}
