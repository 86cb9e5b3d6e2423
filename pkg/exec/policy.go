package exec

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
)

// Resolver finds the addresses of a host; *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// DialFunc connects to an address, "ip:port".
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// policy decides which hosts and addresses may be spoken to (DESIGN, "Trust").
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
	if _, err := netip.ParseAddr(host); err != nil && !isHostText(host) {
		return "", bad
	}
	return joinHost(host, port), nil
}

// url refuses a URL that is not https to the schema's own host, or to one that
// the user allows.
func (p *policy) url(u *url.URL, origin string) *Error {
	if u.Scheme != "https" {
		return fail(CodeHostRefused, "only https is allowed, not %s", u.Scheme)
	}
	if u.User != nil {
		return fail(CodeHostRefused, "a URL with user name or password is not allowed")
	}
	if hp := hostPort(u); hp != origin && !slices.Contains(p.allowed, hp) {
		return fail(CodeHostRefused, "host %s is not the schema's own (%s): if you trust it, add --allow-host %s", hp, origin, hp)
	}
	return nil
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
			if why := refusedAddress(a, p.allowPrivate); why != "" {
				return nil, fail(CodeAddressRefused, "host %s has the address %s, which is %s and may not be called: if you trust it, add --allow-host %s",
					host, a.Unmap(), why, net.JoinHostPort(host, port))
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
