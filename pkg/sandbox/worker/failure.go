package worker

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/file"

	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/words"
)

// refuse throws an error of ours. It is known again by its code, wherever the
// handler lets it through, not by its text.
func (r *runtime) refuse(code, msg string) {
	panic(r.ownError(code, msg))
}

// ownError makes an error of ours.
func (r *runtime) ownError(code, msg string) *goja.Object {
	e := r.vm.NewTypeError("%s", msg) // its first argument is a format
	_ = e.DefineDataPropertySymbol(r.code, r.vm.ToValue(code), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	return e
}

// globals are the host objects (docs/handlers.md).
var globals = []string{"AbortSignal", "Buffer", "Intl", "TextDecoder", "TextEncoder", "URL", "URLSearchParams", "atob",
	"btoa", "console", "fetch", "structuredClone"}

// failure gives an error of goja its code and its place in the module.
func (r *runtime) failure(code string, err error) *sandbox.HandlerError {
	var (
		ours      *sandbox.Error
		exception *goja.Exception
		thrown    goja.Value
	)
	var library *sandbox.HandlerError
	if errors.As(err, &library) {
		return library
	}
	if errors.As(err, &exception) {
		thrown = exception.Value()
	}
	if !errors.As(err, &ours) {
		err = r.script.failure(err)
	}
	e := r.failed(code, err, thrown)
	if exception != nil {
		var stack []file.Position
		for _, f := range exception.Stack() {
			if f.SrcName() == sourceName {
				stack = append(stack, f.Position())
			}
		}
		r.addCallers(e, stack)
	}
	return e
}

// addCallers adds the places below the innermost one of a stack.
func (r *runtime) addCallers(e *sandbox.HandlerError, stack []file.Position) {
	if len(stack) == 0 || e.Line == 0 {
		return
	}
	for _, p := range stack[1:min(len(stack), 1+sandbox.MaxCallers)] {
		at := r.script.failAt(p, "")
		e.Callers = append(e.Callers, sandbox.Place{Line: at.Line, Col: at.Col})
	}
}

// panicked is failure for what recover returns.
func (r *runtime) panicked(code string, p any) *sandbox.HandlerError {
	switch p := p.(type) {
	case error:
		return r.failure(code, p)
	case goja.Value:
		return r.rejected(p)
	}
	return &sandbox.HandlerError{Code: code, Msg: fmt.Sprintf("evaluation failed: %v", p)}
}

// failed makes the error of a call; thrown is what the script threw, or nil.
func (r *runtime) failed(code string, err error, thrown goja.Value) *sandbox.HandlerError {
	e := &sandbox.HandlerError{Code: code, Msg: err.Error()}
	var ours *sandbox.Error
	if errors.As(err, &ours) {
		e.Msg, e.Line, e.Col = ours.Msg, ours.Line, ours.Col
	}
	switch own := r.ownCode(thrown); {
	case own != "":
		e.Code, e.Msg = own, strings.Replace(e.Msg, own+" ", "", 1) // fetch has it in its text too
	default:
		e.Msg += r.missing(thrown)
		if code == sandbox.CodeFactory {
			e.Msg = "handlers() failed: " + strings.TrimPrefix(e.Msg, "handlers() ")
		}
	}
	return e
}

// maxCauses is how many errors deep a library may wrap one of ours.
const maxCauses = 4

// ownCode is the code of an error that refuse made, or that is the cause of
// one, else "".
func (r *runtime) ownCode(thrown goja.Value) (code string) {
	defer func() { _ = recover() }() // from a getter of the script's own
	for range maxCauses {
		o, ok := thrown.(*goja.Object)
		if !ok {
			return ""
		}
		if v := o.GetSymbol(r.code); v != nil {
			return v.String()
		}
		thrown = o.Get("cause")
	}
	return ""
}

// notDefined finds the name in a ReferenceError.
var notDefined = lazy.Regexp(`^ReferenceError: (\S+) is not defined`)

// missing says what there is where a handler asks for what there is not.
func (r *runtime) missing(thrown goja.Value) (text string) {
	o, ok := thrown.(*goja.Object)
	if !ok {
		return ""
	}
	defer func() {
		if recover() != nil {
			text = "" // the script's own toString
		}
	}()
	m := notDefined().FindStringSubmatch(o.String())
	if m == nil {
		return ""
	}
	if r.stage == sandbox.Coding {
		return words.DidYouMean(m[1], codeGlobals) + "; besides the language, there are " + words.List(codeGlobals)
	}
	return words.DidYouMean(m[1], globals) + "; besides the language, handlers have " + strings.Join(globals, ", ") +
		", their arguments, sharedLists and libraries"
}

// position finds the places of a stack that are in the module.
var position = lazy.Regexp(`\b` + sourceName + `:(\d+):(\d+)`)

// rejected makes an error of the reason of a promise, which has no stack of its
// own: an Error has that of its making.
func (r *runtime) rejected(reason goja.Value) *sandbox.HandlerError {
	err := &sandbox.Error{Msg: "an object without a usable toString was thrown"}
	var stack []file.Position
	func() {
		defer func() { _ = recover() }()
		err.Msg = brief(reason.String())
		o, ok := reason.(*goja.Object)
		if !ok {
			return
		}
		if err.Msg == "[object Object]" {
			if text, failed := r.stringify(goja.Undefined(), o, r.vm.ToValue(depthGuard(r.vm))); failed == nil {
				err.Msg = brief(text.String())
			}
		}
		for _, m := range position().FindAllStringSubmatch(fmt.Sprint(o.Get("stack")), 1+sandbox.MaxCallers) {
			stack = append(stack, file.Position{Line: number(m[1]), Column: number(m[2])})
		}
		if stack != nil {
			err = r.script.failAt(stack[0], err.Msg)
		}
	}()
	e := r.failed(sandbox.CodeThrew, err, reason)
	r.addCallers(e, stack)
	return e
}

// number reads digits of a stack, which the script may have written itself.
func number(digits string) int {
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil {
		return math.MaxInt32
	}
	return int(n)
}
