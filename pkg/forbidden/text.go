package forbidden

import "github.com/flowmcp/fmcp/pkg/module"

// moduleCode is the code of a module of Node that has one.
func moduleCode(specifier string) string {
	switch specifier {
	case "fs":
		return "SEC008"
	case "node:fs":
		return "SEC009"
	case "fs/promises", "node:fs/promises":
		return "SEC010"
	case "child_process", "node:child_process":
		return "SEC007"
	case "process", "node:process":
		return "SEC006"
	}
	return ""
}

// text looks at a string where a module's name or a property's may stand.
func (s *tokenScan) text() {
	switch {
	case s.is(s.p1, '['):
		if !s.is(s.next, ']') {
			return
		}
		if v, ok := s.lex.StringValue(s.t); ok && v == "constructor" {
			s.ctor.computed, s.ctor.start = true, s.p1.Start
			s.ctor.key = !s.operandBefore()
		}
	case s.is(s.next, ':') && s.keyStart():
		if v, ok := s.lex.StringValue(s.t); ok && v == "constructor" {
			s.constructorKey(s.t.Start)
		}
	case s.keyword("from"), s.keyword("import"), s.specifierInCall():
		if v, ok := s.lex.StringValue(s.t); ok {
			if code := moduleCode(v); code != "" {
				s.report(code, s.t.Start, s.t.End)
			}
		}
	}
}

// template keeps count of the expressions in templates.
func (s *tokenScan) template() {
	if s.src[s.t.Start] == '}' {
		s.close('}')
	}
	if s.src[s.t.End-1] == '{' {
		s.open('$')
	}
}

func (s *tokenScan) specifierInCall() bool {
	return s.is(s.p1, '(') && s.p2.Kind == module.Ident && !s.member2 && (s.p2.Name == "import" || s.p2.Name == "require")
}

// operandBefore reports whether an operand ends with p2, so that the bracket
// p1 takes a property of it and does not open an array.
func (s *tokenScan) operandBefore() bool {
	switch s.p2.Kind {
	case module.EOF:
		return false
	case module.Ident:
		if s.member2 {
			return true
		}
		switch s.p2.Name {
		case "return", "case", "in", "typeof", "void", "delete", "throw", "new", "else", "do", "instanceof", "default", "extends":
			return false
		}
	case module.Punct:
		c := s.src[s.p2.Start]
		return c == ')' || c == ']' || c == '}' || s.dot(s.p2)
	}
	return true
}
