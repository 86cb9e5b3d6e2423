// Package module reads JavaScript modules without running them: which names
// they export, the exports that are pure data, and which handlers there are.
//
// Of the 885 files of the field, 875 need nothing else (docs/architecture.md); the others go to pkg/sandbox.
package module

import (
	"errors"
	"slices"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Module is what can be said of a source without running it.
type Module struct {
	Exports []string // names of the exports in source order
	First   int      // the offset at which the statement of the first of them begins

	Handlers []record.Handler // nil unless handlers is exported, and may be a function
	// HandlersAt are the offsets at which the value of the handlers export stands,
	// then the keys of each of Handlers and of its stages; empty without handlers.
	HandlersAt []int

	Overwritten []Overwritten // in the constants at the top level

	locals  map[string]string // exported name → local name
	values  map[string]constant
	reasons map[string]*NotLiteralError
}

// Overwritten is a key of an object that is written again after it, so that its
// value is lost.
type Overwritten struct {
	Key    string
	Offset int
}

// ErrNoExport says that a module has no export of the name asked for.
var ErrNoExport = errors.New("no such export")

// Read reads the top level of a module; src is valid UTF-8. The error is a
// *words.SyntaxError. Code inside functions is checked for balanced brackets and
// closed literals only.
func Read(src string) (*Module, error) { return Tokenize(src).Module() }

// Module is Read for a source that has been read into tokens.
func (t *Tokens) Module() (*Module, error) {
	s := &scan{
		Tokens:   t,
		i:        -1,
		lit:      literal{Tokens: t, consts: map[string]constant{}},
		mod:      &Module{locals: map[string]string{}, reasons: map[string]*NotLiteralError{}},
		declared: map[string]bool{},
		vars:     map[string]bool{},
	}
	s.mod.values = s.lit.consts
	if err := s.next(); err != nil {
		return nil, err
	}
	for s.tok.Kind != EOF {
		s.begin = int(s.tok.Start)
		if err := s.statement(); err != nil {
			return nil, err
		}
	}
	s.mod.Handlers = s.exportedHandlers()
	s.mod.Overwritten = s.lit.overwritten
	s.checkMentions()
	return s.mod, nil
}

// Has reports whether the module exports name.
func (m *Module) Has(name string) bool { return slices.Contains(m.Exports, name) }

// Value returns the export name as data. The error is ErrNoExport, or a
// *NotLiteralError that names what would have to run.
func (m *Module) Value(name string) (ordjson.Value, error) {
	if !m.Has(name) {
		return ordjson.Value{}, ErrNoExport
	}
	local, ok := m.locals[name]
	if !ok {
		return ordjson.Value{}, &NotLiteralError{0, "an export from another module"}
	}
	if reason, ok := m.reasons[local]; ok {
		return ordjson.Value{}, reason
	}
	c, ok := m.values[local]
	if !ok {
		return ordjson.Value{}, &NotLiteralError{0, "`" + local + "`, which is not a const,"}
	}
	return stored(c.value), nil
}

// span is a stretch of tokens.
type span struct{ start, end int }

// scan walks the statements of the top level.
type scan struct {
	*Tokens
	i        int   // of the token at hand
	tok      Token // which that is
	begin    int   // offset of the statement
	lit      literal
	mod      *Module
	declared map[string]bool // names of the top level
	vars     map[string]bool // those that var declares, as often as it likes
	executes bool            // statements run code that could change a constant
	// an if or a try has begun, so that else, catch and finally may be at the
	// start of a line
	branches bool
	isData   bool     // the declaration of handlers is not a function
	known    []span   // places where constants are named as data, in order
	literals []string // the constants that are data, in the order of the source
}

// next goes to the next token. The error is that of the tokens, where they end.
func (s *scan) next() error { return s.seek(min(s.i+1, len(s.List)-1)) }

// seek goes to token i.
func (s *scan) seek(i int) error {
	s.i, s.tok = i, s.List[i]
	if s.tok.Kind == EOF {
		return s.Err
	}
	return nil
}

// past goes to the token after that at hand, or after the bracket it opens.
func (s *scan) past() error { return s.seek(s.After(s.i)) }

func (s *scan) isPunct(text string) bool { return s.Is(s.i, text) }

// isWord reports whether the token is the keyword name; written with escapes it
// is none.
func (s *scan) isWord(name string) bool { return s.tok.Kind == Ident && s.Text(s.i) == name }

func (s *scan) unexpected(want string) error {
	if s.tok.Kind == EOF {
		return &words.SyntaxError{Offset: int(s.tok.Start), Message: "unexpected end of file, expected " + want}
	}
	return &words.SyntaxError{Offset: int(s.tok.Start), Message: "unexpected " + s.Text(s.i) + ", expected " + want}
}
