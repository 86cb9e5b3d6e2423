package queue

import (
	"fmt"
	"strings"
)

// Address is some servers of a cluster, and what is meant there.
type Address struct {
	Servers string // "nats://HOST:PORT,nats://HOST:PORT"
	Name    string // of a stream, or a subject
}

// ParseAddress reads nats://HOST[:PORT][,HOST...]/NAME; with tls:// the connection is
// encrypted. What the name is, what says.
func ParseAddress(text, what string) (Address, error) {
	expected := "expected nats://HOST/" + what
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok || scheme != "nats" && scheme != "tls" {
		return Address{}, fmt.Errorf("it is no address of a queue: %s", expected)
	}
	hosts, name, _ := strings.Cut(rest, "/")
	switch {
	case strings.Contains(rest, "@"):
		return Address{}, fmt.Errorf("it has a user: %s, and set NATS_USER and NATS_PASSWORD, or NATS_CREDS", expected)
	case hosts == "":
		return Address{}, fmt.Errorf("it has no host: %s", expected)
	case name == "":
		return Address{}, fmt.Errorf("it has no %s: %s", what, expected)
	case strings.ContainsAny(name, "/*>? \t") || what == "STREAM" && strings.Contains(name, "."):
		return Address{}, fmt.Errorf("%q is no name of a %s: %s", name, strings.ToLower(what), expected)
	}
	servers := strings.Split(hosts, ",")
	for i, host := range servers {
		servers[i] = scheme + "://" + host
	}
	return Address{Servers: strings.Join(servers, ","), Name: name}, nil
}

// streamName is the name of the stream that is made for a subject: it has no dots.
func streamName(subject string) string { return strings.ReplaceAll(subject, ".", "_") }
