package percent

import (
	"strings"
	"testing"
)

func TestFileName(t *testing.T) {
	seen := map[string]string{}
	for _, s := range []string{"", ".", "..", "../../etc", "a/b", `a\b`, "a.json", "/block/:hash", "ä", "a b",
		"NUL\x00", strings.Repeat("x", 300), strings.Repeat("x", 301), "plain-Name_1", "%"} {
		got := FileName(s)
		if got == "" || strings.ContainsAny(got, "./\\:\x00 ") || len(got) > maxName {
			t.Errorf("%q: %q", s, got)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%q and %q are both %q", s, other, got)
		}
		seen[got] = s
	}
	if FileName("plain-Name_1") != "plain-Name_1" {
		t.Error("a plain name is not kept")
	}
}
