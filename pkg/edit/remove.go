package edit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// ReadMade is ReadSource of an export that code makes, of which the value is known. Only
// what is written as objects can be edited: members that can be told apart.
func ReadMade(text, export string, value ordjson.Value) (*Source, error) {
	tokens := module.Tokenize(text)
	mod, err := tokens.Module()
	if err != nil {
		return nil, at(text, export, err)
	}
	return &Source{text, tokens, mod, export, value, tokens.Outline(export), true}, nil
}

// reread is the source that a text is, nil where its value is not the one that is wanted. Of
// what code makes, the members that are written out are compared.
func (s *Source) reread(text string, value ordjson.Value) *Source {
	if !s.made {
		changed, err := ReadSource(text, s.export)
		if err != nil || !ordjson.Equal(changed.value, value) {
			return nil
		}
		return changed
	}
	changed, err := ReadMade(text, s.export, value)
	if err != nil || !ordjson.Equal(changed.places, outlined(s.places, value)) {
		return nil
	}
	return changed
}

// outlined is an outline without the members that a value does not have.
func outlined(outline, value ordjson.Value) ordjson.Value {
	if !outline.Is(ordjson.Object) || !value.Is(ordjson.Object) {
		return outline
	}
	var members []ordjson.Member
	for _, m := range outline.Members() {
		if v := value.Get(m.Key); v.Exists() {
			m.Value = outlined(m.Value, v)
			members = append(members, m)
		}
	}
	return ordjson.NewObject(members...)
}

// Remove takes the members and elements out that the pointers point to, and the handlers of
// those names, as load records have them; the name of a resource stands for those of
// its queries too. Comments and blank lines that belong to them go too, and functions that
// nothing else names. Nothing else changes, but for main.schemaHash where it was
// right before.
func (s *Source) Remove(pointers, handlers []string) (*Source, error) {
	var paths [][]string
	lists := map[int][]part{} // what goes of objects and arrays, by the token that opens them
	for _, pointer := range pointers {
		if err := s.takeValue(pointer, lists); err != nil {
			return nil, fmt.Errorf("%s: %w", s.export+strings.ReplaceAll(pointer, "/", "."), err)
		}
		paths = append(paths, slices.Collect(ordjson.PointerKeys(pointer)))
	}
	named := func(h record.Handler) bool {
		return slices.ContainsFunc(handlers, func(n string) bool { return strings.HasPrefix(h.Name+"/", n+"/") })
	}
	s.takeHandlers(named, lists)
	var splices []splice
	for open, gone := range lists {
		splices = append(splices, s.cut(open, gone)...)
	}
	changed := s.spliced(splices, without(s.value, paths))
	left := slices.DeleteFunc(slices.Clone(s.mod.Handlers), named)
	if changed == nil || !slices.EqualFunc(changed.mod.Handlers, left, sameHandler) {
		return nil, errUnsafe
	}
	return s.renew(changed.dropHelpers(s))
}

func sameHandler(a, b record.Handler) bool {
	return a.Name == b.Name && slices.Equal(a.Stages, b.Stages)
}

// without is a value without what is at the paths.
func without(v ordjson.Value, paths [][]string) ordjson.Value {
	var elems []ordjson.Value
	var members []ordjson.Member
	keep := func(key string, inner ordjson.Value, add func(ordjson.Value)) {
		var below [][]string
		for _, p := range paths {
			switch {
			case p[0] != key:
			case len(p) == 1:
				return
			default:
				below = append(below, p[1:])
			}
		}
		if below != nil {
			inner = without(inner, below)
		}
		add(inner)
	}
	for _, m := range v.Members() {
		keep(m.Key, m.Value, func(v ordjson.Value) { m.Value = v; members = append(members, m) })
	}
	for i, e := range v.Elems() {
		keep(ordjson.Pointer(i)[1:], e, func(v ordjson.Value) { elems = append(elems, v) })
	}
	if v.Is(ordjson.Array) {
		return ordjson.NewArray(elems...)
	}
	return ordjson.NewObject(members...)
}

