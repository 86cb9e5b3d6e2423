// Package auth says who may call a server over HTTP: who has a token of a file,
// or an access token of an authorization server that was issued for this server
// (OAuth 2.1 as the MCP specification has it, with the metadata of RFC 9728).
package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// Options of a Guard. Without TokenFile and Issuer everybody may call.
type Options struct {
	TokenFile string // tokens, one a line

	Issuer   string   // URL of the authorization server, as its tokens name it
	KeysURL  string   // where its keys are, a JWK Set
	Resource string   // URL under which clients call this server
	Audience []string // what tokens may name as their audience: Resource
	Scopes   []string // what a token has to be granted

	Client *http.Client      // fetches the keys
	Warn   func(text string) // says what the caller must not be told
}

// Guard checks who calls.
type Guard struct {
	tokens *tokenFile
	oauth  *oauth
}

// Caller is who has made a request.
type Caller struct {
	Name string // of the token, or the subject of an access token
}

type callerKey struct{}

// With returns a context that knows who calls.
func With(ctx context.Context, who Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, who)
}

// From is who calls, without a name where that is not known.
func From(ctx context.Context) Caller {
	who, _ := ctx.Value(callerKey{}).(Caller)
	return who
}

// Refusal is the answer to a request that may not be made. Challenge is the
// value of WWW-Authenticate.
type Refusal struct {
	Status    int
	Challenge string
	Message   string
}

// New reads what is needed for the checks. ctx ends the renewal of keys. The
// errors are of usage.
func New(ctx context.Context, o Options) (*Guard, error) {
	g := &Guard{}
	if o.TokenFile != "" {
		g.tokens = &tokenFile{path: o.TokenFile, warn: o.Warn}
		if err := g.tokens.read(); err != nil {
			return nil, err
		}
	}
	if o.Issuer != "" {
		var err error
		if g.oauth, err = newOAuth(ctx, o); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// Required says whether a request needs a token.
func (g *Guard) Required() bool { return g.tokens != nil || g.oauth != nil }

// Check finds out who makes a request.
func (g *Guard) Check(r *http.Request) (Caller, *Refusal) {
	if !g.Required() {
		return Caller{}, nil
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return Caller{}, g.refuse("", "this server needs a token: send the header Authorization: Bearer TOKEN")
	}
	token = strings.TrimSpace(token)
	if g.tokens != nil {
		if name, ok := g.tokens.find(token); ok {
			return Caller{Name: name}, nil
		}
	}
	if g.oauth == nil {
		return Caller{}, g.refuse("invalid_token", "this server does not accept the token")
	}
	who, granted, err := g.oauth.check(r.Context(), token)
	if err != nil {
		return Caller{}, g.refuse("invalid_token", err.Error())
	}
	if missing := g.oauth.missing(granted); missing != nil {
		refusal := g.refuse("insufficient_scope", "the token lacks the scope "+strings.Join(missing, " "))
		refusal.Status = http.StatusForbidden
		return Caller{}, refusal
	}
	return Caller{Name: who}, nil
}

// refuse is the answer of 401 with a challenge (RFC 6750, section 3; RFC 9728,
// section 5.1). A request without a token is told no error.
func (g *Guard) refuse(code, text string) *Refusal {
	var params []string
	add := func(name, value string) {
		if value != "" {
			params = append(params, name+`="`+value+`"`)
		}
	}
	if g.oauth != nil {
		add("resource_metadata", g.oauth.metadataURL)
		add("scope", strings.Join(g.oauth.scopes, " "))
	}
	if add("error", code); code != "" {
		add("error_description", text)
	}
	return &Refusal{Status: http.StatusUnauthorized, Message: text,
		Challenge: strings.TrimSpace("Bearer " + strings.Join(params, ", "))}
}

// wellKnown is where the metadata of a resource is (RFC 9728, section 3.1).
const wellKnown = "/.well-known/oauth-protected-resource"

// Metadata is the protected-resource metadata by the paths under which it is
// found; empty without an authorization server.
func (g *Guard) Metadata() map[string][]byte {
	if g.oauth == nil {
		return nil
	}
	text, err := json.Marshal(struct {
		Resource string   `json:"resource"`
		Servers  []string `json:"authorization_servers"`
		Scopes   []string `json:"scopes_supported,omitempty"`
		Methods  []string `json:"bearer_methods_supported"`
	}{g.oauth.resource, []string{g.oauth.issuer}, g.oauth.scopes, []string{"header"}})
	if err != nil {
		panic(err) // strings can be encoded
	}
	return map[string][]byte{wellKnown: text, wellKnown + g.oauth.path: text}
}

// checkURL reads a URL to which tokens or keys are entrusted.
func checkURL(name, text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case text == "":
		return nil, fmt.Errorf("%s is missing", name)
	case err != nil:
		return nil, fmt.Errorf("%s %s: %w", name, text, errors.Unwrap(err))
	case u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Fragment != "":
		return nil, fmt.Errorf("%s %s: expected a URL such as https://mcp.example.com/mcp", name, u.Redacted())
	case u.Scheme == "http" && !Loopback(u.Hostname()):
		return nil, fmt.Errorf("%s %s: expected https; http is for loopback addresses only", name, text)
	}
	return u, nil
}

// Loopback says whether a host is this machine, by its name or address.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
