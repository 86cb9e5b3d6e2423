package canary

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const secret = `canary/<KEY>+7f3a9e51c2&d8=="x`

// TestFinds: the search can fail. Each form in which a program may write a
// secret is found in the midst of other text.
func TestFinds(t *testing.T) {
	quoted, err := json.Marshal(secret)
	if err != nil {
		t.Fatal(err)
	}
	for name, form := range map[string]string{
		"raw": secret, "upper": strings.ToUpper(secret), "JSON": string(quoted), "query": url.QueryEscape(secret),
		"path":    url.PathEscape(secret),
		"percent": percent(secret), "html": html.EscapeString(secret), "hex": hex.EncodeToString([]byte(secret)),
		"HEX":       strings.ToUpper(hex.EncodeToString([]byte(secret))),
		"base64":    base64.StdEncoding.EncodeToString([]byte(secret)),
		"base64url": base64.RawURLEncoding.EncodeToString([]byte(secret)),
		"basic":     base64.StdEncoding.EncodeToString([]byte("user:" + secret)),
		"basic 2":   base64.StdEncoding.EncodeToString([]byte("root:" + secret + ":x")),
		"basic 3":   base64.StdEncoding.EncodeToString([]byte("admin1:" + secret)), "cut": secret[3 : len(secret)-3],
		"mixed": "canary%2F%3cKEY>%2B7f3a9e51c2%26d8==",
	} {
		if For("another-secret", secret).In([]byte("before "+form+" behind")) == "" {
			t.Errorf("%s: not found: %s", name, form)
		}
	}
}

func TestFindsNothingElse(t *testing.T) {
	for _, text := range []string{"", "canary", "[REDACTED:KEY]", "canary/<KEY>", strings.Repeat("a", 1000),
		hex.EncodeToString([]byte("canary/"))} {
		if form := For(secret).In([]byte(text)); form != "" {
			t.Errorf("%q: found as %s", text, form)
		}
	}
	if form := For("short", "").In([]byte("short")); form != "" {
		t.Errorf("a short secret is looked for: %s", form)
	}
}

func TestBelow(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a/clean": "clean", "a/leak": "x" + url.QueryEscape(secret),
		"keys.env": secret, hex.EncodeToString([]byte(secret)): ""} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found, err := For(secret).Below(dir, "keys.env")
	if err != nil || len(found) != 2 || !strings.Contains(found[0], "is named after a secret") ||
		!strings.HasPrefix(found[1], filepath.Join(dir, "a/leak")+" holds a secret") {
		t.Errorf("%v %v", found, err)
	}
	if _, err := For(secret).Below(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there is searched")
	}
}
