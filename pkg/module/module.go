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
)

// Module is what can be said of a source without running it.
type Module struct {
	Exports []string // names of the exports in source order
	First   int      // the offset at which the statement of the first of them begins

	Handlers []record.Handler // nil unless handlers is exported, and may be a function
	// HandlersAt are the offsets at which the value of the handlers export stands,
	// then the keys of each of Handlers and of its stages; empty without handlers.
	HandlersAt []int

	locals  map[string]string // exported name → local name
	values  map[string]constant
	reasons map[string]*NotLiteralError
}

// ErrNoExport says that a module has no export of the name asked for.
var ErrNoExport = errors.New("no such export")

// Read reads the top level of a module; src is valid UTF-8. The error is a
// *SyntaxError. Code inside functions is checked for balanced brackets and
// closed literals only.
func Read(src string) (*Module, error) {
	s := newScan(src)
	defer s.lit.Release()
	if err := s.statements(); err != nil {
		return nil, err
	}
	s.mod.Handlers = s.exportedHandlers()
	return s.mod, s.checkMentions()
}

func newScan(src string) *scan {
	s := &scan{
		lex:      NewLexer(src),
		lit:      literal{src: src, consts: map[string]constant{}, Stack: ordjson.NewStack()},
		mod:      &Module{locals: map[string]string{}, reasons: map[string]*NotLiteralError{}},
		declared: map[string]bool{},
		vars:     map[string]bool{},
	}
	s.mod.values = s.lit.consts
	return s
}

// statements reads statements to the end of the source.
func (s *scan) statements() error {
	if err := s.next(); err != nil {
		return err
	}
	for s.tok.Kind != EOF {
		s.begin = s.tok.Start
		if err := s.statement(); err != nil {
			return err
		}
	}
	return nil
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
		return ordjson.Value{}, &NotLiteralError{0, "`" + local + "`, which is no const,"}
	}
	return stored(c.value), nil
}

// span is a stretch of source.
type span struct{ start, end int }

// scan walks the statements of the top level.
type scan struct {
	lex      *Lexer
	tok      Token
	prev     Token
	begin    int // of the statement
	lit      literal
	mod      *Module
	declared map[string]bool // names of the top level
	vars     map[string]bool // those that var declares, as often as it likes
	executes bool            // statements run code that could change a constant
	branches bool            // an if or a try has begun, so that else, catch and finally may stand at the start of a line
	isData   bool            // the declaration of handlers is no function
	known    []span          // places where constants are named as data
	literals []string        // the constants that are data, in the order of the source
}

func (s *scan) next() error {
	s.prev = s.tok
	var err error
	s.tok, err = s.lex.Next()
	return err
}

func (s *scan) isPunct(text string) bool {
	return s.tok.Kind == Punct && s.lex.Text(s.tok) == text
}

// isWord reports whether the token is the keyword name; written with escapes it
// is none.
func (s *scan) isWord(name string) bool {
	return s.tok.Kind == Ident && s.tok.Name == name && s.tok.End-s.tok.Start == len(name)
}

func (s *scan) unexpected(want string) error {
	if s.tok.Kind == EOF {
		return &SyntaxError{s.tok.Start, "unexpected end of file, expected " + want}
	}
	return &SyntaxError{s.tok.Start, "unexpected " + s.lex.Text(s.tok) + ", expected " + want}
}
