package scaffold

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// keyName matches the names of what is known to the owner of an account only. To take
// something else for a key costs its author an edit; not to see one shows it to all.
var keyName = lazy.Regexp(`(?i)(^|[-_.])(api[-_]?key|app[-_]?(id|key)|key|[a-z]*token|secret|pass(word|wd)?|` +
	`pwd|auth|authorization|credentials?|session([-_]?id)?|sig|signature|client[-_]?(id|secret)|jwt|bearer)$` +
	`|apikey|accesskey|privatekey|secret|password|authorization|(api|access|auth|subscription|private)[-_]?(key|token)`)

// camelEdge is where a name in camelCase has a part that begins.
var camelEdge = lazy.Regexp(`([a-z0-9])([A-Z])`)

// IsKey reports whether what is named so is a key.
func IsKey(name string) bool {
	return keyName().MatchString(camelEdge().ReplaceAllString(name, "${1}_${2}"))
}

// nestedKey is the name of a key inside a value, "" where it has none.
func nestedKey(v ordjson.Value) string {
	for _, e := range v.Elems() {
		if name := nestedKey(e); name != "" {
			return name
		}
	}
	for _, m := range v.Members() {
		if IsKey(m.Key) {
			return m.Key
		}
		if name := nestedKey(m.Value); name != "" {
			return name
		}
	}
	return ""
}

// browsers are headers that say how the copied request was sent, and not what it asks.
var browsers = lazy.Regexp(`(?i)^(accept-encoding|accept-language|cache-control|connection|content-length|` +
	`cookie|dnt|host|if-.*|origin|pragma|priority|referer|sec-.*|te|user-agent|` +
	`upgrade-insecure-requests|x-requested-with|:.*)$`)

// harmless are headers whose values are known to be no keys.
var harmless = lazy.Regexp(`(?i)^(accept|content-type|x-api-version|api-version|accept-version|prefer|` +
	`x-github-api-version|notion-version|anthropic-version)$`)

// addHeaders keeps headers. The values of keys, and those of headers that nobody knows,
// become server parameters.
func (s *schema) addHeaders(headers []Header) error {
	for _, h := range headers {
		if slices.ContainsFunc(s.headers, func(m ordjson.Member) bool { return strings.EqualFold(m.Key, h.Name) }) {
			continue
		}
		if !model.IsHeaderName(h.Name) && !browsers().MatchString(h.Name) {
			return errors.New("the name of a header cannot be used: expected letters, digits and hyphens")
		}
		value := h.Value
		switch {
		case browsers().MatchString(h.Name):
			s.note(fmt.Sprintf("header %s was left out: browsers and curl send it on their own", words.Quote(h.Name)))
			continue
		case strings.EqualFold(h.Name, "Authorization"):
			scheme, _, two := strings.Cut(value, " ")
			value = s.serverParam("token")
			if two && (strings.EqualFold(scheme, "Bearer") || strings.EqualFold(scheme, "Basic") ||
				strings.EqualFold(scheme, "Token")) {
				value = scheme + " " + value
			}
			if strings.EqualFold(scheme, "Basic") {
				s.note("the key of Basic is the base64 of user:password")
			}
		case !harmless().MatchString(h.Name):
			value = s.serverParam(strings.TrimPrefix(strings.ToLower(h.Name), "x-"))
			if !IsKey(h.Name) {
				s.note(fmt.Sprintf("header %s became a server parameter, since its value may be a key",
					words.Quote(h.Name)))
			}
		}
		s.headers = append(s.headers, text(h.Name, value))
	}
	return nil
}

func (s *schema) note(note string) {
	if !slices.Contains(s.Notes, note) {
		s.Notes = append(s.Notes, note)
	}
}
