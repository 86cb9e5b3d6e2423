package fetch

import (
	"net"
	"net/url"
	"strings"

	"github.com/flowmcp/fmcp/pkg/exec/percent"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Scheme is how every URL begins.
const Scheme = "https://"

// UserAgent names the program to the upstream; some refuse unnamed clients.
const UserAgent = "fmcp (+https://github.com/flowmcp/fmcp)"

// Request is ready to be sent. It holds the server parameters' values: it must
// never be printed.
type Request struct {
	Method  string
	URL     *url.URL
	Origin  string // host:port of the schema's root
	Headers []Header
	Body    []byte // nil without a body
	Reads   bool   // is of a tool that only reads: may be sent again

	Secrets []string // the server parameters' values that are in it
	InBody  bool     // … some of them in the body

	// Shown is the request as it may be shown, and the redactor of its secrets,
	// for recordings.
	Shown func() (*record.HTTPRequest, *secret.Redactor)
}

// Header is one of a request.
type Header struct {
	Name, Value string
	Secret      bool // a server parameter is in it
}

// String keeps a request, which holds secrets, out of logs.
func (r *Request) String() string { return r.Method + " " + r.Origin + " (request not shown)" }

// Knows tells a request of values that may be anywhere in it, so that they are
// taken out where a redirect leads elsewhere.
func (r *Request) Knows(values []string) {
	r.Secrets = append(r.Secrets, values...)
	for i, h := range r.Headers {
		r.Headers[i].Secret = h.Secret || r.holdsSecret(h.Value)
	}
	r.InBody = r.InBody || r.holdsSecret(string(r.Body))
}

// ParseURL reads a filled URL and refuses what would leave its path: a segment
// that is . or .., which servers and proxies resolve, some of them after they
// have taken escapes away, once or again.
func ParseURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil {
		return nil, fail(CodeBadRequest, "root and path make no valid URL")
	}
	for path, last := u.EscapedPath(), ""; path != last; path, last = percent.Unescape(path), path {
		for seg := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '/' || r == '\\' }) {
			if seg == "." || seg == ".." {
				return nil, fail(CodeBadValue, "a segment of the path would be %s, which leads to another path: give "+
					"other values", words.Quote(seg))
			}
		}
	}
	return u, nil
}

// IsHostText reports whether a text may be in the name of a host.
func IsHostText(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !percent.Unreserved(c) || c == '~' {
			return false
		}
	}
	return s != ""
}

// joinHost writes host and port in the one form in which they are compared.
func joinHost(host, port string) string {
	return net.JoinHostPort(strings.ToLower(strings.TrimSuffix(host, ".")), port)
}

// HostPort is the host of a URL with its port.
func HostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "443"
	}
	return joinHost(u.Hostname(), port)
}
