package module

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// generator writes modules whose main is literal, in every way that JavaScript
// allows to write data.
type generator struct {
	rand   *rand.Rand
	b      strings.Builder
	consts []genConst
	depth  int
}

// genConst is a top-level const that was written before.
type genConst struct {
	name      string
	primitive bool
	number    bool
}

func (g *generator) n(n int) int       { return g.rand.IntN(n) }
func (g *generator) chance(p int) bool { return g.n(100) < p }
func (g *generator) put(parts ...string) {
	for _, p := range parts {
		g.b.WriteString(p)
	}
}

func pick[T any](g *generator, list []T) T { return list[g.n(len(list))] }

var genSpaces = []string{" ", "\n", "\t", "\r\n", "\r", "\v", "\f", "\u00a0", "\ufeff", "\u3000", "\u2028", "\u2029",
	"/**/", "/*/ ' */", "/* \" ` ${ */", "/*\n*/", "// it's\n", "//\r", "// `\u2028", "/***/", "/* // */", "//*\n"}

// gap writes white space and comments, or nothing.
func (g *generator) gap() {
	if g.chance(60) {
		g.put(pick(g, []string{"", " ", " ", "\n  "}))
		return
	}
	for range g.n(3) {
		g.put(pick(g, genSpaces))
	}
}

// sep is gap with at least one white space.
func (g *generator) sep() {
	g.put(pick(g, genSpaces))
	g.gap()
}

var genNames = []string{"a", "b", "c1", "$", "_x", "ä", "变", "\\u0061x", "b\\u{63}", "of", "get", "async", "name", "ℵ",
	"ｆ", "𝒳"}

var genPrologs = []string{
	"const re0 = /export const main = ['\"`]/g", "const f0 = () => /[/'\"`]/.test('x')",
	"const s0 = 'export const main = 1'", "const t0 = `\nexport const main = { a: '1' }\n`",
	"function g0(a) { return a / 2 / `${a}`.length }",
	"// export const main = 'x", "/* export const main = ` */", "import 'node:fs'",
	"const h0 = function () { if (1) /}/.exec('') ; return { a: 1 } / 2 }", "const t1 = () => `a${`b${1}`}'\"`",
	"export const other = [1, 2]", ";", "const k0 = (a, b) => a ? { x: 1 } / b : /\\/[}]/", "class Z0 {}",
	"const d0 = async ({ a }) => { for (const x of /a/[Symbol.split]('b')) { a++ / 2 } }",
	"export function ex0() { return '}' }", "const m0 = (x) => { x.if / 2; x.return /2; return /re/ }",
}

func (g *generator) module() string {
	if g.chance(5) {
		g.put("\ufeff")
	}
	if g.chance(5) {
		g.put("#!/usr/bin/env node export const main = 'no'\n")
	}
	seen := map[int]bool{}
	for range g.n(4) {
		if i := g.n(len(genPrologs)); !seen[i] {
			seen[i] = true
			g.put(genPrologs[i], "\n")
		}
	}
	for i := range g.n(4) {
		name := fmt.Sprintf("k%d", i+1)
		g.put("const ", name)
		g.gap()
		g.put("=")
		g.gap()
		c := genConst{name: name}
		switch g.n(3) {
		case 0:
			c.primitive = true
			g.str()
		case 1:
			c.primitive, c.number = true, true
			g.number()
		default:
			g.value()
		}
		g.consts = append(g.consts, c)
		g.end()
	}
	g.mainExport()
	if g.chance(30) {
		g.put(pick(g, []string{"\nexport const handlers = () => ({ a: { preRequest: async () => { return /}/ } } })",
			"\nexport default function () {}", "\nconst z = 1", "\nfunction z() {}", "\nexport { z0 }; const z0 = 1",
			"// end", "/* end */"}))
	}
	return g.b.String()
}

