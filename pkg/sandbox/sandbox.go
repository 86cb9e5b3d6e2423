// Package sandbox runs JavaScript of strangers in goja: exports that are not
// literal data (docs/architecture.md), and handlers (docs/handlers.md;
// chapter 01).
//
// Both run in worker processes, see Pool: what Go cannot stop in goja (memory,
// native functions that do not return) ends with the process, and everything
// else goes on.
package sandbox

import (
	"context"
	"errors"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/dop251/goja/file"

	"github.com/flowmcp/fmcp/pkg/module"
)

const (
	// exportTime is how long an export may run on a processor. What ends takes
	// milliseconds.
	exportTime = time.Second
	// endlessTime is what all exports of a process that do not end may take
	// together, and leastTime what each gets when that is used up.
	endlessTime = 3 * exportTime
	leastTime   = 100 * time.Millisecond
	// MaxSource is the largest source that Export takes, in bytes.
	MaxSource = 1 << 20

	// maxCalls bounds the script's own recursion; a call through a native
	// function (sort, toString, a getter) takes Go stack.
	maxCalls = 2000
	// maxDepth bounds the nesting of the result, as ordjson.Parse does.
	maxDepth = 1000
)

// Error says why an export could not be evaluated. Line and Col count from 1,
// Col in characters; both are 0 where no place of the module is to blame.
type Error struct {
	Msg       string
	Line, Col int
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Msg
	}
	return e.Msg + " (line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Col) + ")"
}

// Export runs the ES module src as a strict script and returns JSON.stringify
// of its export name; a default export is named "default". The script reaches
// nothing but the language: no host objects, no other module, no eval. The
// error is an *Error.
//
// One thing differs from a module: this at the top level is the global object.
func Export(ctx context.Context, src, name string) (json string, err error) {
	if len(src) > MaxSource {
		return "", &Error{Msg: "module has " + strconv.Itoa(len(src)) + " bytes, at most " + strconv.Itoa(MaxSource) + " are evaluated"}
	}
	if !utf8.ValidString(src) {
		return "", &Error{Msg: "module is not UTF-8"}
	}
	s, err := newScript(src)
	if err != nil {
		return "", err
	}
	if _, ok := s.locals[name]; !ok {
		return "", &Error{Msg: "module has no export " + strconv.Quote(name)}
	}
	return evaluate(ctx, src, name)
}

// stopped is the error of an evaluation that its context ended.
func stopped(ctx context.Context) *Error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return &Error{Msg: "evaluation was cancelled"}
	}
	return &Error{Msg: "evaluation did not end before its deadline"}
}

func (s *script) fail(offset int, msg string) *Error {
	line, col := module.NewLines(s.src).Position(offset)
	return &Error{Msg: msg, Line: line, Col: col}
}

func (s *script) wrapSyntax(err error) error {
	var syntax *module.SyntaxError
	if errors.As(err, &syntax) {
		return s.fail(syntax.Offset, syntax.Msg)
	}
	return &Error{Msg: err.Error()}
}

// failAt is fail for a position of goja's.
func (s *script) failAt(p file.Position, msg string) *Error {
	if p.Line < 1 {
		return &Error{Msg: msg}
	}
	return s.fail(s.offset(p), msg)
}

// offset is that of a position of goja's in the source. It counts bytes where
// we count characters, and U+2028 and U+2029 end its lines but not ours.
func (s *script) offset(p file.Position) int {
	offset := 0
	for line := 1; line < p.Line && offset < len(s.src); line++ {
		offset = lineAfter(s.src, offset)
	}
	return min(offset+max(p.Column-1, 0), len(s.src))
}

// lineAfter returns the offset of the line after the one that holds offset, as
// ECMAScript counts lines.
func lineAfter(src string, offset int) int {
	for i := offset; i < len(src); {
		r, n := utf8.DecodeRuneInString(src[i:])
		i += n
		switch r {
		case '\r':
			if i < len(src) && src[i] == '\n' {
				i++
			}
			return i
		case '\n', '\u2028', '\u2029':
			return i
		}
	}
	return len(src)
}
