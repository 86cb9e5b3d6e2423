package forbidden

import (
	"slices"
	"strings"
	"testing"
)

// Sources that the quick scan must leave to the token scan, since there is, or
// could be, something in them.
func TestQuickScanLeaves(t *testing.T) {
	for _, src := range []string{
		"import x from 'y'", "const a = process.env", "const a = b['constructor']", `const a = b['con\structor']`,
		`const a = b['\constructor']`, `const a = b['constru\ctor']`, `const a = b['construct\or']`, `const a = b['c\onstructor']`,
		`const a = b['c\o\nstructor']`, `const a = b['con\x73tructor']`, `const a = pro\u0063ess`, "const a = b['con\\\nstructor']",
		"const a = b['con\\\u2028structor']", "eval('x')", "a = Function", "require('fs')", "x(fs.a)", "globalThis", "global.x",
		"__dirname", "__filename", "setTimeout(f)", "setInterval(f)", "child_process", "a = `${process}`", "// process", `a = "\`,
		"export * from 'x'", "export { a } from 'x'", "  export const a = 1", "x = `\nexport const main = 1`", "/*\nexport const main = 1\n*/",
		"export default 1",
	} {
		if _, ok := quickScan(src); ok {
			t.Errorf("%q: taken for harmless", src)
		}
	}
}

func TestQuickScan(t *testing.T) {
	for _, c := range []struct{ src, exports string }{
		{"", ""},
		{"const a = 1", ""},
		{"export const main = { processing: 'imports', refs: 1, a: 'a\\n' }\nexport const handlers = ( { a } ) => ( { a: a.replace( /\\s+\\d/, `${a}` ) } )\n", "main handlers"},
		{"export async function handlers() {}", "handlers"},
		{"const evaluate = requires => functions", ""},
	} {
		exports, ok := quickScan(c.src)
		if !ok || strings.Join(exports, " ") != c.exports {
			t.Errorf("%q: %v, %t", c.src, exports, ok)
		}
	}
}

// Where the quick scan is sure, the token scan says the same.
func FuzzQuickScan(f *testing.F) {
	for _, src := range []string{
		"export const main = {}\nexport const handlers = () => ({})", `a['con\structor']`, "a.b /c/ 1", "`${a}`", "// a\nexport let x", "'\\s'", "/\\s/ /*",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		exports, ok := quickScan(src)
		if !ok {
			return
		}
		found, slow := scanTokens(src, Options{})
		if len(found) > 0 {
			t.Errorf("%q: the token scan finds %v", src, found)
		}
		if len(slow) > len(exports) || !slices.Equal(slow, exports[:len(slow)]) {
			t.Errorf("%q: exports %v, the token scan says %v", src, exports, slow)
		}
	})
}
