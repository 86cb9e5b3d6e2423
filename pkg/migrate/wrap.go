package migrate

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Wrap are the edits by which what a file exports as schema becomes its main, nil where
// it cannot.
func Wrap(s *Source) []record.Edit {
	if s.version1() {
		return s.become()
	}
	main, ok := s.Root.Member("main")
	if !ok || main.Value.Len() == 0 {
		return nil
	}
	return s.unwrap(main)
}

// unwrap takes the fields of schema.main out of it, so that they stand beside the tools
// in one object, which becomes main.
func (s *Source) unwrap(main ordjson.Member) []record.Edit {
	key, open := s.At(int(main.KeyPos)), s.At(main.Value.Pos())
	closing := int(s.List[open].Match)
	name := s.name()
	beside := func(m ordjson.Member) bool { return m.Key != "main" && main.Value.Get(m.Key).Exists() }
	if name < 0 || slices.ContainsFunc(s.Root.Members(), beside) {
		return nil
	}
	first, last := s.List[open+1], s.List[closing-1]
	edits := []record.Edit{
		{Start: int(s.List[name].Start), End: int(s.List[name].End), Text: "main", Safe: true},
		{Start: int(s.List[key].Start), End: int(first.Start), Safe: true},
	}
	end := int(s.List[closing].End)
	if s.Is(closing-1, ",") && s.Is(closing+1, ",") {
		end = int(s.List[closing+1].End) // one of the two goes
	}
	edits = append(edits, record.Edit{Start: int(last.End), End: end, Safe: true})
	return append(edits, s.outdented(int(first.Start), int(last.Start), edit.Indent(s.Src, int(main.KeyPos)))...)
}

// name is the token that names the constant that schema is, -1 where that is exported by
// another name or together with others.
func (s *Source) name() int {
	i := s.At(s.Root.Pos()) - 2
	if s.Name(i) != Export || !s.Keyword(i-1, "const", "let", "var") || !s.Keyword(i-2, "export") {
		return -1
	}
	for j := range s.List {
		if j != i && s.Name(j) == Export && !s.Member(j) && !s.Is(j+1, ":") {
			return -1
		}
	}
	return i
}

// outdented moves the lines between two offsets, but for the first, to the left, by as
// much as the first of them is deeper than an indent. A line inside a text stays.
func (s *Source) outdented(from, to int, indent string) []record.Edit {
	more := strings.TrimPrefix(edit.Indent(s.Src, from), indent)
	var edits []record.Edit
	for i := from; ; {
		n := strings.IndexByte(s.Src[i:to], '\n')
		if n < 0 {
			return edits
		}
		i += n + 1
		token := s.At(i)
		inText := token > 0 && int(s.List[token-1].End) > i
		if more != "" && !inText && strings.HasPrefix(s.Src[i:], indent+more) {
			edits = append(edits, record.Edit{Start: i, End: i + len(more), Safe: true})
		}
	}
}
