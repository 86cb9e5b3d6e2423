package edit

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/module"
)

// dropHelpers takes out the functions that only what was removed has named, and those
// that only they have: to declare a function does nothing, so nobody misses it. A fetch
// that no handler calls any more would be a finding (SEC100).
func (s *Source) dropHelpers(before *Source) *Source {
	was, is := names(before.tokens), names(s.tokens)
	for i := 0; s.tokens.Kind(i) != module.EOF; i++ {
		name, end := s.function(i)
		if name == "" || was[name] == is[name] || s.named(name, i, end) {
			continue
		}
		limit := len(s.text)
		if open := s.opener(i); open >= 0 {
			limit = s.start(int(s.tokens.List[open].Match))
		}
		from, to := s.extent(part{i, end, -1})
		sp := splice{from, to, ""}
		s.widen(&sp, limit)
		next := s.spliced([]splice{sp}, s.value)
		if next != nil && slices.EqualFunc(next.mod.Handlers, s.mod.Handlers, sameHandler) {
			s, is, i = next, names(next.tokens), -1 // from the start: it may have been the last to name another
		}
	}
	return s
}

// names counts the names in a source that are no properties of something.
func names(t *module.Tokens) map[string]int {
	count := map[string]int{}
	for i := range t.List {
		if name := t.Name(i); name != "" && !t.Dot(i-1) {
			count[name]++
		}
	}
	return count
}

// named reports whether a name is anywhere but between two tokens.
func (s *Source) named(name string, from, to int) bool {
	for i := range s.tokens.List {
		if s.tokens.Name(i) == name && !s.tokens.Dot(i-1) && (i < from || i >= to) {
			return true
		}
	}
	return false
}

// function is the name of the function that a statement at token i declares, and where the
// statement ends; "" where it is another, or where it ends cannot be told from a few tokens.
func (s *Source) function(i int) (name string, end int) {
	t := s.tokens
	if i > 0 && !t.List[i].NewlineBefore || t.Keyword(i-1, "export", "default") {
		return "", 0
	}
	switch prev := t.Text(i - 1); {
	case t.Kind(i-1) == module.Punct && !slices.Contains([]string{"{", "}", ")", "]", ";"}, prev):
		return "", 0
	case t.Keyword(i, "const") && t.Is(i+2, "="):
		name, end = t.Name(i+1), s.body(i+3)
	default:
		j := i
		if t.Keyword(j, "async") {
			j++
		}
		if t.Keyword(j, "function") {
			name, end = t.Name(j+1), s.body(i)
		}
	}
	if t.Is(end, ";") {
		end++
	}
	next := t.Kind(end) == module.EOF || t.Closes(end) ||
		t.Kind(end) == module.Ident && t.List[end].NewlineBefore && !t.Keyword(end, "in", "instanceof")
	if end == 0 || !next {
		return "", 0
	}
	return name, end
}

// body is the token after the function at token i, 0 where none is there that has a body
// in braces.
func (s *Source) body(i int) int {
	t := s.tokens
	if t.Keyword(i, "async") {
		i++
	}
	arrow := !t.Keyword(i, "function")
	if !arrow {
		for i++; t.Is(i, "*") || t.Kind(i) == module.Ident; i++ {
		}
	}
	if !t.Is(i, "(") && (!arrow || t.Kind(i) != module.Ident) {
		return 0
	}
	if i = t.After(i); arrow {
		if !t.Is(i, "=>") {
			return 0
		}
		i++
	}
	if !t.Is(i, "{") {
		return 0
	}
	return t.After(i)
}
