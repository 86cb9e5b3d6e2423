package lsp

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/record"
)

// spot is what stands at a place in a source, and what holds it. It is found in the
// tokens before the place, so a source that cannot be read has spots too.
type spot struct {
	export  string   // by which the file exports what holds it all, "" for JSON
	path    []string // keys and indexes that lead to the object or array around it
	key     string   // of the member that it is in, or the index of the element
	value   bool     // a value, or a place for one; else a key
	quoted  bool
	keys    []string // of the object around it
	colon   bool     // a colon follows
	start   int      // of the text that is there, without quotes
	end     int
	written string // that text
}

// frame is a bracket that is open.
type frame struct {
	open  byte
	name  string // of the variable whose value it is
	key   string // of an object: the last one
	value bool   // of an object: the colon after the key has come
	index int    // of an array
	keys  []string
}

// step is the key or index of what comes next.
func (f *frame) step() string {
	if f.open == '[' {
		return strconv.Itoa(f.index)
	}
	return f.key
}

// scanner goes through tokens, and knows the brackets that are open.
type scanner struct {
	*module.Tokens
	open []*frame
	name string // of the variable that a value is being given to
}

// spotAt is the spot of an offset, false where it is in no object or array of a file.
func spotAt(src string, offset int) (spot, bool) {
	s := &scanner{Tokens: module.Tokenize(src)}
	i := 0
	for ; s.Kind(i) != module.EOF && !s.reaches(i, offset); i++ {
		s.take(i)
	}
	at := spot{start: offset, end: offset, colon: s.Is(i, ":")}
	switch t := s.List[i]; {
	case s.Kind(i) == module.String && int(t.Start) < offset, s.Kind(i) == module.Template && int(t.Start) < offset:
		at.quoted, at.start, at.end = true, int(t.Start)+1, int(t.End)-1
	case s.Kind(i) == module.EOF && int(t.Start) < offset: // of a text that is not closed
		line, _, _ := strings.Cut(src[t.Start:], "\n")
		if strings.ContainsRune("'\"`", rune(line[0])) && int(t.Start)+len(line) >= offset {
			at.quoted, at.start = true, int(t.Start)+1
		}
	case (s.Kind(i) == module.Ident || s.Kind(i) == module.Number) && int(t.Start) <= offset:
		at.start, at.end = int(t.Start), int(t.End)
	}
	at.end = max(at.end, at.start)
	at.written = src[at.start:at.end]
	at.colon = at.colon || at.end > at.start && s.Is(i+1, ":")
	if len(s.open) == 0 {
		return at, false
	}
	return at, s.hold(&at, i)
}

// hold says what holds the spot, whose token is i.
func (s *scanner) hold(at *spot, i int) bool {
	top := s.open[len(s.open)-1]
	at.export = s.open[0].name
	at.value = top.open == '[' || top.value
	if at.key = top.step(); !at.value {
		at.key = at.written
	}
	for _, f := range s.open {
		if f.open == '(' {
			return false
		}
	}
	for _, f := range s.open[:len(s.open)-1] {
		at.path = append(at.path, f.step())
	}
	for depth := len(s.open); len(s.open) >= depth && s.Kind(i) != module.EOF; i++ {
		s.take(i)
	}
	at.keys = top.keys
	if !at.value && at.colon { // the key itself is not there beside it
		at.keys = slices.DeleteFunc(slices.Clone(at.keys), func(k string) bool { return k == at.written })
	}
	return true
}

// reaches reports whether a token goes up to an offset, or begins after it.
func (s *scanner) reaches(i, offset int) bool {
	t := s.List[i]
	switch s.Kind(i) {
	case module.Ident, module.Number:
		return offset <= int(t.End)
	case module.String, module.Template:
		return offset < int(t.End)
	}
	return offset <= int(t.Start)
}

// take goes past a token.
func (s *scanner) take(i int) {
	var top *frame
	if len(s.open) > 0 {
		top = s.open[len(s.open)-1]
	}
	switch text := s.Text(i); {
	case s.Kind(i) != module.Punct:
		s.word(i, top)
	case text == "{" || text == "[" || text == "(":
		s.open = append(s.open, &frame{open: text[0], name: s.name})
		s.name = ""
	case top == nil:
	case text == "}" || text == "]" || text == ")":
		s.open = s.open[:len(s.open)-1]
	case text == "," && top.open == '[':
		top.index++
	case text == ",":
		top.key, top.value = "", false
	case text == ":" && top.open == '{' && !top.value:
		top.value = true
		top.keys = append(top.keys, top.key)
	}
}

// word goes past a token that is no punctuator: a key, or the name of a variable.
func (s *scanner) word(i int, top *frame) {
	switch {
	case top == nil && s.Is(i+1, "="):
		s.name = s.Name(i)
	case top != nil && top.open == '{' && !top.value:
		top.key = s.Text(i)
		if text, ok := s.StringValue(i); ok {
			top.key = text
		}
	}
}

// object is the table's object that a file exports, nil for none. load is of its last
// text that could be read, nil for none: it knows what main is where older files export
// that in place of an agent, say.
func (at *spot) object(file string, load *record.Load) *fields.Object {
	if at.export == "" && path.Base(file) == "registry.json" {
		return fields.Registry
	}
	if at.export == "main" && load != nil && load.Type != record.TypeSchema {
		return fields.Exported(string(load.Type))
	}
	return fields.Exported(at.export)
}

// types are what may stand at the spot of a value.
func (at *spot) types(o *fields.Object) []*fields.Type {
	return o.At(append(slices.Clone(at.path), at.key)...)
}

// holders are the objects that what holds the spot may be.
func (at *spot) holders(o *fields.Object) []*fields.Object {
	var list []*fields.Object
	for _, t := range o.At(at.path...) {
		list = append(list, t.Objects()...)
	}
	return list
}

// isIndex reports whether a step on the way to a spot is the index of an element.
func isIndex(step string) bool {
	_, err := strconv.Atoi(step)
	return err == nil
}
