package worker

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzURL: what readURL makes of a text is a URL that it reads as the same.
func FuzzURL(f *testing.F) {
	for _, s := range []string{"https://a.com/b?c#d", "HTTP://u:p@A.com:80/../x", `https:\\a\b`, "//b/c", "?q", "#h",
		"..", "mailto:a@b", "https://[::1]:1/", "https://a:99999", "x:", "https://%41/", "a\tb"} {
		f.Add(s, "https://base.com/a/b?c#d")
		f.Add(s, "")
	}
	f.Fuzz(func(t *testing.T, text, base string) {
		parts, ok := readURL(text, base)
		if !ok {
			return
		}
		again, ok := readURL(href(parts), "")
		if !ok || !reflect.DeepEqual(parts, again) {
			t.Errorf("%q and %q: %v is read as %v", text, base, parts, again)
		}
	})
}

// href is URL.href of hosts.js.
func href(p map[string]any) string {
	at := func(key string) string { return p[key].(string) }
	host := ""
	if at("hostname") != "" {
		host = "//"
		if at("username") != "" || at("password") != "" {
			host += at("username")
			if at("password") != "" {
				host += ":" + at("password")
			}
			host += "@"
		}
		host += at("hostname")
		if at("port") != "" {
			host += ":" + at("port")
		}
	}
	return at("protocol") + host + at("pathname") + at("search") + at("hash")
}

// FuzzText: text that is not quite UTF-8 becomes text, and half surrogate pairs
// are found where encoding/json replaces them.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a", "\xff", "\xe2\x82", "\xed\xa0\x80", "\xf0\x9f\x98", `\ud83d`, `\ud83d\ude00`,
		`\\ud83d`, `\ude00\ud83d`, `\`, `\u`, `\ud83`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if out := lossyUTF8([]byte(s)); !utf8.ValidString(out) || utf8.ValidString(s) && out != s {
			t.Errorf("%q becomes %q", s, out)
		}
		text := `"` + s + `"`
		var v string
		if !utf8.ValidString(s) || strings.Contains(s, "\uFFFD") || json.Unmarshal([]byte(text), &v) != nil ||
			strings.Contains(strings.ToLower(s), `\ufffd`) {
			_ = loneSurrogate(text)
			return
		}
		if lone := loneSurrogate(text); lone != strings.Contains(v, "\uFFFD") {
			t.Errorf("%s: half a pair %t, read as %q", text, lone, v)
		}
	})
}
