package fetch

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/words"
)

func TestRefusedAddress(t *testing.T) {
	tests := []struct {
		addr          string
		public        bool // may be called
		withPrivate   bool // … with --allow-private
		wantInMessage string
	}{
		{"8.8.8.8", true, true, ""},
		{"1.1.1.1", true, true, ""},
		{"93.184.216.34", true, true, ""},
		{"2606:4700:4700::1111", true, true, ""},
		{"2a00:1450:4001:81b::200e", true, true, ""},
		{"172.32.0.1", true, true, ""},
		{"100.128.0.1", true, true, ""},
		{"::ffff:8.8.8.8", true, true, ""},
		{"64:ff9b::808:808", true, true, ""},
		{"2002:808:808::1", true, true, ""},
		{"127.0.0.1", false, true, "loopback"},
		{"127.255.255.254", false, true, "loopback"},
		{"::1", false, true, "loopback"},
		{"10.0.0.1", false, true, "private"},
		{"172.16.0.1", false, true, "private"},
		{"172.31.255.255", false, true, "private"},
		{"192.168.1.1", false, true, "private"},
		{"fd12:3456::1", false, true, "private"},
		{"fc00::1", false, true, "private"},
		{"100.64.0.1", false, true, "carrier-grade"},
		{"100.127.255.255", false, true, "carrier-grade"},
		{"::ffff:10.0.0.1", false, true, "private"},
		{"::ffff:127.0.0.1", false, true, "loopback"},
		{"64:ff9b::a00:1", false, true, "private (10.0.0.1 inside it)"},
		{"64:ff9b::7f00:1", false, true, "loopback"},
		{"2002:7f00:1::1", false, true, "loopback"},
		{"2002:c0a8:101::1", false, true, "private"},
		{"::10.0.0.1", false, true, "private"},
		{"2a00:1450::5efe:10.0.0.1", false, true, "private"},
		{"2a00:1450::200:5efe:127.0.0.1", false, true, "loopback"},
		{"169.254.169.254", false, false, "metadata"},
		{"169.254.170.2", false, false, "metadata"},
		{"100.100.100.200", false, false, "metadata"},
		{"168.63.129.16", false, false, "metadata"},
		{"192.0.0.192", false, false, "metadata"},
		{"fd00:ec2::254", false, false, "metadata"},
		{"::ffff:169.254.169.254", false, false, "metadata"},
		{"64:ff9b::a9fe:a9fe", false, false, "metadata"},
		{"2002:a9fe:a9fe::1", false, false, "metadata"},
		{"169.254.1.1", false, false, "link-local"},
		{"fe80::1", false, false, "link-local"},
		{"fe80::1%eth0", false, false, "link-local"},
		{"0.0.0.0", false, false, "unspecified"},
		{"0.1.2.3", false, false, "unspecified"},
		{"::", false, false, "unspecified"},
		{"::ffff:0.0.0.0", false, false, "unspecified"},
		{"224.0.0.1", false, false, "multicast"},
		{"239.255.255.255", false, false, "multicast"},
		{"ff02::1", false, false, "multicast"},
		{"255.255.255.255", false, false, "reserved"},
		{"240.0.0.1", false, false, "reserved"},
		{"192.0.2.1", false, false, "reserved"},
		{"198.18.0.1", false, false, "reserved"},
		{"198.51.100.7", false, false, "reserved"},
		{"203.0.113.7", false, false, "reserved"},
		{"192.88.99.1", false, false, "reserved"},
		{"2001:db8::1", false, false, "reserved"},
		{"64:ff9b:1::1", false, false, "reserved"},
		{"100::1", false, false, "reserved"},
		{"fec0::1", false, false, "reserved"},
		{"4000::1", false, false, "reserved"},
		{"2001:0:53aa:64c::1", false, false, "Teredo"},
	}
	for _, tt := range tests {
		a := netip.MustParseAddr(tt.addr)
		why := refusedAddress(a, false)
		if (why == "") != tt.public || !strings.Contains(why, tt.wantInMessage) {
			t.Errorf("%s: refused as %q, want public %v, %q", tt.addr, why, tt.public, tt.wantInMessage)
		}
		if why := refusedAddress(a, true); (why == "") != tt.withPrivate {
			t.Errorf("%s with --allow-private: refused as %q, want allowed %v", tt.addr, why, tt.withPrivate)
		}
	}
	if refusedAddress(netip.Addr{}, true) == "" {
		t.Error("the zero address is allowed")
	}
}

// addresses is a Resolver with fixed answers.
type addresses map[string][]string

func (a addresses) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	list, ok := a[host]
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	var addrs []netip.Addr
	for _, s := range list {
		addrs = append(addrs, netip.MustParseAddr(s))
	}
	return addrs, nil
}

