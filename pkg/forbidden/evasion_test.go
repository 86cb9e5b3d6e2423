package forbidden_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/forbidden"
)

// What an engine takes for code is not taken for text.
func TestScanHidden(t *testing.T) {
	for name, src := range map[string]string{
		"line separator in a hashbang line":      "#! it's\u2028eval('1')",
		"paragraph separator in a hashbang line": "#! it's\u2029eval('1')",
		"++ and a regular expression":            "++/'/.lastIndex; eval('1') //'",
		"++ after parentheses":                   "a( b ); ( c )\n++/'/.lastIndex; eval('1') //'",
		"++ after yield":                         "function* f() { yield ++/'/.lastIndex; eval('1') } //'",
		"name of Unicode 15.1":                   "const a\u30fbb = 1; eval('1')",
		"name of Unicode 16":                     "const \U000105c0 = 1; eval('1')",
	} {
		var got []string
		for _, f := range scan(src, forbidden.Options{}) {
			got = append(got, f.Code)
		}
		if !slices.Equal(got, []string{"SEC003"}) {
			t.Errorf("%s: got %v, want SEC003", name, got)
		}
	}
}

// Who writes more slashes that can be read two ways than are followed learns
// so: what hides behind them is not skipped in silence.
func TestScanUnclear(t *testing.T) {
	hidden := "return\n{}\n/\"/; function f() { return eval('1') } /\"/"
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"some", strings.Repeat("if( a ) /x/.test( b )\n", 10) + hidden, []string{"SEC003"}},
		{"many", strings.Repeat("if( a ) /x/.test( b )\n", 40) + hidden, []string{"LOD012"}},
		{"many of the other kind", strings.Repeat("x = function () {} / 2\n", 40) + hidden, []string{"LOD012"}},
		{"many, and nothing hidden", strings.Repeat("if( a ) /x/.test( b )\n", 40) + "eval('1')",
			[]string{"LOD012", "SEC003"}},
		{"many without doubt", strings.Repeat("a / b; c.match( /x/ ); f( a ) / 2;\n", 40), nil},
	} {
		var got []string
		for _, f := range scan(tt.src, forbidden.Options{}) {
			got = append(got, f.Code)
			if f.Code == "LOD012" && (tt.src[f.Start:f.End] != "/" || f.Msg == "") {
				t.Errorf("%s: %+v", tt.name, f)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}
