package migrate

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// The fields of version 1 that have another name, or none, since version 2.
const (
	fieldHandlers  = "handlers"
	fieldModifiers = "modifiers"
	fieldRoutes    = "routes"
	fieldTools     = "tools" // some files of version 1 have it in place of routes
)

// version1 reports whether the file is of version 1 and written as one object, so that
// its steps can be found.
func (s *Source) version1() bool {
	return s.Root.Is(ordjson.Object) && s.Root.Get(s.routesKey()).Is(ordjson.Object) && !s.Root.Get("main").Exists()
}

// routesKey is the name by which the file has its routes.
func (s *Source) routesKey() string {
	if s.Root.Get(fieldRoutes).Exists() {
		return fieldRoutes
	}
	return fieldTools
}

// routes are those of the file.
func (s *Source) routes() []ordjson.Member { return s.Root.Get(s.routesKey()).Members() }

// edits are the edits that some changes of what the file exports take.
func (s *Source) edits(safe bool, changes ...edit.Change) []record.Edit {
	mod, err := s.Module()
	if err != nil {
		return nil
	}
	return edit.NewSource(s.Tokens, mod, Export, s.Root).Edits(safe, changes)
}

// literal is the value of an object or array that the file has at a place, Missing where
// it takes code to know it.
func (s *Source) literal(at ordjson.Value) ordjson.Value {
	if at.Pos() < 0 || !s.Opens(s.At(at.Pos())) {
		return ordjson.Value{}
	}
	closing := s.List[s.List[s.At(at.Pos())].Match]
	return exported("export const v = "+s.Src[at.Pos():closing.End], "v")
}

// exported is what a module exports by a name, Missing where that is no data.
func exported(text, name string) ordjson.Value {
	mod, err := module.Read(text)
	if err != nil {
		return ordjson.Value{}
	}
	v, err := mod.Value(name)
	if err != nil {
		return ordjson.Value{}
	}
	return v
}

// text is the text of a field that is written as a string, "" for any other.
func (s *Source) text(m ordjson.Member) string {
	text, _ := s.StringValue(s.At(m.Value.Pos()))
	return text
}

// span is a stretch of tokens.
type span struct{ first, end int }

// slice is the source from the first to the last token of a span.
func (s *Source) slice(sp span) string { return s.Src[s.List[sp.first].Start:s.List[sp.end-1].End] }

// statements are those of the top level.
func (s *Source) statements() []span {
	var list []span
	for i := 0; s.Kind(i) != module.EOF; {
		first := i
		for i = s.After(i); s.Kind(i) != module.EOF && !s.Is(i-1, ";") && !s.begins(i); {
			i = s.After(i)
		}
		list = append(list, span{first, i})
	}
	return list
}

// begins reports whether a statement begins with the word of token i, at the start of a
// line.
func (s *Source) begins(i int) bool {
	return s.List[i].NewlineBefore && !s.Keyword(i-1, "export", "default", "async") &&
		s.Keyword(i, "import", "export", "const", "let", "var", "function", "async", "class")
}

// declared is the name of the constant, function or class that a statement declares, "" for
// any other statement.
func (s *Source) declared(sp span) string {
	i := sp.first
	for s.Keyword(i, "export", "async") {
		i++
	}
	if !s.Keyword(i, "const", "let", "var", "function", "class") {
		return ""
	}
	if i++; s.Is(i, "*") {
		i++
	}
	return s.Name(i)
}

// names reports whether one of some names stands for a value between two tokens: it is no
// key, nor a part of another value.
func (s *Source) names(sp span, names ...string) bool {
	for i := sp.first; i < sp.end; i++ {
		if slices.Contains(names, s.Name(i)) && !s.Member(i) && (!s.Is(i+1, ":") || s.Is(i-1, "?")) {
			return true
		}
	}
	return false
}

// indented is a stretch of source with each of its lines but the first further to the
// right; a line inside a text stays.
func (s *Source) indented(from, to int, by string) string {
	var b strings.Builder
	done := from
	for i := from; i < to; i++ {
		if s.Src[i] != '\n' || i+1 < to && (s.Src[i+1] == '\n' || s.Src[i+1] == '\r') {
			continue
		}
		if token := s.At(i + 1); token > 0 && int(s.List[token-1].End) > i+1 {
			continue
		}
		b.WriteString(s.Src[done : i+1])
		b.WriteString(by)
		done = i + 1
	}
	return b.String() + s.Src[done:to]
}

// lines is a text with the ends of lines of the source.
func (s *Source) lines(text string) string {
	return strings.ReplaceAll(text, "\n", edit.Newline(s.Src))
}
