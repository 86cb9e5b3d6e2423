package exec

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// apiIP is the address of api.com, a public one.
const apiIP = "93.184.216.34:443"

// ssrfCases are ways to make a call go where it must not, and, with no code,
// their harmless neighbours. They use a network in memory.
var ssrfCases = []struct {
	name     string
	root     string // of the schema
	dns      string // what api.com resolves to, "|" between look-ups; "" is its public address
	location string // where api.com redirects to
	allow    string // --allow-host, or "private" for --allow-private
	code     string // of the refusal
	want     string // in its message
	dialled  string // what was connected to
}{
	// Addresses that a name resolves to.
	{"a public address", "https://api.com", "", "", "", "", "", apiIP},
	{"a public IPv6 address", "https://api.com", "2606:4700::1111", "", "", "", "", "[2606:4700::1111]:443"},
	{"a public address, mapped", "https://api.com", "::ffff:93.184.216.34", "", "", "", "",
		"[::ffff:93.184.216.34]:443"},
	{"loopback", "https://api.com", "127.0.0.1", "", "", "EXE031",
		"loopback and may not be called: if you trust it, add --allow-host api.com:443, or --allow-private", ""},
	{"loopback, not the first", "https://api.com", "127.8.9.10", "", "", "EXE031", "loopback", ""},
	{"private 10", "https://api.com", "10.1.2.3", "", "", "EXE031", "private", ""},
	{"private 172.16", "https://api.com", "172.20.0.1", "", "", "EXE031", "private", ""},
	{"private 192.168", "https://api.com", "192.168.178.1", "", "", "EXE031", "private", ""},
	{"carrier-grade NAT", "https://api.com", "100.64.7.7", "", "", "EXE031", "carrier-grade NAT", ""},
	{"link-local", "https://api.com", "169.254.7.7", "", "", "EXE031", "link-local", ""},
	{"link-local, private allowed", "https://api.com", "169.254.7.7", "", "private", "EXE031", "link-local", ""},
	{"metadata", "https://api.com", "169.254.169.254", "", "", "EXE031", "metadata", ""},
	{"metadata, private allowed", "https://api.com", "169.254.169.254", "", "private", "EXE031", "metadata", ""},
	{"metadata of containers", "https://api.com", "169.254.170.2", "", "private", "EXE031", "metadata", ""},
	{"metadata of Alibaba", "https://api.com", "100.100.100.200", "", "private", "EXE031", "metadata", ""},
	{"metadata of Azure", "https://api.com", "168.63.129.16", "", "", "EXE031", "metadata", ""},
	{"metadata of Oracle", "https://api.com", "192.0.0.192", "", "", "EXE031", "metadata", ""},
	{"metadata by IPv6", "https://api.com", "fd00:ec2::254", "", "", "EXE031", "metadata", ""},
	{"metadata by IPv6, private allowed", "https://api.com", "fd00:ec2::254", "", "private", "EXE031", "metadata", ""},
	{"metadata of Google by IPv6", "https://api.com", "fd20:ce::254", "", "private", "EXE031", "metadata", ""},
	{"unspecified", "https://api.com", "0.0.0.0", "", "", "EXE031", "unspecified", ""},
	{"unspecified network", "https://api.com", "0.1.2.3", "", "private", "EXE031", "unspecified", ""},
	{"unspecified by IPv6", "https://api.com", "::", "", "", "EXE031", "unspecified", ""},
	{"multicast", "https://api.com", "224.0.0.251", "", "private", "EXE031", "multicast", ""},
	{"multicast by IPv6", "https://api.com", "ff02::fb", "", "private", "EXE031", "multicast", ""},
	{"broadcast", "https://api.com", "255.255.255.255", "", "private", "EXE031", "reserved", ""},
	{"documentation", "https://api.com", "203.0.113.5", "", "", "EXE031", "reserved", ""},
	{"benchmarks", "https://api.com", "198.19.0.1", "", "", "EXE031", "reserved", ""},
	{"loopback by IPv6", "https://api.com", "::1", "", "", "EXE031", "loopback", ""},
	{"unique local", "https://api.com", "fd12:3456:789a::1", "", "", "EXE031", "private", ""},
	{"link-local by IPv6", "https://api.com", "fe80::1", "", "private", "EXE031", "link-local", ""},
	{"site-local", "https://api.com", "fec0::1", "", "private", "EXE031", "reserved", ""},
	{"outside global unicast", "https://api.com", "4000::1", "", "", "EXE031", "reserved", ""},
	{"mapped loopback", "https://api.com", "::ffff:127.0.0.1", "", "", "EXE031", "loopback", ""},
	{"mapped private", "https://api.com", "::ffff:10.0.0.1", "", "", "EXE031", "private", ""},
	{"mapped metadata", "https://api.com", "::ffff:169.254.169.254", "", "private", "EXE031", "metadata", ""},
	{"compatible loopback", "https://api.com", "::127.0.0.1", "", "", "EXE031", "loopback (127.0.0.1 inside it)", ""},
	{"compatible metadata", "https://api.com", "::169.254.169.254", "", "private", "EXE031", "metadata", ""},
	{"translated loopback", "https://api.com", "::ffff:0:127.0.0.1", "", "", "EXE031", "reserved", ""},
	{"6to4 loopback", "https://api.com", "2002:7f00:1::1", "", "", "EXE031", "loopback (127.0.0.1 inside it)", ""},
	{"6to4 private", "https://api.com", "2002:a00:1::", "", "", "EXE031", "private", ""},
	{"6to4 metadata", "https://api.com", "2002:a9fe:a9fe::", "", "private", "EXE031", "metadata", ""},
	{"NAT64 loopback", "https://api.com", "64:ff9b::7f00:1", "", "", "EXE031", "loopback", ""},
	{"NAT64 private", "https://api.com", "64:ff9b::c0a8:101", "", "", "EXE031", "private", ""},
	{"NAT64 metadata", "https://api.com", "64:ff9b::a9fe:a9fe", "", "private", "EXE031", "metadata", ""},
	{"local NAT64", "https://api.com", "64:ff9b:1::a00:1", "", "", "EXE031", "reserved", ""},
	{"Teredo of loopback", "https://api.com", "2001:0:7f00:1::", "", "", "EXE031", "Teredo", ""},
	{"Teredo of metadata", "https://api.com", "2001:0:53aa:64c:0:fbdd:5601:5601", "", "private", "EXE031",
		"Teredo", ""},
	{"ISATAP of private", "https://api.com", "2606:4700::5efe:10.0.0.1", "", "", "EXE031", "private", ""},
	{"one bad address, last", "https://api.com", "93.184.216.34 10.0.0.1", "", "", "EXE031", "10.0.0.1", ""},
	{"one bad address, first", "https://api.com", "::1 93.184.216.34", "", "", "EXE031", "::1", ""},
	{"one bad of two families", "https://api.com", "93.184.216.34 fd00::1", "", "", "EXE031", "fd00::1", ""},
	{"private, private allowed", "https://api.com", "10.0.0.1", "", "private", "", "", "10.0.0.1:443"},
	{"private, host allowed", "https://api.com", "10.0.0.1", "", "api.com", "", "", "10.0.0.1:443"},
	{"private, another port allowed", "https://api.com", "10.0.0.1", "", "api.com:8443", "EXE031", "private", ""},
	{"private, its subdomain allowed", "https://api.com", "10.0.0.1", "", "x.api.com", "EXE031", "private", ""},

	// Hosts that are addresses, in every spelling. The resolver would answer.
	{"address of loopback", "https://127.0.0.1", "", "", "", "EXE031", "loopback", ""},
	{"address of metadata", "https://169.254.169.254", "", "", "", "EXE031", "metadata", ""},
	{"public address", "https://93.184.216.34", "", "", "", "", "", apiIP},
	{"decimal", "https://2130706433", "", "", "", "EXE030", "is a number", ""},
	{"decimal of metadata", "https://2852039166", "", "", "private", "EXE030", "is a number", ""},
	{"hexadecimal", "https://0x7f000001", "", "", "", "EXE030", "is a number", ""},
	{"hexadecimal in capitals", "https://0X7F000001", "", "", "", "EXE030", "is a number", ""},
	{"octal", "https://017700000001", "", "", "", "EXE030", "is a number", ""},
	{"octal parts", "https://0177.0.0.01", "", "", "", "EXE030", "is a number", ""},
	{"hexadecimal parts", "https://0x7f.0x0.0x0.0x1", "", "", "", "EXE030", "is a number", ""},
	{"mixed parts", "https://0x7f.1", "", "", "", "EXE030", "is a number", ""},
	{"two parts", "https://127.1", "", "", "", "EXE030", "is a number", ""},
	{"three parts", "https://127.0.1", "", "", "", "EXE030", "is a number", ""},
	{"five parts", "https://127.0.0.1.1", "", "", "", "EXE030", "is a number", ""},
	{"a part too large", "https://127.0.0.257", "", "", "", "EXE030", "is a number", ""},
	{"leading zeros", "https://127.000.000.001", "", "", "", "EXE030", "is a number", ""},
	{"empty hexadecimal", "https://api.0x", "", "", "", "EXE030", "is a number", ""},
	{"zero", "https://0", "", "", "", "EXE030", "is a number", ""},
	{"address with a dot after it", "https://127.0.0.1.", "", "", "", "EXE030", "is a number", ""},
	{"a name of digits first", "https://127.0.0.1.api.com", "", "", "", "EXE033", "is not known", ""},
	{"IPv6 loopback", "https://[::1]", "", "", "", "EXE031", "loopback", ""},
	{"IPv6 loopback, long", "https://[0:0:0:0:0:0:0:1]", "", "", "", "EXE031", "loopback", ""},
	{"IPv6 mapped", "https://[::ffff:127.0.0.1]", "", "", "", "EXE031", "loopback", ""},
	{"IPv6 mapped, hexadecimal", "https://[::ffff:7f00:1]", "", "", "", "EXE031", "loopback", ""},
	{"IPv6 metadata", "https://[fd00:ec2::254]", "", "", "private", "EXE031", "metadata", ""},
	{"IPv6 6to4", "https://[2002:7f00:1::]", "", "", "", "EXE031", "loopback", ""},
	{"IPv6 public", "https://[2606:4700::1111]", "", "", "", "", "", "[2606:4700::1111]:443"},
	{"IPv6 with a zone", "https://[fe80::1%25eth0]", "", "", "", "EXE030", "network interface", ""},
	{"IPv6 public with a zone", "https://[2606:4700::1111%25lo]", "", "", "", "EXE030", "network interface", ""},
	{"IPv6 loopback with a zone, private allowed", "https://[::1%25lo]", "", "", "private", "EXE030",
		"network interface", ""},
	{"IPv4 in brackets", "https://[127.0.0.1]", "", "", "", "EXE0", "", ""},
	{"a name in brackets", "https://[api.com]", "", "", "", "EXE0", "", ""},

	// Hosts that are not what they seem.
	{"user name", "https://api.com@127.0.0.1", "", "", "", "EXE021", "@", ""},
	{"user and password", "https://u:p@api.com", "", "", "", "EXE021", "@", ""},
	{"encoded @", "https://api.com%40127.0.0.1", "", "", "", "EXE021", "", ""},
	{"backslash", `https://api.com\@127.0.0.1`, "", "", "", "EXE021", "", ""},
	{"fragment", "https://api.com#@127.0.0.1", "", "", "", "EXE021", "#", ""},
	{"encoded dots", "https://127%2e0%2e0%2e1", "", "", "", "EXE021", "", ""},
	{"encoded letters", "https://%6c%6f%63alhost", "", "", "", "EXE021", "", ""},
	{"encoded bytes above ASCII", "https://%E2%91%A027.0.0.1", "", "", "", "EXE030", "xn-- form", ""},
	{"digits in circles", "https://①②⑦.⓪.⓪.①", "", "", "", "EXE030", "xn-- form", ""},
	{"full-width digits", "https://１２７.０.０.１", "", "", "", "EXE030", "xn-- form", ""},
	{"ideographic full stop", "https://127。0。0。1", "", "", "", "EXE030", "xn-- form", ""},
	{"letters that look alike", "https://аpi.com", "", "", "", "EXE030", "xn-- form", ""},
	{"international name", "https://bücher.com", "", "", "", "EXE030", "xn-- form", ""},
	{"international name in ASCII", "https://xn--bcher-kva.com", "", "", "", "", "", apiIP},
	{"dot at the end", "https://api.com.", "", "", "", "", "", apiIP},
	{"two dots at the end", "https://api.com..", "", "", "", "EXE030", "not a host name", ""},
	{"empty label", "https://api..com", "", "", "", "EXE030", "not a host name", ""},
	{"localhost", "https://localhost", "", "", "", "EXE031", "loopback", ""},
	{"localhost with a dot at the end", "https://localhost.", "", "", "", "EXE031", "loopback", ""},
	{"name of the metadata service", "https://metadata.google.internal", "", "", "private", "EXE031", "metadata", ""},
	{"space", "https://api.com .evil.com", "", "", "", "EXE021", "", ""},
	{"line break", "https://api.com\r\nHost: evil", "", "", "", "EXE021", "", ""},
	{"port 0", "https://api.com:0", "", "", "", "EXE030", "port", ""},
	{"port too large", "https://api.com:65979", "", "", "", "EXE030", "port", ""},
	{"port that is none", "https://api.com:http", "", "", "", "EXE021", "", ""},
	{"http", "http://api.com", "", "", "", "EXE021", "https://", ""},
	{"file", "file:///etc/passwd", "", "", "", "EXE021", "https://", ""},
	{"no scheme", "//api.com", "", "", "", "EXE021", "https://", ""},

	// Redirects of api.com.
	{"redirect to itself", "https://api.com", "", "/end", "", "", "", apiIP + " " + apiIP},
	{"redirect to http", "https://api.com", "", "http://api.com/", "", "EXE032", "only https is allowed, not http",
		apiIP},
	{"redirect to file", "https://api.com", "", "file:///etc/passwd", "", "EXE032", "not file", apiIP},
	{"redirect to gopher", "https://api.com", "", "gopher://api.com/_x", "", "EXE032", "not gopher", apiIP},
	{"redirect to ftp", "https://api.com", "", "ftp://api.com/", "", "EXE032", "not ftp", apiIP},
	{"redirect to data", "https://api.com", "", "data:text/plain,x", "", "EXE032", "not data", apiIP},
	{"redirect to loopback", "https://api.com", "", "https://127.0.0.1/", "", "EXE032", "--allow-host 127.0.0.1:443",
		apiIP},
	{"redirect to loopback, private allowed", "https://api.com", "", "https://127.0.0.1/", "private", "EXE032",
		"not the schema's own", apiIP},
	{"redirect to metadata", "https://api.com", "", "https://169.254.169.254/latest/meta-data/", "private", "EXE032",
		"169.254.169.254", apiIP},
	{"redirect to decimal", "https://api.com", "", "https://2130706433/", "", "EXE032", "is a number", apiIP},
	{"redirect to IPv6", "https://api.com", "", "https://[::1]/", "", "EXE032", "[::1]:443", apiIP},
	{"redirect to another host", "https://api.com", "", "https://other.com/", "", "EXE032",
		"--allow-host other.com:443", apiIP},
	{"redirect to another host, allowed", "https://api.com", "", "https://other.com/end", "other.com", "", "",
		apiIP + " 1.1.1.1:443"},
	{"redirect to a subdomain", "https://api.com", "", "https://x.api.com/", "", "EXE032", "x.api.com", apiIP},
	{"redirect to another port", "https://api.com", "", "https://api.com:8443/", "", "EXE032",
		"--allow-host api.com:8443", apiIP},
	{"redirect without a scheme", "https://api.com", "", "//127.0.0.1/", "", "EXE032", "127.0.0.1", apiIP},
	{"redirect with a user name", "https://api.com", "", "https://api.com@127.0.0.1/", "", "EXE032", "user name",
		apiIP},
	{"redirect with a user name to itself", "https://api.com", "", "https://u:p@api.com/", "", "EXE032", "user name",
		apiIP},
	// a path, not a host
	{"redirect with backslashes", "https://api.com", "", `/\127.0.0.1/end`, "", "", "", apiIP + " " + apiIP},
	{"redirect to a circled digit", "https://api.com", "", "https://①27.0.0.1/", "", "EXE03", "", apiIP},
	{"redirect in capitals, dot at the end", "https://api.com", "", "https://API.COM./end", "", "", "",
		apiIP + " " + apiIP},
	{"redirect for ever", "https://api.com", "", "/", "", "EXE032", "more than 5 redirects",
		strings.TrimSpace(strings.Repeat(apiIP+" ", 6))},

	// Names that change between look-ups.
	{"turns to loopback on a redirect", "https://api.com", "93.184.216.34|127.0.0.1", "/end", "", "EXE031", "loopback",
		apiIP},
	{"turns to metadata on a redirect", "https://api.com", "93.184.216.34|169.254.169.254", "/end", "private", "EXE031",
		"metadata", apiIP},
	{"turns to a mapped address", "https://api.com", "93.184.216.34|::ffff:10.0.0.1", "/end", "", "EXE031", "private",
		apiIP},
	{"gets a second address", "https://api.com", "93.184.216.34|93.184.216.34 10.0.0.1", "/end", "", "EXE031",
		"private", apiIP},
	{"would turn, is looked up once", "https://api.com", "93.184.216.34|127.0.0.1", "", "", "", "", apiIP},
	{"turns to another public address", "https://api.com", "93.184.216.34|8.8.8.8", "/end", "", "", "",
		apiIP + " 8.8.8.8:443"},
}

