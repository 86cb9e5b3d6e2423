package worker

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// The sets of ASCII characters that the URL standard percent-encodes in each
// part besides control characters; what is beyond ASCII always is.
const (
	fragmentSet = " \"<>`"
	querySet    = " \"#<>'"
	pathSet     = " \"#<>?`{}^"
	userSet     = pathSet + "/:;=@[\\]|"
)

const upperHex = "0123456789ABCDEF"

// escapeIn percent-encodes the characters of a set.
func escapeIn(s, set string) string {
	return percentEncode(s, func(c byte) bool { return c < 0x20 || c >= 0x7F || strings.IndexByte(set, c) >= 0 })
}

func percentEncode(s string, special func(c byte) bool) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; special(c) {
			b.WriteByte('%')
			b.WriteByte(upperHex[c>>4])
			b.WriteByte(upperHex[c&15])
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// escape is (text, part of a URL): what its setters write.
func (r *runtime) escape(call goja.FunctionCall) goja.Value {
	text := strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(call.Argument(0).String())
	switch call.Argument(1).String() {
	case "path":
		return r.vm.ToValue(cleanPath(text, ""))
	case "query":
		return r.vm.ToValue(escapeIn(text, querySet))
	case "user":
		return r.vm.ToValue(escapeIn(text, userSet))
	}
	return r.vm.ToValue(escapeIn(text, fragmentSet))
}

// formEncode writes a name or value of a query (application/x-www-form-urlencoded).
func (r *runtime) formEncode(call goja.FunctionCall) goja.Value {
	text := percentEncode(call.Argument(0).String(), func(c byte) bool {
		return strings.IndexByte(" *-._", c) < 0 &&
			!(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
	})
	return r.vm.ToValue(strings.ReplaceAll(text, " ", "+"))
}

// formDecode reads one; a broken escape stays as it is.
func (r *runtime) formDecode(call goja.FunctionCall) goja.Value {
	s := strings.ReplaceAll(call.Argument(0).String(), "+", " ")
	var b []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b = append(b, byte(n))
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return r.vm.ToValue(lossyUTF8(b))
}

// defaultPorts are those of the schemes that a handler may meet.
var defaultPorts = map[string]string{"https": "443", "http": "80", "wss": "443", "ws": "80", "ftp": "21"}

// parseURL is (text, base or undefined); it returns the parts, or null. It
// reads URLs with a host as the URL standard does; of others only the parts.
func (r *runtime) parseURL(call goja.FunctionCall) goja.Value {
	base := ""
	if v := call.Argument(1); !goja.IsUndefined(v) {
		base = v.String()
	}
	parts, ok := readURL(call.Argument(0).String(), base)
	if !ok {
		return goja.Null()
	}
	return r.vm.ToValue(parts)
}

// readURL reads a URL relative to base, "" for none.
func readURL(text, base string) (map[string]any, bool) {
	text = strings.NewReplacer("\t", "", "\n", "", "\r",
		"").Replace(strings.TrimFunc(text, func(c rune) bool { return c <= ' ' }))
	scheme, rest := cutScheme(text)
	if scheme == "" {
		if base == "" {
			return nil, false
		}
		return joinURL(text, base)
	}
	rest, hash, _ := strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	parts := map[string]any{
		"protocol": scheme + ":", "username": "", "password": "", "hostname": "", "port": "",
		"search": sign("?", escapeIn(query, querySet)), "hash": sign("#", escapeIn(hash, fragmentSet)),
	}
	if _, special := defaultPorts[scheme]; !special {
		parts["pathname"] = escapeIn(rest, "")
		return parts, true
	}
	rest = strings.ReplaceAll(rest, `\`, "/")
	authority, path, _ := strings.Cut(strings.TrimLeft(rest, "/"), "/")
	parts["pathname"] = cleanPath("/"+path, "")
	return parts, authorityParts(parts, scheme, authority)
}

// sign puts a sign before a part that is not empty.
func sign(sign, part string) string {
	if part == "" {
		return ""
	}
	return sign + part
}

func cutScheme(text string) (scheme, rest string) {
	scheme, rest, ok := strings.Cut(text, ":")
	for i, c := range scheme {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9') && !strings.ContainsRune("+-.", c)) {
			return "", text
		}
	}
	if !ok || scheme == "" {
		return "", text
	}
	return strings.ToLower(scheme), rest
}

// authorityParts reads user, host and port.
func authorityParts(parts map[string]any, scheme, authority string) bool {
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		user, password, _ := strings.Cut(authority[:i], ":")
		parts["username"], parts["password"] = escapeIn(user, userSet), escapeIn(password, userSet)
		authority = authority[i+1:]
	}
	host, port := authority, ""
	if i := strings.LastIndexByte(authority, ':'); i >= 0 && !strings.HasSuffix(authority, "]") {
		host, port = authority[:i], authority[i+1:]
	}
	if port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			return false
		}
		if port = strconv.FormatUint(n, 10); port == defaultPorts[scheme] {
			port = ""
		}
	}
	host, ok := readHost(host)
	parts["hostname"], parts["port"] = host, port
	return ok
}

// readHost reads a host name in ASCII, or an address. What the URL standard
// would read as an address of another notation, or would translate, is not a
// host here: no call may go there (pkg/exec).
func readHost(host string) (string, bool) {
	plain, err := url.PathUnescape(host)
	if err != nil || plain == "" {
		return "", false
	}
	if strings.HasPrefix(plain, "[") {
		addr, err := netip.ParseAddr(strings.Trim(plain, "[]"))
		return "[" + addr.String() + "]", err == nil && addr.Is6() && addr.Zone() == ""
	}
	plain = strings.ToLower(plain)
	for i := range len(plain) {
		if c := plain[i]; c <= ' ' || c >= 0x7F || strings.IndexByte(`#/:<>?@[\]^|%`, c) >= 0 {
			return "", false
		}
	}
	labels := strings.Split(strings.TrimSuffix(plain, "."), ".")
	if last := labels[len(labels)-1]; last != "" && strings.Trim(last, "0123456789") == "" ||
		strings.HasPrefix(last, "0x") {
		_, err := netip.ParseAddr(plain)
		return plain, err == nil
	}
	return plain, true
}

// joinURL reads text relative to a base.
func joinURL(text, base string) (map[string]any, bool) {
	parts, ok := readURL(base, "")
	if !ok {
		return nil, false
	}
	scheme := strings.TrimSuffix(parts["protocol"].(string), ":")
	if _, special := defaultPorts[scheme]; !special {
		return nil, false
	}
	text, hash, _ := strings.Cut(text, "#")
	text, query, hasQuery := strings.Cut(text, "?")
	text = strings.ReplaceAll(text, `\`, "/")
	parts["hash"] = sign("#", escapeIn(hash, fragmentSet))
	switch {
	case strings.HasPrefix(text, "//"):
		authority, path, _ := strings.Cut(text[2:], "/")
		parts["username"], parts["password"] = "", ""
		parts["pathname"] = cleanPath("/"+path, "")
		ok = authorityParts(parts, scheme, authority)
	case strings.HasPrefix(text, "/"):
		parts["pathname"] = cleanPath(text, "")
	case text != "":
		parts["pathname"] = cleanPath(text, parts["pathname"].(string))
	case !hasQuery:
		return parts, true // what the base asks for
	}
	parts["search"] = sign("?", escapeIn(query, querySet))
	return parts, ok
}

// cleanPath resolves . and .. of a path, after the folder of another if it
// does not start with a slash, and percent-encodes it.
func cleanPath(path, after string) string {
	path = escapeIn(strings.ReplaceAll(path, `\`, "/"), pathSet)
	if !strings.HasPrefix(path, "/") {
		path = after[:strings.LastIndexByte(after, '/')+1] + path
	}
	var out []string
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i, s := range segments {
		last := i == len(segments)-1
		switch strings.ReplaceAll(strings.ToLower(s), "%2e", ".") {
		case ".":
			if last {
				out = append(out, "")
			}
		case "..":
			out = out[:max(len(out)-1, 0)]
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, s)
		}
	}
	return "/" + strings.Join(out, "/")
}
