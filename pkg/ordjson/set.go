package ordjson

import (
	"slices"
	"strconv"
	"strings"
)

// Set holds values and finds one that is Equal to another in one step, where
// comparing it with each would take as many. The zero Set is empty.
type Set struct{ keys map[string]struct{} }

// SetOf returns the set of values.
func SetOf(values []Value) *Set {
	s := &Set{keys: make(map[string]struct{}, len(values))}
	for _, v := range values {
		s.Add(v)
	}
	return s
}

// Add puts v into the set.
func (s *Set) Add(v Value) {
	var buf [64]byte
	if key := appendSetKey(buf[:0], v); !s.has(key) {
		if s.keys == nil {
			s.keys = map[string]struct{}{}
		}
		s.keys[string(key)] = struct{}{}
	}
}

// Has reports whether the set holds a value that is Equal to v.
func (s *Set) Has(v Value) bool {
	var buf [64]byte
	return s.has(appendSetKey(buf[:0], v))
}

func (s *Set) has(key []byte) bool {
	_, ok := s.keys[string(key)]
	return ok
}

// appendSetKey appends a text that v shares with what is Equal to it, and with
// nothing else: JSON with sorted keys, and numbers as what they are worth.
func appendSetKey(b []byte, v Value) []byte {
	switch v.Kind() {
	case Number:
		return strconv.AppendFloat(b, v.Float()+0, 'g', -1, 64) // -0 + 0 is 0
	case Array:
		b = append(b, '[')
		for _, e := range v.elems() {
			b = append(appendSetKey(b, e), ',')
		}
		return append(b, ']')
	case Object:
		members := slices.SortedFunc(slices.Values(v.members()),
			func(x, y Member) int { return strings.Compare(x.Key, y.Key) })
		b = append(b, '{')
		for _, m := range members {
			b = append(appendSetKey(m.appendKey(b), m.Value), ',')
		}
		return append(b, '}')
	}
	return Append(append(b, byte(v.Kind())), v)
}