func (g *generator) mainExport() {
	name := "main"
	switch g.n(8) {
	case 0:
		g.put("export")
		g.gap()
		g.put("{")
		g.gap()
		g.put("m0x")
		g.sep()
		g.put("as")
		g.sep()
		g.put(pick(g, []string{"main", "'main'", `"m\u0061in"`}))
		g.gap()
		g.put(pick(g, []string{"", ","}), "}")
		g.end()
		name = "m0x"
		g.put("const ")
	case 1:
		g.put("export const before = ", "'x'")
		g.gap()
		g.put(",")
		g.gap()
	case 2:
		g.put("export const ")
		name = "m\\u0061in"
	default:
		g.put("export")
		g.sep()
		g.put("const")
		g.sep()
	}
	g.put(name)
	g.gap()
	g.put("=")
	g.gap()
	if g.chance(80) {
		g.object()
	} else {
		g.value()
	}
	g.end()
}

// end ends a statement.
func (g *generator) end() {
	g.put(pick(g, []string{";", "\n", ";\n", " // x\n", "\r\n", "/*\n*/", "\u2028", " ;"}))
}

func (g *generator) value() {
	g.depth++
	defer func() { g.depth-- }()
	kind := g.n(14)
	if g.depth > 5 {
		kind = g.n(9)
	}
	switch kind {
	case 0, 1, 2:
		g.str()
	case 3, 4:
		g.number()
	case 5:
		g.put(pick(g, []string{"true", "false", "null", "NaN", "Infinity", "-Infinity"}))
	case 6:
		g.sum()
	case 7:
		g.template()
	case 8:
		if len(g.consts) > 0 {
			g.put(pick(g, g.consts).name)
			return
		}
		g.str()
	case 9, 10:
		g.array()
	default:
		g.object()
	}
}

// sum writes literals joined by +.
func (g *generator) sum() {
	g.primitive()
	for range 1 + g.n(3) {
		g.gap()
		g.put("+ ")
		g.gap()
		g.primitive()
	}
}

func (g *generator) primitive() {
	switch g.n(8) {
	case 0:
		g.number()
	case 1:
		g.put(pick(g, []string{"true", "null", "NaN", "1e999", "'\\ud83d'", "'\\ude00'", "`\\u{d83d}`", "\"\\udE00\""}))
	case 2:
		g.template()
	case 3:
		if len(g.consts) > 0 {
			if c := pick(g, g.consts); c.primitive {
				if c.number && g.chance(30) {
					g.put("- ")
				}
				g.put(c.name)
				return
			}
		}
		g.str()
	default:
		g.str()
	}
}

func (g *generator) array() {
	g.put("[")
	for range g.n(5) {
		g.gap()
		if !g.chance(8) {
			g.value()
		}
		g.gap()
		g.put(",")
	}
	g.gap()
	if g.chance(50) {
		g.value()
	}
	g.gap()
	g.put("]")
}

func (g *generator) object() {
	g.put("{")
	count := g.n(7)
	if g.chance(3) {
		count = 40
	}
	for i := range count {
		g.gap()
		if len(g.consts) > 0 && g.chance(10) {
			g.put(pick(g, g.consts).name) // shorthand
		} else {
			g.key()
			g.gap()
			g.put(":")
			g.gap()
			g.value()
		}
		g.gap()
		if i < count-1 || g.chance(40) {
			g.put(",")
		}
	}
	g.gap()
	g.put("}")
}

var genKeys = []string{"a", "'a'", `"b"`, "0", "'0'", "'01'", "1", "2", "10", "4294967294", "4294967295",
	"'4294967295'", "1e3", "0x10", "'-1'", ".5", "5.", "1_0", "0b11", "1e21", "1e-7", "'1.5'", "''", "' '", "if",
	"null", "true", "get", "set", "async", "static", "export", "toJSONx", "constructor", "'\\ud800'", "'\\u{1F600}'",
	"'ｆ'", "schemaHash", "'a\\\nb'", "9007199254740993", "__proto", "0xffffffff"}

