package forbidden

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/module"
)

// The constraints on handlers of chapter 05 that show in the source already.

// mutators are the methods of arrays that change them.
var mutators = []string{"copyWithin", "fill", "pop", "push", "reverse", "shift", "sort", "splice", "unshift"}

var assignments = []string{
	"=", "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", ">>>=", "&=", "|=", "^=", "&&=", "||=", "??=",
}

// sharedLists reports what changes the frozen lists: an operator or a method at
// the end of a chain of members, sharedLists.b['c'].d.
func (s *scan) sharedLists(code string) {
	if !s.accessed() {
		return
	}
	name, links, i := "", 0, s.i+1
	for ; ; links++ {
		switch {
		case s.Dot(i) && s.Kind(i+1) == module.Ident:
			name = s.Name(i + 1)
			i += 2
			continue
		case s.Is(i, "[") && s.Is(i+2, "]"):
			name, _ = s.StringValue(i + 1)
			i += 3
			continue
		}
		break
	}
	t := s.List[i]
	switch {
	case s.Is(i, "(") && links > 1 && slices.Contains(mutators, name):
	case t.Kind == module.Punct && slices.Contains(assignments, s.Text(i)):
	case (s.Is(i, "++") || s.Is(i, "--")) && !t.NewlineBefore:
	case s.Keyword(s.i-1, "delete") && !s.Is(i, "(") && !s.Is(i, "[") && !s.Dot(i):
		t = s.List[i-1]
	default:
		return
	}
	s.report(code, s.List[s.i].Start, t.End)
}
