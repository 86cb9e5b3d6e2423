package exec

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// minSecret is the length from which on a value is replaced wherever it stands.
// A shorter one ("1", "de") would blank half of an answer for nothing: it is
// replaced in texts where it stands alone between non-alphanumeric characters,
// and data is left as it is. In the request itself no value is ever shown.
const minSecret = 4

// Redactor replaces the values of server parameters by [REDACTED:KEY], in every
// form in which an upstream or a library may echo them (chapter 05, "API Key
// Protection"): plain, percent-encoded, JSON- and HTML-escaped, hexadecimal,
// and base64 alone or inside "user:password".
type Redactor struct {
	long  *strings.Replacer // nil without secrets
	short []secretForm
}

type secretForm struct{ text, shown string }

// NewRedactor knows the secrets of the given keys as far as env has them.
func NewRedactor(env *Env, keys []string) *Redactor {
	r := &Redactor{}
	var forms []secretForm
	for _, key := range keys {
		v, ok := env.Lookup(key)
		switch {
		case !ok:
			continue
		case len(v) < minSecret:
			r.short = append(r.short, secretForm{v, shown(key)})
			continue
		}
		for _, f := range secretForms(v) {
			forms = append(forms, secretForm{f, shown(key)})
		}
		for _, other := range keys {
			o, _ := env.Lookup(other)
			forms = append(forms,
				secretForm{base64.StdEncoding.EncodeToString([]byte(v + ":" + o)), shown(key)},
				secretForm{base64.StdEncoding.EncodeToString([]byte(o + ":" + v)), shown(key)})
		}
	}
	// Of forms that start at one place the longest must win.
	slices.SortStableFunc(forms, func(a, b secretForm) int { return cmp.Compare(len(b.text), len(a.text)) })
	if len(forms) > 0 {
		var pairs []string
		for _, f := range forms {
			pairs = append(pairs, f.text, f.shown)
		}
		r.long = strings.NewReplacer(pairs...)
	}
	return r
}

// secretForms are the texts under which a value may come back.
func secretForms(v string) []string {
	quoted := string(ordjson.AppendString(nil, v))
	path, query := encode(v, inQuery), url.QueryEscape(v)
	forms := []string{
		v, strings.TrimSpace(v), path, query, url.PathEscape(v), lowerEscapes(path), lowerEscapes(query),
		quoted[1 : len(quoted)-1], html.EscapeString(v), strings.ToLower(v), strings.ToUpper(v),
		hex.EncodeToString([]byte(v)), strings.ToUpper(hex.EncodeToString([]byte(v))),
	}
	forms = append(forms, base64Forms(v)...)
	// The value of an Authorization: Basic header is itself base64 of user and
	// password; each of them is a secret too.
	if plain, err := base64.StdEncoding.DecodeString(v); err == nil && utf8.Valid(plain) && strings.Contains(string(plain), ":") {
		_, password, _ := strings.Cut(string(plain), ":")
		forms = append(forms, string(plain), password)
	}
	slices.Sort(forms)
	forms = slices.Compact(forms)
	return slices.DeleteFunc(forms, func(f string) bool { return len(f) < minSecret })
}

// base64Forms are the parts of base64 texts that depend on v alone, for each of
// the three ways in which v can lie across their groups of three bytes.
func base64Forms(v string) []string {
	var forms []string
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			text := enc.EncodeToString([]byte(strings.Repeat("\x00", before) + v))
			start := []int{0, 2, 3}[before]
			end := (before + len(v)) / 3 * 4
			if end-start >= 2*minSecret {
				forms = append(forms, text[start:end])
			}
		}
		forms = append(forms, enc.EncodeToString([]byte(v)))
	}
	return forms
}

// lowerEscapes writes the hex digits of percent escapes in lower case.
func lowerEscapes(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:], strings.ToLower(string(b[i+1:i+3])))
			i += 2
		}
	}
	return string(b)
}

// Text redacts a message, a URL or any other text.
func (r *Redactor) Text(s string) string {
	if r.long != nil {
		s = r.long.Replace(s)
	}
	for _, f := range r.short {
		s = replaceAlone(s, f)
	}
	return s
}

// replaceAlone replaces a short secret where it is a word of its own.
func replaceAlone(s string, f secretForm) string {
	var b strings.Builder
	at := 0
	for {
		i := strings.Index(s[at:], f.text)
		if i < 0 {
			b.WriteString(s[at:])
			return b.String()
		}
		i += at
		end := i + len(f.text)
		b.WriteString(s[at:i])
		if (i == 0 || !isWord(s[i-1])) && (end == len(s) || !isWord(s[end])) {
			b.WriteString(f.shown)
		} else {
			b.WriteString(f.text)
		}
		at = end
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= 0x80 || unreserved(c) && c != '-' && c != '.' && c != '~'
}

// Value redacts data: strings and keys, and numbers that are a secret as a
// whole, which become strings. What holds no secret is not copied.
func (r *Redactor) Value(v ordjson.Value) ordjson.Value {
	if r.long == nil {
		return v
	}
	v, _ = r.value(v)
	return v
}

func (r *Redactor) value(v ordjson.Value) (ordjson.Value, bool) {
	switch v.Kind() {
	case ordjson.String:
		if s := r.long.Replace(v.Str()); s != v.Str() {
			return ordjson.NewString(s), true
		}
	case ordjson.Number:
		if s := r.long.Replace(v.NumberText()); strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
			return ordjson.NewString(s), true
		}
	case ordjson.Array:
		var elems []ordjson.Value
		for i, e := range v.Elems() {
			if n, changed := r.value(e); changed {
				if elems == nil {
					elems = slices.Clone(v.Elems())
				}
				elems[i] = n
			}
		}
		if elems != nil {
			return ordjson.NewArray(elems...), true
		}
	case ordjson.Object:
		var members []ordjson.Member
		for i, m := range v.Members() {
			key := r.long.Replace(m.Key)
			n, changed := r.value(m.Value)
			if !changed && key == m.Key {
				continue
			}
			if members == nil {
				members = slices.Clone(v.Members())
			}
			members[i] = ordjson.Field(key, n)
		}
		if members != nil {
			// Two keys may have become one text: ScriptObject keeps keys distinct.
			return ordjson.ScriptObject(members), true
		}
	}
	return v, false
}
