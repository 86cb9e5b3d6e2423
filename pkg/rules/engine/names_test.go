package engine

import (
	"regexp"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
)

// The matchers by hand agree with the patterns of the specification.
func TestMatchersAgreeWithPatterns(t *testing.T) {
	matchers := []struct {
		pattern string
		match   func(string) bool
	}{
		{`^[a-z][a-z0-9-]*$`, catalog.IsNamespace},
		{`^[a-z]+$`, IsLetters},
		{`^[a-z][a-zA-Z0-9]*$`, IsCamel},
		{`^[A-Z][a-zA-Z0-9]*$`, IsPascal},
		{`^\d+\.\d+\.\d+$`, IsSemver},
		{`^[0-9a-f]{8}$`, IsHash8},
	}
	words := []string{
		"", "a", "A", "1", "-", "_", ".", "a1", "a-b", "a_b", "aB", "Ab", "AB", "1a", "-a", "a-", "a b", "ä", "aä",
		"a\n", "a.b",
		"1.2.3", "1.2", "1.2.3.4", "1..3", ".1.2.3", "1.2.3.", "10.20.30", "1.2.x", "v1.2.3", "1.2.3-rc",
		"0123abcd", "0123abc", "0123abcde", "0123ABCD", "0123abcg",
	}
	for _, m := range matchers {
		re := regexp.MustCompile(m.pattern)
		for _, w := range words {
			if got, want := m.match(w), re.MatchString(w); got != want {
				t.Errorf("%s on %q: %v, want %v", m.pattern, w, got, want)
			}
		}
	}
}

func TestProposals(t *testing.T) {
	for _, c := range []struct{ in, namespace, camel, pascal string }{
		{"get_price", "get-price", "getPrice", "GetPrice"},
		{"GetPrice", "get-price", "getPrice", "GetPrice"},
		{"Demo Shop (Part 1)", "demo-shop-part-1", "demoShopPart1", "DemoShopPart1"},
		{"/block/:hash", "block-hash", "blockHash", "BlockHash"},
		{"3d_model", "d-model", "dModel", "DModel"},
		{"日本", "", "", ""},
		{"", "", "", ""},
	} {
		if got := ToNamespace(c.in); got != c.namespace {
			t.Errorf("toNamespace(%q) = %q, want %q", c.in, got, c.namespace)
		}
		if got := ToCamel(c.in); got != c.camel {
			t.Errorf("toCamel(%q) = %q, want %q", c.in, got, c.camel)
		}
		if got := ToPascal(c.in); got != c.pascal {
			t.Errorf("toPascal(%q) = %q, want %q", c.in, got, c.pascal)
		}
	}
}

func TestQuoteCutsAtCharacters(t *testing.T) {
	for _, r := range []string{"a", "ä", "日", "😀"} {
		s := Quote(strings.Repeat(r, 100))
		if strings.Contains(s, `\x`) || !strings.Contains(s, "bytes)") || len(s) > 100 {
			t.Errorf("quote of 100 %s: %s", r, s)
		}
	}
}

func TestCamelOf(t *testing.T) {
	for name, want := range map[string]string{"get_price": "getPrice", "GetPrice": "getPrice",
		"getPreïs": "", "3": ""} {
		if got := camelOf(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
