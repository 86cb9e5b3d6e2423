package library

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// install writes files below a folder of its own and opens its node_modules.
func install(t testing.TB, files map[string]string) *Folder {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, files)
	f, err := Open(filepath.Join(dir, "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// write writes files; a content that starts with -> is where a link leads.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		err := os.WriteFile(name, []byte(text), 0o666)
		if to, link := strings.CutPrefix(text, "->"); link {
			_ = os.Remove(name)
			err = os.Symlink(to, name)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// evaluate runs an expression of lib, which is what handlers get of a package.
func evaluate(t testing.TB, f *Folder, name, expr string) string {
	t.Helper()
	lib, err := f.Bundle(name)
	if err != nil {
		t.Fatal(err)
	}
	pool := sandbox.NewPool(sandbox.Limits{Workers: 1, Time: time.Minute})
	defer pool.Close()
	script := sandbox.Script{
		Key: name, Source: "export const handlers = ({ libraries }) => { const lib = libraries['" + name +
			"']; return { t: { postRequest: async () => ({ response: " + expr + " }) } } }",
		Libraries: []string{name}, Bundles: map[string]*sandbox.Library{name: {Hash: lib.Hash, Script: lib.Script}},
	}
	out, err := pool.Call(t.Context(), script,
		sandbox.Call{Name: "t", Stage: sandbox.PostRequest, Input: json.RawMessage("{}")})
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(out), `{"response":`), "}")
}

// TestResolution: which file a package is entered by, and what its imports
// lead to, as Node and bundlers for browsers have it.
func TestResolution(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		expr  string
		want  string
	}{
		{"index", map[string]string{"a/index.js": "exports.v = 1"}, "lib.v", "1"},
		{"main", map[string]string{"a/package.json": `{"main":"lib/a"}`, "a/lib/a.js": "module.exports = () => 2"},
			"lib()", "2"},
		{"main is a folder", map[string]string{"a/package.json": `{"main":"lib"}`,
			"a/lib/index.js": "module.exports = () => 2"}, "lib()", "2"},
		{"module before main", map[string]string{"a/package.json": `{"main":"a.cjs","module":"a.mjs"}`,
			"a/a.cjs": "exports.v = 'cjs'", "a/a.mjs": "export const v = 'mjs'"}, "lib.v", `"mjs"`},
		{"browser before module", map[string]string{"a/package.json": `{"browser":"b.js","module":"a.mjs"}`,
			"a/b.js": "exports.v = 'browser'", "a/a.mjs": "export const v = 'mjs'"}, "lib.v", `"browser"`},
		{"default", map[string]string{"a/index.mjs": "export default { v: 3 }; export const w = 1"}, "lib", `{"v":3}`},
		{"default of CommonJS", map[string]string{"a/index.js": "Object.defineProperty(exports, '__esModule', { " +
			"value: true }); exports.default = { v: 4 }"}, "lib.v", "4"},
		{"namespace", map[string]string{"a/index.mjs": "export const v = 1, w = 2"}, "[lib.v, lib.w]", "[1,2]"},
		{"exports", map[string]string{"a/package.json": `{"exports":{".":{"types":"./t.d.ts","node":"./n.js",` +
			`"require":"./c.js","import":{"browser":"./b.mjs","default":"./i.mjs"}}}}`,
			"a/b.mjs": "export const v = 'b'", "a/i.mjs": "", "a/c.js": "", "a/n.js": ""}, "lib.v", `"b"`},
		{"exports is a text", map[string]string{"a/package.json": `{"exports":"./x.js","type":"module"}`,
			"a/x.js": "export const v = 5"}, "lib.v", "5"},
		{"exports is a list", map[string]string{"a/package.json": `{"exports":[{"none":"./y.js"},"./x.js"]}`,
			"a/x.js": "exports.v = 5"}, "lib.v", "5"},
		{"subpaths", map[string]string{"a/index.mjs": "import { v } from 'b/deep/x'; import { w } from 'b/one'; " +
			"export { v, w }", "b/package.json": `{"exports":{"./deep/*":"./src/*.mjs","./deep/private/*":null,` +
			`"./one":"./1.mjs"}}`, "b/src/x.mjs": "export const v = 'x'", "b/1.mjs": "export const w = 1"},
			"[lib.v, lib.w]", `["x",1]`},
		{"subpath without exports", map[string]string{"a/index.mjs": "import v from 'b/lib/x'; export { v }",
			"b/lib/x.js": "module.exports = 6"}, "lib.v", "6"},
		{"own name", map[string]string{"a/package.json": `{"name":"a","exports":{".":"./a.mjs","./x":"./x.mjs"}}`,
			"a/a.mjs": "export { v } from 'a/x'", "a/x.mjs": "export const v = 7"}, "lib.v", "7"},
		{"imports", map[string]string{"a/package.json": `{"imports":{"#x":{"browser":"./x.mjs"},"#b":"b"}}`,
			"a/index.mjs": "export { v } from '#x'; export { w } from '#b'", "a/x.mjs": "export const v = 8",
			"b/index.mjs": "export const w = 9"}, "[lib.v, lib.w]", "[8,9]"},
		{"browser replaces a file", map[string]string{"a/package.json": `{"browser":{"./node":"./web.js"}}`,
			"a/index.js": "exports.v = require('./node.js').v", "a/node.js": "exports.v = require('fs')",
			"a/web.js": "exports.v = 'web'"}, "lib.v", `"web"`},
		{"browser replaces a package",
			map[string]string{"a/package.json": `{"browser":{"fs":false,"b":"./b.js"}}`,
				"a/index.js": "exports.v = [require('fs'), require('b')]", "a/b.js": "module.exports = 'b'"}, "lib.v",
			`[{},"b"]`},
		{"browser replaces in circles",
			map[string]string{"a/package.json": `{"browser":{"b":"c","c":"b","./index.js":"./x.js",` +
				`"./x.js":"./index.js"}}`, "a/index.js": "", "a/x.js": "exports.v = [require('b'), require('c')]",
				"b/index.js": "module.exports = 'b'", "c/index.js": "module.exports = 'c'"}, "lib.v", `["c","b"]`},
		{"nested package", map[string]string{"a/index.js": "exports.v = [require('b'), require('c')]",
			"a/node_modules/b/index.js": "module.exports = 'inner'", "b/index.js": "module.exports = 'outer'",
			"c/index.js": "module.exports = require('b')"}, "lib.v", `["inner","outer"]`},
		{"scope", map[string]string{"a/index.js": "exports.v = require('@s/b/x.json').v", "@s/b/x.json": `{"v":10}`},
			"lib.v", "10"},
		{"a package with the name of a part of Node",
			map[string]string{"a/index.js": "exports.v = require('events')",
				"events/index.js": "module.exports = 'installed'"}, "lib.v", `"installed"`},
		{"parts of Node that the sandbox has",
			map[string]string{"a/index.mjs": "import { createHash } from 'node:crypto'; import { Buffer } from " +
				"'buffer'; export const v = createHash('md5').update(Buffer.from('a')).digest('hex')"}, "lib.v",
			`"0cc175b9c0f1b6a831c399e269772661"`},
		{"missing, caught", map[string]string{"a/index.js": "try { require('b') } catch (e) { exports.v = e.code }"},
			"lib.v", `"MODULE_NOT_FOUND"`},
		{"Node, only when it is reached",
			map[string]string{"a/index.mjs": "export const v = () => import('./x.mjs').catch((e) => e.message)",
				"a/x.mjs": "import fs from 'fs'; export default fs"}, "await lib.v()", `"Cannot find module 'fs'"`},
		{"CommonJS as Node's modules see it",
			map[string]string{"a/package.json": `{"type":"module"}`,
				"a/index.js": "import b from 'b'; export const v = b.default",
				"b/index.js": "exports.__esModule = true; exports.default = 11"}, "lib.v", "11"},
		{"generators and private fields",
			map[string]string{"a/index.mjs": "class A { #v = 12; static { this.s = 1 } get v() { return this.#v } }; " +
				"export const v = async () => { const all = []; for await (const x of (async function* () { yield " +
				"new A().v; yield A.s })()) all.push(x); return all }"}, "await lib.v()", "[12,1]"},
		{"pnpm", map[string]string{"a": "->.pnpm/a@1/node_modules/a",
			".pnpm/a@1/node_modules/a/index.js": "exports.v = require('b')",
			".pnpm/a@1/node_modules/b":          "->../../b@2/node_modules/b",
			".pnpm/b@2/node_modules/b/index.js": "module.exports = 'b@2'"}, "lib.v", `"b@2"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{}
			for name, text := range tt.files {
				files["node_modules/"+name] = text
			}
			if got := evaluate(t, install(t, files), "a", tt.expr); got != tt.want {
				t.Errorf("%s is %s, want %s", tt.expr, got, tt.want)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"not installed", nil, "it is not installed in "},
		{"no entry", map[string]string{"node_modules/a/readme": ""}, "a has no file to enter it by"},
		{"binding.gyp", map[string]string{"node_modules/a/index.js": "", "node_modules/a/binding.gyp": ""},
			"it is native code (binding.gyp), which runs in Node alone"},
		{"compiled", map[string]string{"node_modules/a/index.js": "", "node_modules/a/build/Release/a.node": ""},
			"native code (build/Release/a.node)"},
		{"imports compiled code", map[string]string{"node_modules/a/index.js": "try { require('b/x.node') } catch {}",
			"node_modules/b/x.node": ""}, "b/x.node is native code, which runs in Node alone (a/index.js:1)"},
		{"part of Node", map[string]string{"node_modules/a/index.mjs": "\nimport { readFileSync } from 'node:fs'; " +
			"readFileSync('/etc/passwd')"}, "fs is a part of Node, which the sandbox does not have (a/index.mjs:2)"},
		{"part of Node in CommonJS", map[string]string{"node_modules/a/index.js": "require('fs/promises')"},
			"fs/promises is a part of Node, which the sandbox does not have (a/index.js:1)"},
		{"missing package", map[string]string{"node_modules/a/index.js": "require('left-pad')"},
			"left-pad is not installed (a/index.js:1)"},
		{"missing file", map[string]string{"node_modules/a/index.js": "require('./x')"},
			"there is no a/x (a/index.js:1)"},
		{"not exported", map[string]string{"node_modules/a/index.js": "require('b/x')",
			"node_modules/b/package.json": `{"exports":"./y.js"}`, "node_modules/b/x.js": ""}, "b does not export ./x"},
		{"exports nothing", map[string]string{"node_modules/a/package.json": `{"exports":{"node":"./x.js"}}`,
			"node_modules/a/x.js": ""}, "a does not export ."},
		{"exports what is not there", map[string]string{"node_modules/a/package.json": `{"exports":"./x.js"}`},
			"there is no a/x.js"},
		{"climbs out", map[string]string{"node_modules/a/index.js": "try { require('../../secret.json') } catch {}",
			"secret.json": "1"}, "../secret.json leads out of the folder"},
		{"absolute", map[string]string{"node_modules/a/index.js": "require('/etc/hostname')"},
			`"/etc/hostname" is not a path in a package`},
		{"link out", map[string]string{"node_modules/a/index.js": "require('./s.json')",
			"node_modules/a/s.json": "->../../secret.json", "secret.json": "1"}, "a/s.json leads out of the folder"},
		{"package is a link out", map[string]string{"node_modules/x": "", "node_modules/a": "->../dev/a",
			"dev/a/index.js": ""}, "it is a link that leads out of "},
		{"dependency is a link out", map[string]string{"node_modules/a/index.js": "try { require('b') } catch {}",
			"node_modules/b": "->../dev/b", "dev/b/index.js": ""}, "b leads out of the folder"},
		{"main leads out", map[string]string{"node_modules/a/package.json": `{"main":"../../x.js"}`, "x.js": ""},
			"a has no file to enter it by"},
		{"exports lead out", map[string]string{"node_modules/a/package.json": `{"exports":"./../../x.js"}`, "x.js": ""},
			"leads out of the folder"},
		{"browser leads out", map[string]string{"node_modules/a/package.json": `{"browser":{"./x.js":"../../x.js"}}`,
			"node_modules/a/index.js": "require('./x.js')", "node_modules/a/x.js": "", "x.js": ""}, "x.js"},
		{"a package above the folder",
			map[string]string{"node_modules/n/node_modules/a/index.js": "", "node_modules/a/index.js": "require('b')",
				"../node_modules/b/index.js": ""}, "b is not installed"},
		{"URL", map[string]string{"node_modules/a/index.mjs": "import 'https://example.com/x.js'"},
			`"https://example.com/x.js" is a URL`},
		{"data URL", map[string]string{"node_modules/a/index.mjs": "import 'data:text/javascript,1'"},
			`"data:text/javascript,1" is a URL`},
		{"style", map[string]string{"node_modules/a/index.js": "require('./x.css')", "node_modules/a/x.css": ""},
			"a/x.css is not JavaScript"},
		{"top-level await", map[string]string{"node_modules/a/index.mjs": "export const v = await 1"},
			"Top-level await"},
		{"syntax", map[string]string{"node_modules/a/index.js": "\n(("}, "Unexpected end of file (a/index.js:2)"},
		{"many", map[string]string{"node_modules/a/index.js": "require('b1');require('b2');require('b3');" +
			"require('b4');require('b5')"}, "b3 is not installed (a/index.js:1), b4 is not installed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "p")
			write(t, dir, tt.files)
			if err := os.MkdirAll(filepath.Join(dir, "node_modules"), 0o777); err != nil {
				t.Fatal(err)
			}
			f, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = f.Close() }()
			lib, err := f.Bundle("a")
			if err == nil {
				t.Fatalf("bundled: %s", lib.Script)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %s\nwant %s", err, tt.want)
			}
		})
	}
}

// TestBundleIsItsFiles: a bundle depends on the files of its packages and on
// nothing else: no folder above, no configuration, no time.
func TestBundleIsItsFiles(t *testing.T) {
	files := map[string]string{
		"node_modules/a/package.json": `{"version":"1.2.3","main":"a.js","scripts":{"preinstall":"exit 1"}}`,
		"node_modules/a/a.js":         "exports.v = [require('b'), process.env.NODE_ENV, typeof __filename]",
		"node_modules/b/index.js":     "/*! licence of b */ module.exports = require('@s/c')",
		"node_modules/@s/c/index.js":  "module.exports = 'b'",
	}
	plain := install(t, files)
	other := filepath.Join(t.TempDir(), "elsewhere", "deep")
	write(t, other, files)
	write(t, other, map[string]string{
		"package.json":  `{"browser":{"a":"./evil.js","b":"./evil.js"},"type":"module"}`,
		"tsconfig.json": `{"compilerOptions":{"paths":{"b":["./evil.js"]}}}`,
		"evil.js":       "module.exports = 'evil'", ".pnp.cjs": "throw 1",
		"node_modules/tsconfig.json":   `{"compilerOptions":{"baseUrl":"..","paths":{"b":["evil.js"]}}}`,
		"node_modules/package.json":    `{"browser":{"a":"../evil.js","b":false},"type":"module","sideEffects":false}`,
		"node_modules/@s/package.json": `{"type":"module"}`,
	})
	t.Chdir(other)
	second, err := Open(".")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = second.Close() }()
	want, err := plain.Bundle("a")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		got, err := second.Bundle("a")
		if err != nil {
			t.Fatal(err)
		}
		if *got != *want {
			t.Errorf("%s\nand elsewhere\n%s", want.Script, got.Script)
		}
	}
	if want.Version != "1.2.3" || !strings.Contains(want.Script, "licence of b") {
		t.Errorf("version %q, script %s", want.Version, want.Script)
	}
	if got := evaluate(t, second, "a", "lib.v"); got != `["b","production","undefined"]` {
		t.Error(got)
	}
}

// TestUnused: of a package that says it has no side effects, what nothing uses
// is left out.
func TestUnused(t *testing.T) {
	f := install(t, map[string]string{
		"node_modules/a/index.mjs":    "export { v } from 'b'",
		"node_modules/b/package.json": `{"sideEffects":false,"type":"module"}`,
		"node_modules/b/index.js":     "export { v } from './v.js'; export { w } from './w.js'",
		"node_modules/b/v.js":         "export const v = 'used'", "node_modules/b/w.js": "export const w = 'unused'",
	})
	lib, err := f.Bundle("a")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(lib.Script, `"used"`) || strings.Contains(lib.Script, "unused") {
		t.Error(lib.Script)
	}
}

func TestSource(t *testing.T) {
	f := install(t, map[string]string{"node_modules/a/index.js": "exports.v = 1",
		"node_modules/evil/index.js": "exports.v = 1"})
	s := &Source{Folder: f, Allowed: []string{"a", "moment", "ethers"}}
	lib, p := s.Library("a")
	if p != nil || lib.Hash == "" {
		t.Fatal(p)
	}
	if again, _ := s.Library("a"); again != lib {
		t.Error("bundled twice")
	}
	if lib, p := s.Library("zlib"); lib != nil || p != nil {
		t.Error("zlib is the sandbox's own", p)
	}
	for name, want := range map[string]string{
		"evil": `SEC020 the library "evil" is not on the allowlist: a, ethers, moment; use one of these, ` +
			`or allow it by --library evil or under libraries in a file of --config, if you trust it`,
		"momnet": `SEC020 the library "momnet" is not on the allowlist: a, ethers, moment; did you mean "moment"?`,
		"../x":   `SEC020`,
		"":       `SEC020`,
		"talib":  `SEC103 the library "talib" cannot be loaded: it is native code, which runs in Node alone`,
		"moment": `run npm install --ignore-scripts moment in the folder above`,
	} {
		if lib, p := s.Library(name); lib != nil || p == nil || !strings.Contains(p.Error(), want) {
			t.Errorf("%s: %v, want %s", name, p, want)
		}
	}
	none := &Source{Allowed: []string{"a"}}
	for _, name := range []string{"evil", "talib"} {
		if lib, p := none.Library(name); lib != nil || p == nil || p.Code != "SEC020" {
			t.Errorf("%s, without a folder: %v", name, p)
		}
	}
	if lib, p := none.Library("a"); lib != nil || p != nil {
		t.Error("a, without a folder:", p)
	}
}

func TestOpen(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "none")); err == nil ||
		!strings.Contains(err.Error(), "none: cannot be read: no such file") {
		t.Error(err)
	}
}
