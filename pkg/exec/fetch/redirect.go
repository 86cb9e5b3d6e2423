package fetch

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/exec/secret"
)

// checkRedirect checks every redirect against the policy. What leaves the
// schema's own host loses all that is secret, and does not get it back on a
// redirect that returns: another host has then chosen the path. A Referer,
// which would carry the query, goes to none.
func (c *Client) checkRedirect(w *Request) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		if len(via) > c.maxRedirects {
			return fail(CodeRedirect, "more than %d redirects, the last one to host %s: use the final URL as root, or "+
				"raise --max-redirects", c.maxRedirects, HostPort(req.URL))
		}
		if err := c.policy.url(req.URL, w.Origin); err != nil {
			return fail(CodeRedirect, "redirect refused: %s", err.Message)
		}
		req.Header.Del("Referer")
		elsewhere := func(r *http.Request) bool { return HostPort(r.URL) != w.Origin }
		if elsewhere(req) || slices.ContainsFunc(via, elsewhere) {
			if err := w.strip(req); err != nil {
				return err
			}
		}
		defer c.limits.hold(req.Context())()
		return c.limits.pace(req.Context(), HostPort(req.URL))
	}
}

// strip takes out of a redirected request what only the schema's own host may
// see: headers that hold a server parameter or name a key, and query
// parameters that hold one or are sent with one. Where a secret cannot be taken
// out, the redirect is refused.
func (w *Request) strip(req *http.Request) error {
	for _, h := range w.Headers {
		if h.Secret || namesKey(h.Name) {
			req.Header.Del(h.Name)
		}
	}
	kept := strings.Split(req.URL.RawQuery, "&")
	keys := w.secretQueryKeys()
	kept = slices.DeleteFunc(kept, func(pair string) bool {
		key, value := CutQuery(pair)
		return slices.Contains(keys, key) || w.holdsSecret(value) || w.holdsSecret(key)
	})
	req.URL.RawQuery = strings.Join(kept, "&")
	rest := append(strings.Split(req.URL.Path, "/"), req.URL.Path, req.URL.Hostname())
	if w.InBody && req.Body != nil && req.Body != http.NoBody || slices.ContainsFunc(rest, w.holdsSecret) {
		return fail(CodeRedirect, "redirect refused: it would carry a server parameter to host %s, and no flag "+
			"allows that", HostPort(req.URL))
	}
	return nil
}

// secretQueryKeys are the query parameters that the request sends a server
// parameter in.
func (w *Request) secretQueryKeys() []string {
	var keys []string
	for _, pair := range strings.Split(w.URL.RawQuery, "&") {
		if key, value := CutQuery(pair); w.holdsSecret(value) {
			keys = append(keys, key)
		}
	}
	return keys
}

// CutQuery reads a pair of a query; what has broken escapes stays as it is.
func CutQuery(pair string) (key, value string) {
	key, value, _ = strings.Cut(pair, "=")
	for _, s := range []*string{&key, &value} {
		if plain, err := url.QueryUnescape(*s); err == nil {
			*s = plain
		}
	}
	return key, value
}

// holdsSecret says whether a server parameter is in a text.
func (w *Request) holdsSecret(s string) bool {
	return secret.Holds(s, w.Secrets)
}

// namesKey says whether a header is one that keys are sent in, as schemas do
// that have theirs written into the source.
func namesKey(header string) bool {
	name := strings.ReplaceAll(strings.ToLower(header), "_", "-")
	for _, part := range []string{"authorization", "cookie", "token", "secret", "session", "password", "apikey",
		"api-key", "access-key", "subscription-key", "auth-key"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return slices.Contains([]string{"x-key", "key", "x-auth", "auth"}, name)
}
