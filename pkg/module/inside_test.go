package module

import (
	"slices"
	"strings"
	"testing"
)

func TestInside(t *testing.T) {
	for name, c := range map[string]struct{ src, text, want string }{
		"template":          {"`a\n  {{x}} b\n{{y}}`", "a\n  {{x}} b\n{{y}}", "{{x}} b|{{y}}`"},
		"escapes":           {"`\\`a\\` {{x}}\n\\u{1F600}\\x41{{y}}`", "`a` {{x}}\n😀A{{y}}", "{{x}}\n|{{y}}`"},
		"a pair":            {`"\ud83d\ude00\n{{x}}"`, "😀\n{{x}}", `{{x}}"`},
		"escaped brace":     {"`\n\\{{x}}`", "\n{{x}}", `\{{x}}`},
		"CR LF":             {"`a\r\n{{x}}\r{{y}}`", "a\n{{x}}\n{{y}}", "{{x}}\r|{{y}}`"},
		"a line goes on":    {"'a\\n\\\n{{x}}'", "a\n{{x}}", "{{x}}'"},
		"sum":               {"'a\\n' + // c\n  \"{{x}}\\n\"+`{{y}}`", "a\n{{x}}\n{{y}}", `{{x}}\n"|{{y}}` + "`"},
		"sum with a name":   {"'{{x}}\\n' + name", "{{x}}\n{{y}}", `{{x}}\n`},
		"another literal":   {"'{{x}}\\n'; '{{y}}'", "{{x}}\n{{y}}", `{{x}}\n`},
		"another text":      {"'content': f()", "a\n{{x}}", ""},
		"no literal":        {"f()", "a\n{{x}}", ""},
		"not closed":        {"`a\n", "a\n{{x}}", ""},
		"malformed escape":  {"'\\u{z}\\n{{x}}'", "a\n{{x}}", ""},
		"longer than it is": {"`a\n{{x}}`", "a", ""},
	} {
		var places []int
		for _, p := range []string{"{{x", "{{y"} {
			if i := strings.Index(c.text, p); i >= 0 {
				places = append(places, i)
			}
		}
		if c.text == "a" {
			places = []int{9}
		}
		var want []int
		for part := range strings.SplitSeq(c.want, "|") {
			if part != "" {
				want = append(want, strings.Index(c.src, part))
			}
		}
		if got := NewLines(c.src).Inside(0, c.text, places); !slices.Equal(got, want) {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}
