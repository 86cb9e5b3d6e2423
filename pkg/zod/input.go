package zod

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
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
	UnknownKey   InputKind = iota // nobody has a parameter of that key
	HiddenKey                     // a fixed or a server parameter, which nobody gives (chapter 02, "Value Types")
	MissingKey                    // required and not given
	RefusedValue                  // does not pass its z-block
)

// InputIssue is one thing that is wrong with an input.
type InputIssue struct {
	Kind  InputKind
	Key   string
	Field *Field // of that key; nil for UnknownKey
	Msg   string // RefusedValue: the Issue's text; MissingKey: what the parameter takes
}

// CheckInput holds what is given for parameters, an object, against them:
// unknown keys and hidden ones in the order of the object, then missing ones
// and refused values in that of the parameters. It returns the values of the
// user parameters by key, defaults applied (READINGS 21). Calls and the tests
// of a schema are checked by it alike (chapter 10, "Parameter Values"). Keys in
// skip are left out.
func CheckInput(fields []Field, given ordjson.Value, skip ...string) (map[string]ordjson.Value, []InputIssue) {
	values := map[string]ordjson.Value{}
	var issues []InputIssue
	fieldOf := fieldsByKey(fields)
	for _, m := range given.Members() {
		f := fieldOf(m.Key)
		switch {
		case slices.Contains(skip, m.Key):
		case f == nil:
			issues = append(issues, InputIssue{Kind: UnknownKey, Key: m.Key})
		case f.Source != model.User:
			issues = append(issues, InputIssue{Kind: HiddenKey, Key: m.Key, Field: f})
		default:
			values[m.Key] = m.Value
		}
	}
	for i := range fields {
		// Two parameters of one key are one input, that of the first.
		if f := &fields[i]; f.Source == model.User && f == fieldOf(f.Key) {
			issues = append(issues, f.check(values)...)
		}
	}
	return values, issues
}

// mapFrom is the number of fields from which on a map finds one faster than
// looking through them.
const mapFrom = 24

// fieldsByKey finds the field of a key: the first that the caller gives, or else
// the first that is hidden.
func fieldsByKey(fields []Field) func(key string) *Field {
	if len(fields) < mapFrom {
		return func(key string) *Field {
			var hidden *Field
			for i := range fields {
				f := &fields[i]
				switch {
				case f.Key != key:
				case f.Source == model.User:
					return f
				case hidden == nil:
					hidden = f
				}
			}
			return hidden
		}
	}
	byKey := make(map[string]*Field, len(fields))
	for i := range fields {
		f := &fields[i]
		if known := byKey[f.Key]; known == nil || known.Source != model.User && f.Source == model.User {
			byKey[f.Key] = f
		}
	}
	return func(key string) *Field { return byKey[key] }
}

func (f *Field) check(values map[string]ordjson.Value) []InputIssue {
	v := values[f.Key]
	if !v.Exists() {
		if d, ok := f.Z.Default(); ok {
			values[f.Key] = d
		} else if !f.Z.Optional() {
			return []InputIssue{{Kind: MissingKey, Key: f.Key, Field: f, Msg: f.Z.Wanted()}}
		}
		return nil
	}
	var issues []InputIssue
	for _, issue := range f.Z.Check(v) {
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