func (g *generator) key() {
	switch g.n(20) {
	case 0:
		if g.chance(40) {
			g.put(pick(g, []string{"__proto__", "'__proto__'", `"\x5f_proto__"`, "__prot\\u006f__"}))
			return
		}
		g.str()
	case 1, 2, 3, 4:
		g.put(pick(g, genNames))
	case 5, 6:
		g.str()
	case 7:
		g.put(strconv.Itoa(g.n(20)))
	default:
		g.put(pick(g, genKeys))
	}
}

var genChunks = []string{"a", "Z", " ", "0", "ä", "€", "😀", "'", "\"", "`", "\\'", "\\\"", "\\`", "\\\\", "\\n", "\\r",
	"\\t", "\\b", "\\f", "\\v", "\\0", "\\x41", "\\xe9", "\\xFF", "\\u0041", "\\u00e9", "\\u2028", "\\ud83d", "\\ude00",
	"\\ud83d\\ude00", "\\u{1F600}", "\\u{41}", "\\u{10FFFF}", "\\u{000061}", "\\u{D800}", "\\\n", "\\\r\n", "\\\r",
	"\\\u2028", "\\\u2029", "\u2028", "\u2029", "\\a", "\\$", "\\{", "\\ü", "\\😀", "//", "/*", "*/", "<!--",
	"export const main = ", "\t", "\x7f", "\u0000", "\\-", "\\/", "{{x}}", "$", "\u00ad", "\ufeff", "\ufffd", "\u0085"}

func (g *generator) str() {
	quote := pick(g, []string{"'", "\""})
	g.put(quote)
	for range g.n(6) {
		if c := pick(g, genChunks); c != quote {
			g.put(c)
			if c == "\\0" {
				g.put("x")
			}
		}
	}
	g.put(quote)
}

func (g *generator) template() {
	g.put("`")
	for range g.n(6) {
		if c := pick(g, genChunks); c != "`" {
			g.put(pick(g, []string{"", "", "\n", "\r\n", "\r", "$ "}), c)
			if c == "\\0" || c == "$" {
				g.put("x")
			}
		}
	}
	g.put("`")
}

func (g *generator) number() {
	if g.chance(25) {
		g.put(pick(g, []string{"-", "- ", "+ ", "-/**/", "- + "}))
	}
	switch g.n(12) {
	case 0:
		g.put("0x", strconv.FormatUint(g.rand.Uint64()>>g.n(64), 16))
	case 1:
		g.put("0b", strconv.FormatUint(g.rand.Uint64()>>g.n(64), 2))
	case 2:
		g.put("0O", strconv.FormatUint(g.rand.Uint64()>>g.n(64), 8))
	case 3:
		g.put(pick(g, []string{"1_000_000", "0xF_F", "1_0.5_0e1_0", "0b1_0", ".5", "5.", "0.", ".0", "0", "0.0",
			"1e999", "1e-999", "5e-324", "2e-324", "3e-324", "1.7976931348623157e308", "1.7976931348623159e308",
			"9007199254740993", "0x20000000000001", "0xfffffffffffffbff", "0xfffffffffffffc00", "1e21", "1e-7",
			"123456789012345678901234567890", "0.1e1", "5.e-3", "1E+2"}))
	case 4, 5:
		g.put(strconv.Itoa(g.n(1000)))
	case 6:
		f := math.Float64frombits(g.rand.Uint64() &^ (1 << 63))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			f = 1
		}
		g.put(strconv.FormatFloat(f, 'g', -1, 64))
	case 7:
		g.put(strconv.FormatFloat(g.rand.Float64()*1000, 'f', g.n(10), 64))
	case 8:
		g.put(strconv.FormatUint(g.rand.Uint64(), 10), pick(g, []string{"", ".5", "e3", "E-5"}))
	default:
		g.put(strconv.FormatFloat(g.rand.ExpFloat64(), 'e', g.n(20), 64))
	}
}
