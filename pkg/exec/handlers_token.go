package exec

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"slices"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/exec/percent"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// tokens are the texts that stand for server parameters in what a handler gets
// (chapter 05, "API Key Protection"). They are made of a random text, so that
// no handler can write one, and consist of letters, digits and _, so that they
// stay what they are in every encoding. Where a handler moves one, the value
// follows, as far as the declaration of the tool allows that is called.
type tokens struct {
	nonce string
	env   *secret.Env
	keys  []string
	shown bool // handlers get the values themselves (--expose-server-params)
}

const tokenStart = "SERVER_PARAM_"

// tokenSecret makes tokens unknown outside this process.
var tokenSecret = sync.OnceValue(rand.Text)

// tokenNonce is the random text of a script's tokens. It is the same in every
// call of this process, as a handler may keep a URL for longer than one; other
// schemas have others.
func tokenNonce(script string) string {
	mac := hmac.New(sha256.New, []byte(tokenSecret()))
	mac.Write([]byte(script))
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(mac.Sum(nil)[:16])
}

func (k *tokens) token(key string) string { return tokenStart + k.nonce + "_" + key + "_" }

// hole is what a handler gets in the place of a server parameter.
func (k *tokens) hole(key string, at place) string {
	if v, ok := k.env.Lookup(key); ok && k.shown {
		return encode(v, at)
	}
	return k.token(key)
}

// mark is a text that stands for a server parameter.
type mark struct{ text, key string }

// marks are those of the text that a handler wrote, for a place.
func (k *tokens) marks(at place) []mark {
	var list []mark
	for _, key := range k.keys {
		list = append(list, mark{k.token(key), key})
		if v, ok := k.env.Lookup(key); ok && k.shown && len(v) >= secret.MinLength {
			list = append(list, mark{v, key}, mark{encode(v, at), key})
		}
	}
	return list
}

// text finds the marks in a text of a handler, in one go, as it may be long and
// hold many.
func (k *tokens) text(s string, at place) text {
	var t text
	list := k.marks(at)
	next := make([]int, len(list)) // where each mark stands next
	for pos := 0; ; {
		first, found := len(s), mark{}
		for i, m := range list {
			if next[i] < pos || pos == 0 {
				if next[i] = strings.Index(s[pos:], m.text); next[i] < 0 {
					next[i] = len(s)
				} else {
					next[i] += pos
				}
			}
			if n := next[i]; n < first || n == first && n < len(s) && len(m.text) > len(found.text) {
				first, found = n, m
			}
		}
		t = t.addLit(s[pos:first])
		if found.key == "" {
			return t
		}
		t = t.addHole(found.key, at)
		pos = first + len(found.text)
	}
}

// url is text for a URL, whose parts encode in different ways.
func (k *tokens) url(s string) text {
	rest, ok := strings.CutPrefix(s, scheme)
	if !ok {
		return plainText(s)
	}
	host := len(rest)
	if i := strings.IndexAny(rest, `/?#\`); i >= 0 {
		host = i
	}
	path := host
	if i := strings.IndexAny(rest[host:], "?#"); i >= 0 {
		path += i
	} else {
		path = len(rest)
	}
	t := text{{lit: scheme}}
	for _, part := range []struct {
		text string
		at   place
	}{{rest[:host], inHost}, {rest[host:path], inPath}, {rest[path:], inQuery}} {
		for _, p := range k.text(part.text, part.at) {
			if p.key != "" {
				t = t.addHole(p.key, p.at)
			} else {
				t = t.addLit(fitURL(p.lit, part.at))
			}
		}
	}
	return t
}

// fitURL percent-encodes what code writes into a URL and no URL may hold, as the
// fetch of Node does: spaces, letters beyond ASCII. Escapes stay what they are,
// and so does what makes the URL one that is refused.
func fitURL(s string, at place) string {
	keep := `!$&'()*+,;=:@/?#[]%\`
	switch at {
	case inHost:
		return s
	case inQuery:
		keep += "{}|^`"
	}
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; percent.Unreserved(c) || c < ' ' || c == 0x7F || strings.IndexByte(keep, c) >= 0 {
			b.WriteByte(c)
		} else {
			b.WriteString(encode(s[i:i+1], inPath))
		}
	}
	return b.String()
}

