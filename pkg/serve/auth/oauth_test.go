package auth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const resource = "https://mcp.example.com/mcp"

// issuer is an authorization server of which only the keys are asked for.
type issuer struct {
	*httptest.Server
	asked atomic.Int32

	mu   sync.Mutex
	keys []map[string]string
}

func newIssuer(t *testing.T) *issuer {
	i := &issuer{}
	i.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		i.asked.Add(1)
		i.mu.Lock()
		defer i.mu.Unlock()
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": i.keys})
	}))
	t.Cleanup(i.Close)
	return i
}

func (i *issuer) publish(keys ...map[string]string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = keys
}

func b64(n *big.Int) string { return base64.RawURLEncoding.EncodeToString(n.Bytes()) }

func rsaKey(t *testing.T, kid string) (*rsa.PrivateKey, map[string]string) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key, map[string]string{"kty": "RSA", "kid": kid, "alg": "RS256", "use": "sig",
		"n": b64(key.N), "e": b64(big.NewInt(int64(key.E)))}
}

func ecKey(t *testing.T, kid string) (*ecdsa.PrivateKey, map[string]string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	point, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	coordinate := base64.RawURLEncoding.EncodeToString
	return key, map[string]string{"kty": "EC", "kid": kid, "crv": "P-256", "x": coordinate(point[1:33]),
		"y": coordinate(point[33:])}
}

