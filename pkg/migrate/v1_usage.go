package migrate

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// usage is what becomes of the statements that name what the file imports, or what is
// made of that: only the factory of handlers is given it.
type usage struct {
	bindings []string // the statements by which the factory has what is imported
	moved    []span   // into the factory: the functions name what they declare
	unused   []span   // only the schema named what they declare
	inSchema bool     // the schema still does
}

// usage says it for the functions of the file; kept is whether any of them is left.
func (s *Source) usage(handlers ordjson.Value, kept bool) usage {
	var u usage
	var names []string
	imports := s.imports()
	for _, im := range imports {
		if im.binding() != "" {
			names = append(names, im.names()...)
		}
	}
	var tainted []span
	for again := names != nil; again; {
		again = false
		for _, sp := range s.beside() {
			if !slices.Contains(tainted, sp) && s.names(sp, names...) {
				tainted, again = append(tainted, sp), true
				names = append(names, s.declared(sp))
			}
		}
	}
	functions := span{}
	if handlers.Is(ordjson.Object) {
		functions = s.bracket(handlers)
	}
	u.inSchema = slices.ContainsFunc(s.schema(), func(sp span) bool { return s.names(sp, names...) })
	needed := []span{}
	if kept {
		needed = s.needed(functions)
	}
	for _, sp := range tainted {
		if slices.Contains(needed, sp) {
			u.moved = append(u.moved, sp)
		} else {
			u.unused = append(u.unused, sp)
		}
	}
	slices.SortFunc(u.moved, func(a, b span) int { return a.first - b.first })
	for _, im := range imports {
		uses := func(sp span) bool { return s.names(sp, im.names()...) }
		if kept && im.binding() != "" && (uses(functions) || slices.ContainsFunc(u.moved, uses)) {
			u.bindings = append(u.bindings, im.binding())
		}
	}
	return u
}

// needed are the statements beside the schema that declare what some tokens name, and what
// they name in turn.
func (s *Source) needed(by ...span) []span {
	list, todo := []span{}, by
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		for _, sp := range s.beside() {
			if name := s.declared(sp); name != "" && !slices.Contains(list, sp) && s.names(at, name) {
				list, todo = append(list, sp), append(todo, sp)
			}
		}
	}
	return list
}

// beside are the statements beside that of the schema, without imports and lists of
// exports.
func (s *Source) beside() []span {
	schema := s.At(s.Root.Pos())
	return slices.DeleteFunc(s.statements(), func(sp span) bool {
		return s.Keyword(sp.first, "import") || s.Keyword(sp.first, "export") && s.Is(sp.first+1, "{") ||
			sp.first <= schema && schema < sp.end
	})
}

// schema are the tokens of the schema but for those of its functions.
func (s *Source) schema() []span {
	root := s.bracket(s.Root)
	handlers := s.Root.Get(fieldHandlers)
	if !handlers.Is(ordjson.Object) {
		return []span{root}
	}
	functions := s.bracket(handlers)
	return []span{{root.first, functions.first}, {functions.end, root.end}}
}

// bracket is an object or array as tokens.
func (s *Source) bracket(v ordjson.Value) span {
	open := s.At(v.Pos())
	return span{open, int(s.List[open].Match) + 1}
}