// TestDial shows that what is dialled is an address that was checked, and that
// one bad address among several is enough. No packet is sent.
func TestDial(t *testing.T) {
	names := addresses{
		"good.com": {"8.8.8.8", "1.1.1.1"}, "mixed.com": {"8.8.8.8", "10.0.0.1"}, "bad.com": {"169.254.169.254"},
		"inside.com": {"192.168.0.9"}, "none.com": {}, "v6.com": {"::ffff:127.0.0.1"},
	}
	tests := []struct {
		address, dialled, code string
		private                bool
	}{
		{"good.com:443", "8.8.8.8:443 1.1.1.1:443", "", false},
		{"mixed.com:443", "", CodeAddressRefused, false},
		{"mixed.com:443", "8.8.8.8:443 10.0.0.1:443", "", true},
		{"bad.com:443", "", CodeAddressRefused, true},
		{"v6.com:443", "", CodeAddressRefused, false},
		{"127.0.0.1:443", "", CodeAddressRefused, false},
		{"[::1]:443", "", CodeAddressRefused, false},
		{"[fe80::1%lo]:443", "", CodeAddressRefused, false},
		{"inside.com:443", "", CodeAddressRefused, false},
		{"inside.com:8443", "192.168.0.9:8443", "", false}, // allowed by name and port
		{"INSIDE.com.:8443", "", CodeConnect, false},       // allowed, though the resolver does not know it so
		{"none.com:443", "", CodeConnect, false},
		{"unknown.com:443", "", CodeConnect, false},
	}
	for _, tt := range tests {
		var dialled []string
		c, err := NewClient(Options{
			AllowHosts: []string{"inside.com:8443"}, AllowPrivate: tt.private, Resolver: names,
			Dial: func(_ context.Context, _, address string) (net.Conn, error) {
				dialled = append(dialled, address)
				return nil, &net.OpError{Op: "dial", Err: errors.New("no network in tests")}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.policy.dialContext(context.Background(), "tcp", tt.address)
		if got := strings.Join(dialled, " "); got != tt.dialled {
			t.Errorf("%s: dialled %q, want %q", tt.address, got, tt.dialled)
		}
		var ours *words.Problem
		if tt.code == CodeAddressRefused && (!errors.As(err, &ours) || ours.Code != tt.code ||
			!strings.Contains(ours.Message, "--allow-host")) {
			t.Errorf("%s: %v, want %s", tt.address, err, tt.code)
		}
		if err == nil {
			t.Errorf("%s: no error", tt.address)
		}
	}
}

// TestDialGivesEachAddressItsShare: the first address hangs, the second answers.
func TestDialGivesEachAddressItsShare(t *testing.T) {
	near, far := net.Pipe()
	defer far.Close()
	c, err := NewClient(Options{
		ConnectTimeout: 50 * time.Millisecond, Resolver: addresses{"two.com": {"8.8.8.8", "1.1.1.1"}},
		Dial: func(ctx context.Context, _, address string) (net.Conn, error) {
			if strings.HasPrefix(address, "8.") {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return near, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := c.policy.dialContext(context.Background(), "tcp", "two.com:443")
	if err != nil || conn != near {
		t.Fatalf("%v %v", conn, err)
	}
}

func TestPolicyURL(t *testing.T) {
	c, err := NewClient(Options{AllowHosts: []string{"other.com", "127.0.0.1:8443", "[::1]:9000"}})
	if err != nil {
		t.Fatal(err)
	}
	for u, ok := range map[string]bool{
		"https://api.com/x": true, "https://API.com:443/x": true, "https://api.com./x": true,
		"https://other.com/":      true,
		"https://127.0.0.1:8443/": true, "https://[::1]:9000/": true,
		"http://api.com/": false, "https://api.com:8443/": false, "https://api.com.evil.com/": false,
		"https://u@api.com/":     false,
		"https://other.com:444/": false, "https://127.0.0.1/": false, "file:///etc/passwd": false,
		"gopher://api.com/": false,
	} {
		parsed, err := url.Parse(u)
		if err != nil {
			t.Fatal(err)
		}
		if refused := c.policy.url(parsed, "api.com:443"); (refused == nil) != ok {
			t.Errorf("%s: %v, want allowed %v", u, refused, ok)
		}
	}
}

func TestAllowHostSyntax(t *testing.T) {
	for s, want := range map[string]string{
		"api.com": "api.com:443", "API.com.:8443": "api.com:8443", "127.0.0.1": "127.0.0.1:443", "::1": "[::1]:443",
		"[::1]:80":        "[::1]:80",
		"https://api.com": "", "api.com/x": "", "api.com:": "", "api.com:0": "", "api.com:99999": "", "": "", "a b": "",
		"*.com": "",
	} {
		got, err := parseAllowHost(s)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q %v, want %q", s, got, err, want)
		}
	}
}

func TestProxyFromEnvironmentIsIgnored(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	client, err := NewClient(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if client.transport.Proxy != nil {
		t.Error("a proxy function is set")
	}
}

func TestHostFolder(t *testing.T) {
	for url, want := range map[string]string{
		"https://api.com/v?q=1": "api.com", "https://api.com:8443": "api.com_8443", "https://[::1]:1/": "___1__1",
		"https://[REDACTED:SUB].api.com/": "_REDACTED_SUB_.api.com", "https://../x": "_..", "https://?q": "_",
		"https://é.com":                       "_.com",
		"https://" + strings.Repeat("a", 300): strings.Repeat("a", maxName),
	} {
		if got := hostFolder(url); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}
