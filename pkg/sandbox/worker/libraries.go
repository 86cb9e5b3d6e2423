package worker

import (
	"crypto/rand"
	_ "embed"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"github.com/flowmcp/fmcp/pkg/sandbox"
)

//go:embed libraries.js
var librariesSource string

var libraryHost = sync.OnceValue(func() *goja.Program { return goja.MustCompile("libraries", librariesSource, true) })

// libraryGlobals are the parameters of a library's function besides module,
// exports and require: what it finds and handlers do not.
var libraryGlobals = []string{
	"globalThis", "global", "Headers", "AbortController", "AbortSignal", "fetch", "setTimeout", "clearTimeout",
	"setInterval", "clearInterval",
	"setImmediate", "clearImmediate", "queueMicrotask", "console", "crypto",
}

// largeScript is a script, in bytes, whose compilation leaves so much memory
// unused that it is given back at once: of 8 MB, 100 of 140 MB. It would count
// against the handlers.
const largeScript = 1 << 20

// compile keeps the program of a library.
func (w *worker) compile(l *sandbox.LibraryScript) (failure *sandbox.HandlerError) {
	if len(l.Script) > largeScript {
		defer debug.FreeOSMemory()
	}
	defer func() {
		if p := recover(); p != nil {
			failure = &sandbox.HandlerError{Code: sandbox.CodeLibrary, Msg: "its script is not JavaScript"}
		}
	}()
	text := "(function (module, exports, require, " + strings.Join(libraryGlobals, ", ") + ") {" + l.Script + "\n})"
	// Source maps are off: goja would read the files that a comment names.
	tree, err := parser.ParseFile(nil, "library", text, 0, parser.WithDisableSourceMaps)
	if err != nil {
		return &sandbox.HandlerError{Code: sandbox.CodeLibrary, Msg: brief(err.Error())}
	}
	program, err := goja.CompileAST(tree, false)
	if err != nil {
		return &sandbox.HandlerError{Code: sandbox.CodeLibrary, Msg: brief(err.Error())}
	}
	w.programs[l.Hash] = program
	return nil
}

// loadLibraries runs the libraries of a schema in its runtime and adds them to
// what the factory gets. The error is a *sandbox.HandlerError where one is to blame.
func (r *runtime) loadLibraries(uses map[string]string, injected goja.Value) error {
	if len(uses) == 0 {
		return nil
	}
	libraries := injected.ToObject(r.vm).Get("libraries").ToObject(r.vm)
	natives := r.natives()
	for name, fn := range map[string]func(goja.FunctionCall) goja.Value{"setTimer": r.setTimer,
		"clearTimer": r.clearTimer, "random": r.random} {
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
			return sandbox.LibraryFailure(name, r.script.failure(err).Error())
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
