package sandbox

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// Library is a package that handlers are given (chapter 01, "Injected
// Dependencies"): a CommonJS script that sets module.exports.library to the
// package's namespace. Handlers get the default export, where there is one, or
// the namespace, as the reference implementation gives it to them.
type Library struct {
	Hash   string // tells scripts apart: same hash, same script
	Script string // "" where it is damaged
}

// ownLibraries are parts of Node that the sandbox has itself (docs/handlers.md).
var ownLibraries = []string{"crypto", "zlib"}

// Own reports whether the sandbox has a library itself.
func Own(library string) bool { return slices.Contains(ownLibraries, library) }

// builtins are the parts of Node that libraries may import; libraries.js has
// them.
var builtins = []string{"buffer", "crypto", "url", "zlib"}

// Builtin reports whether libraries may import a part of Node.
func Builtin(name string) bool { return slices.Contains(builtins, name) }

// missing returns the error of a script whose libraries are not all there.
func (s *Script) missing() *HandlerError {
	for _, name := range s.Libraries {
		if lib := s.Bundles[name]; lib != nil && lib.Script == "" {
			return libraryFailure(name, "the catalog's record of it is damaged: resolve the catalog anew")
		} else if lib == nil && !Own(name) {
			return &HandlerError{Code: CodeLibrary, Msg: "the schema requires the library " + strconv.Quote(name) +
				", which the catalog does not carry: resolve it with fmcp-resolve --libraries node_modules, with the package installed there"}
		}
	}
	return nil
}

// uses are the hashes of a script's libraries by name.
func (s *Script) uses() map[string]string {
	m := map[string]string{}
	for _, name := range s.Libraries {
		if l := s.Bundles[name]; l != nil {
			m[name] = l.Hash
		}
	}
	return m
}

// fits says how well a worker suits a script: 2 where it knows it, 1 where it
// has compiled all its libraries, 0 otherwise.
func (w *process) fits(s *Script) int {
	if w.known[s.Key] {
		return 2
	}
	if len(s.Bundles) == 0 {
		return 0
	}
	for _, lib := range s.Bundles {
		if !w.compiled[lib.Hash] {
			return 0
		}
	}
	return 1
}

// prepare has the worker compile the libraries of a script that it does not
// know yet. After an error it is of no use.
func (r *run) prepare(ctx context.Context, s *Script) error {
	for _, name := range s.Libraries {
		lib := s.Bundles[name]
		if lib == nil || r.compiled[lib.Hash] {
			continue
		}
		go func() { _ = r.send(request{Library: &LibraryScript{lib.Hash, lib.Script}}) }()
		r.start(r.pool.limits.Load, r.pool.limits.Wait)
		r.loading = true
		last, err := r.wait(ctx, Call{})
		switch {
		case err != nil:
			return r.blame(err, name)
		case last.Error != nil:
			return libraryFailure(name, last.Error.Msg)
		}
		r.compiled[lib.Hash] = true
	}
	return nil
}

// blame says of a limit that was reached while libraries were loaded that it is
// theirs.
func (r *run) blame(err error, library string) error {
	var failure *HandlerError
	if !r.loading || !errors.As(err, &failure) {
		return err
	}
	if failure.Code == CodeTime {
		return libraryFailure(library, "it takes longer than "+r.pool.limits.Load.String()+" of processor time, or waits for "+r.pool.limits.Wait.String())
	}
	return libraryFailure(library, "it takes too much memory or stack")
}

func libraryFailure(name, why string) *HandlerError {
	return &HandlerError{Code: CodeLibrary, Msg: "the library " + strconv.Quote(name) + " cannot be loaded: " + why}
}

// LibraryScript goes to a worker that does not know it yet.
type LibraryScript struct {
	Hash   string `json:"hash"`
	Script string `json:"script"`
}

//go:embed libraries.js
var librariesSource string

var libraryHost = sync.OnceValue(func() *goja.Program { return goja.MustCompile("libraries", librariesSource, true) })

// libraryGlobals are the parameters of a library's function besides module,
// exports and require: what it finds and handlers do not.
var libraryGlobals = []string{
	"globalThis", "global", "Headers", "AbortController", "AbortSignal", "fetch", "setTimeout", "clearTimeout", "setInterval", "clearInterval",
	"setImmediate", "clearImmediate", "queueMicrotask", "console", "crypto",
}

// largeScript is a script, in bytes, whose compilation leaves so much memory
// behind that it is given back at once: of 8 MB, 100 of 140 MB. It would count
// against the handlers.
const largeScript = 1 << 20

// compile keeps the program of a library.
func (w *worker) compile(l *LibraryScript) (failure *HandlerError) {
	if len(l.Script) > largeScript {
		defer debug.FreeOSMemory()
	}
	defer func() {
		if p := recover(); p != nil {
			failure = &HandlerError{Code: CodeLibrary, Msg: "its script is no JavaScript"}
		}
	}()
	text := "(function (module, exports, require, " + strings.Join(libraryGlobals, ", ") + ") {" + l.Script + "\n})"
	// Source maps are off: goja would read the files that a comment names.
	tree, err := parser.ParseFile(nil, "library", text, 0, parser.WithDisableSourceMaps)
	if err != nil {
		return &HandlerError{Code: CodeLibrary, Msg: brief(err.Error())}
	}
	program, err := goja.CompileAST(tree, false)
	if err != nil {
		return &HandlerError{Code: CodeLibrary, Msg: brief(err.Error())}
	}
	w.programs[l.Hash] = program
	return nil
}

// loadLibraries runs the libraries of a schema in its runtime and adds them to
// what the factory gets. The error is a *HandlerError where one is to blame.
func (r *runtime) loadLibraries(uses map[string]string, injected goja.Value) error {
	if len(uses) == 0 {
		return nil
	}
	libraries := injected.ToObject(r.vm).Get("libraries").ToObject(r.vm)
	natives := r.natives()
	for name, fn := range map[string]func(goja.FunctionCall) goja.Value{"setTimer": r.setTimer, "clearTimer": r.clearTimer, "random": r.random} {
		_ = natives.Set(name, fn)
	}
	host, err := r.vm.RunProgram(libraryHost())
	if err != nil {
		return err
	}
	install, _ := goja.AssertFunction(host)
	made, err := install(goja.Undefined(), natives, r.vm.ToValue(libraryGlobals), libraries)
	if err != nil {
		return err
	}
	load, _ := goja.AssertFunction(made)
	for _, name := range slices.Sorted(maps.Keys(uses)) {
		value, err := r.vm.RunProgram(r.worker.programs[uses[name]])
		if err == nil {
			value, err = load(goja.Undefined(), value)
		}
		if err != nil {
			return libraryFailure(name, r.script.failure(context.Background(), err).Error())
		}
		_ = libraries.Set(name, value)
	}
	return nil
}

func (r *runtime) random(call goja.FunctionCall) goja.Value {
	b := make([]byte, min(max(call.Argument(0).ToInteger(), 0), 1<<16))
	_, _ = rand.Read(b) // never fails
	return r.vm.ToValue(r.vm.NewArrayBuffer(b))
}
