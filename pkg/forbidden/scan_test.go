package forbidden_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/forbidden"
	"github.com/flowmcp/fmcp/pkg/module"
)

func scan(src string, opts forbidden.Options) []forbidden.Finding {
	return forbidden.Scan(module.Tokenize(src), opts)
}

// marked removes the marks ‹ and › from src and returns where they were: each
// pair is a place where something must be found.
func marked(src string) (text string, places [][2]int) {
	var b strings.Builder
	for _, r := range src {
		switch r {
		case '‹':
			places = append(places, [2]int{b.Len(), 0})
		case '›':
			places[len(places)-1][1] = b.Len()
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), places
}

// checkScan scans src, in which the findings are marked, and compares them
// with codes, in order.
func checkScan(t *testing.T, src, codes string, opts forbidden.Options) {
	t.Helper()
	text, places := marked(src)
	want := strings.Fields(codes)
	var wanted, got []string
	for i, code := range want {
		p := places[min(i, len(places)-1)]
		wanted = append(wanted, fmt.Sprintf("%s at %d–%d", code, p[0], p[1]))
	}
	for _, f := range scan(text, opts) {
		got = append(got, fmt.Sprintf("%s at %d–%d", f.Code, f.Start, f.End))
		if f.Msg == "" {
			t.Errorf("%s has no message", f.Code)
		}
	}
	if len(want) < len(places) || strings.Join(got, ", ") != strings.Join(wanted, ", ") {
		t.Errorf("%s\n got %s\nwant %s", text, strings.Join(got, ", "), strings.Join(wanted, ", "))
	}
}

// What must be found, at ‹marks›.
var marks = []struct{ src, codes string }{
	// SEC001
	{"‹import› x from 'x'", "SEC001"},
	{"‹import› { a } from './a.mjs'", "SEC001"},
	{"‹import› * as a from 'a'", "SEC001"},
	{"‹import›'x'", "SEC001"},
	{"‹import›{a}from'a'", "SEC001"},
	{"const a = await ‹import›( 'canvas' )", "SEC001"},
	{"‹import› ('x')", "SEC001"},
	{"‹import›\n(\n'x')", "SEC001"},
	{"‹import›/* why */('x')", "SEC001"},
	{"‹import›// why\n('x')", "SEC001"},
	{"const u = ‹import›.meta.url", "SEC001"},
	{"‹export› { a } from 'a'", "SEC001"},
	{"‹export› { default as a, b as 'c' }\nfrom 'a'", "SEC001"},
	{"‹export› * from 'a'", "SEC001"},
	{"‹export›*as a from 'a'", "SEC001"},
	{"f( ...‹import›('x') )", "SEC001"},
	{"x ? ‹import›('x') : 0", "SEC001"},
	{"{ ‹import›('x') }", "SEC001"},
	{"{ ‹import›('x')\n{ } }", "SEC001"},
	{"‹import› x from 'x'; ‹import› y from 'y'", "SEC001 SEC001"},
	// Modules of Node
	{"‹import› fs from ‹'fs'›", "SEC001 SEC008"},
	{"‹import› fs from ‹\"node:fs\"›", "SEC001 SEC009"},
	{"‹import› ‹'fs/promises'›", "SEC001 SEC010"},
	{"‹import›(‹'node:fs/promises'›)", "SEC001 SEC010"},
	{"‹import›(‹`child_process`›)", "SEC001 SEC007"},
	{"‹import›(‹'\\x66s'›)", "SEC001 SEC008"},
	{"‹import› { env } from ‹'node:process'›", "SEC001 SEC006"},
	{"‹export› * from ‹'node:child_process'›", "SEC001 SEC007"},
	{"const c = ‹require›(‹'node:child_process'›)", "SEC002 SEC007"},
	{"const c = ‹require›(‹'fs'›).readFileSync", "SEC002 SEC008"},
	// SEC002
	{"const a = ‹require›( 'a' )", "SEC002"},
	{"‹require›\n('a')", "SEC002"},
	{"const r = ‹require›; r('a')", "SEC002"},
	{"[ ‹require› ][0]('a')", "SEC002"},
	{"‹require›.resolve('a')", "SEC002"},
	{"‹require›['resolve']('a')", "SEC002"},
	{"(‹require›)('a')", "SEC002"},
	{"if( x ) { ‹require›('a') }", "SEC002"},
	{"class A extends ‹require›('a') { }", "SEC002"},
	// SEC003
	{"‹eval›('1')", "SEC003"},
	{"‹eval› /* x */ ('1')", "SEC003"},
	{"(0, ‹eval›)('1')", "SEC003"},
	{"const e = ‹eval›", "SEC003"},
	{"const o = { ‹eval› }", "SEC003"},
	{"const o = { e: ‹eval› }", "SEC003"},
	{"‹ev\\u0061l›('1')", "SEC003"},
	{"‹\\u{65}val›('1')", "SEC003"},
	{"‹eval›?.('1')", "SEC003"},
	{"‹eval›`1`", "SEC003"},
	{"a.function * ‹eval›('1')", "SEC003"},
	{"let a\n/'/.test(‹eval›('1')) //'", "SEC003"},
	{"let a = 1, b\n/'/.test(‹eval›('1')) //'", "SEC003"},
	{"debugger\n/'/.test(‹eval›('1')) //'", "SEC003"},
	{"for await (const a of b) /'/.test(‹eval›('1')) //'", "SEC003"},
	{"const a = b\n/ ‹eval›('1')", "SEC003"},
	{"a\n‹eval›('1')", "SEC003"},
	{"a ? ‹eval› : b", "SEC003"},
	{"f(...[‹eval›])", "SEC003"},
	{"const t = `a ${ ‹eval›('1') } b`", "SEC003"},
	{"const t = `a ${ `b ${ ‹eval›('1') }` } ${ ‹eval›('2') }`", "SEC003 SEC003"},
	{"const r = /['\"]/; ‹eval›('1')", "SEC003"},
	{"const r = /[/'\"`]/.test(a) ? ‹eval›('1') : 0", "SEC003"},
	{"const a = b / 1; ‹eval›('1'); c / 2", "SEC003"},
	{"const a = (b) / \"'\".length; ‹eval›('1')", "SEC003"},
	{"/* ' */ ‹eval›('1') // '", "SEC003"},
	{"'\\''; ‹eval›('1')", "SEC003"},
	{"x = function () {} / ‹eval›('1') / 1", "SEC003"},
	{"x = function () {} / \"/\"; ‹eval›('1'); \"/\"", "SEC003"},
	{"x = class {} / ‹eval›('1') / 1", "SEC003"},
	{"var of = 1; of / ‹eval›('1') / 1", "SEC003"},
	{"f( () => { x = function () {} / ‹eval›('1') / 1; return `${ a }` } )", "SEC003"},
	{"return\n{}\n/\"/; function f() { return ‹eval›('1') } /\"/", "SEC003"},
	{"y = x.const\n‹eval›('1')", "SEC003"},
	// SEC004, SEC005
	{"‹Function›('return 1')()", "SEC004"},
	{"const F = ‹Function›", "SEC004"},
	{"[‹Function›][0]('x')", "SEC004"},
	{"‹Function›.prototype.‹constructor›('x')", "SEC004 SEC004"},
	{"(‹Function›)('x')", "SEC004"},
	{"class A extends ‹Function› { }", "SEC004"},
	{"new ‹Function›('x')", "SEC005"},
	{"new\n‹Function›", "SEC005"},
	{"new /* x */ ‹F\\u0075nction›('x')", "SEC005"},
	{"a.‹constructor›.constructor('x')()", "SEC004"},
	{"[]‹['constructor']›['constructor']('x')()", "SEC004"},
	{"[]‹[`constructor`]›[\"constr\\u0075ctor\"]('x')()", "SEC004"},
	{"[].map.‹constructor›('x')()", "SEC004"},
	{"a?.‹constructor›?.constructor?.('x')", "SEC004"},
	{"a?.‹constructor›?.('x')", "SEC004"},
	{"''.‹constructor›[c]('x')", "SEC004"},
	{"f.‹constructor›.call(0, 'x')", "SEC004"},
	{"f.‹constructor›`x`", "SEC004"},
	{"const F = (() => {}).‹constructor›; F('x')()", "SEC004"},
	{"a.‹constructor›.constructor('x'); b.‹constructor›('y')", "SEC004 SEC004"},
	{"const { ‹constructor›: F } = () => {}; F('x')()", "SEC004"},
	{"const { ‹constructor› } = f", "SEC004"},
	{"const { a, b: [ c ], ‹constructor› = 1, ...d } = f", "SEC004"},
	{"let F; ( { ‹constructor›: F } = f )", "SEC004"},
	{"( { ‹constructor›: a.b[ 'c' ] } = f )", "SEC004"},
	{"const { ‹'constructor'›: F } = f", "SEC004"},
	{"const { ‹[ 'constructor' ]›: F } = f", "SEC004"},
	{"const { ‹[ `con\\u0073tructor` ]›: F } = f", "SEC004"},
	{"const { a: { ‹constructor›: F } } = { a: f }", "SEC004"},
	{"const [ , { ‹constructor›: { prototype } } ] = [ 1, f ]", "SEC004"},
	{"for( const { ‹constructor›: F } of [ f ] ) { }", "SEC004"},
	{"for( [ { ‹constructor›: F } ] of [ [ f ] ] ) { }", "SEC004"},
	{"const g = ( { ‹constructor›: F } ) => F( 'x' )", "SEC004"},
	{"const g = async ( a, [ { ‹constructor›: F } ] = [ f ] ) =>\n{ }", "SEC004"},
	{"const o = { g( { ‹constructor› } ) { } }", "SEC004"},
	{"function g( { ‹constructor›: F } )\n{ }", "SEC004"},
	{"try { throw f } catch( { ‹constructor›: F } ) { }", "SEC004"},
	{"const t = `${ ( { ‹constructor›: F } ) => 1 }`", "SEC004"},
	{"const { a = `${ { a } }`, ‹constructor›: F } = f", "SEC004"},
	{"a.‹constructor›.call(1); b.‹constructor›.constructor(2)", "SEC004 SEC004"},
	{"of‹['constructor']›( 'x' )", "SEC004"},
	{"const F = f.‹constructor›", "SEC004"}, // at the end of the source
	{"f.‹constructor›[ 'con' + 'structor' ]( 'x' )", "SEC004"},
	{"a.‹constructor›.constructor.#b; c.‹constructor›( 'x' )", "SEC004 SEC004"},
	// SEC006
	{"const k = ‹process›.env.KEY", "SEC006"},
	{"‹process›['env']", "SEC006"},
	{"‹process›[`env`]", "SEC006"},
	{"‹process›?.env", "SEC006"},
	{"‹process› . env", "SEC006"},
	{"const { env } = ‹process›", "SEC006"},
	{"const p = ‹process›", "SEC006"},
	{"f( ‹process› )", "SEC006"},
	{"( ‹process› ).env", "SEC006"},
	{"const t = `${ ‹process›.env.KEY }`", "SEC006"},
	{"const t = `${ '}' }${ ‹process›['env'] }`", "SEC006"},
	{"‹pro\\u0063ess›.env", "SEC006"},
	{"f({ env: ‹process›.env })", "SEC006"},
	{"f({ ...‹process›.env })", "SEC006"},
	{"typeof ‹process›.env", "SEC006"},
	{"a ? ‹process› : b", "SEC006"},
	{"a = b\n‹process›.exit()", "SEC006"},
	{"x.var\n‹process›.env", "SEC006"},
	{"typeof process !== 'undefined' && ‹process›.env", "SEC006"},
	// SEC006 where a name is declared, but not around the use
	{"{ const process = a; process.b }\n‹process›.env", "SEC006"},
	{"const f = process => process.a\nconst k = ‹process›.env", "SEC006"},
	{"const f = ( process ) => process.a, k = ‹process›.env", "SEC006"},
	{"const f = [ process => process.a, ‹process›.env ]", "SEC006"},
	{"const f = process => a\n++‹process›.b", "SEC006"},
	{"function f( process ) { process.a }\n‹process›.env", "SEC006"},
	{"try { } catch( process ) { process.a } ‹process›.env", "SEC006"},
	{"for( const process of a ) { process.b } ‹process›.env", "SEC006"},
	{"( function process() { } ); ‹process›.env", "SEC006"},
	{"const { a = { ‹process› } } = b; a.process.env", "SEC006"},
	{"const { [ ‹process›.env.A ]: a } = b", "SEC006"},
	{"const { process: a } = b; ‹process›.env", "SEC006"},
	{"const o = { const: ‹process› }; ‹process›.env", "SEC006 SEC006"},
	{"if( ‹process› ) { ‹process›.env }", "SEC006 SEC006"},
	{"class A { var\nprocess; a = ‹process›.env }", "SEC006"},
	{"f( ‹process› )\n{ ‹process›.env }", "SEC006 SEC006"},
	{"const process = 1; if( a ) /x/.test( b ); ‹process›.env", "SEC006"},
	{"x.const\n‹process›.env", "SEC006"},
	{"const global = a; ‹process›.env", "SEC006"},
	// SEC007 to SEC016
	{"‹child_process›.exec('ls')", "SEC007"},
	{"‹fs›.readFileSync('a')", "SEC008"},
	{"‹fs›?.readFileSync('a')", "SEC008"},
	{"‹fs›['readFileSync']('a')", "SEC008"},
	{"‹globalThis›.fetch", "SEC011"},
	{"‹globalThis›['eval']('1')", "SEC011"},
	{"const g = ‹globalThis›", "SEC011"},
	{"‹global›.fetch", "SEC012"},
	{"‹global›[ 'fetch' ]", "SEC012"},
	{"const { fetch } = ‹global›", "SEC012"},
	{"const d = ‹__dirname› + '/x'", "SEC013"},
	{"f(‹__filename›)", "SEC014"},
	{"‹setTimeout›( r, 1 )", "SEC015"},
	{"const s = ‹setTimeout›", "SEC015"},
	{"‹setInterval› (r, 1)", "SEC016"},
	// All of them, up to what is not JavaScript.
	{"‹eval›('1'); ‹process›.env; 'not closed", "SEC003 SEC006"},
}

// What must not be found.
var harmless = []string{
	// Text
	"const u = 'https://fs.example.com/global.json?require(1)'",
	"const u = \"https://global.example.com/process.env\"",
	"const d = 'import x from y; eval(1); new Function(2)'",
	"const d = `Please import the data, process.env and eval(1)`",
	"const d = `import x ${ a } from y, process.${ b }eval(1)`",
	"const d = 'it\\'s eval(1)'",
	"const d = 'line \\\neval(1)'",
	"// import x from 'x'; eval(1); process.env",
	"/* import x\nfrom 'x'; eval(1)\n*/",
	"#!/usr/bin/env node eval(1)\nconst a = 1",
	"const r = /process\\.env|eval\\(1\\)|import x/g",
	"const r = a.replace(/fs./, 'fs.')",
	"if( a ) { b() }\nc.match(/'/)",
	"const q = [ 'fs', 'node:fs', 'child_process', '__dirname' ]",
	"const m = { method: 'require(' }",
	// Properties and keys
	"data.process", "data.process.env", "data?.process.x", "data['process'].x",
	"const o = { process: 1 }", "const o = { a: 1, process: 2, global: 3, eval: 4, import: 5, require: 6 }",
	"const { process: p } = data",
	"x.global.y", "obj.import", "obj.import('x')", "obj.import ('x')", "a.eval", "a.eval('1')", "a?.eval('1')",
	"a.require('x')", "a.require('fs')", "a.Function('x')", "a\n  .eval('1')", "this.#process.env",
	"a.setTimeout(1)", "a.fs.readFile()", "a.globalThis.b", "a.child_process.exec()", "a.export = 1",
	"const o = { 'process': 1, \"eval\": 2 }",
	// Methods and declarations
	"function process( row ) { return row }", "const process = 1", "let global", "var fs = 1", "class Function {}",
	"function* process() {}", "async function process() {}",
	"const o = { eval( x ) { return x } }", "const o = { a: 1, import( x ) { return x } }",
	"class A { require( a = (1) ) { } static eval() { } get import() { } }",
	"const o = { async require( x ) { } }", "const o = { process( row ) { return row }, global() { } }",
	"const process = a; process.b; f( process )", "f( process ); const process = a", "let fs = a\nfs.b = 1",
	"var global = a; { global.b }",
	"const { process } = a; process.b", "const { a: { process = 1 }, ...rest } = b; process.c",
	"const [ , global = a, { fs } ] = b; global.c; fs.d",
	"rows.map( process => process.a )", "rows.map( ( process, i ) => ( { a: process.b, i } ) )",
	"rows.map( ( { process } ) => { return process.a } )",
	"rows.map( async ( a = process, { b: [ process ] } ) =>\n{ f( process ) } )",
	"const f = process =>\nprocess.a\n.b( process )", "const f = process => a =>\nprocess.a",
	"function f( process ) { return process.a }", "const o = { m( fs ) { return fs.a } }",
	"try { } catch( process ) { process.a }",
	"for( const process of a ) { process.b }", "for( let { fs } of a ) { fs.b }",
	"const t = `${ rows.map( process => `${ process.a }` ) }`",
	"const process = a; const f = `${ process.b }`", "const f = ( ...process ) => process.length",
	"process( row )", "rows.map( ( row ) => process( row ) )",
	// Longer and shorter names
	"importance()", "const importData = 1", "reimport('x')", "evaluate(1)", "processed.env", "myprocess.env",
	"_eval(1)",
	"$eval(1)", "Functional(1)", "new FunctionBuilder()", "globals.x", "offs.x", "fsx.y", "requires('x')",
	"setTimeouts()",
	"éval(1)", "évalfs.x",
	// Questions
	"typeof process", "typeof globalThis === 'undefined'", "a instanceof Function", "if( a instanceof Function ) { }",
	"typeof require !== 'function'",
	"a.constructor === Object", "a.constructor.name", "a?.constructor?.name", "Object === a.b.constructor",
	"a.constructor !== Array && b",
	"class A { constructor( x ) { } }", "const o = { constructor: 'Ferrari' }", "const t = [ 'constructor' ]",
	"const o = { constructor, a }; const p = [ { constructor: a } ]", "f( { constructor: a } )",
	"f( [ { constructor: a } ], b )", "const o = { constructor: a } === b",
	"rows.map( ( row ) => ( { constructor: row.team } ) )", "return { a: { constructor: row.team } }",
	"( row = { constructor: a } ) => row", "if( f( { constructor: a } ) ) { }",
	"const { a } = { constructor: b }", "const { constructor: _, ...rest } == 1",
	"const o = { constructor: 'Ferrari', a } ; b = 1", "const { a = { constructor: 'Ferrari' } } = b",
	"for( const x of [ { constructor: a } ] ) { }", "if( a === { constructor: b } ) { }",
	"const { [ constructor ]: a } = b",
	"return [ 'constructor' ]", "const k = a['constructors']", "const f = [ a, ['constructor'] ]",
	// Exports
	"export const main = {}", "const schema = {}\nexport { schema }", "export { schema as main }", "export default {}",
	"export { a }\nfromage('x')", "const a = 1; export { a as process, a as eval }",
	"const from = 1; const o = { from: 'fs' }", "Array.from('fs')", "fs", "const a = fs",
}

func TestScanSourceFinds(t *testing.T) {
	for _, tt := range marks {
		checkScan(t, tt.src, tt.codes, forbidden.Options{})
	}
}

func TestScanSourceSpares(t *testing.T) {
	for _, src := range harmless {
		for _, f := range scan(src, forbidden.Options{}) {
			t.Errorf("%s\n%s at %q: %s", src, f.Code, src[f.Start:f.End], f.Msg)
		}
	}
}

func TestScanSourceLists(t *testing.T) {
	for _, tt := range []struct{ src, codes string }{
		{"export const list = { meta: { name: 'a' }, entries: [ { f: ‹function›( a ) { return a } } ] }", "SEC200"},
		{"const f = ‹function› f( a = (1) ) { }", "SEC200"},
		{"export const list = { ‹name(›) { return 1 } }", "SEC200"},
		{"export const list = { get ‹name(›) { return 1 } }", "SEC200"},
		{"‹class› A { ‹m(›) { } }", "SEC200 SEC200"},
		{"‹if(› a ) { }", "SEC205"},
		{"‹for(› const a of b ) { ‹while (› a ) { } }", "SEC205 SEC205"},
		{"for ‹await› ( const a of b ) { }", "SEC202"},
		{"‹(› a ) { }", "SEC200"},
		{"const f = a ‹=>› a", "SEC201"},
		{"const f = ( a ) ‹=>› { }", "SEC201"},
		{"const f = ‹async› ( a ) ‹=>› ‹await› a", "SEC202 SEC201 SEC202"},
		{"const t = `a ‹${› b } c`", "SEC203"},
		{"const t = `a ‹${› b } c ‹${› d } e`", "SEC203 SEC203"},
		{"const e = ‹process›.env", "SEC204"},
		{"‹import› a from ‹'fs'›", "SEC204 SEC204"},
		{"‹setTimeout›( 1 )", "SEC204"},
		{"‹eval›( ‹function›() { } )", "SEC204 SEC200"},
	} {
		checkScan(t, tt.src, tt.codes, forbidden.Options{List: true})
	}
	for _, src := range []string{
		"/* async function => */ export const list = { meta: { name: 'asyncList', async: true, function: 'x', class: " +
			"1 }, entries: [ { note: 'await => ${x}' } ] }",
		"const t = `plain => function`; const u = a.async.function",
		"const t = `not \\${ an expression }`",
	} {
		checkScan(t, src, "", forbidden.Options{List: true})
	}
	found := scan("process.env", forbidden.Options{List: true})
	if len(found) != 1 || found[0].Rule != "SEC006" {
		t.Errorf("the finding does not name the rule of schemas: %+v", found)
	}
}

func TestScanSourceRaw(t *testing.T) {
	raw := forbidden.Options{Raw: true}
	checkScan(t, "// ‹import ›x\n'‹fs.›example.com' ‹new Function› ", "SEC001 SEC008 SEC005", raw)
	if both := scan("new Function(", raw); len(both) != 2 || both[0].Code != "SEC005" || both[1].Code != "SEC004" ||
		both[1].Start != 4 {
		t.Errorf("new Function( is two patterns: %+v", both)
	}
	checkScan(t, "'‹eval(›' `‹eval(›` /‹eval(›/ x.‹eval(›1)", "SEC003 SEC003 SEC003 SEC003", raw)
	checkScan(t, "a['env']; process['env']; import('x')", "", raw)
	checkScan(t,
		"‹require(›‹process.›‹child_process›‹globalThis.›‹global.›‹__dirname›‹__filename›‹setTimeout›‹setInterval›",
		"SEC002 SEC006 SEC007 SEC011 SEC012 SEC013 SEC014 SEC015 SEC016", raw)
	checkScan(t, "‹node:fs›/‹fs/promises›", "SEC009 SEC010", raw)
	checkScan(t, "// ‹async› ‹=>› ‹function› ‹${› ‹await› ‹eval(›", "SEC202 SEC201 SEC200 SEC203 SEC202 SEC204",
		forbidden.Options{Raw: true, List: true})
}

// Hostile sources end, and cost no more than their size explains.
func TestScanSourceHostile(t *testing.T) {
	for name, src := range map[string]string{
		"ambiguous slashes": strings.Repeat("{}/a/{}\n", 20_000),
		"open methods":      strings.Repeat("{ eval(", 400),
		"arrows":            "fetch( 1 ); executeRequest; " + strings.Repeat("a=>", 300_000) + "a; fetch( 1 )",
		"arrows, a local":   "process; " + strings.Repeat("a=>(process=>1)=>", 60_000) + "a; process",
		"calls of fetch":    "executeRequest; " + strings.Repeat("fetch(1);()=>1;", 50_000),
		"many findings":     strings.Repeat("eval(1);", 50_000),
		"constructors":      strings.Repeat(".constructor", 50_000),
		"deep":              strings.Repeat("(", 100_000),
		"templates":         strings.Repeat("`${", 90),
		"exports":           strings.Repeat("export {", 50_000),
		"exports of main":   strings.Repeat("export const main = 1\n", 40_000),
		"patterns": strings.Repeat("[ { constructor: a }, ", 90) +
			strings.Repeat("{ constructor: a }, ", 50_000) + strings.Repeat("]", 90),
	} {
		for _, opts := range []forbidden.Options{{}, {List: true}, {Raw: true}} {
			found := scan(src, opts)
			if name == "many findings" && len(found) != 50_000 {
				t.Errorf("%s: %d findings", name, len(found))
			}
		}
	}
}

// schemaText is a schema of about 13 KB, of the shape that the field has.
func schemaText() string {
	var b strings.Builder
	b.WriteString("// A provider of prices\nexport const main = {\n    namespace: 'demo',\n    name: 'DemoShop',\n" +
		"    version: '4.0.0',\n    root: 'https://api.example.com/v3',\n    tools: {\n")
	for i := range 10 {
		fmt.Fprintf(&b,
			"        getPrice%d: {\n            method: 'GET',\n            path: '/prices/{{id}}/latest',\n"+
				"            description: 'Current price of one article, and how it moved over the last day.',\n"+
				"            parameters: [\n", i)
		for _, key := range []string{"id", "currency", "limit"} {
			fmt.Fprintf(&b, "                { position: { key: '%s', value: '{{USER_PARAM}}', location: 'query' }, "+
				"z: { primitive: 'string()', options: [ 'min(1)', 'max(64)' ] } },\n", key)
		}
		b.WriteString("            ],\n            output: { mimeType: 'application/json', schema: { type: 'object', " +
			"properties: { price: { type: 'number', description: 'Price in euro' }, change: { type: 'number', " +
			"nullable: true } } } },\n")
		b.WriteString("            tests: [ { _description: 'An article with one price', id: 'lamp', currency: 'eur'," +
			" limit: 10 }, { _description: 'One on sale', id: 'table' } ]\n        },\n")
	}
	b.WriteString("    }\n}\n\nexport const handlers = ( { sharedLists, libraries } ) => ( {\n    getPrice0: {\n" +
		"        postRequest: async ( { response } ) => {\n            const rows = response.data.map( ( row ) => ( " +
		"{ price: row.price / 100, change: row.change ?? null, url: `https://shop.example.com/${ row.id }` } ) )\n" +
		"            if( /^[a-z']+$/.test( rows[0].url ) ) { return { response: rows } }\n" +
		"            return { response: { rows, total: rows.length } }\n        }\n    }\n} )\n")
	return b.String()
}

func BenchmarkScanSource(b *testing.B) {
	src := schemaText()
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if found := forbidden.Scan(module.Tokenize(src), forbidden.Options{}); len(found) > 0 {
			b.Fatal(found)
		}
	}
}

func FuzzScanSource(f *testing.F) {
	for _, tt := range marks {
		text, _ := marked(tt.src)
		f.Add(text)
	}
	for _, src := range harmless {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		for _, opts := range []forbidden.Options{{}, {List: true}, {Raw: true}, {List: true, Raw: true}} {
			last := 0
			for _, found := range scan(src, opts) {
				if found.Start < last || found.End <= found.Start || found.End > len(src) {
					t.Fatalf("%+v is out of order or out of range (last %d, length %d)", found, last, len(src))
				}
				last = found.Start
			}
		}
	})
}
