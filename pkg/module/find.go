package module

import (
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// wanted is a part of a value that is asked for, and the parts of it that are;
// one without parts asks for its place only. They are few: a map would cost
// more.
type wanted struct {
	key   string
	parts []wanted
}

// part returns the part of a key, nil where it is not asked for.
func (w *wanted) part(key string) *wanted {
	for i := range w.parts {
		if w.parts[i].key == key {
			return &w.parts[i]
		}
	}
	return nil
}

// add asks for what a pointer points to.
func (w *wanted) add(pointer string) {
	for key := range ordjson.PointerKeys(pointer) {
		next := w.part(key)
		if next == nil {
			w.parts = append(w.parts, wanted{key: key})
			next = &w.parts[len(w.parts)-1]
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

// skip skips a literal expression to the comma or the bracket behind it.
func (l *literal) skip() (err error) {
	for depth := 0; l.pos < len(l.src); {
		switch c := l.src[l.pos]; c {
		case '\'', '"':
			l.pos, _, err = scanString(l.src, l.pos)
		case '`':
			l.pos, _, err = scanTemplate(l.src, l.pos+1)
		case ' ', '\n', '/':
			l.pos, _, err = skipSpace(l.src, l.pos)
		case '{', '[':
			depth++
			l.pos++
		case '}', ']', ',':
			if depth == 0 {
				return nil
			}
			if c != ',' {
				depth--
			}
			l.pos++
		default:
			l.pos++
		}
		if err != nil {
			return err
		}
	}
	return l.syntax(l.pos, "unexpected end of file, expected a value")
}
