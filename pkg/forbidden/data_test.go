package forbidden_test

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/forbidden"
	"github.com/flowmcp/fmcp/pkg/module"
)

// What main may not hold, and what looks like it.
func TestUnserializable(t *testing.T) {
	tests := []struct{ main, want string }{
		{`{ a: x => x, b: function () {}, c: async () => {}, d: class {}, e: async function* f() {} }`,
			"/a function|/b function|/c function|/d class|/e function"},
		{`{ f() {}, get g() { return 1 }, async h() {}, 'i j'() {}, [ 'k' ]() {}, *l() {} }`,
			"/f function|/g function|/h function|/i j function|/l function"},
		{`{ a: new Date(), b: new Date, c: new Date().toISOString(), d: Date.now(), e: Date(), ` +
			`f: new Map( [] ).size, g: () => 1 }`, "/a Date|/b Date|/g function"},
		{`{ a: undefined, b: void 0, c: undefined ?? 1, d: Symbol( 'x' ), e: BigInt( 5 ), f: 5n, g: /x/g, ` +
			`h: /x/.source, i: 'undefined', z: () => 1 }`,
			"/a undefined|/b undefined|/d Symbol|/e BigInt|/f BigInt|/g regular|/z function"},
		{`{ a: [ 1, , () => 1, { b: [ undefined ] } ], 5: () => 1 }`, "/a/2 function|/a/3/b/0 undefined|/5 function"},
		{`{ a: [ 1 ].map( x => x ), b: { c: () => 1 }.c(), d: f( () => 1 ), e: ( () => 1 )(), ` +
			`g: [ () => 1 ][ 0 ]() }`, ""},
		{`{ ...{ a: () => 1 }, short, b: cond ? () => 1 : 2 }`, ""},
		{"{ a: `x ${ [ 1 ].map( x => x ) }`, b: () => `}` }", "/b function"},
		{`{ tools: { t: { tests: [ { a: () => 1 } ], path: () => 1 } }, resources: { r: { queries: { q: { ` +
			`tests: [ undefined ] } } } } }`,
			"T/tools/t/tests/0/a function|/tools/t/path function|R/resources/r/queries/q/tests/0 undefined"},
		{`{ a: 1 }; export const handlers = () => ( { b: new Date() } )`, ""},
		{`{ a: () => { unclosed`, "/a function"},
		{`{ a: /x/, b: 'and/or' }`, "/a regular"},
		{`{ a: NaN, b: [ -Infinity, Infinity ], c: Infinity - 1, d: 'NaN', NaN: 1, e: x.NaN }`,
			"/a NaN|/b/0 -Infinity|/b/1 Infinity"},
		{`{ a: new Set( [ 'x' ] ), b: new Map, c: new URL( 'https://x' ).href, new: 1, d: 'a new Set' }`,
			"/a Set|/b Map"},
		{`{ a: 12n }`, "/a BigInt"},
		{"{ f()\n{} }", "/f function"},
		{"", ""},
	}
	for _, tt := range tests {
		found := forbidden.Scan(module.Tokenize("export const main = "+tt.main), forbidden.Options{})
		wants := strings.Split(tt.want, "|")
		if tt.want == "" {
			wants = nil
		}
		var got []string
		for _, f := range found {
			mark := ""
			switch f.Code {
			case "TST005", "RES023":
				mark = f.Code[:1]
			case "SEC017":
			default:
				continue
			}
			got = append(got, mark+f.Pointer+" "+f.Msg)
		}
		if len(got) != len(wants) {
			t.Errorf("%s: found %q, want %q", tt.main, got, wants)
			continue
		}
		for i, want := range wants {
			pointer, what, _ := strings.Cut(want, " ")
			if strings.HasPrefix(want, "/i j") {
				pointer, what = "/i j", "function"
			}
			if !strings.HasPrefix(got[i], pointer+" ") || !strings.Contains(got[i], what) {
				t.Errorf("%s: found %q, want %q", tt.main, got[i], want)
			}
		}
	}
}

