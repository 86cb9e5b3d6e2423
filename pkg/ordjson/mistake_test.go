package ordjson

import (
	"errors"
	"testing"

	"github.com/flowmcp/fmcp/pkg/words"
)

// What JavaScript allows and JSON does not comes with what to do about it.
func TestMistakes(t *testing.T) {
	const written = "write the value out: " +
		"JSON has texts in double quotes, numbers, true, false, null, arrays and objects"
	for in, fix := range map[string]string{
		`{"a": 'x'}`:           "write texts and keys between double quotes",
		`{'a': 1}`:             "write texts and keys between double quotes",
		`{a: 1}`:               "write the key between double quotes",
		"{\"a\": 1,\n}":        "remove the comma before it",
		`[1, ]`:                "remove the comma before it",
		"{\n// why\n\"a\": 1}": "remove the comment: JSON has none",
		`[1 /* why */]`:        "remove the comment: JSON has none",
		"{\"a\": 1\n\"b\": 2}": "write a comma after the value before it",
		`[{} {}]`:              "write a comma after the value before it",
		`{"a": () => 1}`:       written,
		`{"a": undefined}`:     written,
		`{"a": }`:              "",
		`{"a"`:                 "",
		`[`:                    "",
	} {
		_, err := Parse(in)
		var syntax *words.SyntaxError
		if !errors.As(err, &syntax) || syntax.Fix != fix {
			t.Errorf("%s: %+v, want the fix %q", in, err, fix)
		}
	}
}