// part is a member of an object or an element of an array in the source.
type part struct {
	first, end int // its tokens; an empty place of an array has none
	comma      int // the token of the comma after it, -1 where there is none
}

// parts are those of the object or array that token open opens.
func (s *Source) parts(open int) []part {
	var list []part
	for i := open + 1; !s.tokens.Closes(i); {
		p := part{first: i, comma: -1}
		for !s.tokens.Is(i, ",") && !s.tokens.Closes(i) {
			i = s.tokens.After(i)
		}
		if p.end = i; s.tokens.Is(i, ",") {
			p.comma = i
			i++
		}
		list = append(list, p)
	}
	return list
}

// takeValue notes the part that a pointer points to. A key that is written twice has
// several.
func (s *Source) takeValue(pointer string, lists map[int][]part) error {
	value, pos := ordjson.Lookup(s.places, pointer)
	above := strings.LastIndexByte(pointer, '/')
	if !lookup(s.value, pointer).Exists() || above < 0 {
		return errors.New("the source has nothing of that name")
	}
	holder := lookup(s.places, pointer[:above])
	open := s.tokens.At(max(holder.Pos(), 0))
	if !value.Exists() || !s.tokens.Opens(open) || s.start(open) != holder.Pos() ||
		s.made && holder.Is(ordjson.Array) {
		return errUnsafe
	}
	parts := s.parts(open)
	if holder.Is(ordjson.Array) {
		i, err := strconv.Atoi(pointer[above+1:])
		if err != nil {
			return err
		}
		lists[open] = append(lists[open], parts[i])
		return nil
	}
	s.takeKey(open, parts, pos, lists)
	return nil
}

// takeKey notes the member whose key is at an offset, and all others of that key.
func (s *Source) takeKey(open int, parts []part, pos int, lists map[int][]part) {
	key := s.tokens.At(pos)
	for _, p := range parts {
		if p.first <= key && key < p.end || s.key(p.first) != "" && s.key(p.first) == s.key(key) {
			lists[open] = append(lists[open], p)
		}
	}
}

// key is the key that token i is, "" where it is none that can be compared.
func (s *Source) key(i int) string {
	if s.tokens.Kind(i) == module.Number {
		return s.tokens.Text(i)
	}
	if text, ok := s.tokens.StringValue(i); ok {
		return text
	}
	return s.tokens.Name(i)
}

// takeHandlers notes the handlers that are named. A resource of which no query has
// handlers any more goes as a whole.
func (s *Source) takeHandlers(named func(record.Handler) bool, lists map[int][]part) {
	taken := map[int]bool{}
	at := 1 // the first is the function
	for _, h := range s.mod.Handlers {
		if named(h) {
			pos := s.mod.HandlersAt[at]
			open := s.opener(s.tokens.At(pos))
			s.takeKey(open, s.parts(open), pos, lists)
			taken[open] = true
		}
		at += 1 + len(h.Stages)
	}
	for open := range taken {
		if s.tokens.Is(open-1, ":") && len(distinct(lists[open])) == len(s.parts(open)) {
			delete(lists, open)
			outer := s.opener(open)
			s.takeKey(outer, s.parts(outer), s.start(open), lists)
		}
	}
}

// opener is the token that opens what token i stands in.
func (s *Source) opener(i int) int {
	open := -1
	for j := 0; j < i; j++ {
		for s.tokens.Opens(j) && int(s.tokens.List[j].Match) <= i {
			j = int(s.tokens.List[j].Match) // of a template, the next ${
		}
		if s.tokens.Opens(j) {
			open = j
		}
	}
	return open
}

func distinct(list []part) []part {
	slices.SortFunc(list, func(a, b part) int { return a.end - b.end })
	return slices.Compact(list)
}
