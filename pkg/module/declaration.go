package module

import "errors"

// declarations reads const, let or var with all its declarators.
func (s *scan) declarations(exported bool) error {
	word := s.Text(s.i)
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
	name, start, declared := s.Name(s.i), int(s.tok.Start), s.i
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
		done, err := s.literalInitializer(name, declared)
		if done || err != nil {
			return err
		}
	} else {
		s.mod.reasons[name] = &NotLiteralError{start, "`" + name + "`, which is not a const,"}
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
	for end := int(s.tok.Match); s.i < end; {
		if name := s.Name(s.i); exported && name != "" && !s.mod.Has(name) {
			if err := s.addExport(name, name); err != nil {
				return err
			}
			s.mod.reasons[name] = &NotLiteralError{int(s.tok.Start), "a destructuring pattern"}
		}
		if err := s.next(); err != nil {
			return err
		}
	}
	return s.skipExpression()
}

// literalInitializer tries to read the initializer after the = at the cursor
// as data. Where it is none, the cursor has not moved.
func (s *scan) literalInitializer(name string, declared int) (done bool, err error) {
	l := &s.lit
	l.i, l.depth, l.deepest, l.used, l.refers, l.weight = s.i+1, 0, 0, nil, nil, 0
	l.elems, l.members = l.elems[:0], l.members[:0]
	begin := l.pos()
	v, err := l.expression()
	if err == nil {
		if s.Kind(l.i) == EOF && s.Err != nil {
			return false, s.Err
		}
		if s.ends(l.i) {
			l.consts[name] = constant{v, l.used, int(s.List[l.i-1].End) - begin + l.weight, l.deepest}
			s.known = append(s.known, span{declared, l.i})
			s.literals = append(s.literals, name)
			return true, s.seek(l.i)
		}
		err = l.notLiteral(begin, "an expression that goes on with "+s.Text(l.i))
	}
	var not *NotLiteralError
	if !errors.As(err, &not) {
		return false, err
	}
	s.mod.reasons[name] = not
	return false, nil
}

// ends reports whether token i, after a complete expression, ends it.
func (t *Tokens) ends(i int) bool {
	switch t.Kind(i) {
	case EOF:
		return true
	case Punct:
		return t.Is(i, ";") || t.Is(i, ",")
	case Template:
		return false
	}
	return t.List[i].NewlineBefore && t.Name(i) != "in" && t.Name(i) != "instanceof"
}
