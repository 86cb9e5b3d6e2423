package worker

import (
	"errors"
	"unicode/utf8"

	"github.com/dop251/goja/file"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/words"
)

func (s *script) fail(offset int, msg string) *sandbox.Error {
	line, col := module.NewLines(s.Src).Position(offset)
	return &sandbox.Error{Msg: msg, Line: line, Col: col}
}

func (s *script) wrapSyntax(err error) error {
	var syntax *words.SyntaxError
	if errors.As(err, &syntax) {
		return s.fail(syntax.Offset, syntax.Message)
	}
	return &sandbox.Error{Msg: err.Error()}
}

// failAt is fail for a position of goja's.
func (s *script) failAt(p file.Position, msg string) *sandbox.Error {
	if p.Line < 1 || p.Line == 1 && s.lead > 0 {
		return &sandbox.Error{Msg: msg}
	}
	return s.fail(s.offset(p), msg)
}

// offset is that of a position of goja's in the source. It counts bytes where
// we count characters, and U+2028 and U+2029 end its lines but not ours.
func (s *script) offset(p file.Position) int {
	offset, first := 0, 1
	if s.lead > 0 {
		first = 2
	}
	for line := first; line < p.Line && offset < len(s.Src); line++ {
		offset = lineAfter(s.Src, offset)
	}
	return min(offset+max(p.Column-1, 0), len(s.Src))
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
