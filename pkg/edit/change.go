package edit

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Change is what is to be done to the value that a source exports, which a rule
// knows without the source. Places in it are JSON pointers.
type Change func(*Source) []splice

// Edits are the bytes that some changes take, nil where one of them cannot be made:
// the value may be written in a way that has no place for it.
func (s *Source) Edits(safe bool, changes []Change) []record.Edit {
	var list []record.Edit
	for _, change := range changes {
		made := change(s)
		if made == nil {
			return nil
		}
		list = append(list, edits(made, safe)...)
	}
	slices.SortStableFunc(list, compare)
	return list
}

// Set puts another value in the place of one. Of a text only what differs is
// written again.
func Set(pointer string, to ordjson.Value) Change {
	return func(s *Source) []splice {
		was, p, ok := s.at(pointer)
		if !ok {
			return nil
		}
		if was.Is(ordjson.String) && to.Is(ordjson.String) {
			from, end, text := differing(was.Str(), to.Str())
			if made := s.part(p, was.Str(), from, end, text); made != nil {
				return made
			}
		}
		return []splice{{p.start, p.end, s.written(p, s.styleOn(p), to)}}
	}
}

// Part puts a text in the place of the bytes from start to end of the text that is
// pointed to.
func Part(pointer string, start, end int, text string) Change {
	return func(s *Source) []splice {
		was, p, ok := s.at(pointer)
		if pointer == "" {
			was = s.value
			p, ok = s.literal(s.tokens.At(max(was.Pos(), 0)), was.Str())
		}
		if !ok {
			return nil
		}
		if of, ok := s.constant(p, was.Str()); ok {
			p = of
		}
		if made := s.part(p, was.Str(), start, end, text); made != nil {
			return made
		}
		return Set(pointer, ordjson.NewString(was.Str()[:start]+text+was.Str()[end:]))(s)
	}
}

// SetAll puts some values in the place of an element of an array.
func SetAll(pointer string, to ...ordjson.Value) Change {
	return func(s *Source) []splice {
		_, p, ok := s.at(pointer)
		if !ok {
			return nil
		}
		var text []string
		for _, v := range to {
			text = append(text, s.written(p, s.styleOn(p), v))
		}
		return []splice{{p.start, p.end, strings.Join(text, ", ")}}
	}
}

// Drop takes out the members and elements that are pointed to, with the comments that
// belong to them.
func Drop(pointers ...string) Change {
	return func(s *Source) []splice {
		lists := map[int][]part{}
		for _, pointer := range pointers {
			if s.takeValue(pointer, lists) != nil {
				return nil
			}
		}
		var made []splice
		for open, gone := range lists {
			made = append(made, s.cut(open, gone)...)
		}
		return made
	}
}

// Rename gives the member that is pointed to another key.
func Rename(pointer, key string) Change {
	return func(s *Source) []splice {
		_, p, ok := s.at(pointer)
		if !ok || p.key < 0 {
			return nil
		}
		return []splice{s.renamed(s.tokens.At(p.key), key, p.shorthand)}
	}
}

// RenameHandler gives the handler of a tool the tool's new name.
func RenameHandler(name, to string) Change {
	return func(s *Source) []splice {
		at := 1 // the first place is that of the function
		for _, h := range s.mod.Handlers {
			if key := s.tokens.At(s.mod.HandlersAt[at]); h.Name == name {
				return []splice{s.renamed(key, to, !s.tokens.Is(key+1, ":") && !s.tokens.Is(key+1, "("))}
			}
			at += 1 + len(h.Stages)
		}
		return nil
	}
}

// renamed puts another key in the place of token i; shorthand is { name }.
func (s *Source) renamed(i int, key string, shorthand bool) splice {
	tok := s.tokens.List[i]
	st := s.styleAt(int(tok.Start))
	if s.tokens.Kind(i) == module.String {
		st.quote = s.text[tok.Start]
	}
	text := strings.TrimSuffix(string(st.key(nil, key)), ":")
	if shorthand {
		text += ": " + s.tokens.Text(i)
	}
	return splice{int(tok.Start), int(tok.End), text}
}

