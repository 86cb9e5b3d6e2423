package fetch

import "net/netip"

// addressRange is a block of addresses that is not of the public internet.
type addressRange struct {
	prefix netip.Prefix
	why    string
}

func ranges(why string, prefixes ...string) []addressRange {
	var list []addressRange
	for _, p := range prefixes {
		list = append(list, addressRange{netip.MustParsePrefix(p), why})
	}
	return list
}

func join(lists ...[]addressRange) []addressRange {
	var all []addressRange
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// privateRanges are those that --allow-private opens.
var privateRanges = join(
	ranges("loopback", "127.0.0.0/8", "::1/128"),
	ranges("private", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"),
	ranges("carrier-grade NAT", "100.64.0.0/10"),
)

// neverRanges stay closed unless the host itself is allowed: cloud metadata
// services hand out credentials to whoever asks, the others are not hosts (IANA
// special-purpose address registries).
var neverRanges = join(
	ranges("a cloud metadata service", "169.254.169.254/32", "169.254.170.2/32", "169.254.170.23/32",
		"100.100.100.200/32",
		"168.63.129.16/32", "192.0.0.192/32", "fd00:ec2::254/128", "fd00:ec2::23/128", "fd20:ce::254/128"),
	ranges("link-local", "169.254.0.0/16", "fe80::/10"),
	ranges("unspecified", "0.0.0.0/8", "::/128"),
	ranges("multicast", "224.0.0.0/4", "ff00::/8"),
	ranges("reserved", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24",
		"240.0.0.0/4", "64:ff9b:1::/48", "100::/64", "2001:db8::/32", "2001:2::/48", "3fff::/20", "fec0::/10"),
	ranges("a Teredo tunnel", "2001::/32"),
)

var globalUnicast = netip.MustParsePrefix("2000::/3")

// refusedAddress returns why an address may not be connected to, or "". An IPv6
// address that carries an IPv4 one is judged by that.
func refusedAddress(a netip.Addr, allowPrivate bool) string {
	a = a.WithZone("").Unmap()
	if !a.IsValid() {
		return "no valid address"
	}
	for _, r := range neverRanges {
		if r.prefix.Contains(a) {
			return r.why
		}
	}
	for _, r := range privateRanges {
		if r.prefix.Contains(a) {
			if allowPrivate {
				return ""
			}
			return r.why
		}
	}
	if v4, ok := embedded(a); ok {
		if why := refusedAddress(v4, allowPrivate); why != "" {
			return why + " (" + v4.String() + " inside it)"
		}
		return ""
	}
	if a.Is6() && !globalUnicast.Contains(a) {
		return "reserved"
	}
	return ""
}

var (
	nat64      = netip.MustParsePrefix("64:ff9b::/96")
	sixToFour  = netip.MustParsePrefix("2002::/16")
	compatible = netip.MustParsePrefix("::/96")
)

// embedded returns the IPv4 address to which packets for an IPv6 address end
// up going: NAT64, 6to4, IPv4-compatible and ISATAP.
func embedded(a netip.Addr) (netip.Addr, bool) {
	if !a.Is6() {
		return a, false
	}
	b := a.As16()
	isatap := b[8]&0xFD == 0 && b[9] == 0 && b[10] == 0x5E && b[11] == 0xFE
	switch {
	case nat64.Contains(a), compatible.Contains(a), isatap:
		return netip.AddrFrom4([4]byte(b[12:16])), true
	case sixToFour.Contains(a):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	}
	return a, false
}
