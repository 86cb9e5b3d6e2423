package edit

import "github.com/flowmcp/fmcp/pkg/module"

// constant is the place of the literal of a constant that is all that stands at a place,
// by its name: the content of most skills is written so. It is not ok where the constant
// is named elsewhere too, or is no literal.
func (s *Source) constant(p spot, was string) (spot, bool) {
	t := s.tokens
	at := t.At(p.start)
	name := t.Name(at)
	if name == "" || int(t.List[at].End) != p.end {
		return spot{}, false
	}
	literal := t.At(max(t.Outline(name).Pos(), 0))
	for i := range t.List {
		key := t.Is(i+1, ":") && (t.Is(i-1, "{") || t.Is(i-1, ","))
		declared := i == literal-2 && t.Kind(i-1) == module.Ident
		if t.Name(i) == name && i != at && !t.Dot(i-1) && !key && !declared {
			return spot{}, false
		}
	}
	return s.literal(literal, was)
}

// literal is the place of token i, if it is a literal of a text.
func (s *Source) literal(i int, text string) (spot, bool) {
	is, ok := s.tokens.StringValue(i)
	tok := s.tokens.List[i]
	return spot{place{start: int(tok.Start), end: int(tok.End)}, int(tok.Start)}, ok && is == text
}