// Add gives the object that is pointed to another member, after the first of some
// keys that it has, else after its last member.
func Add(pointer, key string, v ordjson.Value, after ...string) Change {
	return func(s *Source) []splice {
		object := lookup(s.value, pointer)
		if !object.Is(ordjson.Object) || object.Get(key).Exists() {
			return nil
		}
		if object.Len() == 0 {
			open := s.tokens.At(max(object.Pos(), 0))
			if !s.tokens.Is(open, "{") || !s.tokens.Is(open+1, "}") {
				return nil
			}
			st := s.styleAt(object.Pos())
			return []splice{{s.start(open) + 1, s.start(open + 1), " " + s.member(st, key, v, "") + " "}}
		}
		m := slices.MaxFunc(object.Members(), byPosition)
		for _, key := range slices.Backward(after) {
			if there, ok := object.Member(key); ok {
				m = there
			}
		}
		st, indent := s.styleAt(int(m.KeyPos)), Indent(s.text, int(m.KeyPos))
		return s.insert(s.place(m), s.member(st, key, v, indent), st.newline+indent)
	}
}

// Append gives the array that is pointed to another element.
func Append(pointer string, v ordjson.Value) Change {
	return func(s *Source) []splice {
		array := lookup(s.value, pointer)
		open := s.tokens.At(max(array.Pos(), 0))
		if !array.Is(ordjson.Array) || !s.tokens.Is(open, "[") {
			return nil
		}
		st, closing := s.styleAt(array.Pos()), int(s.tokens.List[open].Match)
		text := string(st.value(nil, v, Indent(s.text, s.start(open))))
		last := int(s.tokens.List[closing-1].End)
		switch {
		case closing == open+1:
			return []splice{{last, s.start(closing), " " + text + " "}}
		case s.tokens.Is(closing-1, ","):
			return []splice{{last, last, s.between(closing) + text + ","}}
		}
		return []splice{{last, last, "," + s.between(closing) + text}}
	}
}

// between is the space before the last element of an array that token closing closes:
// a blank where it is written in one line.
func (s *Source) between(closing int) string {
	open := int(s.tokens.List[closing].Match)
	if first := s.start(open + 1); strings.ContainsAny(s.text[s.start(open):first], "\r\n") {
		return s.styleAt(first).newline + Indent(s.text, first)
	}
	return " "
}

// spot is the place of a value, and the offset of its key; -1 for an element of an
// array.
type spot struct {
	place
	key int
}

// at finds what a pointer points to. It is not ok where there is nothing, or it
// stands in no place of its own.
func (s *Source) at(pointer string) (ordjson.Value, spot, bool) {
	above := strings.LastIndexByte(pointer, '/')
	if above < 0 {
		return ordjson.Value{}, spot{}, false
	}
	v, pos := ordjson.Lookup(s.value, pointer)
	holder := lookup(s.value, pointer[:above])
	switch {
	case !v.Exists() || pos < 0:
		return v, spot{}, false
	case holder.Is(ordjson.Object):
		return v, spot{s.place(ordjson.Member{KeyPos: int32(pos)}), pos}, true
	}
	i, err := strconv.Atoi(pointer[above+1:])
	open := s.tokens.At(max(holder.Pos(), 0))
	if err != nil || !s.tokens.Is(open, "[") || s.start(open) != holder.Pos() {
		return v, spot{}, false
	}
	p := s.parts(open)[i]
	if p.end == p.first {
		return v, spot{}, false
	}
	return v, spot{place{start: s.start(p.first), end: int(s.tokens.List[p.end-1].End)}, -1}, true
}

