package exec

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/exec/percent"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// place is where in a request a text stands; it decides the encoding.
type place uint8

const (
	inHost place = iota
	inPath
	inSegments // in the path, where a / of the value stays
	inQuery
	inHeader
	inBody
	inJSON // inside a string of a body that a handler wrote
	inForm // in a body that is a form
)

// piece is literal text, encoded for its place, or the hole of a server
// parameter that is encoded when it is filled.
type piece struct {
	lit string
	key string
	at  place
}

// text is a part of a request. Its holes are filled last (chapter 05, "Key
// Injection Flow"), so that a request can be shown without any secret.
type text []piece

func (t text) addLit(s string) text {
	if s == "" {
		return t
	}
	if n := len(t); n > 0 && t[n-1].key == "" {
		t[n-1].lit += s
		return t
	}
	return append(t, piece{lit: s})
}

func (t text) addHole(key string, at place) text { return append(t, piece{key: key, at: at}) }

// render joins the pieces; value gives the encoded text of a hole.
func (t text) render(value func(key string, at place) string) string {
	if len(t) == 1 && t[0].key == "" {
		return t[0].lit
	}
	var b strings.Builder
	for _, p := range t {
		if p.key != "" {
			b.WriteString(value(p.key, p.at))
		} else {
			b.WriteString(p.lit)
		}
	}
	return b.String()
}

func redactedHole(key string, _ place) string { return secret.Shown(key) }

// encode escapes a value so that it stays what it is in its place: everything
// but the unreserved characters of RFC 3986 is percent-encoded in a URL and a
// form.
func encode(s string, at place) string {
	switch at {
	case inHeader, inBody:
		return s
	case inJSON:
		quoted := ordjson.AppendString(nil, s)
		return string(quoted[1 : len(quoted)-1])
	case inSegments:
		return percent.Escape(s, "/")
	}
	return percent.Escape(s, "")
}

// literal escapes what an author wrote in root or path and no URL may hold,
// and keeps everything that may have a meaning, escapes included.
func literal(s string, at place) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case at == inHost, percent.Unreserved(c), strings.IndexByte("!$&'()*+,;=:@/?", c) >= 0, percent.IsEscape(s[i:]):
			b.WriteByte(c)
		default:
			b.WriteString(encode(s[i:i+1], inPath))
		}
	}
	return b.String()
}

// elements are the texts of a value outside the body, which a comma joins
// there as the field's runtime does: those of an array's elements, else of the
// value itself; an object is JSON. A schema that wants a repeated key declares
// the parameter twice (decision "Duplicate query keys").
func elements(v ordjson.Value) []string {
	if !v.Is(ordjson.Array) {
		return []string{scalar(v)}
	}
	list := make([]string, v.Len())
	for i, e := range v.Elems() {
		list[i] = scalar(e)
	}
	return list
}
