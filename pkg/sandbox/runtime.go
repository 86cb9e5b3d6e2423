package sandbox

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
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

	stage   string
	fetches map[int]func(FetchAnswer) // under way
	last    int                       // number of the latest fetch
}

//go:embed hosts.js
var hostsSource string

var hosts = sync.OnceValue(func() *goja.Program { return goja.MustCompile("hosts", hostsSource, true) })

// newRuntime runs a schema's source up to and including the call of its
// factory.
func newRuntime(w *worker, source string, lists json.RawMessage) (r *runtime, failure *HandlerError) {
	r = &runtime{worker: w, fetches: map[int]func(FetchAnswer){}}
	defer func() {
		if p := recover(); p != nil {
			failure = r.failure(CodeFactory, r.script.recovered(context.Background(), p))
		}
	}()
	if len(source) > MaxSource {
		return nil, &HandlerError{Code: CodeFactory, Msg: "the schema is larger than " + strconv.Itoa(MaxSource) + " bytes"}
	}
	s, err := newScript(source)
	if err != nil {
		return nil, r.failure(CodeFactory, err)
	}
	r.script = s
	local, ok := s.locals["handlers"]
	if !ok {
		return nil, &HandlerError{Code: CodeFactory, Msg: "the schema exports no handlers"}
	}
	if err := r.start(local, lists); err != nil {
		return nil, r.failure(CodeFactory, err)
	}
	return r, nil
}

func (r *runtime) start(local string, lists json.RawMessage) error {
	ctx := context.Background()
	tree, err := parser.ParseFile(nil, sourceName, string(r.script.text), 0, parser.WithDisableSourceMaps)
	if err != nil {
		return r.script.parseError(err)
	}
	program, err := goja.CompileAST(tree, true)
	if err != nil {
		return r.script.failure(ctx, err)
	}
	r.vm = goja.New()
	r.vm.SetMaxCallStackSize(maxCalls)
	if r.stringify, err = harden(r.vm); err != nil {
		return r.script.failure(ctx, err)
	}
	r.parse, _ = goja.AssertFunction(r.vm.Get("JSON").ToObject(r.vm).Get("parse"))
	if len(lists) == 0 {
		lists = json.RawMessage("{}")
	}
	injected, err := r.inject(string(lists))
	if err != nil {
		return r.script.failure(ctx, err)
	}
	if _, err = r.vm.RunProgram(program); err != nil {
		return r.script.failure(ctx, err)
	}
	value, err := r.vm.RunScript("", local)
	if err != nil {
		return r.script.failure(ctx, err)
	}
	factory, ok := goja.AssertFunction(value)
	if !ok {
		return &Error{Msg: "handlers is " + value.ExportType().String() + ", expected a function"}
	}
	made, err := factory(goja.Undefined(), injected)
	if err != nil {
		return r.script.failure(ctx, err)
	}
	if r.handlers, ok = made.(*goja.Object); !ok {
		return &Error{Msg: "handlers() returned " + made.String() + ", expected an object of handlers by tool"}
	}
	return nil
}

// inject installs the host objects and returns what the factory gets.
func (r *runtime) inject(lists string) (goja.Value, error) {
	v, err := r.vm.RunProgram(hosts())
	if err != nil {
		return nil, err
	}
	install, _ := goja.AssertFunction(v)
	return install(goja.Undefined(), r.natives(), r.vm.ToValue(lists))
}

// call runs one handler.
func (r *runtime) call(m request) (output json.RawMessage, failure *HandlerError) {
	defer func() {
		r.stage = ""
		clear(r.fetches)
		if p := recover(); p != nil {
			failure = r.failure(CodeThrew, r.script.recovered(context.Background(), p))
		}
	}()
	r.stage = m.Stage
	holder, handler := r.find(m)
	if handler == nil || goja.IsUndefined(handler) || goja.IsNull(handler) {
		return nil, nil
	}
	fn, ok := goja.AssertFunction(handler)
	if !ok {
		return nil, &HandlerError{Code: CodeShape, Msg: m.Stage + " of " + strconv.Quote(m.Name) + " is not a function"}
	}
	input, err := r.parse(goja.Undefined(), r.vm.ToValue(string(m.Input)))
	if err != nil {
		return nil, r.failure(CodeThrew, r.script.failure(context.Background(), err))
	}
	value, err := fn(holder, input)
	if err != nil {
		return nil, r.failure(CodeThrew, r.script.failure(context.Background(), err))
	}
	value, failure = r.settle(value)
	if failure != nil {
		return nil, failure
	}
	return r.output(m.Stage, value)
}

