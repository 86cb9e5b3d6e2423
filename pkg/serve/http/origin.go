package http

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/serve/auth"
)

// origins says which pages of browsers may call, and under which names the server
// is called. A page of another site must not reach a server on the user's machine,
// not even by a name of its own that points there.
type origins struct {
	allowed []string // scheme://host of pages, and of the server itself
	host    string   // of the server's public URL
	local   bool     // the server listens on a loopback address
}

func newOrigins(public *url.URL, allowed []string, local bool) *origins {
	o := &origins{allowed: allowed, local: local}
	if public != nil {
		o.host = strings.ToLower(public.Host)
		o.allowed = append(slices.Clip(o.allowed), originOf(public))
	}
	return o
}

func originOf(u *url.URL) string { return strings.ToLower(u.Scheme + "://" + u.Host) }

// hostAllowed looks at the name under which the server is called. A browser always names
// one; the check of a balancer may not.
func (o *origins) hostAllowed(r *http.Request) bool {
	host := strings.ToLower(r.Host)
	return !o.local || host == "" || host == o.host || auth.Loopback(hostname(host))
}

// originAllowed looks at the page that a browser names. No origin is no browser.
func (o *origins) originAllowed(r *http.Request) bool {
	origin := strings.ToLower(r.Header.Get("Origin"))
	if origin == "" || slices.Contains(o.allowed, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return o.local && err == nil && (u.Scheme == "http" || u.Scheme == "https") && auth.Loopback(u.Hostname())
}

func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// shareWith lets the page of an allowed origin read the answer. It reports whether
// that was all that was asked for.
func (o *origins) shareWith(w http.ResponseWriter, r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Vary", "Origin")
	h.Set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate")
	if r.Method != http.MethodOptions {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "POST, GET, DELETE")
	h.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}
