package module

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
	for first := true; s.tok.Kind != EOF; first = false {
		s.branches = s.branches || s.isWord("if") || s.isWord("try")
		if s.isPunct(";") || stopAtComma && s.isPunct(",") {
			return nil
		}
		if !first && s.tok.NewlineBefore && s.endsStatement(s.i) {
			return nil
		}
		if err := s.past(); err != nil {
			return err
		}
	}
	return nil
}

// endsStatement applies automatic semicolon insertion between token i, before
// which a line ends, and the one before it.
func (t *Tokens) endsStatement(i int) bool {
	switch t.Kind(i) {
	case Punct, Template:
		return false
	case Ident:
		if name := t.Name(i); name == "in" || name == "instanceof" {
			return false
		}
	}
	switch t.Kind(i - 1) {
	case Punct:
		switch t.Text(i - 1) {
		case ")", "]", "}", "++", "--":
			return true
		}
		return false
	case Ident:
		return !OperandFollows(t.Name(i - 1))
	}
	return true
}
