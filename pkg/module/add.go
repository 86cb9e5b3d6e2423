package module

import (
	"math"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// add is JavaScript's + of two primitive values. text is that of a where it is a
// string that has been added to before: it grows in place, since a value of a
// hundred thousand parts must not be copied for each.
func (l *literal) add(a ordjson.Value, text []byte, b ordjson.Value, at int) (ordjson.Value, []byte, error) {
	for _, v := range []ordjson.Value{a, b} {
		if v.Is(ordjson.Object) || v.Is(ordjson.Array) {
			return a, nil, l.notLiteral(at, "+ of an "+v.Kind().String())
		}
	}
	if a.Is(ordjson.String) || b.Is(ordjson.String) {
		if text == nil {
			text = append([]byte{}, toString(a)...)
		}
		return ordjson.NewString("").At(a.Pos()), ordjson.AppendConcat(text, toString(b)), nil
	}
	return newNumber(toNumber(a) + toNumber(b)).At(a.Pos()), nil, nil
}

// newNumber is ordjson.NewNumber, but NaN and the infinities stay numbers as
// long as + may follow them; stored makes null of them.
func newNumber(f float64) ordjson.Value {
	switch {
	case math.IsNaN(f):
		return ordjson.NewNumberText("NaN")
	case math.IsInf(f, 1):
		return ordjson.NewNumberText("Infinity")
	case math.IsInf(f, -1):
		return ordjson.NewNumberText("-Infinity")
	}
	return ordjson.NewNumber(f)
}

// stored returns v as JSON.stringify prints it where it is stored.
func stored(v ordjson.Value) ordjson.Value {
	if !v.Is(ordjson.Number) {
		return v
	}
	if text := v.NumberText(); text[len(text)-1] > '9' {
		return ordjson.NewNull().At(v.Pos())
	}
	return v
}

// toString is ECMAScript's ToString of a primitive.
func toString(v ordjson.Value) string {
	if v.Is(ordjson.String) {
		return v.Str()
	}
	return ordjson.Text(v)
}

// toNumber is ECMAScript's ToNumber of a primitive that is not a string.
func toNumber(v ordjson.Value) float64 {
	if v.True() {
		return 1
	}
	return v.Float()
}
