package auth

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	first  = "first-token-0123456789"
	second = "second-token-0123456789"
)

// asked is a request with a header Authorization.
func asked(authorization string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	return r
}

func writeTokens(t *testing.T, path, text string, age time.Duration) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(-age)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func TestWithoutTokensEverybodyMayCall(t *testing.T) {
	g, err := New(t.Context(), Options{})
	if err != nil || g.Required() || g.Metadata() != nil {
		t.Fatal(err, g.Required(), g.Metadata())
	}
	if who, refused := g.Check(asked("")); refused != nil || who.Name != "" {
		t.Error(who, refused)
	}
}

func TestTokenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	writeTokens(t, path, "# who may come in\n\nci "+first+"\r\n"+second+"\n", time.Hour)
	g, err := New(t.Context(), Options{TokenFile: path})
	if err != nil || !g.Required() {
		t.Fatal(err)
	}
	for authorization, want := range map[string]string{
		"Bearer " + first: "ci", "bearer  " + first: "ci", "Bearer " + second: "token",
		"": "Bearer", "Basic " + first: "Bearer", first: "Bearer", "Bearer ": "Bearer",
		"Bearer " + first + "x": `error="invalid_token"`, "Bearer ci": `error="invalid_token"`,
		"Bearer " + first[:20]: `error="invalid_token"`,
	} {
		who, refused := g.Check(asked(authorization))
		switch {
		case refused == nil && who.Name != want:
			t.Errorf("%q: %q, want %q", authorization, who.Name, want)
		case refused != nil && (refused.Status != http.StatusUnauthorized ||
			!strings.Contains(refused.Challenge, want)):
			t.Errorf("%q: %+v, want %q", authorization, refused, want)
		case refused != nil && strings.Contains(refused.Message+refused.Challenge, first[:20]):
			t.Errorf("%q: the answer shows a token: %+v", authorization, refused)
		}
	}
}

// A token that is replaced or withdrawn counts for the next request.
func TestTokenFileIsReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	writeTokens(t, path, first+"\n", time.Hour)
	var warned []string
	g, err := New(t.Context(), Options{TokenFile: path, Warn: func(text string) { warned = append(warned, text) }})
	if err != nil {
		t.Fatal(err)
	}
	lets := func(token string) bool {
		_, refused := g.Check(asked("Bearer " + token))
		return refused == nil
	}
	if !lets(first) || lets(second) {
		t.Fatal("not the tokens of the file")
	}
	writeTokens(t, path, second+"\n", time.Minute)
	if lets(first) || !lets(second) {
		t.Error("the file has changed and the old tokens count")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if lets(first) || lets(second) || lets(second) {
		t.Error("the file is gone and tokens count")
	}
	writeTokens(t, path, "short\n", 0)
	if lets("short") || len(warned) != 2 || strings.Contains(warned[1], "short\n") {
		t.Errorf("warned: %q", warned)
	}
	writeTokens(t, path, first+"\n", 0)
	if !lets(first) {
		t.Error("the file is whole again and its token does not count")
	}
}

func TestTokenFilesThatAreRefused(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct{ text, want string }{
		"empty":   {"", "has no token"},
		"comment": {"# none\n\n", "has no token"},
		"short":   {"ok-0123456789-0123456789\nsecret\n", ":2 has a token of 6 characters"},
		"words":   {"a secret-token-0123456789 c\n", ":1 has 3 words"},
		"letters": {"sécret-token-0123456789\n", ":1 has a token with characters"},
	} {
		path := filepath.Join(dir, name)
		writeTokens(t, path, tt.text, 0)
		_, err := New(t.Context(), Options{TokenFile: path})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "cret") {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
	if _, err := New(t.Context(), Options{TokenFile: filepath.Join(dir, "none")}); err == nil {
		t.Error("a file that is not there is accepted")
	}
}
