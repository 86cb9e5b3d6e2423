package domain

import "testing"

func TestOf(t *testing.T) {
	for host, want := range map[string]string{
		"api.example.com": "example.com", "example.com": "example.com", "EXAMPLE.com.": "example.com",
		"a.b.example.co.uk": "example.co.uk", "co.uk": "co.uk", "com": "com",
		"mine.github.io": "mine.github.io", "a.mine.github.io": "mine.github.io",
		"bucket.s3.amazonaws.com": "bucket.s3.amazonaws.com", "api.amazonaws.com": "amazonaws.com",
		"localhost": "localhost", "": "", "127.0.0.1": "127.0.0.1", "::1": "::1",
		"erc-rpc-resolver.local": "erc-rpc-resolver.local",
	} {
		if got := Of(host); got != want {
			t.Errorf("%q: %q, want %q", host, got, want)
		}
	}
}

func TestOfRoot(t *testing.T) {
	for root, want := range map[string]string{
		"https://api.example.com/v1?x=a.b.org": "example.com", "https://api.example.com:8443": "example.com",
		"https://[2001:db8::1]:8443/x": "2001:db8::1",
		"https://x.com#@evil.org":      "x.com", `https://x.com\.evil.org`: "x.com",
		"https://{{SERVER_PARAM:SHOP}}.example.com/v1": "example.com",
		"https://{{SERVER_PARAM:HOST}}/v1":             "{{server_param:host}}",
		"https://{{SERVER_PARAM:HOST}}:8443":           "{{server_param:host}}", "": "",
	} {
		if got := OfRoot(root); got != want {
			t.Errorf("%q: %q, want %q", root, got, want)
		}
	}
}

// TestOpenLabel: a handler may fill in what is left of the registrable domain.
func TestOpenLabel(t *testing.T) {
	for root, want := range map[string]string{
		"https://--chain--.example.com": "", "https://--a--.--b--.example.co.uk/v1": "",
		"https://explorer.execution.--chain--.lukso.network/api": "",
		"https://--a--:443": "--a--", "https://--net--.--tld--": "--net--", "https://--a--.com": "--a--",
		"https://api.--a--.com": "--a--",
		"https://--a--.co.uk":   "--a--", "https://--user--.github.io": "--user--",
		"https://--b--.s3.amazonaws.com": "--b--",
		"https://api.example.--tld--":    "--tld--", "https://a--b.com": "", "https://----.com": "",
	} {
		if got := OpenLabel(root); got != want {
			t.Errorf("%q: %q, want %q", root, got, want)
		}
	}
}

func TestIsPublic(t *testing.T) {
	for host, want := range map[string]bool{
		"example.com": true, "mine.github.io": true, "203.0.113.7": true, "example.co.uk": true,
		"localhost": false, "erc-rpc-resolver.local": false, "": false, "{{server_param:host}}": false,
		"{{host}}.com": false,
	} {
		if got := IsPublic(host); got != want {
			t.Errorf("%q: %t, want %t", host, got, want)
		}
	}
}
