package zod

import (
	"errors"
	"math"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// FromText makes a typed value of a text, as a command line (limit=5) or
// default() gives it: a number, true or false, JSON for arrays and objects, and
// the text itself for strings and enums, so that an enum of digits stays one of
// strings. Big integers keep their digits. It does not apply the options; see
// Check.
func (s *Schema) FromText(text string) (ordjson.Value, error) {
	switch s.typ {
	case Number:
		v, err := ordjson.Parse(text)
		if err != nil || !v.Is(ordjson.Number) || math.IsInf(v.Float(), 0) {
			return ordjson.Value{}, errors.New("expected a number such as 5 or 0.25, got " + words.Quote(text))
		}
		return v, nil
	case Boolean:
		if text == "true" || text == "false" {
			return ordjson.NewBool(text == "true"), nil
		}
		return ordjson.Value{}, errors.New("expected true or false, got " + words.Quote(text))
	case Array:
		return fromJSON(text, ordjson.Array, `["a","b"]`)
	case Object:
		return fromJSON(text, ordjson.Object, `{"key":"value"}`)
	}
	return ordjson.NewString(text), nil
}

func fromJSON(text string, want ordjson.Kind, example string) (ordjson.Value, error) {
	v, err := ordjson.Parse(text)
	if err == nil && v.Is(want) {
		return v, nil
	}
	return ordjson.Value{}, errors.New("expected a JSON " + want.String() + " such as " + example + ", got " +
		words.Quote(text))
}

// JSONSchema is the block as JSON Schema, for the input schema of a tool: type
// and enum, the strongest bounds, the pattern, the default. Whether the
// parameter is required is not in it; see Optional.
func (s *Schema) JSONSchema() ordjson.Value {
	var m []ordjson.Member
	add := func(key string, v ordjson.Value) { m = append(m, ordjson.Field(key, v)) }
	switch s.typ {
	case Unknown:
	case Enum:
		add("type", ordjson.NewString("string"))
		if len(s.lists) == 0 && len(s.values) > 0 {
			add("enum", ordjson.Strings(s.values))
		}
	default:
		add("type", ordjson.NewString(string(s.typ)))
	}
	b := s.bounds()
	switch s.typ {
	case Number:
		b.add(add, "minimum", "maximum")
	case Text:
		b.whole().add(add, "minLength", "maxLength")
	case Array:
		// Chapter 02 has no type of elements, and model APIs refuse an array
		// that says nothing about them.
		add("items", ordjson.NewObject())
		b.whole().add(add, "minItems", "maxItems")
	}
	for _, c := range s.checks {
		// JSON Schema has one pattern and no flags; Check applies them all.
		if c.name == "regex" && !c.flags {
			add("pattern", ordjson.NewString(c.text))
			break
		}
	}
	if s.def.Exists() {
		add("default", s.def)
	}
	return ordjson.NewObject(m...)
}

// whole are the bounds as lengths, which JSON Schema wants as integers of 0 or
// more; -Inf and +Inf mean that there is none.
func (b bounds) whole() bounds {
	if b.min = math.Ceil(b.min); b.min <= 0 {
		b.min = math.Inf(-1)
	}
	if b.max = math.Floor(b.max); b.max < 0 {
		b.max = math.Inf(1)
	}
	return b
}

func (b bounds) add(add func(string, ordjson.Value), low, high string) {
	if !math.IsInf(b.min, 0) {
		add(low, ordjson.NewNumber(b.min))
	}
	if !math.IsInf(b.max, 0) {
		add(high, ordjson.NewNumber(b.max))
	}
}
