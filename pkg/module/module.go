// Package module reads JavaScript modules without running them: which names
// they export, the exports that are pure data, and which handlers there are.
//
// Of the 885 files of the field, 875 need nothing else (DESIGN, "Reading a
// module"); the others go to pkg/sandbox.
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

	Handlers []record.Handler // nil unless handlers is exported as a function

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
	s := &scan{
		lex: NewLexer(src),
		lit: literal{src: src, consts: map[string]constant{}},
		mod: &Module{locals: map[string]string{}, reasons: map[string]*NotLiteralError{}},
	}
	s.mod.values = s.lit.consts
	if err := s.next(); err != nil {
		return nil, err
	}
	for s.tok.Kind != EOF {
		if err := s.statement(); err != nil {
			return nil, err
		}
	}
	if !s.mod.Has("handlers") {
		s.mod.Handlers = nil
	}
	return s.mod, s.checkMentions()
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
	return c.value, nil
}

// span is a stretch of source.
type span struct{ start, end int }

// scan walks the statements of the top level.
type scan struct {
	lex      *Lexer
	tok      Token
	prev     Token
	lit      literal
	mod      *Module
	executes bool   // statements run code that could change a constant
	known    []span // places where constants are named as data
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

func (s *scan) isWord(name string) bool { return s.tok.Kind == Ident && s.tok.Name == name }

func (s *scan) unexpected(want string) error {
	if s.tok.Kind == EOF {
		return &SyntaxError{s.tok.Start, "unexpected end of file, expected " + want}
	}
	return &SyntaxError{s.tok.Start, "unexpected " + s.lex.Text(s.tok) + ", expected " + want}
}

func (s *scan) statement() error {
	if s.tok.Kind == Ident {
		switch s.tok.Name {
		case "export":
			return s.export()
		case "const", "let", "var":
			return s.declarations(false)
		case "function", "class":
			_, err := s.functionOrClass()
			return err
		case "import":
			return s.importStatement()
		}
	}
	if s.isPunct(";") {
		return s.next()
	}
	s.executes = s.executes || !s.isWord("async")
	return s.skipStatement()
}

// importStatement skips an import; an import() expression runs code.
func (s *scan) importStatement() error {
	if err := s.next(); err != nil {
		return err
	}
	s.executes = s.executes || s.isPunct("(") || s.isPunct(".")
	return s.skipStatement()
}

func (s *scan) export() error {
	start := s.tok.Start
	if err := s.next(); err != nil {
		return err
	}
	switch {
	case s.isPunct("{"):
		return s.exportList(start)
	case s.isPunct("*"):
		return s.exportAll()
	case s.isWord("default"):
		return s.exportDefault()
	case s.isWord("const"), s.isWord("let"), s.isWord("var"):
		return s.declarations(true)
	case s.isWord("async"):
		if err := s.next(); err != nil {
			return err
		}
		fallthrough
	case s.isWord("function"), s.isWord("class"):
		name, err := s.functionOrClass()
		if err != nil {
			return err
		}
		s.addExport(name, name)
		s.mod.reasons[name] = &NotLiteralError{start, "a function or class"}
		if name == "handlers" {
			// Its names are read where handlers is an expression only: a
			// declaration returns the same object, but nobody writes one.
			s.mod.Handlers = []record.Handler{{Name: record.UnknownHandlers, Stages: []string{}}}
		}
		return nil
	}
	return s.unexpected("const, function, class, default, { or *")
}

func (s *scan) addExport(name, local string) {
	s.mod.Exports = append(s.mod.Exports, name)
	if local != "" {
		s.mod.locals[name] = local
	}
}

func (s *scan) exportDefault() error {
	s.addExport("default", "default")
	s.mod.reasons["default"] = &NotLiteralError{s.tok.Start, "a default export"}
	if err := s.next(); err != nil {
		return err
	}
	if s.isWord("function") || s.isWord("class") {
		_, err := s.functionOrClass()
		return err
	}
	inert := s.inert()
	s.executes = s.executes || !inert
	return s.skipStatement()
}

func (s *scan) exportAll() error {
	if err := s.next(); err != nil {
		return err
	}
	if s.isWord("as") {
		if err := s.next(); err != nil {
			return err
		}
		s.addExport(s.tok.Name, "")
	}
	return s.skipStatement()
}

// exportList reads { a, b as c } and a from clause.
func (s *scan) exportList(start int) error {
	type entry struct{ local, name string }
	var list []entry
	if err := s.next(); err != nil {
		return err
	}
	for !s.isPunct("}") {
		if s.tok.Kind != Ident && s.tok.Kind != String {
			return s.unexpected("a name")
		}
		e := entry{local: s.tok.Name, name: s.tok.Name}
		if err := s.next(); err != nil {
			return err
		}
		if s.isWord("as") {
			if err := s.next(); err != nil {
				return err
			}
			e.name = s.tok.Name
			if err := s.next(); err != nil {
				return err
			}
		}
		list = append(list, e)
		if s.isPunct(",") {
			if err := s.next(); err != nil {
				return err
			}
		} else if !s.isPunct("}") {
			return s.unexpected(", or }")
		}
	}
	if err := s.next(); err != nil {
		return err
	}
	s.known = append(s.known, span{start, s.prev.End})
	from := s.isWord("from")
	for _, e := range list {
		if from {
			e.local = ""
		}
		s.addExport(e.name, e.local)
	}
	if from {
		return s.skipStatement()
	}
	return nil
}

// functionOrClass skips a declaration and returns its name.
func (s *scan) functionOrClass() (string, error) {
	// The static parts of a class run when it is declared.
	s.executes = s.executes || s.isWord("class")
	if err := s.next(); err != nil {
		return "", err
	}
	name := ""
	for !s.isPunct("{") {
		switch {
		case s.tok.Kind == EOF:
			return "", s.unexpected("{")
		case s.tok.Kind == Ident && name == "":
			name = s.tok.Name
		case s.isPunct("("):
			if err := s.skipBrackets(); err != nil {
				return "", err
			}
			continue
		}
		if err := s.next(); err != nil {
			return "", err
		}
	}
	return name, s.skipBrackets()
}

// skipBrackets skips from the opening bracket at the cursor to the token after
// its closing one.
func (s *scan) skipBrackets() error {
	outside := s.lex.Depth() - 1
	for s.lex.Depth() > outside {
		if err := s.next(); err != nil {
			return err
		}
	}
	return s.next()
}

// declarations reads const, let or var with all its declarators.
func (s *scan) declarations(exported bool) error {
	isConst := s.isWord("const")
	for {
		if err := s.next(); err != nil {
			return err
		}
		if err := s.declarator(isConst, exported); err != nil {
			return err
		}
		if !s.isPunct(",") {
			break
		}
	}
	if s.isPunct(";") {
		return s.next()
	}
	return nil
}

func (s *scan) declarator(isConst, exported bool) error {
	if s.tok.Kind != Ident {
		// A destructuring pattern.
		s.executes = true
		return s.skipExpression()
	}
	name, start := s.tok.Name, s.tok.Start
	if exported {
		s.addExport(name, name)
	}
	if err := s.next(); err != nil {
		return err
	}
	if !s.isPunct("=") {
		s.mod.reasons[name] = &NotLiteralError{start, "a declaration without a value"}
		return nil
	}
	if isConst && name != "handlers" {
		done, err := s.literalInitializer(name, start)
		if done || err != nil {
			return err
		}
	} else {
		s.mod.reasons[name] = &NotLiteralError{start, "`" + name + "`, which is no const,"}
	}
	if err := s.next(); err != nil {
		return err
	}
	if name == "handlers" {
		return s.handlers()
	}
	s.executes = s.executes || !s.inert()
	return s.skipExpression()
}

// literalInitializer tries to read the initializer after the = at the cursor
// as data. Where it is none, the lexer has not moved.
func (s *scan) literalInitializer(name string, start int) (done bool, err error) {
	l := &s.lit
	l.pos, l.depth, l.used = s.tok.End, 0, nil
	l.elems, l.membs = l.elems[:0], l.membs[:0]
	if err = l.space(); err != nil {
		return false, err
	}
	begin := l.pos
	v, err := l.expression()
	if err == nil {
		ahead := *s.lex
		ahead.stack = slices.Clone(s.lex.stack)
		ahead.seek(l.end)
		var after Token
		if after, err = ahead.Next(); err != nil {
			return false, err
		}
		if ends(after, ahead.Text(after)) {
			l.consts[name] = constant{v, l.used}
			s.known = append(s.known, span{start, l.end})
			*s.lex, s.prev, s.tok = ahead, Token{}, after
			return true, nil
		}
		err = l.notLiteral(begin, "an expression that goes on with "+ahead.Text(after))
	}
	var not *NotLiteralError
	if !errors.As(err, &not) {
		return false, err
	}
	s.mod.reasons[name] = not
	return false, nil
}

// ends reports whether the token after a complete expression ends it.
func ends(t Token, text string) bool {
	switch t.Kind {
	case EOF:
		return true
	case Punct:
		return text == ";" || text == ","
	case Template:
		return false
	}
	return t.NewlineBefore && t.Name != "in" && t.Name != "instanceof"
}

// skipExpression skips to the comma, semicolon or line end that ends the
// expression at the cursor.
func (s *scan) skipExpression() error { return s.skip(true) }

// skipStatement skips to the end of the statement at the cursor.
func (s *scan) skipStatement() error {
	if err := s.skip(false); err != nil {
		return err
	}
	if s.isPunct(";") {
		return s.next()
	}
	return nil
}

func (s *scan) skip(stopAtComma bool) error {
	first := true
	for s.tok.Kind != EOF {
		if s.lex.Depth() == 0 || s.opens() && s.lex.Depth() == 1 {
			if s.isPunct(";") || stopAtComma && s.isPunct(",") {
				return nil
			}
			if !first && s.tok.NewlineBefore && s.endsStatement() {
				return nil
			}
		}
		first = false
		if err := s.next(); err != nil {
			return err
		}
	}
	return nil
}

func (s *scan) opens() bool { return s.isPunct("(") || s.isPunct("[") || s.isPunct("{") }

// endsStatement applies automatic semicolon insertion between the previous
// token and the one at the cursor, which a line end separates.
func (s *scan) endsStatement() bool {
	switch s.tok.Kind {
	case Punct, Template:
		return false
	case Ident:
		if s.tok.Name == "in" || s.tok.Name == "instanceof" {
			return false
		}
	}
	switch s.prev.Kind {
	case Punct:
		switch s.lex.Text(s.prev) {
		case ")", "]", "}", "++", "--":
			return true
		}
		return false
	case Ident:
		return !OperandFollows(s.prev.Name)
	}
	return true
}
