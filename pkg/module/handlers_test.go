package module

import (
	"fmt"
	"strings"
	"testing"
)

// handlersOf prints the handlers of a module: "tool: stage stage; …".
func handlersOf(t *testing.T, src string) string {
	t.Helper()
	m, err := Read(src)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	if m.Handlers == nil {
		return "none"
	}
	var list []string
	for _, h := range m.Handlers {
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s: %s", h.Name, strings.Join(h.Stages, " "))))
	}
	return strings.Join(list, "; ")
}

func TestHandlers(t *testing.T) {
	const pre = `preRequest: async ( { struct, payload } ) => { return { struct, payload } }`
	tests := []struct{ name, src, want string }{
		{"no handlers", `export const main = {}`, "none"},
		{"not exported", `const handlers = () => ({ a: { ` + pre + ` } })`, "none"},
		{"arrow with parentheses", `export const handlers = ( { sharedLists, libraries } ) => ( { a: { ` + pre +
			` } } )`, "a: preRequest"},
		{"no handler in it", `export const handlers = () => ({})`, ""},
		{"misspelt stages are named", `export const handlers = () => ({ a: { preReqest: async ( x ) => x, ` +
			`postrequest( y ) { return y }, note: 1, other: f( 2 ), fn: function () {} } })`,
			"a: preReqest postrequest fn"},
		{"one parameter without parentheses", `export const handlers = deps => ({ a: { ` + pre + ` } })`,
			"a: preRequest"},
		{"async arrow", `export const handlers = async () => ({ a: { ` + pre + ` } })`, "a: preRequest"},
		{"block body", `export const handlers = () => { const x = 1; return { a: { ` + pre + ` } } }`, "a: preRequest"},
		{"block body without semicolons",
			"export const handlers = () => {\n const x = { y: 1 }\n return {\n a: { " + pre + " }\n }\n}",
			"a: preRequest"},
		{"const, then return", `export const handlers = () => { const all = { a: { ` + pre + ` } }; return all }`,
			"a: preRequest"},
		{"const, then return in parentheses",
			`export const handlers = () => { const all = { a: { ` + pre + ` } }; return ( all ) }`, "a: preRequest"},
		{"a return in a helper does not count",
			`export const handlers = () => { const f = () => { return { b: { preRequest() {} } } }; function g() { ` +
				`return { c: {} } } return { a: { ` + pre + ` } } }`, "a: preRequest"},
		{"function expression", `export const handlers = function ( deps ) { return { a: { ` + pre + ` } } }`,
			"a: preRequest"},
		{"named async function expression",
			`export const handlers = async function make( deps ) { return { a: { ` + pre + ` } } }`, "a: preRequest"},
		{"method shorthand", `export const handlers = () => ({ a: { preRequest( { struct } ) { return { struct } }, ` +
			`async postRequest() {} } })`, "a: preRequest postRequest"},
		{"async and function stages", `export const handlers = () => ({ a: { executeRequest: async function () {}, ` +
			`postRequest: function () { return {} } } })`, "a: executeRequest postRequest"},
		{"stages by reference", `export const handlers = () => { const f = () => 1; return { a: { preRequest: f, ` +
			`postRequest: f } } }`, "a: preRequest postRequest"},
		{"shorthand stages", `export const handlers = () => { const preRequest = () => 1; return { a: { ` +
			`preRequest } } }`, "a: preRequest"},
		{"quoted names", `export const handlers = () => ({ 'a': { 'preRequest': () => 1 }, "b\u0063": { ` +
			`"postRequest"() {} } })`, "a: preRequest; bc: postRequest"},
		{"several tools in order", `export const handlers = () => ({ b: { ` + pre +
			` }, a: { postRequest: () => 1 }, c: { executeRequest: () => 2, ` + pre + ` } })`,
			"b: preRequest; a: postRequest; c: executeRequest preRequest"},
		{"a tool by reference", `export const handlers = () => { const a = { ` + pre + ` }; return { a } }`,
			"a: preRequest"},
		{"a renamed tool by reference", `export const handlers = () => { const x = { ` + pre + ` }; return { a: x } }`,
			"a: preRequest"},
		{"a tool that is made by a call",
			`export const handlers = () => ({ a: make( 'x', { preRequest: 1 } ), b: { ` + pre + ` } })`,
			"a:; b: preRequest"},
		{"resource handlers", `export const handlers = () => ({ tokens: { bySymbol: { postRequest: async () => 1 }, ` +
			`byAddress: { ` + pre + ` } } })`, "tokens/bySymbol: postRequest; tokens/byAddress: preRequest"},
		{"tool and resource handlers",
			`export const handlers = () => ({ a: { ` + pre + ` }, r: { q: { postRequest() {} } } })`,
			"a: preRequest; r/q: postRequest"},
		{"spread of tools", `export const handlers = () => ({ ...others, a: { ` + pre + ` } })`, "a: preRequest; *:"},
		{"computed tool", `export const handlers = () => ({ [ name ]: { ` + pre + ` }, a: { ` + pre + ` } })`,
			"a: preRequest; *:"},
		{"spread of stages", `export const handlers = () => ({ a: { ...shared, ` + pre + ` } })`, "a:"},
		{"computed stage", `export const handlers = () => ({ a: { [ 'preRequest' ]: () => 1 } })`, "a:"},
		{"what the call returns", `export const handlers = () => build()`, "*:"},
		{"no return", `export const handlers = () => {}`, "*:"},
		{"declared function", `export function handlers( { libraries } ) { return { a: { ` + pre + ` } } }`,
			"a: preRequest"},
		{"declared async function", `export async function handlers() { return { a: { ` + pre + ` } } }`,
			"a: preRequest"},
		{"class", `export class handlers { constructor() { return { a: { ` + pre + ` } } } }`, "*:"},
		{"other keys of a tool", `export const handlers = () => ({ a: { ` + pre + `, note: 'x', list: [ 1 ] } })`,
			"a: preRequest"},
		{"strings with braces", `export const handlers = () => ({ a: { preRequest: () => { const s = '} ` +
			`}) postRequest: {'; return "{" + '\'}' }, postRequest: () => '}' } })`, "a: preRequest postRequest"},
		{"templates with braces", "export const handlers = () => ({ a: { preRequest: () => `}${ [ 1 ].map( ( x ) => " +
			"{ return `${ x }}` } ) }{`, postRequest: () => `${'}'}` } })", "a: preRequest postRequest"},
		{"regular expressions with braces and quotes",
			`export const handlers = () => ({ a: { preRequest: ( x ) => x.replace( /["'{]/g, '' ).split( /[/}]/ ), ` +
				`postRequest: ( x ) => { return /}/.test( x ) } } })`, "a: preRequest postRequest"},
		{"division", `export const handlers = () => ({ a: { preRequest: ( { a, b } ) => { const c = a / b / 2; ` +
			`return c }, postRequest: () => 4 / 2 } })`, "a: preRequest postRequest"},
		{"comments", "export const handlers = ( /* { */ ) => ( // {\n { /* b: {} */ a: { // }\n" +
			" preRequest: () => 1 /* , postRequest: */ } } )", "a: preRequest"},
		{"followed by an export", "export const handlers = () => ({ a: { " + pre +
			" } })\nexport const main = { postRequest: 1 }", "a: preRequest"},
		{"a getter", `export const handlers = () => ({ get a() { return 1 }, b: { get preRequest() { ` +
			`return () => 1 } } })`, "a:; b: preRequest"},
		{"names that are keywords", `export const handlers = () => ({ get: { ` + pre +
			` }, async: { postRequest() {} }, delete: { preRequest() {} }, new: { preRequest() {} } })`,
			"get: preRequest; async: postRequest; delete: preRequest; new: preRequest"},
		{"default parameters with objects",
			`export const handlers = ( { sharedLists = { a: [] }, libraries } = {} ) => ({ a: { ` + pre + ` } })`,
			"a: preRequest"},
		{"exported under that name", "const h = () => ({ a: { " + pre + " } })\nexport { h as handlers }", "*:"},
		{"exported under another name", "const handlers = () => ({ a: { " + pre + " } })\nexport { handlers as other }",
			"none"},
		{"another is exported under that name",
			"const handlers = () => ({ a: { " + pre + " } }), h = () => ({ b: {} })\nexport { h as handlers }", "*:"},
		{"data is exported under that name", "const h = {}\nexport { h as handlers }", "none"},
		{"from another module", "export { handlers } from './other.mjs'", "*:"},
		{"a declared function in an export list", "function handlers() { return {} }\nexport { handlers }", "*:"},
		{"what a call gives", "export const handlers = make()", "*:"},
		{"another variable", "const h = () => ({})\nexport const handlers = h", "*:"},
		{"an arrow in parentheses", "export const handlers = ( () => ({ a: { " + pre + " } }) )", "*:"},
		{"an object outside", "const a = { " + pre + " }\nexport const handlers = () => ({ a })", "a:"},
		{"an export list", "const handlers = () => ({ a: { " + pre + " } })\nexport { handlers }", "a: preRequest"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := handlersOf(t, tt.src); got != tt.want {
				t.Errorf("%s\n got %q\nwant %q", tt.src, got, tt.want)
			}
		})
	}
}

