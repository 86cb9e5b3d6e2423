package module

import (
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// wanted is a part of a value that is asked for, and the parts of it that are;
// one without parts asks for its place only.
type wanted struct {
	key   string
	parts []wanted
	index map[string]int // in parts, by key; nil of a few, where a map would cost more
}

// fewParts is up to how many parts are looked through one by one.
const fewParts = 16

// part returns the part of a key, nil where it is not asked for.
func (w *wanted) part(key string) *wanted {
	if w.index != nil {
		if i, ok := w.index[key]; ok {
			return &w.parts[i]
		}
		return nil
	}
	for i := range w.parts {
		if w.parts[i].key == key {
			return &w.parts[i]
		}
	}
	return nil
}

func (w *wanted) grow(key string) *wanted {
	w.parts = append(w.parts, wanted{key: key})
	last := len(w.parts) - 1
	switch {
	case w.index != nil:
		w.index[key] = last
	case last == fewParts:
		w.index = map[string]int{}
		for i := range w.parts {
			w.index[w.parts[i].key] = i
		}
	}
	return &w.parts[last]
}

// add asks for what a pointer points to.
func (w *wanted) add(pointer string) {
	for key := range ordjson.PointerKeys(pointer) {
		next := w.part(key)
		if next == nil {
			next = w.grow(key)
		}
		w = next
	}
}

// Find returns the export name of a module that Read has found to be literal
// before, for ordjson.Lookup to find the places of pointers in it. It reads no
// further than the export, and skips what no pointer leads through: such
// values are null.
func Find(src, name string, pointers []string) (ordjson.Value, error) {
	s := newScan(src)
	defer s.lit.Release()
	s.find, s.want = name, &wanted{}
	for _, p := range pointers {
		s.want.add(p)
	}
	if err := s.statements(func() bool { return s.mod.Has(name) }); err != nil {
		return ordjson.Value{}, err
	}
	return s.mod.Value(name)
}

// elementOf is element for the value of a key, if it is wanted.
func (l *literal) elementOf(key string) (ordjson.Value, error) {
	if l.want == nil {
		return l.element()
	}
	outer := l.want
	part := outer.part(key)
	if part == nil || part.parts == nil {
		start := l.pos
		return ordjson.NewNull().At(start), l.skip()
	}
	l.want = part
	v, err := l.element()
	l.want = outer
	return v, err
}

// skipped marks the bytes that skip has to look at; it runs over all others.
var skipped = [256]bool{'\'': true, '"': true, '`': true, '/': true, '\n': true, '{': true, '[': true, '}': true, ']': true, ',': true}

// skip skips a literal expression to the comma or the bracket behind it.
func (l *literal) skip() (err error) {
	src, pos, depth := l.src, l.pos, 0
	for {
		for pos < len(src) && !skipped[src[pos]] {
			pos++
		}
		if pos == len(src) {
			return l.syntax(pos, "unexpected end of file, expected a value")
		}
		switch c := src[pos]; c {
		case '\'', '"':
			pos, _, err = scanString(src, pos)
		case '`':
			pos, _, err = scanTemplate(src, pos+1)
		case '\n':
			pos = skipIndent(src, pos+1)
		case '/':
			if pos, _, err = skipSpace(src, pos); pos < len(src) && src[pos] == '/' {
				pos++ // no comment, and no literal either
			}
		case '{', '[':
			depth++
			pos++
		default:
			if depth == 0 {
				l.pos = pos
				return nil
			}
			if c != ',' {
				depth--
			}
			pos++
		}
		if err != nil {
			return err
		}
	}
}
