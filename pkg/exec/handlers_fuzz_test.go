package exec

import (
	"strings"
	"testing"
)

// FuzzTokens: whatever a handler writes, the texts that stand for server
// parameters are found, and nothing else of it changes but what no URL may hold.
func FuzzTokens(f *testing.F) {
	k := tokens{nonce: "NONCE", env: env(map[string]string{"A": "value/a", "A_B": "value b"}),
		keys: []string{"A", "A_B"}}
	for _, s := range []string{"", "x", "https://a.com/", "https://a.com?k=TOKEN&b=OTHER#TOKEN", "TOKENTOKEN",
		"https://TOKEN.a.com\\x?", "SERVER_PARAM_NONCE_A", "{\"a\":\"TOKEN\"}", "https:///?"} {
		f.Add(strings.NewReplacer("TOKEN", k.token("A"), "OTHER", k.token("A_B")).Replace(s))
	}
	f.Fuzz(func(t *testing.T, s string) {
		back := func(key string, _ place) string { return k.token(key) }
		fit := k.url(s).render(back)
		if count := strings.Count(s, k.token("A")); strings.Count(fit, k.token("A")) != count {
			t.Errorf("%q: %q", s, fit)
		}
		for name, got := range map[string]text{"text": k.text(s, inBody), "url": k.url(fit)} {
			if text := got.render(back); text != map[string]string{"text": s, "url": fit}[name] {
				t.Errorf("%s of %q: %q", name, s, text)
			}
			filled := got.render(func(string, place) string { return "\x00" })
			if name == "text" && (strings.Contains(filled, k.token("A")) || strings.Contains(filled, k.token("A_B"))) {
				t.Errorf("%q keeps a token: %q", s, filled)
			}
		}
		for _, u := range (&Request{url: k.url(s)}).uses() {
			if u.key == "" || u.where == "" {
				t.Errorf("%q: %v", s, u)
			}
		}
	})
}
