//go:build unix

package script

import (
	"crypto/ed25519"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// A hosted connector: without a token it learns where to get one, and with one of
// the issuer for this server it may call.
func TestServeOAuth(t *testing.T) {
	dir, u, flags := apiFolder(t) // with the authority of --ca-file, which the issuer has too
	public, secret, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	issuer := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": []map[string]string{{"kty": "OKP", "crv": "Ed25519",
			"kid": "one", "x": base64.RawURLEncoding.EncodeToString(public)}}})
	}))
	issuer.TLS = &tls.Config{Certificates: u.server.TLS.Certificates}
	issuer.StartTLS()
	t.Cleanup(issuer.Close)
	token := func(audience string) string {
		t.Helper()
		tok := jwt.NewWithClaims(jwt.SigningMethodEdDSA, jwt.MapClaims{"iss": issuer.URL, "aud": audience, "sub": "ada",
			"scope": "mcp:call", "exp": time.Now().Add(time.Hour).Unix()})
		tok.Header["kid"] = "one"
		text, err := tok.SignedString(secret)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	const resource = "https://mcp.example.com/mcp"
	p, url := startHTTP(t, dir, append(flags, "--issuer", issuer.URL, "--jwks-url", issuer.URL+"/keys", "--public-url",
		resource, "--scope", "mcp:call")...)
	if status, body := callTool(t, http.DefaultClient, url, "echo_api", `{"id":"a"}`, token(resource)); status !=
		http.StatusOK || !strings.Contains(body, `\"status\":true`) {
		t.Errorf("%d %s", status, body)
	}
	other := token("https://other.example.com/mcp")
	if status, body := callTool(t, http.DefaultClient, url, "echo_api", `{"id":"a"}`, other); status !=
		http.StatusUnauthorized || !strings.Contains(body, "another audience") || strings.Contains(body, other) {
		t.Errorf("%d %s", status, body)
	}
	base := strings.TrimSuffix(url, "/mcp")
	got, err := http.Get(base + "/.well-known/oauth-protected-resource/mcp")
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if text, err := io.ReadAll(got.Body); err != nil || !strings.Contains(string(text),
		`"resource":"`+resource+`","authorization_servers":["`+issuer.URL+`"]`) {
		t.Errorf("%s, %v", text, err)
	}
	p.signal(syscall.SIGTERM)
	if p.wait(); strings.Contains(p.stderr.String(), other) {
		t.Errorf("a token is on stderr: %s", p.stderr.String())
	}
}

// Traces go where the environment says, over stdio too.
func TestServeTraces(t *testing.T) {
	var mu sync.Mutex
	var got string
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		got += r.URL.Path + " " + string(body)
	}))
	t.Cleanup(collector.Close)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	dir, _, flags := apiFolder(t)
	p := start(t, dir, append([]string{"fmcp-serve", "api.ndjson"}, flags...)...)
	p.write(initialize + call(7, "echo_api", `{"id":"a"}`))
	p.line()
	p.line()
	if _, status := p.end(); status != 0 || p.stderr.String() != "" {
		t.Errorf("status %d, stderr %s", status, p.stderr.String())
	}
	mu.Lock()
	defer mu.Unlock()
	for _, want := range []string{"/v1/traces ", "tools/call api/tool/echo", "fmcp-serve", "localhost"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if form := secrets.In([]byte(got)); form != "" {
		t.Errorf("a server parameter was sent, as %s", form)
	}
}
