package worker

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"

	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/words"
)

// sourceName is what goja calls the module in positions and messages.
const sourceName = "module"

const (
	// maxCalls bounds the script's own recursion; a call through a native
	// function (sort, toString, a getter) takes Go stack.
	maxCalls = 2000
	// maxDepth bounds the nesting of the result, as ordjson.Parse does.
	maxDepth = 1000
)

// maxMessage bounds the text of a thrown value, in bytes.
const maxMessage = 500

// run evaluates the script and returns the JSON text of the binding local.
func (s *script) run(name, local string) (json string, err error) {
	defer func() {
		if r := recover(); r != nil {
			json, err = "", s.recovered(r)
		}
	}()
	program, err := s.compile()
	if err != nil {
		return "", err
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(maxCalls)
	stringify, err := harden(vm, true)
	if err != nil {
		return "", s.failure(err)
	}
	if _, err = vm.RunProgram(program); err != nil {
		return "", s.failure(err)
	}
	value, err := vm.RunScript("", local)
	if err != nil {
		return "", s.failure(err)
	}
	text, err := stringify(goja.Undefined(), value, vm.ToValue(depthGuard(vm)))
	if err != nil {
		return "", s.failure(err)
	}
	if goja.IsUndefined(text) {
		return "", &sandbox.Error{Msg: "export " + name + " is " + kindOf(value) + ", which is not data"}
	}
	return text.String(), nil
}

// kindOf names a value that JSON does not have.
func kindOf(v goja.Value) string {
	if _, ok := goja.AssertFunction(v); ok {
		return "a function"
	}
	if _, ok := v.(*goja.Symbol); ok {
		return "a symbol"
	}
	return "undefined"
}

// noCode keeps scripts from making code of strings: such code would reach
// goja's parser without the limits that newScript checks. Most commands never
// run a script: it is compiled when one does.
var noCode = sync.OnceValue(func() *goja.Program {
	return goja.MustCompile("", `(function (refuse) {
	for (const f of [function () {}, async function () {}, function* () {}]) {
		Object.defineProperty(Object.getPrototypeOf(f), "constructor", { value: refuse });
	}
	refuse.prototype = Function.prototype;
	globalThis.Function = refuse;
	globalThis.eval = refuse;
})`, true)
})

// harden takes eval and its like from a new runtime and returns its own
// JSON.stringify, which a script may replace later. goja's JSON.parse makes
// U+FFFD of half a surrogate pair; where the result must be exact, such a text
// is refused.
func harden(vm *goja.Runtime, exact bool) (goja.Callable, error) {
	v, err := vm.RunProgram(noCode())
	if err != nil {
		return nil, err
	}
	install, _ := goja.AssertFunction(v)
	refuse := func(goja.ConstructorCall) *goja.Object {
		panic(vm.NewTypeError("eval and Function are not available"))
	}
	if _, err = install(goja.Undefined(), vm.ToValue(refuse)); err != nil {
		return nil, err
	}
	json := vm.Get("JSON").ToObject(vm)
	parse, _ := goja.AssertFunction(json.Get("parse"))
	err = json.Set("parse", func(call goja.FunctionCall) goja.Value {
		text := call.Argument(0).ToString() // once: a toString may answer differently
		if nesting(text.String()) > maxDepth {
			panic(vm.NewTypeError(fmt.Sprintf("JSON text nests deeper than %d levels", maxDepth)))
		}
		if exact && loneSurrogate(text.String()) {
			panic(vm.NewTypeError("JSON text with half of a surrogate pair cannot be read here, write the " +
				"character itself"))
		}
		v, err := parse(json, text, call.Argument(1))
		if err != nil {
			panic(err)
		}
		return v
	})
	stringify, _ := goja.AssertFunction(json.Get("stringify"))
	return stringify, err
}

// nesting returns how deep the brackets of a JSON text nest; goja's JSON.parse
// recurses as deep.
func nesting(text string) int {
	deepest, depth, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
			deepest = max(deepest, depth)
		case c == ']' || c == '}':
			depth--
		}
	}
	return deepest
}

// depthGuard is a replacer for JSON.stringify that changes nothing, but stops
// where the value nests too deep for the Go stack.
func depthGuard(vm *goja.Runtime) func(goja.FunctionCall) goja.Value {
	depth := map[*goja.Object]int{}
	return func(call goja.FunctionCall) goja.Value {
		value := call.Argument(1)
		if o, ok := value.(*goja.Object); ok {
			d := 1
			if holder, ok := call.This.(*goja.Object); ok {
				d += depth[holder]
			}
			if d > maxDepth {
				panic(vm.NewTypeError(fmt.Sprintf("value nests deeper than %d levels", maxDepth)))
			}
			depth[o] = d
		}
		return value
	}
}

func (s *script) parseError(err error) *sandbox.Error {
	var list parser.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		msg := "SyntaxError: " + brief(list[0].Message)
		if list[0].Message == "Unexpected token await" {
			msg += "; for await is not supported: await inside a plain loop"
		}
		if strings.HasSuffix(strings.TrimRight(s.Src[:s.offset(list[0].Position)], " \t\r\n"), "await") {
			msg = "SyntaxError: await is not supported outside of async functions: write the value out"
		}
		switch {
		case s.lead == 0:
		case s.offset(list[0].Position) == len(s.Src):
			msg = "SyntaxError: Unexpected end of the code"
		case list[0].Message == "Unexpected token :":
			msg += "; write JavaScript, without types"
		}
		return s.failAt(list[0].Position, msg)
	}
	return &sandbox.Error{Msg: brief(err.Error())}
}

// failure turns an error of goja into one with the module's line and column.
func (s *script) failure(err error) *sandbox.Error {
	var (
		exception *goja.Exception
		overflow  *goja.StackOverflowError
		syntax    *goja.CompilerSyntaxError
		reference *goja.CompilerReferenceError
	)
	switch {
	case errors.As(err, &overflow):
		return s.failAt(place(overflow.Stack()),
			fmt.Sprintf("functions call each other more than %d levels deep", maxCalls))
	case errors.As(err, &exception):
		return s.failAt(place(exception.Stack()), message(exception))
	case errors.As(err, &syntax):
		return s.compileError("SyntaxError: ", syntax.CompilerError)
	case errors.As(err, &reference):
		return s.compileError("ReferenceError: ", reference.CompilerError)
	}
	return &sandbox.Error{Msg: brief(err.Error())}
}

func (s *script) compileError(kind string, e goja.CompilerError) *sandbox.Error {
	if e.File == nil {
		return &sandbox.Error{Msg: kind + brief(e.Message)}
	}
	return s.fail(max(e.Offset-s.lead, 0), kind+brief(e.Message))
}

// message is what was thrown, in one line. Its toString is the script's own
// and may throw again.
func message(e *goja.Exception) (text string) {
	defer func() {
		if recover() != nil {
			text = "an object without a usable toString was thrown"
		}
	}()
	return brief(e.Value().String())
}

// brief cuts a message at its first line end and at maxMessage.
func brief(text string) string {
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		text = text[:i]
	}
	return words.Clip(text, maxMessage)
}

// place is the innermost position in the module.
func place(stack []goja.StackFrame) file.Position {
	for i := range stack {
		if stack[i].SrcName() == sourceName {
			return stack[i].Position()
		}
	}
	return file.Position{}
}

// recovered makes an error of a panic in goja.
func (s *script) recovered(r any) *sandbox.Error {
	if err, ok := r.(error); ok {
		return s.failure(err)
	}
	return &sandbox.Error{Msg: fmt.Sprintf("evaluation failed: %v", r)}
}
