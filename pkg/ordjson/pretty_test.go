package ordjson

import (
	"strings"
	"testing"
)

// TestPretty: a file that is printed again looks as it did.
func TestPretty(t *testing.T) {
	v, err := Parse(`{"a":[1,{"b":"  x"}],"c":{}}`)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.NewReplacer("|", "\n", "_", "    ").Replace
	four := lines(`{|_"a": [|__1,|__{|___"b": "  x"|__}|_],|_"c": {}|}`)
	for like, want := range map[string]string{
		"":                         four + "\n",
		lines(`{|_"a": 1|}`):       four,
		"{\n\t\"a\": 1\n}\n":       strings.ReplaceAll(four, "    ", "\t") + "\n",
		"{\r\n  \"a\": 1\r\n}\r\n": strings.NewReplacer("    ", "  ", "\n", "\r\n").Replace(four) + "\r\n",
		// nothing has changed
		`{"a":[1, {"b":"  x"}],"c":{}} `:          `{"a":[1, {"b":"  x"}],"c":{}} `,
		"\uFEFF" + `{"a":[1,{"b":"  x"}],"c":{}}`: "\uFEFF" + `{"a":[1,{"b":"  x"}],"c":{}}`,
	} {
		if got := Pretty(v, like); got != want {
			t.Errorf("like %q: %q, want %q", like, got, want)
		}
	}
}
