package module

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
		s.branches = s.branches || s.lex.Depth() == 0 && (s.isWord("if") || s.isWord("try"))
		if s.lex.Depth() == 0 || s.lex.Depth() == 1 && s.opens() {
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
