package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/dop251/goja"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/words"
)

// codeLead and codeEnd are what makes a function of its body. The body has lines
// of its own, so that columns stay what they are.
const (
	codeLead = "(async () => {\n"
	codeEnd  = "\n})"
)

// codeGlobals are what code finds besides the language.
var codeGlobals = append(slices.DeleteFunc(slices.Clone(globals), func(name string) bool { return name == "fetch" }),
	"call")

// noJSON are kinds of objects that JSON makes {} of, and what to return for them.
var noJSON = map[string]string{
	"Promise": "await it, or await Promise.all(list), before", "Map": "return Object.fromEntries(map)",
	"Set": "return [...set]",
}

// code runs the body of a function, in a runtime that nothing else sees.
func (w *worker) code(m sandbox.Request) (reply sandbox.Reply) {
	r := &runtime{worker: w, fetches: map[int]func(sandbox.Request){}, code: goja.NewSymbol("code"), stage: m.Stage,
		script: &script{Tokens: &module.Tokens{}}}
	defer func() {
		if p := recover(); p != nil {
			reply = sandbox.Reply{Error: r.panicked(sandbox.CodeThrew, p)}
		}
	}()
	r.mayLog(m)
	body, err := r.body(m.Source)
	if err != nil {
		return sandbox.Reply{Error: r.failure(sandbox.CodeThrew, err)}
	}
	lost := r.trackRejections()
	value, err := body(goja.Undefined())
	if err != nil {
		return sandbox.Reply{Error: r.failure(sandbox.CodeThrew, err)}
	}
	value, failure := r.settle(value)
	if failure != nil {
		return sandbox.Reply{Error: failure}
	}
	// A call that nobody awaits may write: it is not cut off.
	for r.stage = ""; len(r.fetches) > 0; {
		r.receive()
	}
	r.stage = m.Stage
	output, failure := r.result(value)
	return sandbox.Reply{Output: output, Error: failure, Warning: lost()}
}

// body makes the function.
func (r *runtime) body(source string) (goja.Callable, error) {
	if len(source) > module.MaxSource {
		return nil, &sandbox.Error{Msg: "the code is longer than " + strconv.Itoa(module.MaxSource) + " bytes"}
	}
	s, err := newScript(source)
	if err != nil {
		return nil, err
	}
	s.text, s.lead = slices.Concat([]byte(codeLead), s.text, []byte(codeEnd)), len(codeLead)
	r.script = s
	program, err := s.compile()
	if err != nil {
		return nil, err
	}
	if _, err = r.inject("{}"); err != nil {
		return nil, err
	}
	if err = r.vm.Set("call", r.callTool); err != nil {
		return nil, err
	}
	made, err := r.vm.RunProgram(program)
	if err != nil {
		return nil, err
	}
	fn, _ := goja.AssertFunction(made)
	return fn, nil
}

// callTool is (id, params); it returns a promise of the data.
func (r *runtime) callTool(call goja.FunctionCall) goja.Value {
	promise, resolve, reject := r.vm.NewPromise()
	stack := r.vm.CaptureCallStack(0, nil)
	// An error that is made later has no stack: this one tells where call was called.
	fail := func(msg string) {
		e := r.vm.NewTypeError("%s", msg)
		const name = "CallError"
		_ = e.Set("name", name)
		_ = e.Set("stack", stackText(name+": "+msg, stack))
		_ = reject(e)
	}
	m, err := r.toolCall(call)
	switch {
	case err != nil:
		fail(err.Error())
	case r.stage == "":
		fail("the code has already returned: await every call before it does")
	case r.last >= sandbox.MaxFetches:
		fail("the code makes more than " + strconv.Itoa(sandbox.MaxFetches) + " calls")
	default:
		r.last++
		r.fetches[r.last] = func(m sandbox.Request) {
			if m.Result.Error != "" {
				fail(m.Result.Error)
				return
			}
			data, err := r.parse(goja.Undefined(), r.vm.ToValue(string(m.Result.Data)))
			if err != nil {
				fail(err.Error())
				return
			}
			_ = resolve(data)
		}
		r.worker.send(sandbox.Reply{Fetch: r.last, Tool: m})
	}
	return r.vm.ToValue(promise)
}

// toolCall reads the arguments of call.
func (r *runtime) toolCall(call goja.FunctionCall) (*sandbox.ToolCall, error) {
	id, params := call.Argument(0), call.Argument(1)
	if id.ExportType() == nil || id.ExportType().Kind() != reflect.String {
		return nil, fmt.Errorf("expected call(id, params) with the ID of a tool, found %s", brief(id.String()))
	}
	m := &sandbox.ToolCall{ID: id.String()}
	if !goja.IsUndefined(params) && !goja.IsNull(params) {
		text, err := r.stringify(goja.Undefined(), params, r.vm.ToValue(depthGuard(r.vm)))
		switch {
		case err != nil:
			return nil, errors.New(r.script.failure(err).Msg)
		case goja.IsUndefined(text):
			return nil, fmt.Errorf("expected params to be an object, found %s", brief(params.String()))
		}
		m.Params = json.RawMessage(text.String())
	}
	return m, nil
}

// result is the JSON of what the code returned; nil where there is none.
func (r *runtime) result(value goja.Value) (json.RawMessage, *sandbox.HandlerError) {
	guard := depthGuard(r.vm)
	whole := func(call goja.FunctionCall) goja.Value {
		if o, ok := call.Argument(1).(*goja.Object); ok {
			if tag := o.GetSymbol(goja.SymToStringTag); tag != nil && noJSON[tag.String()] != "" {
				place := ""
				if key := call.Argument(0).String(); key != "" {
					place = " at " + strconv.Quote(key)
				}
				panic(r.vm.NewTypeError("%s", "the code returned a "+tag.String()+place+": "+noJSON[tag.String()]))
			}
		}
		return guard(call)
	}
	text, err := r.stringify(goja.Undefined(), value, r.vm.ToValue(whole))
	switch {
	case err != nil:
		return nil, r.failure(sandbox.CodeThrew, err)
	case goja.IsUndefined(text):
		return nil, nil
	}
	return json.RawMessage(text.String()), nil
}

// trackRejections returns what says of the promises that failed, and that nobody
// waited for, that they did.
func (r *runtime) trackRejections() func() *sandbox.HandlerError {
	lost, last := map[*goja.Promise]int{}, 0
	r.vm.SetPromiseRejectionTracker(func(p *goja.Promise, op goja.PromiseRejectionOperation) {
		if delete(lost, p); op == goja.PromiseRejectionReject {
			last++
			lost[p] = last
		}
	})
	return func() *sandbox.HandlerError {
		var first *goja.Promise
		for p, n := range lost {
			if first == nil || n < lost[first] {
				first = p
			}
		}
		if first == nil {
			return nil
		}
		e := r.rejected(first.Result())
		e.Msg = words.Count(len(lost), "failure") + " in what was not awaited, the first: " + e.Msg
		return e
	}
}