// find finds a handler, nil where there is none: tool handlers are keyed by
// tool, those of resources by resource and query (chapter 01, "Handler Rules" 8).
func (r *runtime) find(m request) (holder *goja.Object, handler goja.Value) {
	holder, _ = r.handlers.Get(m.Name).(*goja.Object)
	if holder != nil && m.Query != "" {
		holder, _ = holder.Get(m.Query).(*goja.Object)
	}
	if holder == nil {
		return nil, nil
	}
	return holder, holder.Get(m.Stage)
}

// settle waits for a promise: its jobs run by themselves, the answers to its
// fetches come from outside.
func (r *runtime) settle(value goja.Value) (goja.Value, *HandlerError) {
	promise, ok := value.Export().(*goja.Promise)
	if !ok {
		return value, nil
	}
	for promise.State() == goja.PromiseStatePending {
		if len(r.fetches) == 0 {
			return nil, &HandlerError{Code: CodeTime, Msg: r.stage + " waits for a promise that nothing will ever settle"}
		}
		m := <-r.worker.in
		if resolve := r.fetches[m.Fetch]; resolve != nil && m.Answer != nil {
			delete(r.fetches, m.Fetch)
			resolve(*m.Answer)
		}
	}
	if promise.State() == goja.PromiseStateRejected {
		return nil, r.rejected(promise.Result())
	}
	return promise.Result(), nil
}

// position finds the places of a stack that are in the module.
var position = regexp.MustCompile(`\b` + sourceName + `:(\d+):(\d+)`)

// rejected makes an error of the reason of a promise.
func (r *runtime) rejected(reason goja.Value) *HandlerError {
	text := func() (s string) {
		defer func() {
			if recover() != nil {
				s = "an object without a usable toString was thrown"
			}
		}()
		return brief(reason.String())
	}()
	err := &Error{Msg: text}
	if o, ok := reason.(*goja.Object); ok {
		if stack := o.Get("stack"); stack != nil {
			if m := position.FindStringSubmatch(stack.String()); m != nil {
				line, _ := strconv.Atoi(m[1])
				col, _ := strconv.Atoi(m[2])
				err = r.script.failAt(file.Position{Line: line, Column: col}, text)
			}
		}
	}
	return r.failure(CodeThrew, err)
}

// output checks the shape of what a handler returned (READINGS 12) and makes
// JSON of it.
func (r *runtime) output(stage string, value goja.Value) (json.RawMessage, *HandlerError) {
	wanted := []string{"response"}
	if stage == PreRequest {
		wanted = []string{"struct", "payload"}
	}
	o, ok := value.(*goja.Object)
	if ok && stage == ExecuteRequest && o.Get("response") == nil && o.Get("struct") != nil {
		wanted = []string{"struct"}
	}
	for _, key := range wanted {
		if !ok || o.Get(key) == nil {
			return nil, &HandlerError{Code: CodeShape, Msg: stage + " returned " + shape(value) + ", expected { " + strings.Join(wanted, ", ") + " }"}
		}
		if goja.IsUndefined(o.Get(key)) {
			_ = o.Set(key, goja.Null())
		}
	}
	text, err := r.stringify(goja.Undefined(), value, r.vm.ToValue(depthGuard(context.Background(), r.vm)))
	if err != nil {
		return nil, r.failure(CodeThrew, r.script.failure(context.Background(), err))
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

// frozen finds the errors of goja for changes of frozen objects.
var frozen = regexp.MustCompile(`^TypeError: .*(read only|not extensible|Cannot delete|Cannot redefine)`)

// failure gives an error its code.
func (r *runtime) failure(code string, err error) *HandlerError {
	e := &HandlerError{Code: code, Msg: err.Error()}
	var ours *Error
	if errors.As(err, &ours) {
		e.Msg, e.Line, e.Col = ours.Msg, ours.Line, ours.Col
	}
	switch {
	case strings.Contains(e.Msg, fetchRefused):
		e.Code = CodeFetch
	case frozen.MatchString(e.Msg):
		e.Code, e.Msg = CodeFrozen, e.Msg+": shared lists are frozen, copy what is to be changed"
	case code == CodeFactory:
		e.Msg = "handlers() could not be made: " + e.Msg
	}
	return e
}
