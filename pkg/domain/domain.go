// Package domain says who owns a host: keys go to the registrable domain of the
// root that they are declared for, and a root may leave open only what is left
// of it (docs/decisions.md, "Server parameters").
package domain

import (
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Of is the registrable domain of a host: the label left of a public suffix and
// that suffix, private ones such as github.io included. An address, and a name
// that is a public suffix itself or has one label, is its own domain.
func Of(host string) string {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}

// OfRoot is the registrable domain of the host in a root, as it is written: what
// a server parameter of the user's fills in stays a placeholder.
func OfRoot(root string) string { return Of(host(root)) }

// host is the host of a URL, without port and brackets.
func host(root string) string {
	_, rest, ok := strings.Cut(root, "://")
	if !ok {
		rest = root
	}
	if end := strings.IndexAny(rest, `/?#\`); end >= 0 {
		rest = rest[:end]
	}
	if inner, ok := strings.CutPrefix(rest, "["); ok {
		rest, _, _ = strings.Cut(inner, "]")
		return rest
	}
	// The colon of {{SERVER_PARAM:KEY}} begins no port.
	if colon := strings.LastIndexByte(rest, ':'); colon > strings.LastIndex(rest, "}}") {
		rest = rest[:colon]
	}
	return rest
}

// IsOpen reports whether a label of a root is --name--, which no real host can
// have: in public schemas a handler replaces it by one label.
func IsOpen(label string) bool {
	return len(label) > 4 && strings.HasPrefix(label, "--") && strings.HasSuffix(label, "--")
}

// OpenLabel is the first open label of a root that is a part of its registrable
// domain, "" if there is none: a handler that replaces it would choose which
// domain is called and gets the keys (docs/decisions.md, "Server parameters").
func OpenLabel(root string) string {
	for label := range strings.SplitSeq(OfRoot(root), ".") {
		if IsOpen(label) {
			return label
		}
	}
	return ""
}

// IsPublic reports whether a host can be somebody's: an address, or a name below
// a suffix that is public, unlike localhost, api.local and what is a placeholder.
func IsPublic(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	suffix, managed := publicsuffix.PublicSuffix(host)
	return (managed || strings.Contains(suffix, ".")) && !strings.ContainsAny(host, "{}")
}
