package complete

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func TestValues(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"string","enum":["b","a"],"examples":["a"]}`:       "b a",
		`{"type":"number","enum":[1,2.50]}`:                         "1 2.50",
		`{"type":"boolean"}`:                                        "true false",
		`{"type":"string","examples":["x","y"]}`:                    "x y",
		`{"type":"array","items":{"type":"string","enum":["p"]}}`:   "p",
		`{"type":"array","items":{"type":"number"},"examples":[1]}`: "",
		`{"type":"string","description":"any"}`:                     "",
		`{}`:                                                        "",
	} {
		v, err := ordjson.Parse(schema)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(Values(v), " "); got != want {
			t.Errorf("%s takes %q, want %q", schema, got, want)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, tc := range []struct{ values, typed, want string }{
		{"berlin bonn hamburg", "b", "berlin bonn hamburg"},
		{"hamburg bonn Berlin", "B", "bonn Berlin hamburg"},
		{"berlin bonn", "lin", "berlin"},
		{"berlin bonn", "x", ""},
		{"a b", "", "a b"},
		{"", "a", ""},
	} {
		got, total := Match(strings.Fields(tc.values), tc.typed)
		if strings.Join(got, " ") != tc.want || total != len(got) || got == nil {
			t.Errorf("%q of %s gives %q, %d", tc.typed, tc.values, got, total)
		}
	}
	var many []string
	for i := range 250 {
		many = append(many, fmt.Sprintf("x%d", i))
	}
	if got, total := Match(append(many, "1"), "1"); len(got) != 100 || total != 134 || got[0] != "1" || got[1] != "x1" {
		t.Errorf("%d of %d values, first %v", len(got), total, got[:2])
	}
}
