package worker

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"strconv"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/words"
)

// runtime is a schema's handlers, made once (chapter 01, "Injected
// Dependencies").
type runtime struct {
	worker    *worker
	script    *script
	vm        *goja.Runtime
	handlers  *goja.Object
	parse     goja.Callable
	stringify goja.Callable

	stage    string
	fetches  map[int]func(sandbox.Request) // under way, and calls of tools
	last     int                           // number of the latest of them
	answered int                           // answers that this call got
	warning  *sandbox.HandlerError         // what was let pass in it
	code     *goja.Symbol                  // under which errors of ours carry their code
	timers   timers                        // of libraries
	logs     int                           // bytes that may still be logged in this call
}

var (
	//go:embed hosts.js
	hostsSource string
	//go:embed intl.js
	intlSource string

	hosts = sync.OnceValue(func() *goja.Program { return goja.MustCompile("hosts", hostsSource, true) })
	intl  = sync.OnceValue(func() *goja.Program { return goja.MustCompile("intl", intlSource, true) })
)

// newRuntime runs a schema's source up to and including the call of its
// factory.
func newRuntime(w *worker, m sandbox.Request) (r *runtime, failure *sandbox.HandlerError) {
	r = &runtime{worker: w, fetches: map[int]func(sandbox.Request){}, code: goja.NewSymbol("code")}
	defer func() {
		if p := recover(); p != nil {
			failure = r.panicked(sandbox.CodeFactory, p)
		}
	}()
	r.mayLog(m)
	if len(m.Source) > module.MaxSource {
		return nil, &sandbox.HandlerError{Code: sandbox.CodeFactory, Msg: "the schema is larger than " +
			strconv.Itoa(module.MaxSource) + " bytes"}
	}
	s, err := newScript(m.Source)
	if err != nil {
		return nil, r.failure(sandbox.CodeFactory, err)
	}
	r.script = s
	local, ok := s.locals["handlers"]
	if !ok {
		return nil, &sandbox.HandlerError{Code: sandbox.CodeFactory, Msg: "the schema exports no handlers"}
	}
	if err := r.start(local, m); err != nil {
		return nil, r.failure(sandbox.CodeFactory, err)
	}
	return r, nil
}

func (r *runtime) start(local string, m sandbox.Request) error {
	program, err := r.script.compile()
	if err != nil {
		return err
	}
	injected, err := r.inject(cmp.Or(string(m.Lists), "{}"))
	if err == nil {
		err = r.loadLibraries(m.Uses, injected)
	}
	if err != nil {
		return err
	}
	if len(m.Uses) > 0 {
		r.worker.send(sandbox.Reply{Loaded: true})
	}
	if _, err = r.vm.RunProgram(program); err != nil {
		return err
	}
	value, err := r.vm.RunScript("", local)
	if err != nil {
		return err
	}
	factory, ok := goja.AssertFunction(value)
	if !ok {
		return &sandbox.Error{Msg: "handlers is " + value.ExportType().String() + ", expected a function"}
	}
	made, err := factory(goja.Undefined(), injected)
	if err != nil {
		return err
	}
	if _, later := made.Export().(*goja.Promise); later {
		return &sandbox.Error{Msg: "handlers() returned a promise, expected an object of handlers by tool: it may " +
			"not be async"}
	}
	if r.handlers, ok = made.(*goja.Object); !ok {
		return &sandbox.Error{Msg: "handlers() returned " + made.String() + ", expected an object of handlers by tool"}
	}
	return nil
}

// compile reads what runs. Source maps are off: goja would read the files that a
// comment names.
func (s *script) compile() (*goja.Program, error) {
	tree, err := parser.ParseFile(nil, sourceName, string(s.text), 0, parser.WithDisableSourceMaps)
	if err != nil {
		return nil, s.parseError(err)
	}
	program, err := goja.CompileAST(tree, true)
	if err != nil {
		return nil, s.failure(err)
	}
	return program, nil
}

