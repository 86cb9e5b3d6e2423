package sandbox

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func TestExport(t *testing.T) {
	tests := []struct{ name, src, export, want string }{
		{"literal", `export const main = { a: 1 }`, "main", `{"a":1}`},
		{"stringify and parse",
			`const base = { a: [1, { b: null }] }; export const main = JSON.parse(JSON.stringify(base))`, "main",
			`{"a":[1,{"b":null}]}`},
		{"fromEntries", `export const main = Object.fromEntries(['a', 'b'].map((k, i) => [k, i]))`, "main",
			`{"a":0,"b":1}`},
		{"template with an expression", "const v = '4.2.0'\nexport const main = { version: `v${v}` }", "main",
			`{"version":"v4.2.0"}`},
		{"spread", `const a = { x: 1 }; export const main = { ...a, list: [...'ab'] }`, "main",
			`{"x":1,"list":["a","b"]}`},
		{"computed keys", `const k = 'key'; export const main = { [k + 1]: true, ['2']: 0 }`, "main",
			`{"2":0,"key1":true}`},
		{"changed later", `export const main = { a: 1 }; main.b = 2; delete main.a`, "main", `{"b":2}`},
		{"export list, renamed", "const m = { a: 1 }\nexport { m as main, m }\n", "main", `{"a":1}`},
		{"export list joins nothing", "const f = [1]\nexport { f as main }\n;[0].length", "main", `[1]`},
		{"export list after a line without semicolon", "const main = 1\nexport { main }\n(2)", "main", `1`},
		{"default expression", `export default { a: 1 }`, "default", `{"a":1}`},
		{"default on two lines", "export\n  default [1]\n", "default", `[1]`},
		{"default name is taken", `const $10000 = 1; export default { $10000 }`, "default", `{"$10000":1}`},
		{"default function is called elsewhere",
			`export default function make() { return 7 }; export const main = make()`, "main", `7`},
		{"default class", `export default class A { static x = 3 }; export const main = A.x`, "main", `3`},
		{"function and async function",
			`export async function a() {} export function b() { return 1 } export const main = b()`, "main", `1`},
		{"let and var", `export let main = 1; export var other = 2; main = { other }`, "main", `{"other":2}`},
		{"two declarators", `export const a = { x: [1, 2] }, main = a.x.length`, "main", `2`},
		{"destructuring", `export const { main, x: [y] } = { main: 5, x: [6] }`, "main", `5`},
		{"byte order mark and hashbang", "\uFEFF#!/usr/bin/env node\nexport const main = 1", "main", `1`},
		{"property names", `const o = { import: 1, export: 2 }; export const main = [o.import, o.export, o?.import]`,
			"main", `[1,2,1]`},
		{"a method named import", `const o = { import() { return 1 } }; export const main = o.import()`, "main", `1`},
		{"keywords in texts", "const s = 'export default import x'; /* export */ export const main = s + " +
			"`import.meta` // import 'x'", "main", `"export default import ximport.meta"`},
		{"the module's own JSON", `const JSON = { stringify: () => 'x' }; export const main = { a: 1 }`, "main",
			`{"a":1}`},
		{"JSON changed", `JSON.stringify = () => 'x'; export const main = { a: 1 }`, "main", `{"a":1}`},
		{"toJSON", `export const main = { toJSON() { return [1] } }`, "main", `[1]`},
		{"date", `export const main = new Date(0)`, "main", `"1970-01-01T00:00:00.000Z"`},
		{"what JSON leaves out", `export const main = { a: undefined, f() {}, s: Symbol('x'), l: [undefined, ` +
			`() => 1], n: NaN, z: -0 }`, "main", `{"l":[null,null],"n":null,"z":0}`},
		{"lone surrogate", `export const main = '\ud800' + '\u2028\x07'`, "main", "\"\\ud800\u2028\\u0007\""},
		{"numbers", `export const main = [1e21, 1e-7, 0.1 + 0.2, 123456789012345680000, 5e-324]`, "main",
			`[1e+21,1e-7,0.30000000000000004,123456789012345680000,5e-324]`},
		{"shared, not cyclic", `const a = {}; export const main = { x: a, y: [a, a] }`, "main", `{"x":{},"y":[{},{}]}`},
		{"a promise settles", `let x = 0; Promise.resolve(4).then((v) => { main.x = v }); export const main = { x }`,
			"main", `{"x":4}`},
		{"JSON.parse", `const t = '{"a":["[[\\"[", "ä😀"],"b":2}'; export const main = [JSON.parse(t), JSON.parse(t, ` +
			`(k, v) => k === 'b' ? undefined : v), JSON.parse(1)]`, "main",
			`[{"a":["[[\"[","ä😀"],"b":2},{"a":["[[\"[","ä😀"]},1]`},
		{"1000 levels", `let v = 1; for (let i = 0; i < 1000; i++) v = [v]; export const main = v`, "main",
			strings.Repeat("[", 1000) + "1" + strings.Repeat("]", 1000)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Export(t.Context(), tt.src, tt.export)
			if err != nil || got != tt.want {
				t.Fatalf("%s, %v; want %s", got, err, tt.want)
			}
			if v, err := ordjson.Parse(got); err != nil || ordjson.Text(v) != got {
				t.Errorf("read back as %s, %v", ordjson.Text(v), err)
			}
		})
	}
}

