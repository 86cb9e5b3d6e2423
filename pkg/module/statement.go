package module

import "github.com/flowmcp/fmcp/pkg/words"

func (s *scan) statement() error {
	switch s.keyword() {
	case "export":
		return s.export()
	case "const", "let", "var":
		return s.declarations(false)
	case "function", "class":
		return s.declaredFunctionOrClass()
	case "import":
		return s.importStatement()
	case "else", "catch", "finally":
		if !s.branches {
			return s.unexpected("a statement")
		}
	case "return", "break", "continue", "with", "case", "default", "extends", "in", "instanceof", "enum":
		return s.unexpected("a statement")
	}
	if s.isPunct(";") {
		return s.next()
	}
	if s.tok.Kind == Punct && !startsExpression(s.Text(s.i)) {
		return s.unexpected("a statement")
	}
	s.executes = s.executes || !s.isWord("async")
	return s.skipStatement()
}

// keyword returns the name of a token that is written as a keyword may be,
// without escapes.
func (s *scan) keyword() string {
	if s.tok.Kind == Ident {
		return s.Text(s.i)
	}
	return ""
}

func startsExpression(punct string) bool {
	switch punct {
	case "(", "[", "{", "+", "-", "++", "--", "!", "~":
		return true
	}
	return false
}

// declaredFunctionOrClass reads a declaration, which needs a name.
func (s *scan) declaredFunctionOrClass() error {
	start := int(s.tok.Start)
	name, err := s.functionOrClass()
	if err != nil {
		return err
	}
	if name == "" {
		return &words.SyntaxError{Offset: start, Message: "a function or class that is declared needs a name"}
	}
	return s.declare(name, start)
}

// importStatement reads an import; an import() expression runs code.
func (s *scan) importStatement() error {
	if err := s.next(); err != nil {
		return err
	}
	if s.isPunct("(") || s.isPunct(".") {
		s.executes = true
		return s.skipStatement()
	}
	for braces := 0; s.tok.Kind != String || s.i < braces; {
		named := s.tok.Kind == Ident && (s.i < braces || !reserved(s.Name(s.i)))
		if s.isPunct("{") {
			braces = int(s.tok.Match)
		} else if !named && s.tok.Kind != String && !s.isPunct("}") && !s.isPunct(",") && !s.isPunct("*") {
			return s.unexpected("the name of a module in quotes")
		}
		if err := s.next(); err != nil {
			return err
		}
	}
	return s.skipStatement()
}

func (s *scan) export() error {
	start := int(s.tok.Start)
	if err := s.next(); err != nil {
		return err
	}
	begin := s.i
	switch {
	case s.isPunct("{"):
		return s.exportList()
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
		if name == "" {
			return &words.SyntaxError{Offset: start, Message: "a function or class that is exported needs a name, or " +
				"export default"}
		}
		if err := s.declare(name, start); err != nil {
			return err
		}
		if err := s.addExport(name, name); err != nil {
			return err
		}
		s.mod.reasons[name] = &NotLiteralError{start, "a function or class"}
		if name == "handlers" {
			s.factory(begin)
		}
		return nil
	}
	return s.unexpected("const, function, class, default, { or *")
}

// addExport notes an export; local is "" where it comes from another module.
func (s *scan) addExport(name, local string) error {
	if s.mod.Has(name) {
		return &words.SyntaxError{Offset: int(s.List[s.i-1].Start), Message: "`" + name + "` is exported twice"}
	}
	if len(s.mod.Exports) == 0 {
		s.mod.First = s.begin
	}
	s.mod.Exports = append(s.mod.Exports, name)
	if local != "" {
		s.mod.locals[name] = local
	}
	return nil
}

// declare notes a name of the top level.
func (s *scan) declare(name string, start int) error {
	if s.declared[name] {
		return &words.SyntaxError{Offset: start, Message: "`" + name + "` is declared twice"}
	}
	s.declared[name] = true
	return nil
}

func (s *scan) exportDefault() error {
	if err := s.addExport("default", "default"); err != nil {
		return err
	}
	s.mod.reasons["default"] = &NotLiteralError{int(s.tok.Start), "a default export"}
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
		name, err := s.exportName()
		if err != nil {
			return err
		}
		if err := s.addExport(name, ""); err != nil {
			return err
		}
	}
	return s.fromClause()
}

// fromClause reads from 'module' at the end of a declaration.
func (s *scan) fromClause() error {
	if !s.isWord("from") {
		return s.unexpected("from")
	}
	if err := s.next(); err != nil {
		return err
	}
	if s.tok.Kind != String {
		return s.unexpected("the name of a module in quotes")
	}
	return s.skipStatement()
}

// exportName reads a name of an export list: an identifier or a string.
func (s *scan) exportName() (name string, err error) {
	switch s.tok.Kind {
	case Ident:
		name = s.Name(s.i)
	case String:
		text := s.Text(s.i)
		if name, err = decodeString(text[1:len(text)-1], int(s.tok.Start)+1); err != nil {
			return "", err
		}
	default:
		return "", s.unexpected("a name")
	}
	return name, s.next()
}

// exportEntry is a as b in an export list.
type exportEntry struct {
	local, name string
	quoted      bool // a is a string, as only a re-export may have it
}

// exportList reads { a, b as c } and a from clause.
func (s *scan) exportList() error {
	begin := s.i
	var list []exportEntry
	if err := s.next(); err != nil {
		return err
	}
	for !s.isPunct("}") {
		e := exportEntry{quoted: s.tok.Kind == String || reserved(s.keyword())}
		var err error
		if e.local, err = s.exportName(); err != nil {
			return err
		}
		e.name = e.local
		if s.isWord("as") {
			if err := s.next(); err != nil {
				return err
			}
			if e.name, err = s.exportName(); err != nil {
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
	s.known = append(s.known, span{begin, s.i})
	return s.exportEntries(list, s.isWord("from"))
}

// exportEntries notes the entries of a list that has just been read; from says
// that they come from another module.
func (s *scan) exportEntries(list []exportEntry, from bool) error {
	for _, e := range list {
		if from {
			e.local = ""
		} else if e.quoted {
			return &words.SyntaxError{Offset: int(s.List[s.i-1].Start), Message: "`" + e.local +
				"` is not a name of this module"}
		}
		if err := s.addExport(e.name, e.local); err != nil {
			return err
		}
	}
	if from {
		return s.fromClause()
	}
	if s.tok.Kind != EOF && !s.isPunct(";") && !s.tok.NewlineBefore {
		return s.unexpected("; or a new line")
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
			name = s.Name(s.i)
		}
		if err := s.past(); err != nil {
			return "", err
		}
	}
	return name, s.past()
}