// inject makes a runtime with the host objects and returns what the factory gets.
func (r *runtime) inject(lists string) (_ goja.Value, err error) {
	r.vm = goja.New()
	r.vm.SetMaxCallStackSize(maxCalls)
	if r.stringify, err = harden(r.vm, false); err != nil {
		return nil, err
	}
	r.parse, _ = goja.AssertFunction(r.vm.Get("JSON").ToObject(r.vm).Get("parse"))
	makeIntl, err := r.vm.RunProgram(intl())
	if err != nil {
		return nil, err
	}
	v, err := r.vm.RunProgram(hosts())
	if err != nil {
		return nil, err
	}
	install, _ := goja.AssertFunction(v)
	return install(goja.Undefined(), r.natives(), makeIntl, r.vm.ToValue(lists))
}

// call runs one handler.
func (r *runtime) call(m sandbox.Request) (output json.RawMessage, failure *sandbox.HandlerError) {
	defer func() {
		r.stage, r.timers.waiting = "", nil
		clear(r.fetches)
		if p := recover(); p != nil {
			failure = r.panicked(sandbox.CodeThrew, p)
		}
	}()
	r.stage, r.answered, r.warning = m.Stage, 0, nil
	r.mayLog(m)
	if m.Stage == sandbox.Listing {
		text, err := json.Marshal(r.list())
		if err != nil {
			return nil, &sandbox.HandlerError{Code: sandbox.CodeFactory, Msg: err.Error()}
		}
		return text, nil
	}
	holder, handler := r.find(m)
	if handler == nil || goja.IsUndefined(handler) || goja.IsNull(handler) {
		return nil, nil
	}
	fn, ok := goja.AssertFunction(handler)
	if !ok {
		return nil, &sandbox.HandlerError{Code: sandbox.CodeShape, Msg: m.Stage + " of " + words.Quote(m.Name) +
			" is not a function"}
	}
	input, err := r.parse(goja.Undefined(), r.vm.ToValue(string(m.Input)))
	if err != nil {
		return nil, r.failure(sandbox.CodeThrew, err)
	}
	value, err := fn(holder, input)
	if err != nil {
		return nil, r.failure(sandbox.CodeThrew, err)
	}
	value, failure = r.settle(value)
	if failure != nil {
		return nil, failure
	}
	if m.Loose && m.Stage == sandbox.PreRequest {
		r.keepPayload(value, input)
	}
	r.keepVerdict(value, input)
	return r.output(m.Stage, value)
}

// find finds a handler, nil if there is none: tool handlers are keyed by tool,
// those of resources by resource and query (chapter 01, "Handler Rules" 8).
func (r *runtime) find(m sandbox.Request) (holder *goja.Object, handler goja.Value) {
	holder, _ = r.handlers.Get(m.Name).(*goja.Object)
	if holder != nil && m.Query != "" {
		holder, _ = holder.Get(m.Query).(*goja.Object)
	}
	if holder == nil {
		return nil, nil
	}
	return holder, holder.Get(m.Stage)
}

// list names the handlers that there are.
func (r *runtime) list() []sandbox.Handler {
	list := []sandbox.Handler{}
	add := func(name string, v goja.Value) *goja.Object {
		holder, ok := v.(*goja.Object)
		if !ok {
			return nil
		}
		var stages []string
		for _, stage := range []string{sandbox.PreRequest, sandbox.ExecuteRequest, sandbox.PostRequest} {
			if _, ok := goja.AssertFunction(holder.Get(stage)); ok {
				stages = append(stages, stage)
			}
		}
		if stages != nil {
			list = append(list, sandbox.Handler{Name: name, Stages: stages})
		}
		return holder
	}
	for _, name := range r.handlers.Keys() {
		holder := add(name, r.handlers.Get(name))
		if holder == nil {
			continue
		}
		for _, query := range holder.Keys() {
			add(name+"/"+query, holder.Get(query))
		}
	}
	return list
}

// settle waits for a promise: its jobs run by themselves, the answers to its
// fetches come from outside. Timers of libraries rest while it waits for one.
func (r *runtime) settle(value goja.Value) (goja.Value, *sandbox.HandlerError) {
	promise, ok := value.Export().(*goja.Promise)
	if !ok {
		return value, nil
	}
	for promise.State() == goja.PromiseStatePending {
		if len(r.fetches) == 0 {
			if fired, err := r.timers.fire(); err != nil {
				return nil, r.failure(sandbox.CodeThrew, err)
			} else if fired {
				continue
			}
			return nil, &sandbox.HandlerError{Code: sandbox.CodeTime,
				Msg: r.stage + " waits for a promise that nothing will ever settle"}
		}
		r.receive()
	}
	if promise.State() == goja.PromiseStateRejected {
		return nil, r.rejected(promise.Result())
	}
	return promise.Result(), nil
}

