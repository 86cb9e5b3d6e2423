package fetch

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/words"
)

// Resolver finds the addresses of a host; *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// DialFunc connects to an address, "ip:port".
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// policy decides which hosts and addresses may be spoken to (chapter 05, "Trust
// Boundary"; README, "Trust and keys").
type policy struct {
	allowed      []string // host:port of --allow-host
	allowPrivate bool
	connect      time.Duration
	resolver     Resolver
	dial         DialFunc
}

// parseAllowHost reads HOST or HOST:PORT of --allow-host; the port is 443
// unless given.
func parseAllowHost(s string) (string, error) {
	bad := fmt.Errorf("--allow-host %q is not of the form HOST or HOST:PORT", s)
	host, port := s, "443"
	if _, err := netip.ParseAddr(s); err != nil {
		if h, p, err := net.SplitHostPort(s); err == nil {
			host, port = h, p
		}
	}
	host = strings.Trim(host, "[]")
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return "", bad
	}
	if _, err := netip.ParseAddr(host); err != nil && !IsHostText(host) {
		return "", bad
	}
	return joinHost(host, port), nil
}

// url refuses a URL that is not https to the schema's own host, or to one that
// the user allows.
func (p *policy) url(u *url.URL, origin string) *words.Problem {
	if u.Scheme != "https" {
		return fail(CodeHostRefused, "only https is allowed, not %s: give an https URL, no flag allows another scheme",
			u.Scheme)
	}
	if u.User != nil {
		return fail(CodeHostRefused, "a URL with user name or password before @ is not allowed, and no flag allows "+
			"it: send them in a header")
	}
	if why := badHost(u); why != "" {
		return fail(CodeHostRefused, "host %q %s", u.Host, why)
	}
	if hp := HostPort(u); hp != origin && !slices.Contains(p.allowed, hp) {
		return fail(CodeHostRefused, "host %s is not the schema's own (%s): if you trust it, add --allow-host %s", hp,
			origin, hp)
	}
	return nil
}

// badHost returns why the host of a URL is not one that every program reads in
// the same way, or "". The ways to write an address that resolvers and browsers
// differ about (decimal, octal, hexadecimal, shortened, in other scripts) are
// refused before anybody is asked what they mean.
func badHost(u *url.URL) string {
	host := u.Hostname()
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return "has a port that does not exist: ports are 1 to 65535"
		}
	}
	if strings.HasPrefix(u.Host, "[") {
		a, err := netip.ParseAddr(host)
		switch {
		case err != nil || !a.Is6():
			return "holds no IPv6 address between [ and ]"
		case a.Zone() != "":
			return "names a network interface after %: only addresses that need none may be called"
		}
		return ""
	}
	if a, err := netip.ParseAddr(host); err == nil && a.Is4() {
		return ""
	}
	name := strings.TrimSuffix(host, ".")
	if !IsHostText(name) {
		return "is not a host name: letters, digits, - and . only, an international name in its xn-- form"
	}
	labels := strings.Split(name, ".")
	if len(name) > 253 || slices.ContainsFunc(labels, func(l string) bool { return l == "" || len(l) > 63 }) {
		return "is not a host name: its parts have 1 to 63 characters, the whole at most 253"
	}
	if isNumber(labels[len(labels)-1]) {
		return "is a number, which programs read as different addresses: write four decimal numbers without " +
			"leading zeros"
	}
	return ""
}

// isNumber says whether a last label makes a host an address (WHATWG URL,
// "ends in a number").
func isNumber(label string) bool {
	rest, isHex := strings.CutPrefix(strings.ToLower(label), "0x")
	digits := "0123456789"
	if isHex {
		digits += "abcdef"
	}
	return strings.Trim(rest, digits) == ""
}

// dialContext resolves the host, refuses the connection unless every address
// is allowed, and connects to an address that was checked: the name is not
// resolved again, so it cannot change in between.
func (p *policy) dialContext(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, p.connect)
	defer cancel()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	addrs, err := p.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(p.allowed, joinHost(host, port)) {
		for _, a := range addrs {
			if err := p.address(a, host, port); err != nil {
				return nil, err
			}
		}
	}
	for i, a := range addrs {
		conn, dialErr := p.dialOne(ctx, network, net.JoinHostPort(a.String(), port), len(addrs)-i)
		if dialErr == nil {
			return conn, nil
		}
		err = dialErr
	}
	return nil, err
}

// address refuses an address of a host, and names the flags that would allow it.
func (p *policy) address(a netip.Addr, host, port string) error {
	why := refusedAddress(a, p.allowPrivate)
	if why == "" {
		return nil
	}
	flags := "--allow-host " + net.JoinHostPort(host, port)
	if !p.allowPrivate && refusedAddress(a, true) == "" {
		flags += ", or --allow-private for all such addresses"
	}
	return fail(CodeAddressRefused, "host %s has the address %s, which is %s and may not be called: if you trust "+
		"it, add %s", host, a.Unmap(), why, flags)
}

func (p *policy) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	addrs, err := p.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	if len(addrs) == 0 {
		return nil, fail(CodeConnect, "host %s has no address", host)
	}
	return addrs, nil
}

// dialOne gives an address its share of the time that is left, so that a dead
// first one does not use it all up.
func (p *policy) dialOne(ctx context.Context, network, address string, left int) (net.Conn, error) {
	if deadline, ok := ctx.Deadline(); ok {
		share, cancel := context.WithTimeout(ctx, time.Until(deadline)/time.Duration(left))
		defer cancel()
		ctx = share
	}
	return p.dial(ctx, network, address)
}
