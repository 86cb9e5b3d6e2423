package module

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func TestOutline(t *testing.T) {
	const src = `const main2 = 1
export const main = {
    name: f(), 'quoted': [ 1, , { x: new Date() }, ...rest, 5 ],
    tools: { a: { tests: [ { v: undefined }, { w: () => { return { y: 1 } } } ] }, b() {}, [ c ]: 1, ...d },
    mapped: [ { z: 1 } ].map( x => x ), 'm'( { q } ) {}, g: { a: 1 }.a,
    last: { p: 1 }
}
main.added = { r: 1 }
`
	v := Tokenize(src).Outline("main")
	for pointer, want := range map[string]string{
		"":                      "{\n    name",
		"/name":                 "name: f()",
		"/quoted":               "'quoted'",
		"/quoted/0":             "1, ,",
		"/quoted/1":             "'quoted'", // a hole stands nowhere
		"/quoted/2/x":           "x: new",
		"/quoted/4":             "'quoted'", // after a spread
		"/tools/a/tests/0/v":    "v: undefined",
		"/tools/a/tests/1/w/y":  "w: () =>",
		"/tools/b/x":            "b() {}",
		"/tools/nowhere/at/all": "tools: {",
		"/mapped/0/z":           "mapped: [",
		"/m/q":                  "'m'(",
		"/g/a":                  "g: {",
		"/last/p":               "p: 1",
		"/added/r":              "{\n    name",
	} {
		if _, at := ordjson.Lookup(v, pointer); at < 0 || !strings.HasPrefix(src[at:], want) {
			t.Errorf("%s: at %d, want %q", pointer, at, want)
		}
	}
	for _, none := range []string{"", "const x = 1", "export { main } from 'x'", "main = ", "( main = {} )",
		"export const main"} {
		if v := Tokenize(none).Outline("main"); v.Exists() {
			t.Errorf("%q has an outline", none)
		}
	}
	deep := Tokenize("const main = " + strings.Repeat("[", 1e5) + strings.Repeat("]", 1e5)).Outline("main")
	if deep.Kind() != ordjson.Array {
		t.Error("a deep array has no outline")
	}
}

func FuzzOutline(f *testing.F) {
	for _, src := range []string{"const main = { a: [ 1, { b } ] }", "const main = [ ...x, { 'y'( z", "main = {,[:}",
		"const main = { async", "const main = { get"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) { Tokenize(src).Outline("main") })
}

func TestVariable(t *testing.T) {
	for src, want := range map[string]string{
		"const content = `a`\nexport const skill = { content }":               "content",
		"const text = `a`\nexport const skill = { name: 'x', content: text }": "text",
		"export const skill = { content: `a` }":                               "",
		"export const skill = { content: text + 'a', x: 1 }":                  "",
		"export const skill = { content: text.trim() }":                       "",
		"export const skill = { content: text, 'content': 'a' }":              "",
		"export const skill = { input: [ { content: text } ] }":               "",
		"const a = {}\nexport { a as skill }":                                 "",
		"export const other = { content: text }":                              "",
	} {
		if got := Tokenize(src).Variable("skill", "content"); got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}
