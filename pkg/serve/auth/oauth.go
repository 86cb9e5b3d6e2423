package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/time/rate"

	"github.com/flowmcp/fmcp/pkg/lazy"
)

// oauth checks access tokens that are JWTs (RFC 9068) by the keys of their
// issuer.
type oauth struct {
	issuer      string
	resource    string
	path        string // of resource
	metadataURL string
	scopes      []string
	keys        keyfunc.Keyfunc
	parser      *jwt.Parser
}

// The keys are fetched again when they are that old, so that a key which was withdrawn is refused, and
// when a token names one that is not among them. That an untrusted token does, so not often.
const (
	keysAge     = 15 * time.Minute
	unknownKeys = 30 * time.Second
	keysTimeout = 5 * time.Second // also how long a token with an unknown key may wait
	clockSkew   = 30 * time.Second
)

// algorithms are those of key pairs. With one of a shared secret the public key
// would be that secret, and with none there would be no signature.
var algorithms = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}

// scopeForm is what a scope may be written as (RFC 6749, section 3.3).
var scopeForm = lazy.Regexp(`^[\x21\x23-\x5B\x5D-\x7E]+$`)

func newOAuth(ctx context.Context, o Options) (*oauth, error) {
	resource, err := checkURL("--public-url", o.Resource)
	if err != nil {
		return nil, err
	}
	for name, text := range map[string]string{"--issuer": o.Issuer, "--jwks-url": o.KeysURL} {
		if _, err := checkURL(name, text); err != nil {
			return nil, err
		}
	}
	for _, s := range o.Scopes {
		if !scopeForm().MatchString(s) {
			return nil, fmt.Errorf("--scope %q: expected a word without quotes and backslashes, such as mcp:call", s)
		}
	}
	if o.Audience == nil {
		o.Audience = []string{o.Resource}
	}
	metadata := url.URL{Scheme: resource.Scheme, Host: resource.Host, Path: wellKnown + resource.Path}
	a := &oauth{issuer: o.Issuer, resource: o.Resource, path: resource.Path, metadataURL: metadata.String(),
		scopes: o.Scopes}
	a.parser = jwt.NewParser(jwt.WithValidMethods(algorithms), jwt.WithIssuer(o.Issuer),
		jwt.WithAudience(o.Audience...), jwt.WithExpirationRequired(), jwt.WithLeeway(clockSkew))
	// That the issuer cannot be reached now is no reason not to start: the keys
	// are fetched when the first token comes.
	a.keys, err = keyfunc.NewDefaultOverrideCtx(ctx, []string{o.KeysURL}, keyfunc.Override{
		Client: o.Client, HTTPTimeout: keysTimeout, RefreshInterval: keysAge, RateLimitWaitMax: keysTimeout,
		RefreshUnknownKID: rate.NewLimiter(rate.Every(unknownKeys), 1),
		RefreshErrorHandlerFunc: func(from string) func(context.Context, error) {
			return func(_ context.Context, err error) {
				o.Warn(fmt.Sprintf("the keys of %s cannot be fetched from %s: %v", o.Issuer, from, err))
			}
		},
	})
	return a, err
}

// claims are those of an access token that are looked at. Some issuers write the
// scopes as scp, a list.
type claims struct {
	jwt.RegisteredClaims
	Scope  scopes `json:"scope"`
	Scp    scopes `json:"scp"`
	Client string `json:"client_id"`
}

type scopes []string

// UnmarshalJSON reads words in one string, or a list.
func (s *scopes) UnmarshalJSON(text []byte) error {
	var words string
	if json.Unmarshal(text, &words) == nil {
		*s = strings.Fields(words)
		return nil
	}
	return json.Unmarshal(text, (*[]string)(s))
}

// check returns whom the token is of and what it grants. The error shows nothing
// of the token.
func (a *oauth) check(ctx context.Context, token string) (who string, granted []string, err error) {
	var c claims
	_, err = a.parser.ParseWithClaims(token, &c, func(t *jwt.Token) (any, error) {
		if _, ok := t.Header["crit"]; ok {
			return nil, errCritical // we know no extension (RFC 7515, section 4.1.11)
		}
		return a.keys.KeyfuncCtx(ctx)(t)
	})
	if err != nil {
		return "", nil, errors.New(reason(err))
	}
	who = c.Subject
	if who == "" {
		who = c.Client
	}
	return who, slices.Concat(c.Scope, c.Scp), nil
}

var errCritical = errors.New("critical")

// reason says why a token is refused.
func reason(err error) string {
	for _, known := range []struct {
		is   error
		text string
	}{
		{errCritical, "the token has a critical extension that is not known here"},
		{jwkset.ErrKeyNotFound, "the issuer has no such key"},
		{jwt.ErrTokenMalformed, "the token is not a JWT"},
		{jwt.ErrTokenUnverifiable, "there is no key to check the token with"},
		{jwt.ErrTokenSignatureInvalid, "the signature or its algorithm is not accepted"},
		{jwt.ErrTokenExpired, "the token has expired"},
		{jwt.ErrTokenNotValidYet, "the token is not valid yet"},
		{jwt.ErrTokenInvalidAudience, "the token is for another audience"},
		{jwt.ErrTokenInvalidIssuer, "the token is from another issuer"},
		{jwt.ErrTokenRequiredClaimMissing, "the token lacks a claim that is needed: exp, iss or aud"},
	} {
		if errors.Is(err, known.is) {
			return known.text
		}
	}
	return "the token is not valid"
}

// missing are the scopes that a token needs and was not granted; nil if none.
func (a *oauth) missing(granted []string) (missing []string) {
	for _, s := range a.scopes {
		if !slices.Contains(granted, s) {
			missing = append(missing, s)
		}
	}
	return missing
}
