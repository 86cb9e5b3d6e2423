package forbidden

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/module"
)

// The constructor of any function is Function, so f.constructor('…')() runs
// text. Comparing it, or asking its name, is what honest code does.

// constructorWord looks at the name `constructor`.
func (s *scan) constructorWord(string) {
	switch {
	case s.Dot(s.i - 1):
		s.constructor(s.i, s.i)
	case s.keyStart(s.i):
		s.constructorKey(s.i, s.i)
	}
}

// constructor reports an access to a constructor, the tokens from first to last,
// by what is done with it: .constructor, or ['constructor'].
func (s *scan) constructor(first, last int) {
	if !s.linked(first) && s.usesConstructor(first, last+1) {
		s.report("SEC004", s.List[first].Start, s.List[last].End)
	}
}

// linked reports whether the access at first is the next link of one to a
// constructor, which is reported.
func (s *scan) linked(first int) bool {
	before := first - 1
	if s.Dot(before) {
		before--
	}
	if s.Is(before, "]") {
		value, _ := s.StringValue(before - 1)
		return value == "constructor" && s.Is(before-2, "[")
	}
	return s.Name(before) == "constructor" && s.Dot(before-1)
}

// usesConstructor reports whether the token at next, after an access that begins
// at first, makes Function of it, calls it, or keeps it.
func (s *scan) usesConstructor(first, next int) bool {
	dot := s.Dot(next)
	if dot {
		next++
	}
	switch {
	case dot && s.Kind(next) == module.Ident:
		return reachesFunction(s.Name(next))
	case s.Is(next, "["):
		value, known := s.StringValue(next + 1)
		return !known || !s.Is(next+2, "]") || reachesFunction(value) // a computed name may be any
	case dot, s.Is(next, "("):
		return s.Is(next, "(")
	}
	asks := slices.Contains([]string{"===", "!==", "==", "!=", "&&", "?", "instanceof"}, s.Text(next))
	return !asks && !s.comparedBefore(first)
}

// reachesFunction reports whether a member of a constructor is Function, or calls
// it.
func reachesFunction(member string) bool {
	return slices.Contains([]string{"constructor", "call", "apply", "bind"}, member)
}

// comparedBefore reports whether the access is the right side of a comparison:
// Object === a.b.constructor.
func (s *scan) comparedBefore(first int) bool {
	i := first
	if s.Is(i, "[") && s.Kind(i-1) == module.Ident {
		i--
	}
	for s.Dot(i-1) && s.Kind(i-2) == module.Ident {
		i -= 2
	}
	return i < first && (s.Is(i-1, "===") || s.Is(i-1, "!==") || s.Is(i-1, "=="))
}

// constructorKey looks at a key `constructor`, the tokens from first to last.
// { constructor: F } in front of = or among the parameters of a function takes
// Function of whatever is given, and is an object elsewhere.
func (s *scan) constructorKey(first, last int) {
	around := len(s.open) - 1
	if around >= 0 && s.open[around] == first { // the bracket of a computed key
		around--
	}
	if around >= 0 && s.taken(last+1) && s.pattern(around) {
		s.report("SEC004", s.List[first].Start, s.List[last].End)
	}
}

// taken reports whether token i, after a key, may take its value: nothing, a
// default, or after a colon a name or a pattern, but not a text or number.
func (s *scan) taken(i int) bool {
	switch {
	case !s.Is(i, ":"):
		return s.Is(i, ",") || s.Is(i, "}") || s.Is(i, "=")
	case s.Kind(i+1) == module.Ident:
		return !slices.Contains([]string{"true", "false", "null", "undefined"}, s.Name(i+1))
	}
	return s.Is(i+1, "{") || s.Is(i+1, "[") || s.Is(i+1, "(")
}

// pattern reports whether the bracket at index depth of those that are open takes
// values apart: what follows its end tells, or the end of those around it.
func (s *scan) pattern(depth int) bool {
	open := s.open[depth]
	found, known := s.patterns[open]
	if known {
		return found
	}
	before, after := open-1, s.After(open)
	switch {
	case s.Is(open, "("):
		head := s.Keyword(before, "if", "for", "while", "switch", "with")
		found = !head && (s.Is(after, "{") || s.Is(after, "=>"))
	case s.Kind(open) == module.Template:
	case s.Is(after, "="), s.Name(after) == "of":
		found = true
	case depth > 0 && (s.Is(after, ",") || s.Is(after, ")") || s.Is(after, "]") || s.Is(after, "}")):
		starts := s.Keyword(before, "const", "let", "var") || s.Kind(before) == module.Punct &&
			slices.Contains([]string{"(", "[", "{", ",", ":", "...", ";", "}"}, s.Text(before))
		found = starts && s.pattern(depth-1)
	}
	if s.patterns == nil {
		s.patterns = map[int]bool{}
	}
	s.patterns[open] = found
	return found
}
