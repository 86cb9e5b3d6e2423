package zod

import (
	"math"
	"regexp"
	"slices"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// check is one constraint of the options.
type check struct {
	name  string  // min, max, length, regex
	n     float64 // bound
	text  string  // bound or pattern as written
	re    *regexp.Regexp
	flags bool // the pattern has flags, which JSON Schema cannot express
}

// Issue is why a value is refused, worded for the AI that sent it: what was
// given, what is allowed. It does not name the parameter.
type Issue struct {
	Rule string // "type", "enum", "min", "max", "length", "regex"
	Msg  string
}

// Check checks a value against the type and then against every option in order
// (chapter 02, "Validation Options"). Nothing is converted: "5" is not a
// number. No issues mean that the value is accepted.
func (s *Schema) Check(v ordjson.Value) []Issue { return s.check(v, new(words.Speller)) }

func (s *Schema) check(v ordjson.Value, speller *words.Speller) []Issue {
	if issue, ok := s.checkType(v); !ok {
		return []Issue{issue}
	}
	if s.typ == Enum {
		return s.checkEnum(v, speller)
	}
	var issues []Issue
	for _, c := range s.checks {
		if msg := c.refuses(s.typ, v); msg != "" {
			issues = append(issues, Issue{Rule: c.name, Msg: msg})
		}
	}
	return issues
}

// kinds are the JSON kinds of the types' values.
var kinds = map[Type]ordjson.Kind{
	Text: ordjson.String, Number: ordjson.Number, Boolean: ordjson.Bool,
	Enum: ordjson.String, Array: ordjson.Array, Object: ordjson.Object,
}

func (s *Schema) checkType(v ordjson.Value) (Issue, bool) {
	want, known := kinds[s.typ]
	if !known || v.Is(want) && (want != ordjson.Number || !math.IsInf(v.Float(), 0)) {
		return Issue{}, true
	}
	msg := "expected " + s.expected() + ", got " + describe(v)
	if v.Is(ordjson.String) && (s.typ != Text && s.typ != Enum) {
		if typed, err := s.FromText(v.Str()); err == nil {
			msg += "; send " + words.Brief(ordjson.Text(typed)) + " without the quotes"
		}
	} else if text := ordjson.Text(v); want == ordjson.String && (v.Is(ordjson.Number) || v.Is(ordjson.Bool)) {
		msg += "; send " + words.Quote(text) + " in quotes"
	}
	return Issue{Rule: "type", Msg: msg}, false
}

// expected names the type, and the values of an enum.
func (s *Schema) expected() string {
	switch s.typ {
	case Enum:
		if len(s.lists) > 0 {
			return "a string of a shared list"
		}
		return "one of " + s.allowed()
	case Array, Object:
		return "an " + string(s.typ)
	}
	return "a " + string(s.typ)
}

// allowed lists the values of an enum.
func (s *Schema) allowed() string { return words.QuoteList(s.values) }

func (s *Schema) allows(value string) bool {
	if s.set == nil {
		return slices.Contains(s.values, value)
	}
	_, ok := s.set[value]
	return ok
}

func (s *Schema) checkEnum(v ordjson.Value, speller *words.Speller) []Issue {
	if len(s.lists) > 0 || s.allows(v.Str()) {
		return nil
	}
	msg := "expected one of " + s.allowed() + ", got " + describe(v) + speller.DidYouMean(v.Str(), s.values)
	return []Issue{{Rule: "enum", Msg: msg}}
}

// refuses returns why the constraint refuses a value of the right type, or "".
func (c *check) refuses(typ Type, v ordjson.Value) string {
	if c.name == "regex" {
		if c.re.MatchString(v.Str()) {
			return ""
		}
		return "expected text that matches the pattern " + c.text + ", got " + describe(v)
	}
	given, unit := v.Float(), ""
	switch typ {
	case Text:
		given, unit = float64(Length(v.Str())), " characters"
	case Array:
		given, unit = float64(v.Len()), " items"
	}
	met, want := given >= c.n, "at least "
	switch c.name {
	case "max":
		met, want = given <= c.n, "at most "
	case "length":
		met, want = given == c.n, "exactly "
	}
	if met {
		return ""
	}
	if typ == Number {
		return "expected " + want + c.text + ", got " + describe(v)
	}
	return "expected " + want + c.text + unit + ", got " + plain(given) + ": " + describe(v)
}

// Length is the length of a string as JavaScript counts it: in UTF-16 code
// units, so that an emoji counts 2.
func Length(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 0xF0:
			n += 2
		case c < 0x80 || c >= 0xC0:
			n++
		}
	}
	return n
}

// bounds are the strongest limits of the options.
type bounds struct{ min, max float64 }

func (s *Schema) bounds() bounds {
	b := bounds{math.Inf(-1), math.Inf(1)}
	for _, c := range s.checks {
		if c.name == "min" || c.name == "length" {
			b.min = math.Max(b.min, c.n)
		}
		if c.name == "max" || c.name == "length" {
			b.max = math.Min(b.max, c.n)
		}
	}
	return b
}

func plain(n float64) string { return ordjson.Text(ordjson.NewNumber(n)) }

// describe names a value and its kind for a message.
func describe(v ordjson.Value) string {
	switch v.Kind() {
	case ordjson.Missing:
		return "nothing"
	case ordjson.Null:
		return "null"
	case ordjson.String:
		return "the string " + words.Quote(v.Str())
	}
	return "the " + v.Kind().String() + " " + words.Brief(ordjson.Text(v))
}
