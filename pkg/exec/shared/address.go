package shared

import (
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// form is how the URL of a server is written.
const form = "redis://[USER:PASSWORD@]HOST[:PORT][/DB], or rediss:// for TLS"

// IsURL reports whether a text means a server, and not a folder.
func IsURL(text string) bool {
	return strings.HasPrefix(text, "redis://") || strings.HasPrefix(text, "rediss://")
}

// HasPassword reports whether a text is the URL of a server with a password, which is
// not to be written anywhere.
func HasPassword(text string) bool {
	a, err := parse(text)
	return IsURL(text) && (err != nil || a.password != "")
}

// address is where a server is, and who asks it.
type address struct {
	host           string // HOST:PORT
	user, password string
	db             int
	tls            bool
}

// parse reads a URL. No error has a part of it that may be a password.
func parse(text string) (address, error) {
	if !IsURL(text) {
		return address{}, errors.New("it is no URL of a Redis: expected " + form)
	}
	u, err := url.Parse(text)
	if err != nil {
		return address{}, errors.New("it is no URL: expected " + form + ", with what is special in a user or " +
			"password as %XX")
	}
	a := address{host: u.Host, user: u.User.Username(), tls: u.Scheme == "rediss"}
	a.password, _ = u.User.Password()
	switch {
	case u.Hostname() == "":
		return address{}, errors.New("it has no host: expected " + form)
	case u.RawQuery != "" || u.Fragment != "":
		return address{}, errors.New("it has more than a database after the host: expected " + form)
	case u.Port() == "":
		a.host = net.JoinHostPort(u.Hostname(), "6379")
	default:
		if n, err := strconv.ParseUint(u.Port(), 10, 16); err != nil || n == 0 {
			return address{}, errors.New("its port does not exist: ports are 1 to 65535; expected " + form)
		}
	}
	if name := strings.TrimPrefix(u.Path, "/"); name != "" {
		n, err := strconv.ParseUint(name, 10, 16)
		if err != nil { // it may be the rest of a password with a /
			return address{}, errors.New("its database is no number: expected " + form)
		}
		a.db = int(n)
	}
	return a, nil
}
