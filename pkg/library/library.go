// Package library makes one script of an npm package and all that it imports,
// so that a catalog carries what its handlers need and runs where no Node is
// (chapter 05, "Library Loading Sequence"; docs/architecture.md). It is
// the only importer of esbuild, and linked into fmcp-resolve alone.
//
// Nothing of a package runs: its files are read as text. No scripts of
// package.json, no configuration of bundlers or compilers is looked at.
package library

import (
	"errors"
	"fmt"
	"slices"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ndjson"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// maxScript is the longest script that is carried, in bytes of JSON: its record
// must stay under the longest line that the commands read by default.
const maxScript = ndjson.DefaultMaxLine - 64<<10

// native are packages that are known to be compiled code: the advice to install
// one would be wrong.
var native = []string{"better-sqlite3", "canvas", "sharp", "sqlite3", "talib"}

// Bundle makes one script of an installed package and all that it imports. The
// script is CommonJS and sets module.exports.library to the package's
// namespace, as import() gives it; equal files make equal scripts. The error
// says why it cannot be; it is a *Missing for a package that is not there.
func (f *Folder) Bundle(name string) (*catalog.Library, error) {
	if slices.Contains(native, name) {
		return nil, errors.New("it is native code, which runs in Node alone")
	}
	dir, err := f.folder(name)
	var out *outside
	switch {
	case errors.As(err, &out):
		return nil, fmt.Errorf("it is a link that leads out of %s: install a copy", f.name)
	case err != nil:
		return nil, &Missing{Name: name, Folder: f.name}
	}
	if file := f.nativeFile(dir); file != "" {
		return nil, fmt.Errorf("it is native code (%s), which runs in Node alone", file)
	}
	script, err := f.build(name)
	if err != nil {
		return nil, err
	}
	lib := &catalog.Library{Name: name, Hash: record.Hash([]byte(script)), Script: script}
	if m := f.manifest(dir); m != nil {
		lib.Version = m.data.Get("version").Str()
	}
	return lib, nil
}

// Missing says that a package is not installed.
type Missing struct{ Name, Folder string }

func (m *Missing) Error() string { return "it is not installed in " + m.Folder }

// entry imports a package as Node's import() does.
const (
	entry     = "import * as library from %q; export { library }"
	entryFile = "entry.js"
)

// unsupported is what goja cannot run and esbuild can write otherwise. A
// regular expression becomes a call that fails when it is reached.
var unsupported = map[string]bool{
	"async-generator": false, "for-await": false, "dynamic-import": false, "import-meta": false,
	"regexp-set-notation": false, "regexp-unicode-property-escapes": false, "using": false, "decorators": false,
}

const namespace = "library"

func (f *Folder) build(name string) (string, error) {
	start, err := f.resolve(".", name, false)
	if err != nil {
		return "", err
	}
	b := &builder{folder: f, start: start, edges: map[string][]edge{}, reasons: map[string]string{}}
	result := f.run(b, name)
	if len(result.Errors) > 0 && b.onlyLazy() {
		b.lenient = true
		result = f.run(b, name)
	}
	if len(result.Errors) > 0 {
		return "", b.failure(result.Errors)
	}
	script := string(result.OutputFiles[0].Contents)
	if n := len(ordjson.AppendString(nil, script)); n > maxScript {
		return "", fmt.Errorf("it makes a script of %d bytes, at most %d fit into a record", n, maxScript)
	}
	return script, nil
}

func (f *Folder) run(b *builder, name string) api.BuildResult {
	return api.Build(api.BuildOptions{
		Stdin:         &api.StdinOptions{Contents: fmt.Sprintf(entry, name), Sourcefile: entryFile},
		AbsWorkingDir: f.dir, TsconfigRaw: "{}", LogLevel: api.LogLevelSilent,
		Bundle: true, Format: api.FormatCommonJS, Platform: api.PlatformBrowser, Target: api.ES2022,
		Supported:        unsupported,
		MinifyWhitespace: true, MinifySyntax: true, Charset: api.CharsetASCII,
		Define:  map[string]string{"process.env.NODE_ENV": `"production"`},
		Plugins: []api.Plugin{{Name: namespace, Setup: b.setup}},
	})
}
