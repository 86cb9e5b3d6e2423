package module

// ExportNames returns the names that the export statement at src[offset]
// exports, as far as its head tells: all but the second and later names of
// `export const a = 1, b = 2`. It is for those who read the tokens of a source
// anyway; Read knows the names exactly.
func ExportNames(src string, offset int) []string {
	lex := NewLexer(src)
	lex.pos = offset
	s := scan{lex: lex}
	for range 2 { // export, and what follows it
		if s.next() != nil {
			return nil
		}
	}
	switch {
	case s.isPunct("{"):
		return s.listedNames()
	case s.isWord("default"):
		return []string{"default"}
	case s.isPunct("*"):
		return nil
	}
	for s.isWord("async") || s.isWord("function") || s.isWord("class") || s.isWord("const") || s.isWord("let") || s.isWord("var") || s.isPunct("*") {
		if s.next() != nil {
			return nil
		}
	}
	if s.tok.Kind != Ident {
		return nil
	}
	return []string{s.tok.Name}
}

// listedNames reads { a, b as c } and returns the names outside.
func (s *scan) listedNames() (names []string) {
	for s.next() == nil && s.tok.Kind != EOF && !s.isPunct("}") {
		switch {
		case s.isWord("as"):
			names = names[:max(0, len(names)-1)]
		case s.tok.Kind == Ident:
			names = append(names, s.tok.Name)
		}
	}
	return names
}
