package module

import (
	"errors"
	"slices"
)

// declarations reads const, let or var with all its declarators.
func (s *scan) declarations(exported bool) error {
	word := s.tok.Name
	for {
		if err := s.next(); err != nil {
			return err
		}
		if err := s.declarator(word, exported); err != nil {
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

func (s *scan) declarator(word string, exported bool) error {
	if s.isPunct("{") || s.isPunct("[") {
		return s.pattern(exported)
	}
	if s.tok.Kind != Ident {
		return s.unexpected("a name")
	}
	name, start := s.tok.Name, s.tok.Start
	if reserved(name) {
		return s.unexpected("a name, not a keyword")
	}
	if !(word == "var" && s.vars[name]) {
		if err := s.declare(name, start); err != nil {
			return err
		}
	}
	s.vars[name] = word == "var"
	if exported {
		if err := s.addExport(name, name); err != nil {
			return err
		}
	}
	if err := s.next(); err != nil {
		return err
	}
	if !s.isPunct("=") {
		if word == "const" {
			return s.unexpected("= and a value for the const `" + name + "`")
		}
		s.mod.reasons[name] = &NotLiteralError{start, "a declaration without a value"}
		return nil
	}
	if word == "const" && name != "handlers" {
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

// pattern skips a destructuring declarator. Every name in an exported pattern
// counts as exported, keys and defaults included: too many names do no harm,
// since none of them is literal.
func (s *scan) pattern(exported bool) error {
	s.executes = true
	for outside := s.lex.Depth() - 1; s.lex.Depth() > outside; {
		if name := s.tok.Name; exported && s.tok.Kind == Ident && !s.mod.Has(name) {
			if err := s.addExport(name, name); err != nil {
				return err
			}
			s.mod.reasons[name] = &NotLiteralError{s.tok.Start, "a destructuring pattern"}
		}
		if err := s.next(); err != nil {
			return err
		}
	}
	return s.skipExpression()
}

// literalInitializer tries to read the initializer after the = at the cursor
// as data. Where it is none, the lexer has not moved.
func (s *scan) literalInitializer(name string, start int) (done bool, err error) {
	l := &s.lit
	l.pos, l.depth, l.deepest, l.used, l.refers, l.weight = s.tok.End, 0, 0, nil, nil, 0
	l.Elems, l.Members = l.Elems[:0], l.Members[:0]
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
			l.consts[name] = constant{v, l.used, l.end - begin + l.weight, l.deepest}
			s.known = append(s.known, span{start, l.end})
			s.literals = append(s.literals, name)
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
