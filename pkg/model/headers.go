package model

import (
	"slices"
	"strings"
	"unicode"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Headers merges main.headers and the tool's; names are compared without
// regard to case, as HTTP does, and the tool's win.
func (s Schema) Headers(t Tool) []ordjson.Member {
	var out []ordjson.Member
	places := map[string]int{} // by a name that all that are equal have
	for _, set := range []ordjson.Value{s.Get("headers"), t.Get("headers")} {
		for _, m := range set.Members() {
			text, ok := ordjson.ScalarText(m.Value)
			if !ok {
				continue
			}
			field := ordjson.Field(m.Key, ordjson.NewString(text))
			name := folded(m.Key)
			if i, ok := places[name]; ok {
				out[i] = field
			} else {
				places[name] = len(out)
				out = append(out, field)
			}
		}
	}
	return out
}

// IsHeaderName reports whether a text may be the name of a header (RFC 9110,
// "Tokens").
func IsHeaderName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		alnum := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !alnum && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// IsHeaderValue reports whether a text may be the value of a header.
func IsHeaderValue(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7F {
			return false
		}
	}
	return true
}

// folded is a text that all have that strings.EqualFold holds to be equal.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, s)
}

// ServerParams are the names of all server parameters that a call needs.
func (s Schema) ServerParams(t Tool, params []Parameter, headers []ordjson.Member) []string {
	declared := s.RequiredServerParams()
	keys := slices.Clone(declared)
	known := make(map[string]bool, len(keys))
	for _, k := range keys {
		known[k] = true
	}
	add := func(text string, not []string) {
		for _, k := range ServerKeys(text, declared) {
			if !known[k] && !slices.Contains(not, k) {
				known[k] = true
				keys = append(keys, k)
			}
		}
	}
	add(s.Get("root").Str(), nil)
	add(t.Get("path").Str(), InsertKeys(params))
	for _, h := range headers {
		add(h.Value.Str(), nil)
	}
	for _, p := range params {
		add(p.Template().Str(), nil)
	}
	return keys
}