// sign makes a token with changes to what a good one claims; nil takes a claim out.
func (i *issuer) sign(t *testing.T, method jwt.SigningMethod, key any, kid string, changes jwt.MapClaims) string {
	t.Helper()
	claims := jwt.MapClaims{"iss": i.URL, "aud": resource, "sub": "ada", "scope": "mcp:call other",
		"exp": time.Now().Add(time.Hour).Unix()}
	for name, value := range changes {
		if claims[name] = value; value == nil {
			delete(claims, name)
		}
	}
	token := jwt.NewWithClaims(method, claims)
	if kid != "" {
		token.Header["kid"] = kid
	}
	if key == nil {
		key = jwt.UnsafeAllowNoneSignatureType
	}
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (i *issuer) guard(t *testing.T, scopes ...string) *Guard {
	t.Helper()
	g, err := New(t.Context(), Options{Issuer: i.URL, KeysURL: i.URL + "/keys", Resource: resource, Scopes: scopes,
		Warn: func(text string) { t.Log(text) }})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestAccessTokens(t *testing.T) {
	i := newIssuer(t)
	key, public := rsaKey(t, "one")
	ec, publicEC := ecKey(t, "two")
	other, _ := rsaKey(t, "one")
	shared := []byte("a secret that is in the set by mistake")
	i.publish(public, publicEC, map[string]string{"kty": "oct", "kid": "oct", "alg": "HS256",
		"k": base64.RawURLEncoding.EncodeToString(shared)})
	g := i.guard(t, "mcp:call")
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	asSecret := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	rs, hs := jwt.SigningMethodRS256, jwt.SigningMethodHS256
	past, future := time.Now().Add(-time.Hour).Unix(), time.Now().Add(time.Hour).Unix()
	justPast := time.Now().Add(-10 * time.Second).Unix()
	good := i.sign(t, rs, key, "one", nil)
	for name, tt := range map[string]struct{ token, want string }{
		"good":              {good, ""},
		"EC":                {i.sign(t, jwt.SigningMethodES256, ec, "two", nil), ""},
		"no kid":            {i.sign(t, rs, key, "", nil), ""},
		"audiences":         {i.sign(t, rs, key, "one", jwt.MapClaims{"aud": []string{"x", resource}}), ""},
		"scp":               {i.sign(t, rs, key, "one", jwt.MapClaims{"scope": nil, "scp": []string{"mcp:call"}}), ""},
		"client":            {i.sign(t, rs, key, "one", jwt.MapClaims{"sub": nil, "client_id": "ada"}), ""},
		"skew":              {i.sign(t, rs, key, "one", jwt.MapClaims{"exp": justPast}), ""},
		"another key":       {i.sign(t, rs, other, "one", nil), "signature"},
		"no kid, other key": {i.sign(t, rs, other, "", nil), "signature"},
		"none":              {i.sign(t, jwt.SigningMethodNone, nil, "one", nil), "signature"},
		"public as secret":  {i.sign(t, hs, asSecret, "one", nil), "signature"},
		"secret of the set": {i.sign(t, hs, shared, "oct", nil), "signature"},
		"algorithm":         {i.sign(t, jwt.SigningMethodPS256, key, "one", nil), "no key"},
		"expired":           {i.sign(t, rs, key, "one", jwt.MapClaims{"exp": past}), "expired"},
		"no end":            {i.sign(t, rs, key, "one", jwt.MapClaims{"exp": nil}), "lacks a claim"},
		"not yet":           {i.sign(t, rs, key, "one", jwt.MapClaims{"nbf": future}), "not valid yet"},
		"audience":          {i.sign(t, rs, key, "one", jwt.MapClaims{"aud": "https://other.example.com"}), "audience"},
		"no audience":       {i.sign(t, rs, key, "one", jwt.MapClaims{"aud": nil}), "lacks a claim"},
		"issuer":            {i.sign(t, rs, key, "one", jwt.MapClaims{"iss": "https://other.example.com"}), "issuer"},
		"no issuer":         {i.sign(t, rs, key, "one", jwt.MapClaims{"iss": nil}), "lacks a claim"},
		"cut":               {good[:len(good)-2], "signature"},
		"no JWT":            {"abc", "not a JWT"},
		"scope":             {i.sign(t, rs, key, "one", jwt.MapClaims{"scope": "other"}), "lacks the scope mcp:call"},
	} {
		t.Run(name, func(t *testing.T) {
			who, refused := g.Check(asked("Bearer " + tt.token))
			if tt.want == "" {
				if refused != nil || who.Name != "ada" {
					t.Error(who, refused)
				}
				return
			}
			if refused == nil || !strings.Contains(refused.Message, tt.want) {
				t.Fatalf("%+v, want %q", refused, tt.want)
			}
			status, code := http.StatusUnauthorized, "invalid_token"
			if name == "scope" {
				status, code = http.StatusForbidden, "insufficient_scope"
			}
			challenge := `Bearer resource_metadata="https://mcp.example.com` + wellKnown + `/mcp", ` +
				`scope="mcp:call", error="` + code + `", error_description="` + refused.Message + `"`
			if refused.Status != status || refused.Challenge != challenge {
				t.Errorf("%d %s\nwant %d %s", refused.Status, refused.Challenge, status, challenge)
			}
		})
	}
	if n := i.asked.Load(); n != 1 {
		t.Errorf("the keys were fetched %d times for tokens with known keys", n)
	}
}

// A token with a critical extension is refused by who does not know it.
func TestCriticalExtension(t *testing.T) {
	i := newIssuer(t)
	key, public := rsaKey(t, "one")
	i.publish(public)
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.MapClaims{"iss": i.URL, "aud": resource,
		"exp": time.Now().Add(time.Hour).Unix()})
	token.Header["kid"], token.Header["crit"] = "one", []string{"exp2"}
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	if _, refused := i.guard(t).Check(asked("Bearer " + text)); refused == nil ||
		!strings.Contains(refused.Message, "critical extension") {
		t.Errorf("%+v", refused)
	}
}

// The keys are fetched again for a token with a new one, and those that are gone
// count no longer; tokens with invented keys do not have them fetched each time.
func TestKeysAreReplaced(t *testing.T) {
	i := newIssuer(t)
	old, oldPublic := rsaKey(t, "old")
	key, public := rsaKey(t, "new")
	i.publish(oldPublic)
	g := i.guard(t)
	before := i.sign(t, jwt.SigningMethodRS256, old, "old", nil)
	after := i.sign(t, jwt.SigningMethodRS256, key, "new", nil)
	if _, refused := g.Check(asked("Bearer " + before)); refused != nil {
		t.Fatal(refused)
	}
	i.publish(public)
	if _, refused := g.Check(asked("Bearer " + after)); refused != nil {
		t.Error("the new key is not accepted:", refused)
	}
	for range 3 {
		if _, refused := g.Check(asked("Bearer " + before)); refused == nil {
			t.Error("a key that was withdrawn is accepted")
		}
	}
	if n := i.asked.Load(); n != 2 {
		t.Errorf("the keys were fetched %d times, want 2", n)
	}
}

// The issuer may come up after the server.
func TestKeysThatCannotBeFetchedYet(t *testing.T) {
	i := newIssuer(t)
	key, public := rsaKey(t, "one")
	var warned atomic.Int32
	broken := atomic.Bool{}
	broken.Store(true)
	client := &http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
		if broken.Load() {
			return nil, http.ErrServerClosed
		}
		return http.DefaultTransport.RoundTrip(r)
	})}
	g, err := New(t.Context(), Options{Issuer: i.URL, KeysURL: i.URL, Resource: resource, Client: client,
		Warn: func(string) { warned.Add(1) }})
	if err != nil || warned.Load() != 1 {
		t.Fatal(err, warned.Load())
	}
	broken.Store(false)
	i.publish(public)
	if _, refused := g.Check(asked("Bearer " + i.sign(t, jwt.SigningMethodRS256, key, "one", nil))); refused != nil {
		t.Error(refused)
	}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestMetadata(t *testing.T) {
	i := newIssuer(t)
	got := i.guard(t, "mcp:call").Metadata()
	want := `{"resource":"` + resource + `","authorization_servers":["` + i.URL +
		`"],"scopes_supported":["mcp:call"],"bearer_methods_supported":["header"]}`
	for _, path := range []string{wellKnown, wellKnown + "/mcp"} {
		if string(got[path]) != want {
			t.Errorf("%s: %s, want %s", path, got[path], want)
		}
	}
}

func TestOptionsThatAreRefused(t *testing.T) {
	good := Options{Issuer: "https://id.example.com", KeysURL: "https://id.example.com/keys", Resource: resource}
	for want, change := range map[string]func(*Options){
		"--public-url is missing":                          func(o *Options) { o.Resource = "" },
		"--public-url mcp.example.com/mcp: expected a URL": func(o *Options) { o.Resource = "mcp.example.com/mcp" },
		"--issuer http://id.example.com: expected https":   func(o *Options) { o.Issuer = "http://id.example.com" },
		"--jwks-url is missing":                            func(o *Options) { o.KeysURL = "" },
		"--jwks-url https://id:xxxxx@e.com":                func(o *Options) { o.KeysURL = "https://id:secret@e.com" },
		`--scope "a\"b"`:                                   func(o *Options) { o.Scopes = []string{`a"b`} },
	} {
		o := good
		change(&o)
		if _, err := New(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
