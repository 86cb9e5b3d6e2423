package zod

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Field is a parameter of a tool or a query as its input knows it.
type Field struct {
	Key    string
	Source model.Source
	Z      *Schema
}

// InputKind says what is wrong with an input.
type InputKind uint8

// The kinds of what is wrong with an input.
const (
	UnknownKey InputKind = iota // there is no parameter of that key
	// a fixed or a server parameter, which callers do not give (chapter 02, "Value Types")
	HiddenKey
	MissingKey   // required and not given
	RefusedValue // does not pass its z-block
)

// InputIssue is one thing that is wrong with an input.
type InputIssue struct {
	Kind  InputKind
	Key   string
	Field *Field // of that key; nil for UnknownKey
	Msg   string // RefusedValue: the Issue's text; MissingKey: what the parameter takes
}

// CheckInput holds what is given for parameters, an object, against them, as
// Input.Issues does. It returns the values of the user parameters by key,
// defaults applied (decision "Defaults"). Keys in skip are left out.
func CheckInput(fields []Field, given ordjson.Value, skip ...string) (map[string]ordjson.Value, []InputIssue) {
	in := NewInput(fields)
	values := map[string]ordjson.Value{}
	for _, m := range given.Members() {
		if i := in.find(m.Key); i >= 0 && fields[i].Source == model.User && !slices.Contains(skip, m.Key) {
			values[m.Key] = m.Value
		}
	}
	for i := range fields {
		f := &fields[i]
		if f.Source != model.User || values[f.Key].Exists() {
			continue
		}
		if d, ok := f.Z.Default(); ok && in.find(f.Key) == i {
			values[f.Key] = d
		}
	}
	return values, in.Issues(given, math.MaxInt, skip...)
}

// Input is what parameters take together, for one call or for many: it is made
// once for all tests of a tool.
type Input struct {
	// Speller makes the suggestions; there may be many tests with values that
	// large enums do not have.
	Speller *words.Speller

	fields   []Field
	byKey    map[string]int // nil where there are few
	required []int          // places of the fields that must be given
}

// mapFrom is the number of fields from which on a map finds one faster than
// looking through them.
const mapFrom = 24

// NewInput returns the input of a tool or a query. fields must not change
// any more.
func NewInput(fields []Field) *Input {
	in := &Input{Speller: new(words.Speller), fields: fields}
	if len(fields) >= mapFrom {
		in.byKey = make(map[string]int, len(fields))
		for i := range fields {
			if known, ok := in.byKey[fields[i].Key]; !ok ||
				fields[known].Source != model.User && fields[i].Source == model.User {
				in.byKey[fields[i].Key] = i
			}
		}
	}
	for i := range fields {
		// Two parameters of one key are one input, that of the first.
		if f := &fields[i]; f.Source == model.User && !f.Z.Optional() && in.find(f.Key) == i {
			in.required = append(in.required, i)
		}
	}
	return in
}

// find returns the place of the field of a key: the first that the caller
// gives, or else the first that is hidden; -1 if there is none.
func (in *Input) find(key string) int {
	if in.byKey != nil {
		if i, ok := in.byKey[key]; ok {
			return i
		}
		return -1
	}
	hidden := -1
	for i := range in.fields {
		switch f := &in.fields[i]; {
		case f.Key != key:
		case f.Source == model.User:
			return i
		case hidden < 0:
			hidden = i
		}
	}
	return hidden
}

// Issues says what is wrong with what is given, an object: unknown keys and
// hidden ones in the order of the object, then missing ones and refused values
// in that of the parameters; the first most of all that. Calls and the tests of
// a schema are checked by it alike (chapter 10, "Parameter Values"). Keys in
// skip are left out. Its work is that of what is given and missing, however
// many parameters there are.
func (in *Input) Issues(given ordjson.Value, most int, skip ...string) []InputIssue {
	type at struct {
		place int
		InputIssue
	}
	var strange []InputIssue
	var wrong []at
	got := make(map[string]bool, given.Len())
	for _, m := range given.Members() {
		i := in.find(m.Key)
		switch {
		case slices.Contains(skip, m.Key):
		case i < 0:
			strange = append(strange, InputIssue{Kind: UnknownKey, Key: m.Key})
		case in.fields[i].Source != model.User:
			strange = append(strange, InputIssue{Kind: HiddenKey, Key: m.Key, Field: &in.fields[i]})
		default:
			got[m.Key] = true
			for _, issue := range in.fields[i].refuses(m.Value, in.Speller) {
				wrong = append(wrong, at{i, issue})
			}
		}
	}
	missing := 0
	for _, i := range in.required {
		if f := &in.fields[i]; !got[f.Key] {
			if missing++; missing > most {
				break
			}
			wrong = append(wrong, at{i, InputIssue{Kind: MissingKey, Key: f.Key, Field: f, Msg: f.Z.Wanted()}})
		}
	}
	slices.SortStableFunc(wrong, func(a, b at) int { return cmp.Compare(a.place, b.place) })
	for _, w := range wrong {
		strange = append(strange, w.InputIssue)
	}
	return strange[:min(len(strange), most)]
}

// refuses checks a value against the field's z-block.
func (f *Field) refuses(v ordjson.Value, speller *words.Speller) []InputIssue {
	var issues []InputIssue
	for _, issue := range f.Z.check(v, speller) {
		if v.Is(ordjson.Null) && f.Z.Optional() {
			issue.Msg += "; leave an optional parameter out instead"
		}
		issues = append(issues, InputIssue{Kind: RefusedValue, Key: f.Key, Field: f, Msg: issue.Msg})
	}
	return issues
}

// Wanted names what a block accepts: "a number", "one of a, b, c".
func (s *Schema) Wanted() string {
	const shown = 6
	switch {
	case len(s.values) > shown:
		return "one of " + strings.Join(s.values[:shown], ", ") + ", …"
	case len(s.values) > 0:
		return "one of " + strings.Join(s.values, ", ")
	case s.typ == Unknown:
		return "a value"
	case s.typ == Array || s.typ == Object || s.typ == Enum:
		return "an " + string(s.typ)
	}
	return "a " + string(s.typ)
}