// body is text for a body: JSON, a form, or something else, in which the value
// stands as it is.
func (k *tokens) body(s string, form bool) (t text, isJSON bool) {
	_, err := ordjson.Parse(s)
	switch {
	case err == nil:
		return k.text(s, inJSON), true
	case form:
		return k.text(s, inForm), false
	}
	return k.text(s, inBody), false
}

// in is the server parameter whose token is in a value, or "".
func (k *tokens) in(v ordjson.Value) string {
	text := ordjson.Text(v)
	for _, key := range k.keys {
		if strings.Contains(text, k.token(key)) {
			return key
		}
	}
	return ""
}

// hide makes a redactor take tokens for the values that they stand for.
func (k *tokens) hide(r *secret.Redactor) {
	if len(k.keys) == 0 {
		return
	}
	for _, key := range k.keys {
		token := k.token(key)
		r.Also(secret.Shown(key), append(encoded(token), token)...)
	}
	r.Also("[REDACTED]", k.nonce)
}

// encoded are the forms in which code may write a token so that it is not the
// token any more. It is the same in all other encodings.
func encoded(token string) []string {
	return append(secret.Base64Forms(token), hex.EncodeToString([]byte(token)), strings.ToLower(token))
}

// use is a place in which a request holds a server parameter.
type use struct{ key, where string }

// uses are the places in which a request holds server parameters: "host",
// "path", "query NAME", "header NAME" or "body".
func (r *Request) uses() []use {
	var list []use
	add := func(t text, where string) {
		for _, p := range t {
			if p.key != "" {
				list = append(list, use{p.key, where})
			}
		}
	}
	list = urlUses(r.url)
	for _, h := range r.headers {
		add(h.value, "header "+strings.ToLower(h.name))
	}
	add(r.raw, "body")
	for _, f := range r.body {
		add(f.text, "body")
	}
	return list
}

// holds reports whether a text stands literally in what a handler may have
// written of a request.
func (r *Request) holds(s string) bool {
	in := func(t text) bool {
		return slices.ContainsFunc(t, func(p piece) bool { return strings.Contains(p.lit, s) })
	}
	return in(r.url) || in(r.raw) ||
		slices.ContainsFunc(r.headers, func(h header) bool { return strings.Contains(h.name, s) || in(h.value) })
}

func urlUses(t text) []use {
	var list []use
	part := "host"
	var pair []byte // of the query
	for i, p := range t {
		if p.key != "" {
			where := part
			if part == "query" {
				if name, _, ok := strings.Cut(string(pair), "="); ok {
					name, _ = fetch.CutQuery(name)
					where = "query " + name
				} else {
					where = "query name"
				}
			}
			list = append(list, use{p.key, where})
			pair = append(pair, '_')
			continue
		}
		lit := p.lit
		if i == 0 {
			lit = strings.TrimPrefix(lit, scheme)
		}
		for i := range len(lit) {
			switch c := lit[i]; {
			case c == '#':
				part = "fragment"
			case c == '?' && (part == "host" || part == "path"):
				part, pair = "query", pair[:0]
			case c == '/' && part == "host":
				part = "path"
			case c == '&':
				pair = pair[:0]
			default:
				pair = append(pair, c)
			}
		}
	}
	return list
}

// checkUses refuses a request of a handler that holds a server parameter where
// the schema does not put it: main is what an operator can read and trust, code
// is not (chapter 05, "Trust Boundary").
func (r *Request) checkUses(declared []use) error {
	for _, u := range r.uses() {
		if slices.Contains(declared, u) {
			continue
		}
		var places []string
		for _, d := range declared {
			if d.key == u.key {
				places = append(places, d.where)
			}
		}
		only := "which is " + strings.Join(places, ", ")
		if places == nil {
			only = "and this tool does not use it"
		}
		if u.where == "host" {
			return fail(CodeHostRefused, "a handler puts server parameter %s into the name of the host: it may go "+
				"where the schema puts it only, %s", u.key, only)
		}
		return fail(CodeMovedSecret, "a handler puts server parameter %s into the request's %s: it may go where the "+
			"schema puts it only, %s", u.key, u.where, only)
	}
	return nil
}