// What is not a function cannot be read as a handlers export: VAL004 says
// so.
func TestHandlersThatAreNoFunction(t *testing.T) {
	for _, value := range []string{`{}`, `null`, `[ () => 1 ]`, `'() => ({})'`, "`x`", `-1`, `undefined`} {
		src := "export const handlers = " + value
		if got := handlersOf(t, src); got != "none" {
			t.Errorf("%s: %q", src, got)
		}
	}
}

func TestFirst(t *testing.T) {
	for src, want := range map[string]string{
		"const a = 1\nexport const Main = {}": "export const Main",
		"\n export function main() {}":        "export function",
		"const m = 1\nexport {\n  m as n\n}":  "export {",
		"a()\nexport default { a: 1 }":        "export default",
		"const main = {}":                     "const",
		"/* */ export const { main } = x":     "export",
		"\uFEFFexport let list = []":          "export let",
	} {
		if mod, err := Read(src); err != nil || !strings.HasPrefix(src[mod.First:], want) {
			t.Errorf("%q: %v, want the place of %q", src, err, want)
		}
	}
}

func TestHandlersAt(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"export const handlers = ( deps ) => {\n const b = { postrequest() {} }\n" +
			" return { 'a': { async preRequest() {} }, b, r: { q: { postRequest: () => 1 } } } }",
			"( deps|'a': {|preRequest|b, r: |postrequest|q: { po|postRequest"},
		{"export const handlers = () => make()", "() => ma|() => ma"},
		{"export const handlers = () => ({ a: f, b: { ...c } })", "() => ({|a: f, b|b: { ..."},
		{"\nexport function handlers() {}", "function h|function h"},
		{"const handlers = () => ({ a: {} }); export { handlers }", "() => ({|a: {} })"},
		{"const handlers = () => ({ a: {} }); export { handlers as other }", "() => ({"},
		{"const h = () => ({}); export { h as handlers }", ""},
		{"export const handlers = 1", "1"},
		{"export const main = {}", ""},
	} {
		mod, err := Read(tt.src)
		if err != nil {
			t.Fatal(err)
		}
		wants := strings.FieldsFunc(tt.want, func(r rune) bool { return r == '|' })
		if len(mod.HandlersAt) != len(wants) {
			t.Errorf("%s: %v, want %s", tt.src, mod.HandlersAt, tt.want)
			continue
		}
		for i, want := range wants {
			if !strings.HasPrefix(tt.src[mod.HandlersAt[i]:], want) {
				t.Errorf("%s: place %d is that of %q, want %q", tt.src, i, tt.src[mod.HandlersAt[i]:], want)
			}
		}
	}
}