// receive waits for an answer and hands it on.
func (r *runtime) receive() {
	m := r.next()
	r.answered++
	if resolve := r.fetches[m.Fetch]; resolve != nil {
		delete(r.fetches, m.Fetch)
		resolve(m)
	}
}

// next is the next answer. The parent learns if there is none yet: another
// handler may run meanwhile.
func (r *runtime) next() sandbox.Request {
	select {
	case m := <-r.worker.in:
		return m
	default:
	}
	r.worker.send(sandbox.Reply{Waits: r.answered + 1})
	return <-r.worker.in
}

// keepPayload adds to what preRequest returned the payload that it was given,
// if it has none: of the public catalogs 218 of 231 return { struct } alone.
func (r *runtime) keepPayload(value, input goja.Value) {
	o, ok := value.(*goja.Object)
	if !ok || o.Get("struct") == nil || o.Get("payload") != nil {
		return
	}
	if given, ok := input.(*goja.Object); ok && o.Set("payload", given.Get("payload")) == nil {
		r.warning = &sandbox.HandlerError{Code: sandbox.CodeShape,
			Msg: sandbox.PreRequest + " returned { struct }, expected { struct, payload }: the payload is the one it " +
				"was given"}
	}
}

// keepVerdict adds to what a handler returned how it says that it went, in the
// struct that it was given, as 31 of postRequest in the public catalogs do.
func (r *runtime) keepVerdict(value, input goja.Value) {
	o, ok := value.(*goja.Object)
	given, _ := input.(*goja.Object)
	if !ok || given == nil || o.Get("response") == nil || o.Get("struct") != nil {
		return
	}
	st, ok := given.Get("struct").(*goja.Object)
	if !ok {
		return
	}
	said := r.vm.NewObject()
	if status := st.Get("status"); status != nil && !status.StrictEquals(r.vm.ToValue(true)) {
		_ = said.Set("status", status)
	}
	if list, ok := st.Get("messages").(*goja.Object); ok && list.Get("0") != nil {
		_ = said.Set("messages", list)
	}
	if len(said.Keys()) > 0 {
		_ = o.Set("verdict", said)
	}
}

// output checks the shape of what a handler returned (decision "Handler results") and makes
// JSON of it.
func (r *runtime) output(stage string, value goja.Value) (json.RawMessage, *sandbox.HandlerError) {
	wanted := []string{"response"}
	if stage == sandbox.PreRequest {
		wanted = []string{"struct", "payload"}
	}
	o, ok := value.(*goja.Object)
	if ok && stage == sandbox.ExecuteRequest && o.Get("response") == nil && o.Get("struct") != nil {
		wanted = []string{"struct"}
	}
	for _, key := range wanted {
		if !ok || o.Get(key) == nil {
			expected := "{ " + strings.Join(wanted, ", ") + " }"
			if stage == sandbox.ExecuteRequest {
				expected += " or { struct }"
			}
			return nil, &sandbox.HandlerError{Code: sandbox.CodeShape,
				Msg: stage + " returned " + shape(value) + ", expected " + expected}
		}
		if !goja.IsUndefined(o.Get(key)) {
			continue
		}
		if key != "response" {
			return nil, &sandbox.HandlerError{Code: sandbox.CodeShape,
				Msg: stage + " returned a " + key + " that is undefined"}
		}
		// A success, but hardly what was meant: JSON has no undefined.
		_ = o.Set(key, goja.Null())
		r.warning = &sandbox.HandlerError{Code: sandbox.CodeShape,
			Msg: stage + " returned { response: undefined }: data is null; return null where there is nothing"}
	}
	text, err := r.stringify(goja.Undefined(), value, r.vm.ToValue(depthGuard(r.vm)))
	if err != nil {
		return nil, r.failure(sandbox.CodeThrew, err)
	}
	return json.RawMessage(text.String()), nil
}

// shape names what was returned by its keys.
func shape(v goja.Value) string {
	o, ok := v.(*goja.Object)
	if !ok {
		return brief(v.String())
	}
	return brief("{ " + strings.Join(o.Keys(), ", ") + " }")
}