func TestSSRF(t *testing.T) {
	for _, tt := range ssrfCases {
		t.Run(tt.name, func(t *testing.T) {
			names := map[string]string{
				"api.com": "93.184.216.34", "api.com.": "93.184.216.34", "other.com": "1.1.1.1",
				"xn--bcher-kva.com": "93.184.216.34",
				"localhost":         "127.0.0.1 ::1", "localhost.": "127.0.0.1",
				"metadata.google.internal": "169.254.169.254",
				"2130706433":               "127.0.0.1", "0x7f000001": "127.0.0.1", "127.1": "127.0.0.1",
				"127.0.0.1.": "127.0.0.1",
			}
			if tt.dns != "" {
				names["api.com"] = tt.dns
			}
			o := fetch.Options{Retries: -1}
			switch tt.allow {
			case "":
			case "private":
				o.AllowPrivate = true
			default:
				o.AllowHosts = []string{tt.allow}
			}
			network, client := newFakeNet(t, names, o, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Connection", "close") // the name is looked up again
				if tt.location != "" && !strings.HasSuffix(r.URL.Path, "/end") {
					w.Header().Set("Location", tt.location)
					w.WriteHeader(http.StatusFound)
				}
				_, _ = io.WriteString(w, `"reached"`)
			})
			d := `{"name":"find","method":"GET","root":` + quoteJSON(tt.root) +
				`,"path":"/start","serverParams":[],"parameters":[]}`
			e := (&Caller{Client: client, Env: env(nil)}).Call(context.Background(), tool(t, d), ordjson.Value{},
				Options{})
			if tt.code == "" {
				expect(t, e, true, `"reached"`)
			} else {
				expect(t, e, false, tt.code)
				expect(t, e, false, tt.want)
			}
			if got := strings.Join(network.dialled, " "); got != tt.dialled {
				t.Errorf("connected to %q, want %q", got, tt.dialled)
			}
			if slices.Contains([]string{"EXE021", "EXE030"}, tt.code) && len(network.asked) > 0 {
				t.Errorf("the resolver was asked for %q", network.asked)
			}
		})
	}
	if len(ssrfCases) < 80 {
		t.Errorf("%d cases, want 80 at least", len(ssrfCases))
	}
}