func TestExportErrors(t *testing.T) {
	tests := []struct {
		name, src, msg string
		line, col      int
	}{
		{"no export", `const main = 1`, `no export "main"`, 0, 0},
		{"throw at the top level", "const ä = 1\n  ; throw new TypeError('bad\\nnews')\nexport const main = 1",
			"TypeError: bad", 2, 11},
		{"position after export", "export const x = 1; export const main = missing",
			"ReferenceError: missing is not defined", 1, 41},
		{"column in characters", "'äöü\u2028€'; export const main = missing", "ReferenceError", 1, 30},
		{"thrown text", `throw 'plain'; export const main = 1`, "plain", 1, 1},
		{"thrown object without toString", `throw { toString() { throw 1 } }; export const main = 1`,
			"was thrown", 1, 1},
		{"thrown null object", `throw Object.create(null); export const main = 1`, "was thrown", 1, 1},
		{"getter that throws", `export const main = { get a() { throw new Error('no') } }`, "Error: no", 1, 39},
		{"cycle", `export const main = {}; main.main = main`, "TypeError", 0, 0},
		{"bigint", `export const main = { n: 1n }`, "BigInt", 0, 0},
		{"undefined", `export const main = undefined`, "is undefined", 0, 0},
		{"function", `export const main = () => 1`, "is a function", 0, 0},
		{"symbol", `export const main = Symbol()`, "is a symbol", 0, 0},
		{"temporal dead zone", `export const main = later; const later = 1`, "ReferenceError", 1, 21},
		{"import", "\n import x from 'y'\nexport const main = 1", "modules are not resolved", 2, 2},
		{"import for effect", `import 'y'; export const main = 1`, "modules are not resolved", 1, 1},
		{"import with a comment", `import/**/('x'); export const main = 1`, "modules are not resolved", 1, 1},
		{"import.meta", `export const main = import.meta.url`, "import.meta", 1, 21},
		{"export from", `export { main } from 'x'`, "export … from", 1, 1},
		{"export star", `export * from 'x'`, "export *", 1, 1},
		{"await at the top level", "const x =\n await  Promise.resolve( 1 )\nexport const main = { x }",
			"await is not supported outside of async functions", 2, 9},
		{"syntax error", "export const main = {\n  a b\n}", "SyntaxError: ", 2, 5},
		{"lexical error", "export const main = 'x\n'", "string is not closed", 1, 21},
		{"long syntax error", "export const main = /(?=a)" + strings.Repeat("(", 10000) + "/",
			"SyntaxError: Invalid regular expression", 1, 21},
		{"long message", `throw 'ä'.repeat(10000); export const main = 1`, "ää…", 1, 1},
		{"strict", `x = 1; export const main = x`, "ReferenceError: x is not defined", 1, 1},
		{"strict syntax", `with ({}) {} export const main = 1`, "SyntaxError", 1, 1},
		{"declared twice", `const a = 1; const a = 2; export const main = a`, "SyntaxError", 1, 20},
		{"eval", `export const main = (0, eval)('1')`, "eval and Function are not available", 1, 30},
		{"Function", `export const main = new Function('return 1')()`, "eval and Function are not available", 1, 21},
		{"Function of a function", `export const main = (() => 1).constructor('return 1')()`,
			"eval and Function are not available", 1, 42},
		{"Function of a generator", `export const main = (function* () {}).constructor('return 1')()`,
			"eval and Function are not available", 1, 50},
		{"Function of an async function", `export const main = (async () => 1).constructor('return 1')()`,
			"eval and Function are not available", 1, 48},
		{"endless recursion", "const f = () => f() + 1\nexport const main = f()", "more than 2000 levels", 1, 18},
		{"endless recursion through natives", `const f = (x) => [x].map(f); export const main = f(1)`,
			"more than 2000 levels", 1, 25},
		{"endless recursion of toString", `const o = { toString() { return 'x' + o } }; export const main = 'x' + o`,
			"more than 2000 levels", 1, 33},
		{"1001 levels", `let v = 1; for (let i = 0; i < 1001; i++) v = [v]; export const main = v`,
			"deeper than 1000 levels", 0, 0},
		{"a hundred thousand levels", `let v = 1; for (let i = 0; i < 1e5; i++) v = [v]; export const main = v`,
			"deeper than 1000 levels", 0, 0},
		{"JSON text of many levels", `export const main = JSON.parse('['.repeat(5e6))`, "nests deeper than 1000 levels",
			1, 31},
		{"JSON text with a lone surrogate", `export const main = JSON.parse(JSON.stringify('\ud800'))`,
			"half of a surrogate pair", 1, 31},
		{"JSON text with an error", `export const main = JSON.parse('{')`, "SyntaxError", 1, 31},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Export(t.Context(), tt.src, "main")
			var e *Error
			if !errors.As(err, &e) || got != "" {
				t.Fatalf("%s, %v; want an *Error", got, err)
			}
			if !strings.Contains(e.Msg, tt.msg) || e.Line != tt.line || e.Col != tt.col {
				t.Errorf("%q at %d:%d, want %q at %d:%d", e.Msg, e.Line, e.Col, tt.msg, tt.line, tt.col)
			}
			if strings.ContainsRune(e.Error(), '\n') || len(e.Msg) > 1000 {
				t.Errorf("more than a short line: %q", e)
			}
		})
	}
}

