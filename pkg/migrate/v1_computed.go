package migrate

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Computed finds values of the schema that code makes: main is data.
func Computed(s *Source) []Step {
	if !s.version1() || s.isLiteral() {
		return nil
	}
	var changes []edit.Change
	first := -1
	s.computed(s.Root, s.Made, "", func(pointer string, at int, v ordjson.Value) {
		if first < 0 {
			first = at
		}
		changes = append(changes, edit.Set(pointer, v))
	})
	if changes == nil {
		return nil
	}
	step := Step{At: first, Message: "found " + words.Count(len(changes), "value") +
		" that code makes; since version 2 main is data", Fix: "write out what the code makes"}
	if s.Made.Exists() {
		step.Edits = s.edits(true, changes...)
	}
	return []Step{step}
}

// isLiteral reports whether all of the schema but its functions is data.
func (s *Source) isLiteral() bool {
	text := s.Src
	if handlers := s.Root.Get(fieldHandlers); handlers.Is(ordjson.Object) {
		text = s.Src[:handlers.Pos()+1] + s.Src[s.List[s.bracket(handlers).end-1].Start:]
	}
	return exported(text, Export).Exists()
}

// computed finds what is no literal below a place. Where the parts of an object or array
// are not those that it has in the end, it is computed as a whole.
func (s *Source) computed(at, made ordjson.Value, pointer string, found func(string, int, ordjson.Value)) {
	known := made.Exists()
	switch {
	case pointer == "/"+fieldHandlers:
	case at.Is(ordjson.Object) && (!known || slices.EqualFunc(at.Members(), made.Members(), sameKey)):
		for _, m := range at.Members() {
			if m.Value.Pos() < 0 { // { name }
				m.Value = m.Value.At(int(m.KeyPos))
			}
			s.computed(m.Value, made.Get(m.Key), pointer+ordjson.Pointer(m.Key), found)
		}
	case at.Is(ordjson.Array) && (!known || at.Len() == made.Len()):
		for i, e := range at.Elems() {
			s.computed(e, made.Index(i), pointer+ordjson.Pointer(i), found)
		}
	case at.Pos() >= 0 && !s.isData(at.Pos()):
		found(pointer, at.Pos(), made)
	}
}

func sameKey(a, b ordjson.Member) bool { return a.Key == b.Key }

// isData reports whether the value at an offset is a literal, or made of constants that
// are.
func (s *Source) isData(offset int) bool {
	i := s.At(offset)
	end := s.After(i)
	for !s.Is(end, ",") && !s.Closes(end) && s.Kind(end) != module.EOF {
		end = s.After(end)
	}
	if _, isText := s.StringValue(i); end == i+1 && (isText || s.Kind(i) == module.Number) {
		return true
	}
	return exported(s.script(s.slice(span{i, end}), span{i, end}), Export).Exists()
}

// Script is code that exports the schema without its functions, "" where that is data: it
// needs nothing but what the statements declare that the schema names.
func (s *Source) Script() string {
	if !s.version1() || s.isLiteral() {
		return ""
	}
	parts := s.schema()
	value := s.slice(parts[0])
	if len(parts) > 1 {
		value += "{}" + s.slice(parts[1])
	}
	return s.script(value, parts...)
}

// script exports a value that is written between some tokens, with what that names.
func (s *Source) script(value string, by ...span) string {
	var b strings.Builder
	for _, im := range s.imports() {
		if list := s.Lists[im.from]; im.ref != "" {
			b.WriteString("const " + im.names()[0] + " = " + ordjson.Text(list) + "\n")
		}
	}
	needed := s.needed(by...)
	slices.SortFunc(needed, func(a, b span) int { return a.first - b.first })
	for _, sp := range needed {
		b.WriteString(s.slice(sp) + "\n")
	}
	return b.String() + "export const " + Export + " = " + value + "\n"
}

// Siblings are the modules beside the file that it imports, as it calls them.
func (s *Source) Siblings() []string {
	var list []string
	for _, im := range s.imports() {
		if im.relative() {
			list = append(list, im.from)
		}
	}
	return list
}

// List is the array of objects that is all that a module exports, as a constant or as the
// entries of a shared list; Missing where it is something else.
func List(text string) ordjson.Value {
	mod, err := module.Read(text)
	if err != nil || len(mod.Exports) != 1 {
		return ordjson.Value{}
	}
	v, err := mod.Value(mod.Exports[0])
	if err != nil {
		return ordjson.Value{}
	}
	if v.Is(ordjson.Object) {
		v = v.Get("entries")
	}
	if !v.Index(0).Is(ordjson.Object) {
		return ordjson.Value{}
	}
	return v
}
