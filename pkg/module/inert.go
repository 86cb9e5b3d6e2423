package module

import "slices"

// inert reports whether the initializer at the cursor only makes a function:
// an arrow function or a function expression that is not called.
func (s *scan) inert() bool {
	ahead := *s
	lex := *s.lex
	lex.stack = slices.Clone(lex.stack)
	ahead.lex = &lex
	return ahead.function() == nil && (ahead.tok.Kind == EOF || ends(ahead.tok, lex.Text(ahead.tok)))
}

// function skips a function expression or an arrow function with a block or
// parenthesised body. Any other arrow body ends with its expression.
func (s *scan) function() error {
	if s.isWord("async") {
		if err := s.next(); err != nil {
			return err
		}
	}
	if s.isWord("function") {
		_, err := s.functionOrClass()
		return err
	}
	if err := s.arrowHead(); err != nil {
		return err
	}
	return s.skipExpression()
}

// arrowHead skips the parameters and the => of an arrow function.
func (s *scan) arrowHead() error {
	var err error
	switch {
	case s.isPunct("("):
		err = s.skipBrackets()
	case s.tok.Kind == Ident:
		err = s.next()
	default:
		return s.unexpected("a function")
	}
	if err != nil {
		return err
	}
	if !s.isPunct("=>") {
		return s.unexpected("=>")
	}
	return s.next()
}

// checkMentions makes exports non-literal that code at the top level could
// have changed: const main = {…}; main.tools.x = …. Where no statement runs
// code, nothing can have.
func (s *scan) checkMentions() error {
	if !s.executes {
		return nil
	}
	names := map[string]int{}
	lex := NewLexer(s.lex.src)
	for prev := (Token{}); ; {
		t, err := lex.Next()
		if err != nil {
			return err
		}
		if t.Kind == EOF {
			break
		}
		property := prev.Kind == Punct && (lex.Text(prev) == "." || lex.Text(prev) == "?.")
		if t.Kind == Ident && !property && !s.isKnown(t.Start) {
			if _, ok := names[t.Name]; !ok {
				names[t.Name] = t.Start
			}
		}
		prev = t
	}
	s.markMentioned(names)
	return nil
}

func (s *scan) isKnown(offset int) bool {
	return slices.ContainsFunc(s.known, func(k span) bool { return offset >= k.start && offset < k.end })
}

// markMentioned moves the constants among names, and those made of them, from
// the literal exports to the others.
func (s *scan) markMentioned(names map[string]int) {
	for local, c := range s.mod.values {
		for _, name := range append([]string{local, "eval"}, c.used...) {
			if at, ok := names[name]; ok {
				s.mod.reasons[local] = &NotLiteralError{at, "`" + name + "`, which code at the top level may change,"}
			}
		}
	}
}
