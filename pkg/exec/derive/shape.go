// Package derive makes the output of a tool (chapter 04) from responses of it,
// and a patch that writes it into the schema's source: steps 5 and 6 of the
// response capture lifecycle (chapter 10).
//
// What it says is what the responses show and nothing beyond: no enum, no
// format, no range is guessed. What an author has written about the output
// before is kept as far as the responses bear it out.
package derive

import (
	"math/bits"
	"slices"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

const (
	// maxKeys is how many properties of one object are described. One with more
	// of them has data for keys: currencies, days, the ids that were asked for.
	maxKeys = 100
	// maxShapes is how many properties are described in all: a response of 10
	// MiB may hold a million, and a schema of that size is of no use.
	maxShapes = 1000
)

// shape is what the responses have shown of one place of the output.
type shape struct {
	declared ordjson.Value // the schema that the source has for it; Missing where none
	kinds    uint8         // a bit for each ordjson.Kind
	objects  int           // objects with properties
	keys     []string      // of the properties, in the order first seen
	props    map[string]*property
	tooMany  bool   // there are more keys than props
	items    *shape // of all elements; nil where all arrays were empty
	deeper   bool   // something is below model.MaxOutputDepth
	stray    string // JSON of the first value that is not in the declared enum
}

// property is the shape of a property and how many objects have it.
type property struct {
	shape
	seen int
}

const null = 1 << ordjson.Null

// only is the kind of all values but null, Missing if there are none; ok is
// false where there are several.
func (s *shape) only() (k ordjson.Kind, ok bool) {
	switch rest := s.kinds &^ null; bits.OnesCount8(rest) {
	case 0:
		return ordjson.Missing, true
	case 1:
		return ordjson.Kind(bits.TrailingZeros8(rest)), true
	}
	return ordjson.Missing, false
}

// add notes a value. room is how many more properties may be noted.
func (s *shape) add(v ordjson.Value, depth int, room *int) {
	s.kinds |= 1 << v.Kind()
	if enum := s.declared.Get("enum"); s.stray == "" && !v.Is(ordjson.Null) && enum.Is(ordjson.Array) {
		if !slices.ContainsFunc(enum.Elems(), func(e ordjson.Value) bool { return ordjson.Equal(e, v) }) {
			s.stray = ordjson.Text(v)
		}
	}
	switch {
	case v.Len() == 0:
	case depth == model.MaxOutputDepth:
		s.deeper = true
	case v.Is(ordjson.Object):
		s.objects++
		for _, m := range v.Members() {
			if p := s.property(m.Key, room); p != nil {
				p.seen++
				p.add(m.Value, depth+1, room)
			}
		}
	default:
		if s.items == nil {
			s.items = &shape{declared: s.declared.Get("items")}
		}
		for _, e := range v.Elems() {
			s.items.add(e, depth+1, room)
		}
	}
}

// property is that of a key, nil where there are too many. Those that the
// source declares are always noted: they are the author's choice, and few.
func (s *shape) property(key string, room *int) *property {
	if p := s.props[key]; p != nil {
		return p
	}
	declared := s.declared.Get("properties").Get(key)
	if !declared.Exists() && (len(s.keys) >= maxKeys || *room == 0) {
		s.tooMany = true
		return nil
	}
	*room = max(*room-1, 0)
	if s.props == nil {
		s.props = map[string]*property{}
	}
	p := &property{shape: shape{declared: declared}}
	s.keys, s.props[key] = append(s.keys, key), p
	return p
}

// dataForKeys reports whether the keys of the objects name data and not
// properties, as in { bitcoin: { usd: 1 } }: no object shares one with all the
// others, and what they hold is all alike.
func (s *shape) dataForKeys() bool {
	if s.tooMany {
		return true
	}
	var kinds uint8
	for _, p := range s.props {
		if p.seen == s.objects {
			return false
		}
		kinds |= p.kinds &^ null
	}
	return s.objects > 1 && bits.OnesCount8(kinds) == 1
}
