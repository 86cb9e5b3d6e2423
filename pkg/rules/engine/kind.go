package engine

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Kind is what a field must be.
type Kind struct {
	is       func(ordjson.Value) bool
	expected string // as messages say it
	optional bool   // the field need not be there
	misspelt bool   // but if it is, by another name, that is reported
	strings  bool   // of more than one it is the first that is not a string that is reported
	// propose is a fix for what is there, "" where the row's own is as good.
	propose func(field string, v ordjson.Value) string
	// correct is the value that was meant, Missing where a machine cannot say; safe as
	// Finding.Fixed has it.
	correct func(v ordjson.Value) (meant ordjson.Value, safe bool)
}

// What fields are. Text is a string that is not blank, Some an array that is not
// empty.
var (
	Present = Kind{is: ordjson.Value.Exists}
	Absent  = Kind{is: func(v ordjson.Value) bool { return !v.Exists() }}
	Object  = kindOf(ordjson.Object, "an object")
	Array   = kindOf(ordjson.Array, "an array")
	String  = kindOf(ordjson.String, "a string")
	Bool    = kindOf(ordjson.Bool, "true or false")
	Text    = Kind{expected: "a string that is not empty", is: func(v ordjson.Value) bool { return Trimmed(v) != "" }}
	Strings = Kind{expected: "an array of strings", is: isStrings, strings: true, propose: proposeStrings,
		correct: correctStrings}
	Some  = Kind{is: func(v ordjson.Value) bool { return v.Is(ordjson.Array) && v.Len() > 0 }}
	Texts = Kind{is: func(v ordjson.Value) bool { return isStrings(v) && v.Len() > 0 }, strings: true}
	Whole = Kind{is: func(v ordjson.Value) bool {
		return v.Float() >= 1 && v.Float() == math.Trunc(v.Float()) && !math.IsInf(v.Float(), 0)
	}}
	Above0 = Kind{is: func(v ordjson.Value) bool { return v.Float() > 0 }}
	Semver = Matching("a version such as '1.0.0'", IsSemver, nil).correctedBy(ToSemver)
	Kebab  = Matching("lower-case letters, digits and hyphens, a letter first", IsKebab, ToNamespace)
	Camel  = Matching("letters and digits, a lower-case letter first", IsCamel, ToCamel)
	Method = WordOf(fields.Tool, "method")
	Path   = Kind{expected: "a string that starts with /", is: isPath, propose: proposePath}
)

// Is reports whether a value is of the kind.
func (k Kind) Is(v ordjson.Value) bool { return k.is(v) }

// As is the kind as a message says it in other words.
func (k Kind) As(expected string) Kind {
	k.expected = expected
	return k
}

// Optional is the kind of a field that need not be there.
func (k Kind) Optional() Kind {
	k.optional = true
	return k
}

// UnlessMisspelt is Optional for a field of whose objects no rule reports what is
// unknown.
func (k Kind) UnlessMisspelt() Kind {
	k.optional, k.misspelt = true, true
	return k
}

// Being is what a function says.
func Being(expected string, is func(ordjson.Value) bool) Kind {
	return Kind{expected: expected, is: is}
}

// OfStrings is a kind of which the first element is reported that is not a
// string.
func (k Kind) OfStrings() Kind {
	k.strings = true
	return k
}

// OneOf is one of some words.
func OneOf(list ...string) Kind {
	expected := strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
	if len(list) == 1 {
		expected = list[0]
	}
	return Kind{
		expected: expected,
		correct:  func(v ordjson.Value) (ordjson.Value, bool) { return correctWord(v, list) },
		is:       func(v ordjson.Value) bool { return slices.Contains(list, v.Str()) },
		propose: func(field string, v ordjson.Value) string {
			near, ok := words.Closest(Trimmed(v), list)
			if !ok {
				return ""
			}
			return "did you mean " + strconv.Quote(near) + "? write " + field + ": '" + near + "'"
		},
	}
}

// WordOf is one of the words that a field may have.
func WordOf(o *fields.Object, name string) Kind { return OneOf(o.Words(name)...) }

// Matching is a text of some form; propose, which may be nil, makes one of
// another text, or "".
func Matching(expected string, is func(string) bool, propose func(string) string) Kind {
	k := Kind{expected: expected, is: func(v ordjson.Value) bool { return v.Is(ordjson.String) && is(v.Str()) }}
	if propose != nil {
		k.propose = func(field string, v ordjson.Value) string { return Write(field, propose(v.Str()), "") }
	}
	return k
}

// correctedBy is a kind of text that a function makes of another one, or "".
func (k Kind) correctedBy(meant func(string) string) Kind {
	k.correct = func(v ordjson.Value) (ordjson.Value, bool) {
		if text := meant(v.Str()); text != "" {
			return ordjson.NewString(text), true
		}
		return ordjson.Value{}, false
	}
	return k
}

// correctWord is the word of a list that is meant: safe where only case and blanks
// differ.
func correctWord(v ordjson.Value, list []string) (ordjson.Value, bool) {
	text := Trimmed(v)
	for _, w := range list {
		if strings.EqualFold(text, w) {
			return ordjson.NewString(w), true
		}
	}
	if near, ok := words.Closest(text, list); ok {
		return ordjson.NewString(near), false
	}
	return ordjson.Value{}, false
}

// correctStrings makes an array of a text that stands alone.
func correctStrings(v ordjson.Value) (ordjson.Value, bool) {
	if text := Trimmed(v); text != "" {
		return ordjson.Strings([]string{text}), true
	}
	return ordjson.Value{}, false
}

func kindOf(kind ordjson.Kind, expected string) Kind {
	return Kind{expected: expected, is: func(v ordjson.Value) bool { return v.Is(kind) }}
}

func isStrings(v ordjson.Value) bool {
	return v.Is(ordjson.Array) && !slices.ContainsFunc(v.Elems(),
		func(e ordjson.Value) bool { return !e.Is(ordjson.String) })
}

func isPath(v ordjson.Value) bool { return strings.HasPrefix(v.Str(), "/") }

// proposeStrings writes a text that stands alone as the array that it must be.
func proposeStrings(field string, v ordjson.Value) string {
	if text := Trimmed(v); text != "" {
		return "write " + field + ": [ '" + text + "' ]"
	}
	return ""
}

// proposePath writes what was meant as the path of a tool.
func proposePath(field string, v ordjson.Value) string {
	switch text := v.Str(); {
	case strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://"):
		return "put scheme and host into main.root and leave the path here"
	case text != "":
		return "write " + field + ": '/" + text + "'"
	}
	return ""
}