// part replaces a part of a text in the literal that it is written in, nil where it is
// not written in one. The literal may be one of a sum.
func (s *Source) part(p spot, was string, start, end int, text string) []splice {
	from, i := s.offset(p, was, start)
	to, _ := s.offset(p, was, end)
	if p.shorthand || from < 0 || to < 0 {
		return nil
	}
	closing := int(s.tokens.List[i].End) - 1
	switch {
	case start == end:
		to = from
	case to > closing && s.tokens.Is(i+1, "+") && to == s.start(i+2)+1:
		to = closing // the part ends with the literal
	case to > closing:
		return nil
	}
	quote := s.text[s.start(i)]
	literal := string(style{quote: quote}.string(nil, text))
	literal = literal[1 : len(literal)-1]
	if quote == '`' {
		literal = strings.ReplaceAll(literal, "${", "\\${")
	}
	// What stands around it must still mean the same: \0 before a digit does not.
	before := 0
	for first := s.tokens.At(p.start); first < i; first++ {
		value, _ := s.tokens.StringValue(first)
		before += len(value)
	}
	if was, _ = s.tokens.StringValue(i); start < before || end-before > len(was) {
		return nil // an operand is no literal
	}
	is, _ := module.Tokenize(s.text[s.start(i):from] + literal + s.text[to:closing+1]).StringValue(0)
	if is != was[:start-before]+text+was[end-before:] {
		return nil
	}
	return []splice{{from, to, literal}}
}

// offset is where a byte of a text stands in the source, and the token of its literal;
// that of the end of the text is where the last literal closes. It is negative where the
// text is not written there.
func (s *Source) offset(p spot, was string, at int) (offset, token int) {
	if at == len(was) {
		last := s.tokens.At(p.end) - 1
		if value, ok := s.tokens.StringValue(last); ok && strings.HasSuffix(was, value) {
			return p.end - 1, last
		}
		return -1, 0
	}
	found := module.NewLines(s.text).Inside(p.start, was, []int{at})
	if len(found) == 0 {
		return -1, 0
	}
	return found[0], s.tokens.At(found[0]+1) - 1
}

// differing is the part of a text that another one has something else for.
func differing(was, is string) (start, end int, text string) {
	for start < min(len(was), len(is)) && was[start] == is[start] {
		start++
	}
	for start > 0 && start < len(was) && !utf8.RuneStart(was[start]) {
		start--
	}
	rest := 0
	for rest < min(len(was), len(is))-start && was[len(was)-1-rest] == is[len(is)-1-rest] {
		rest++
	}
	for rest > 0 && !utf8.RuneStart(was[len(was)-rest]) {
		rest--
	}
	return start, len(was) - rest, is[start : len(is)-rest]
}

// written is a value as it goes to a place: with its key where that has none.
func (s *Source) written(p spot, st style, v ordjson.Value) string {
	indent := Indent(s.text, p.start)
	if p.shorthand {
		return s.member(st, s.text[p.start:p.end], v, indent)
	}
	return string(st.value(nil, v, indent))
}

func (s *Source) member(st style, key string, v ordjson.Value, indent string) string {
	return string(st.value(append(st.key(nil, key), ' '), v, indent))
}

// styleOn is the style in which a value is replaced: a text keeps its quotes.
func (s *Source) styleOn(p spot) style {
	st := s.styleAt(p.key)
	if quote := s.text[p.start]; quote == '"' || quote == '\'' {
		st.quote = quote
	}
	return st
}

// styleAt is the style of the source around an offset.
func (s *Source) styleAt(offset int) style {
	m := ordjson.Member{KeyPos: int32(max(offset, 0))}
	i := s.tokens.At(int(m.KeyPos))
	if s.tokens.Kind(i) == module.String {
		if m.Key, _ = s.tokens.StringValue(i); !model.IsIdent(m.Key) || !s.tokens.Is(i+1, ":") {
			m.Key = ""
		}
	}
	around := m
	open := s.opener(i)
	if open >= 0 {
		around.KeyPos = s.tokens.List[open].Start
	}
	st := styleOf(s.tokens, around, m)
	st.trailing = open >= 0 && s.tokens.Is(int(s.tokens.List[open].Match)-1, ",")
	return st
}
