package forbidden

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/module"
)

// patternScan knows which open brackets may prove to be a pattern that takes
// values apart: { constructor: F } in front of = or among the parameters of a
// function takes Function of whatever is given, and is an object elsewhere.
type patternScan []openBracket

type openBracket struct {
	pattern bool     // it opened where a pattern may stand
	head    bool     // parentheses of if, for and the like, whose block is no body of a function
	keys    [][2]int // where `constructor` is a key inside: patterns are told by what follows their end
}

// open notes a bracket, or the start of an expression in a template.
func (s *tokenScan) open(c byte) {
	b := openBracket{}
	switch c {
	case '(':
		b.head = s.keyword("if") || s.keyword("for") || s.keyword("while") || s.keyword("switch") || s.keyword("with")
	case '[', '{':
		b.pattern = s.keyword("const") || s.keyword("let") || s.keyword("var")
		if s.p1.Kind == module.Punct {
			switch s.src[s.p1.Start:s.p1.End] {
			case "(", "[", "{", ",", ":", "...", ";", "}":
				b.pattern = true
			}
		}
	}
	s.patterns = append(s.patterns, b)
}

// close settles what the bracket that ends here was.
func (s *tokenScan) close(c byte) {
	if len(s.patterns) == 0 {
		return
	}
	last := len(s.patterns) - 1
	b := s.patterns[last]
	s.patterns = s.patterns[:last]
	if len(b.keys) == 0 {
		return
	}
	found := false
	switch {
	case c == ')':
		found = !b.head && (s.is(s.next, '{') || s.next.Kind == module.Punct && s.src[s.next.Start:s.next.End] == "=>")
	case s.is(s.next, '='), s.next.Kind == module.Ident && s.next.Name == "of":
		found = true
	case b.pattern && last > 0 && (s.is(s.next, ',') || s.is(s.next, ')') || s.is(s.next, ']') || s.is(s.next, '}')):
		outer := &s.patterns[last-1]
		few, many := outer.keys, b.keys
		if len(few) > len(many) {
			few, many = many, few
		}
		outer.keys = append(many, few...) // not the many again at each of a thousand brackets
	}
	if !found {
		return
	}
	for _, key := range b.keys {
		s.report("SEC004", key[0], key[1])
	}
}

// constructorKey notes a key `constructor` that ends with the token at hand,
// where a name or a pattern may take its value.
func (s *tokenScan) constructorKey(start int) {
	if len(s.patterns) == 0 || !s.takes() {
		return
	}
	top := &s.patterns[len(s.patterns)-1]
	top.keys = append(top.keys, [2]int{start, s.t.End})
}

// takes reports whether what follows the key at hand may be taken: nothing, a
// default, or behind a colon a name or a pattern, but not a text or number.
func (s *tokenScan) takes() bool {
	if !s.is(s.next, ':') {
		return s.is(s.next, ',') || s.is(s.next, '}') || s.is(s.next, '=')
	}
	rest := s.src[s.next.End:]
	value, err := module.NewLexer(rest).Next()
	if err != nil || value.Kind == module.Punct {
		return err == nil && (rest[value.Start] == '{' || rest[value.Start] == '[' || rest[value.Start] == '(')
	}
	return value.Kind == module.Ident && !slices.Contains([]string{"true", "false", "null", "undefined"}, value.Name)
}

// keyStart reports whether a key may stand at the token after p1: at the start
// of an object, or after a comma.
func (s *tokenScan) keyStart() bool { return s.is(s.p1, '{') || s.is(s.p1, ',') }