func TestExportReachesNoHost(t *testing.T) {
	for _, name := range []string{"require", "process", "console", "fetch", "module", "exports", "Buffer", "setTimeout",
		"setInterval", "queueMicrotask", "Deno", "WebAssembly", "navigator", "__dirname", "global", "window", "self",
		"XMLHttpRequest", "URL"} {
		if got, err := Export(t.Context(), "export const main = typeof "+name, "main"); err != nil ||
			got != `"undefined"` {
			t.Errorf("%s is %s, %v", name, got, err)
		}
	}
}

func TestExportKeepsNoState(t *testing.T) {
	if _, err := Export(t.Context(), `globalThis.x = 1; Object.prototype.y = 2; export const main = 1`,
		"main"); err != nil {
		t.Fatal(err)
	}
	if got, err := Export(t.Context(), `export const main = [typeof x, {}.y]`, "main"); err != nil ||
		got != `["undefined",null]` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestExportEndsAtDeadline(t *testing.T) {
	tests := []struct{ name, src string }{
		{"endless loop", `for (;;) {} export const main = 1`},
		{"endless loop that catches", `for (;;) { try { for (;;) {} } catch {} finally { continue } } ` +
			`export const main = 1`},
		{"endless getter", `export const main = { get a() { for (;;) {} } }`},
		{"endless toJSON", `export const main = { toJSON() { for (;;) {} } }`},
		{"endless iterator", `export const main = [...{ [Symbol.iterator]: () => ({ next: () => ({ ` +
			`done: false }) }) }].length`},
		{"endless jobs", `const f = () => Promise.resolve().then(f); f(); export const main = 1`},
		{"endless toString of what is thrown", `throw { toString() { for (;;) {} } }; export const main = 1`},
		{"a regular expression that backtracks", `export const main = /^(?=a)(a+)+$/.test('a'.repeat(26) + 'b')`},
		{"parameters that are parsed again and again",
			`export const main = ` + strings.Repeat("(a=", 22) + "1" + strings.Repeat(")=>1", 22)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			start := time.Now()
			_, err := Export(ctx, tt.src, "main")
			var e *Error
			if took := time.Since(start); took > 50*time.Millisecond+time.Second {
				t.Errorf("took %v", took)
			}
			if err != nil && !errors.As(err, &e) {
				t.Fatalf("%v; want an *Error", err)
			}
			if strings.HasPrefix(tt.name, "endless") && (e == nil || !strings.Contains(e.Msg, "deadline")) {
				t.Errorf("%v; want the deadline", err)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	// The end may come at any point, even while the runtime is being prepared.
	for range 100 {
		if _, err := Export(ctx, `for (;;) {} export const main = 1`, "main"); err == nil ||
			!strings.Contains(err.Error(), "cancelled") {
			t.Fatalf("cancelled: %v", err)
		}
	}
}

// What takes too much memory ends with its process, and the next one is
// evaluated.
func TestExportEndsAtMemory(t *testing.T) {
	for _, expression := range []string{
		"new Uint8Array(3e9)", "new ArrayBuffer(1e15)", "'x'.repeat(1e10)", "'x'.padEnd(2 ** 30)",
		"[...'x'.repeat(1e8)]",
		"(() => { let s = 'x'; for (;;) s += s })()", "(() => { const a = []; for (;;) a.push(a.slice()) })()",
	} {
		_, err := Export(t.Context(), "export const main = "+expression, "main")
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Msg, "memory") && !strings.Contains(e.Msg, "processor time") &&
			!strings.Contains(e.Msg, "Error") {
			t.Errorf("%s: %v", expression, err)
		}
		if got, err := Export(t.Context(), "export const main = 1 + (1)", "main"); got != "2" {
			t.Fatalf("after %s: %s, %v", expression, got, err)
		}
	}
}

// hostile are sources that would overflow the Go stack in goja's parser or
// compiler, or keep it busy for minutes: unit is repeated up to module.MaxSource.
var hostile = []struct{ before, unit, after string }{
	{"x=", "!", "1"}, {"x=", "- ", "1"}, {"x=", "+ ", "1"}, {"x=", "~", "1"}, {"x=", "typeof ", "1"},
	{"x=", "void ", "1"},
	{"x=", "delete ", "1"}, {"x=", "new ", "a"}, {"x=", "a=>", "1"}, {"x=", "async a=>", "1"}, {"", "a=", "1"},
	{"", "a??=", "1"},
	{"x=", "a?a:", "1"}, {"x=", "a?", "1"}, {"x=", "a**", "1"}, {"x=", "1+", "1"}, {"x=", "a&&", "1"},
	{"x=", "a??", "1"},
	{"x=a", ".a", ""}, {"x=a", "?.a", ""}, {"x=a", "()", ""}, {"x=a", "[0]", ""}, {"x=a", "``", ""}, {"", "if(a)", "1"},
	{"if(a);", "else if(a);", ""}, {"", "while(a)", "1"}, {"", "for(;;)", "1"}, {"", "do ", "1"}, {"", "a:", "1"},
	{"", "try{}finally{}", ""}, {"async function f(){", "await ", "1}"}, {"function*f(){", "yield ", "1}"},
	{"x=", "(", ""}, {"x=", "[", ""}, {"x=", "{a:", ""}, {"", "{", ""}, {"x=", "`${", ""}, {"x=", "a(", ""},
	{"x=", "a[", ""},
	{"x=", "(a=", ""}, {"x=", "([", ""}, {"", "function f(){", ""}, {"", "class a{static{", ""}, {"var ", "[", ""},
	{"var ", "{a:", ""},
	{"x=", "!(", ""}, {"x=", "{a(){", ""}, {"x=", "class{[", ""}, {"", "if(a){}else{", ""},
	{"", "switch(a){case 1:", ""},
	{"x=/", "(", "/"}, {"x=/(?=a)", "(", "/"}, {"x=/(?=a)", "(?:", "/"}, {"x=/", "[", "/"},
	{"x=\n", "!\n", "1"}, {"x=\n", "a\n", "1"}, {"x=", "!//\n", "1"}, {"x=", "1\n+", "1"}, {"x=", "a\n?a:", "1"},
	{"x=", "a,", "1"}, {"", "a;", ""}, {"", "if(a)\n", "1"}, {"", "else\n", "1"}, {"", "do\n", "1"}, {"", "a\n:", "1"},
	{"", "while(a)\n", "1"}, {"", "for(;;)\n", "1"}, {"x=", "a=>\n", "1"}, {"x=", "new\n", "a"}, {"x=", "yield\n", "a"},
	{"", "if(a);else\n", "1"}, {"", "for(a;b;c)", "1"}, {"", "with(a)\n", "1"}, {"", "let ", "1"}, {"", "a\n", ""},
	{"", "for(a of b)\n", ""},
}

// TestHostileSource runs this test binary again for each source, because a Go
// stack that overflows ends the process.
func TestHostileSource(t *testing.T) {
	if os.Getenv("FMCP_TEST_HOSTILE") != "" {
		for _, h := range hostile {
			src := h.before + strings.Repeat(h.unit, (module.MaxSource-100)/len(h.unit)) + h.after +
				"\nexport const main = 1"
			start := time.Now()
			_, err := Export(t.Context(), src, "main")
			t.Logf("%q: %v (%v)", h.unit, err, time.Since(start).Round(time.Millisecond))
		}
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestHostileSource$", "-test.v", "-test.timeout=3m")
	cmd.Env = append(os.Environ(), "FMCP_TEST_HOSTILE=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out[:min(len(out), 5000)])
	}
	t.Logf("%s", out)
}

func FuzzExport(f *testing.F) {
	for _, s := range []string{
		`export const main = { a: 1 }`, "export default\n[1]", `const a = 1; export { a as main }`,
		`export const main = (`,
		"export const main = `${`x`}`", `export default function* f() {}`, `export { a as 'x' }`, `export`, `export {`,
		`import`, `export const`,
		`export default`, `export const {main} =`, `export class main {}`, "\uFEFF#!x", `export { main as`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		text, err := Export(ctx, src, "main")
		if err == nil {
			if _, err := ordjson.Parse(text); err != nil {
				t.Fatalf("%q gives %q: %v", src, text, err)
			}
			return
		}
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("%T is no *Error", err)
		}
	})
}
