package skillmd

import (
	"testing"
)

func TestXMLTag(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a < b > c": "", "a<b": "", "1 <2> 3": "<2>", "<b>x</b>": "<b>", "x </system>": "</system>",
		"<<x>>": "<x>", "a <- b, c -> d": "", "<!-- x -->": "<!-- x -->", "<": "", "<>": "", "< x>": "",
	} {
		if got := xmlTag(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestIsSemverTagged(t *testing.T) {
	for text, want := range map[string]bool{
		"1.0.0": true, "0.10.20": true, "1.0.0-rc.1": true, "1.0.0+b": true, "1.0.0-rc+b": true,
		"": false, "1.0": false, "1.0.0.0": false, "01.0.0": false, "1.00.0": false, "1.0.0-": false, "1.0.0+": false,
		"v1.0.0": false, "1.0.0 ": false, "1.0.0-ä": false,
	} {
		if got := isSemverTagged(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestPathFault(t *testing.T) {
	for name, good := range map[string]bool{
		"references/a.md": true, "references/a/b.MD": true, "./references/a.md": true, "references//a.md": true,
		"references": false, "references/": false, "references/a": false, "references/../a.md": false,
		"../references/a.md": false,
		"/references/a.md":   false, `C:\references\a.md`: false, "C:references/a.md": false, "referencesa.md": false,
		"a.md": false,
	} {
		if fault, _ := pathFault(name); (fault == "") != good {
			t.Errorf("%q: %q, want good %v", name, fault, good)
		}
	}
}