func TestHandlerConstraints(t *testing.T) {
	for src, want := range map[string]string{
		"({ a: { preRequest: async () => { ‹fetch›( 1 ) } } })":                                      "SEC100",
		"({ a: { postRequest() { return ‹fetch›( 1 ) } } })":                                         "SEC100",
		"({ a: { preRequest: () => [ b, ‹fetch›( 1 ) ] } })":                                         "SEC100",
		"({ a: { executeRequest: () => fetch( 1 ), x: 1 } })":                                        "",
		"({ a: { preRequest: () => 1, executeRequest: () => fetch( 1 ) } })":                         "",
		"({ a: { preRequest: () => { x }, }, b: { executeRequest: () => fetch( 1 ) } })":             "",
		"const fetch = libraries.axios; ({ preRequest: () => fetch( 1 ) })":                          "",
		"({ preRequest: () => libraries.fetch( 1 ), fetch: 1 })":                                     "",
		"function f() { return ‹fetch›( 1 ) }":                                                       "SEC100",
		"‹fetch›( 1 ); ({ a: { executeRequest: f } })":                                               "SEC100",
		"const f = url => fetch( url ); ({ a: { executeRequest: f } })":                              "",
		"function f() { return fetch( 1 ) } ({ a: { executeRequest: f } })":                          "",
		"const f = ( a ) => fetch( a )\nconst b = ‹fetch›( 1 ); ({ a: { 'executeRequest': f } })":    "SEC100",
		"const f = a => b => fetch( b ), c = ‹fetch›( 1 ); ({ a: { executeRequest: f } })":           "SEC100",
		"const f = ( a = fetch( 1 ) ) => a; ({ a: { executeRequest: f } })":                          "",
		"const f = `${ ( a ) => fetch( a ) } ${ ‹fetch›( 1 ) }`; ({ a: { executeRequest: f } })":     "SEC100",
		"export const handlers = a => ({ b: { c: ‹fetch›( 1 ), executeRequest: d => fetch( d ) } })": "SEC100",
		"if( a ) { ‹fetch›( 1 ) } ({ a: { executeRequest: f } })":                                    "SEC100",
		"({ a: { 'executeRequest'( x ) { return fetch( 1 ) } } })":                                   "",
		"({ a: { async [ 'executeRequest' ]( x ) { return fetch( 1 ) } } })":                         "",

		// Passed on, it is called by somebody else.
		"({ a: { postRequest: r => r.map( ‹fetch› ), executeRequest: b => b.map( fetch ) } })": "SEC100",
		"const f = ‹fetch›; ({ a: { executeRequest: b => f( b ) } })":                          "SEC100",
		"const f = ( b ) => b.map( ‹fetch› )":                                                  "SEC100",
		"‹fetch›.call( null, a ); ({ ‹fetch›, b: [ ‹fetch› ] })":                               "SEC100 SEC100 SEC100",
		"if( ‹fetch› ) { a }":                       "SEC100",
		"const { fetch } = a; fetch( fetch )":       "",
		"const f = ( { fetch } ) => fetch( 1 )":     "",
		"const f = ( fetch ) => [ fetch ]":          "",
		"const f = fetch => fetch( 1 )":             "",
		"‹import› fetch from 'node-fetch'":          "SEC001",
		"‹import› { fetch } from 'undici'":          "SEC001",
		"({ f( a, fetch ) { return fetch( 1 ) } })": "",
		"({ a: { fetch( b ) { return b } } }); a.fetch; ({ fetch: 1 }); typeof fetch == 'function'": "",

		"export const handlers = ( { a } ) => { const b = ‹fetch›( 1 )\n" +
			"const get = ( x ) => fetch( x )\nreturn { b: { executeRequest: get } } }": "SEC100",
		"export const handlers = () => ( { b: { c: ‹fetch›( 1 ), executeRequest: () => fetch( 1 ) } } )": "SEC100",
		"export function handlers() { ‹fetch›( 1 ); return { b: { executeRequest() { fetch( 1 ) } } } }": "SEC100",
		"const handlers = () => { fetch( 1 ); ({ executeRequest }) }; export { handlers }":               "",

		"new ‹XMLHttpRequest›(); const w = ‹WebSocket›":                                         "SEC021 SEC021",
		"const WebSocket = a; new WebSocket(); x.XMLHttpRequest; ({ WebSocket: 1 })":            "",
		"'WebSocket XMLHttpRequest' // new WebSocket()":                                         "",
		"‹sharedLists.a =› 1; ‹sharedLists.a.b +=› 1; ‹sharedLists[ 0 ]?.b++›":                  "SEC102 SEC102 SEC102",
		"‹sharedLists.a.push(› 1 ); ‹sharedLists[ 'a' ][ 'sort' ](›)":                           "SEC102 SEC102",
		"delete ‹sharedLists.a.b›; delete sharedLists.a.f()":                                    "SEC102",
		"sharedLists.a.map( x ).sort(); sharedLists.a == 1; sharedLists.a; x.sharedLists.a = 1": "",
		"[ ...sharedLists.a ].sort(); sharedLists[ f( x ) ].a = 1; sharedLists.a.x\n++b":        "",
	} {
		checkScan(t, src, want, forbidden.Options{})
	}
}

// An export main that is not a value to read is not looked into.
func TestUnserializableNoValue(t *testing.T) {
	for _, src := range []string{
		"export function main() {}",
		"export function main() { return 1 }",
		"export function main( a = () => 1 ) {}",
		"export async function main() {}",
		"export class main {}",
		"export class main { a = () => 1 }",
		"const main = {}\nexport { main }\nfunction f() {}",
		"const f = () => 1\nexport { f as main }",
		"export const { main } = { main: () => 1 }",
		"export const f = () => 1, main = {}",
		"export const main =",
		"export const main = async",
		"export let main; function f() {}",
	} {
		if found := forbidden.Scan(module.Tokenize(src), forbidden.Options{}); len(found) > 0 {
			t.Errorf("%s: found %+v", src, found)
		}
	}
}

// Fetches is what executeRequest may call, and not what is reported.
func TestFetches(t *testing.T) {
	for src, want := range map[string]bool{
		"({ a: { executeRequest: () => fetch( 1 ) } })":                      true,
		"const f = b => b.map( fetch ); ({ a: { executeRequest: f } })":      true,
		"({ a: { preRequest: () => fetch( 1 ), executeRequest: () => 1 } })": false,
		"fetch( 1 ); ({ a: { executeRequest: () => 1 } })":                   false,
		"({ a: { postRequest: () => fetch( 1 ) } })":                         false,
		"const fetch = 1; ({ a: { executeRequest: () => fetch( 1 ) } })":     false,
		"({ a: { executeRequest: () => 'fetch( 1 )' } }) // fetch( 1 )":      false,
	} {
		if got := forbidden.Fetches(module.Tokenize(src)); got != want {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
}
