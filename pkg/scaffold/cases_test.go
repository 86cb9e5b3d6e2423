package scaffold

import (
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func TestCases(t *testing.T) {
	in := func(key, primitive string, options ...string) Input {
		return Input{Name: key, Param: Param{Key: key, Primitive: primitive, Options: options}}
	}
	with := func(in Input, examples ...ordjson.Value) Input {
		in.Examples = examples
		return in
	}
	text := ordjson.NewString
	tests := []struct {
		name   string
		inputs []Input
		want   []string // without descriptions
		open   []string
	}{
		{"none", nil, []string{"{}", "{}", "{}"}, nil},
		{"examples first, then their neighbours", []Input{with(in("n", "number()"), ordjson.NewInt(7))},
			[]string{`{"n":7}`, `{"n":6}`, `{"n":5}`}, nil},
		{"values of an enum in turn", []Input{in("e", "enum(a,b,c)")},
			[]string{`{"e":"a"}`, `{"e":"b"}`, `{"e":"c"}`}, nil},
		{"within limits", []Input{in("n", "number()", "min(5)", "max(6)"), in("s", "string()", "max(4)")},
			[]string{`{"n":5,"s":"e-me"}`, `{"n":6,"s":"e-me"}`, `{"n":5,"s":"me-1"}`}, []string{"s"}},
		{"an example that is refused", []Input{with(in("n", "number()", "max(3)"), ordjson.NewInt(9))},
			[]string{`{"n":1}`, `{"n":3}`, `{"n":2}`}, nil},
		{"two ways only", []Input{in("b", "boolean()")}, []string{`{"b":true}`, `{"b":false}`, `{"b":true}`}, nil},
		{"optional without example", []Input{in("b", "boolean()", "optional()")},
			[]string{`{}`, `{"b":true}`, `{"b":false}`}, nil},
		{"default", []Input{in("n", "number()", "default(20)")}, []string{`{}`, `{"n":20}`, `{"n":19}`}, nil},
		{"nobody knows", []Input{in("s", "string()")},
			[]string{`{"s":"replace-me"}`, `{"s":"replace-me-1"}`, `{"s":"replace-me-2"}`}, []string{"s"}},
		{"a key", []Input{with(in("api_key", "string()", "optional()"), text("s3cret"))},
			[]string{`{}`, `{"api_key":"replace-me"}`, `{"api_key":"replace-me-1"}`}, []string{"api_key"}},
		{"a number that is text", []Input{with(in("s", "string()"), ordjson.NewInt(7), text("8"), text("9"))},
			[]string{`{"s":"7"}`, `{"s":"8"}`, `{"s":"9"}`}, nil},
		{"fixed", []Input{{Param: Param{Key: "f", Value: "x"}}, with(in("s", "string()", "optional()"), text("a"))},
			[]string{`{"s":"a"}`, `{}`, `{"s":"replace-me"}`}, []string{"s"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list, open := Cases(tt.inputs)
			var got []string
			for _, test := range list {
				if test.Get("_description").Str() == "" {
					t.Errorf("%s has no description", ordjson.Text(test))
				}
				got = append(got, ordjson.Text(ordjson.NewObject(test.Members()[1:]...)))
			}
			if !slices.Equal(got, tt.want) || !slices.Equal(open, tt.open) {
				t.Errorf("got %s, open %v", strings.Join(got, " "), open)
			}
		})
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{"a {b}\n c": "a {b} c", "{{x}}": "{ {x} }", "{{{x}}}": "{ { {x} } }"} {
		if got := Plain(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
