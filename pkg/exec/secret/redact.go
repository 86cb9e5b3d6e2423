package secret

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/flowmcp/fmcp/pkg/exec/percent"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// MinLength is the length from which on a value is replaced wherever it stands.
// A shorter one ("1", "de") would blank half of an answer for nothing: it is
// replaced in texts where it stands alone between non-alphanumeric characters,
// and data is left as it is. In the request itself no value is ever shown.
const MinLength = 4

// Redactor replaces the values of server parameters by [REDACTED:KEY], in every
// form in which an upstream or a library may echo them (chapter 05, "API Key
// Protection"): plain, percent-encoded, JSON- and HTML-escaped, hexadecimal,
// and base64 alone or inside "user:password", in upper or lower case.
type Redactor struct {
	long  *[256][]secretForm // by first byte, the longest first; in lower case; nil if there is none
	short []secretForm
}

type secretForm struct{ text, shown string }

// Shown is what stands for the value of a server parameter wherever a request
// or an answer is shown.
func Shown(key string) string { return "[REDACTED:" + key + "]" }

// Knows reports whether there is a secret that Data and Value would replace.
func (r *Redactor) Knows() bool { return r.long != nil }

// Holds reports whether one of the secrets is in a text; a short one must be the
// whole of it, see MinLength.
func Holds(s string, secrets []string) bool {
	return slices.ContainsFunc(secrets, func(secret string) bool {
		return s == secret || len(secret) >= MinLength && strings.Contains(s, secret)
	})
}

// NewRedactor knows the secrets of the given keys as far as env has them. Keys of
// one group may come back as user and password of one another.
func NewRedactor(env *Env, groups ...[]string) *Redactor {
	r := &Redactor{}
	for _, keys := range groups {
		r.addGroup(env, keys)
	}
	r.sort()
	return r
}

func (r *Redactor) addGroup(env *Env, keys []string) {
	var all []secretForm
	for _, key := range keys {
		for _, v := range env.values(key) {
			all = append(all, secretForm{v, Shown(key)})
		}
	}
	for _, s := range all {
		if len(s.text) < MinLength {
			r.short = append(r.short, s)
			continue
		}
		for _, f := range secretForms(s.text) {
			r.add(f, s.shown)
		}
		for _, other := range append(all, secretForm{}) { // one that is not set is an empty text
			r.add(base64.StdEncoding.EncodeToString([]byte(s.text+":"+other.text)), s.shown)
			r.add(base64.StdEncoding.EncodeToString([]byte(other.text+":"+s.text)), s.shown)
		}
	}
}

// Also makes the redactor replace further texts, as those that stand for a key
// elsewhere.
func (r *Redactor) Also(shown string, forms ...string) {
	for _, f := range forms {
		r.add(f, shown)
	}
	r.sort()
}

// add adds a form of a long secret; sort is to follow. A form that is short itself
// is dropped: it is a part of a part.
func (r *Redactor) add(form, shown string) {
	if len(form) < MinLength {
		return
	}
	if r.long == nil {
		r.long = new([256][]secretForm)
	}
	form = lower(form)
	r.long[form[0]] = append(r.long[form[0]], secretForm{form, shown})
}

// sort puts the longest forms first. Of two keys with one value the first is shown.
func (r *Redactor) sort() {
	if r.long == nil {
		return
	}
	for i, list := range r.long {
		slices.SortStableFunc(list, func(a, b secretForm) int {
			return cmp.Or(cmp.Compare(len(b.text), len(a.text)), cmp.Compare(a.text, b.text))
		})
		r.long[i] = slices.CompactFunc(list, func(a, b secretForm) bool { return a.text == b.text })
	}
}

// lower folds ASCII letters only, so that offsets stay what they are.
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// kept are the characters that the URL encoders of libraries and browsers leave
// as they are, besides the unreserved ones.
var kept = []string{"", "/", "!*'()", "$&+=:@", "!*'();/?:@&=+$,#", "!$&'()*+,;=:@/"}

var (
	scriptEscapes = strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "'", `\u0027`, "+", `\u002b`)
	markupEscapes = strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`) // as encoding/json writes
	slashEscapes  = strings.NewReplacer("/", `\/`)
	htmlEscapes   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;")
)

// secretForms are the texts under which a value may come back, also from a
// server that reads the bytes of a header as Latin-1.
func secretForms(v string) []string {
	forms := formsOf(v)
	if strings.ContainsFunc(v, func(r rune) bool { return r >= utf8.RuneSelf }) {
		for _, other := range misread(v) {
			forms = append(forms, formsOf(other)...)
		}
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

func formsOf(v string) []string {
	quoted := string(ordjson.AppendString(nil, v))
	quoted = quoted[1 : len(quoted)-1]
	forms := []string{
		v, strings.TrimSpace(v), quoted, scriptEscapes.Replace(quoted), markupEscapes.Replace(quoted),
		slashEscapes.Replace(quoted),
		ascii(quoted), html.EscapeString(v), htmlEscapes.Replace(v), hex.EncodeToString([]byte(v)), url.QueryEscape(v),
	}
	for _, keep := range kept {
		forms = append(forms, percent.Escape(v, keep))
	}
	forms = append(forms, Base64Forms(v)...)
	if inURL := percent.Escape(v, ""); inURL != v {
		forms = append(forms, Base64Forms(inURL)...) // of a URL as a whole
	}
	// The value of an Authorization: Basic header is itself base64 of user and
	// password; each of them is a secret too.
	if plain, err := base64.StdEncoding.DecodeString(v); err == nil && utf8.Valid(plain) &&
		strings.Contains(string(plain), ":") {
		_, password, _ := strings.Cut(string(plain), ":")
		forms = append(forms, string(plain), password)
	}
	return forms
}

// ascii escapes what is not ASCII in a JSON string, as PHP and Python do unless
// they are set otherwise.
func ascii(quoted string) string {
	var b strings.Builder
	for _, r := range quoted {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Base64Forms are the parts of base64 texts that depend on v alone, for each of
// the three ways in which v can lie across their groups of three bytes.
func Base64Forms(v string) []string {
	var forms []string
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			text := enc.EncodeToString([]byte(strings.Repeat("\x00", before) + v))
			start := []int{0, 2, 3}[before]
			end := (before + len(v)) / 3 * 4
			if end-start >= 2*MinLength {
				forms = append(forms, text[start:end])
			}
		}
		forms = append(forms, enc.EncodeToString([]byte(v)))
	}
	return forms
}

// Text redacts a message, a URL or any other text.
func (r *Redactor) Text(s string) string {
	s = r.Data(s)
	for _, f := range r.short {
		s = replaceAlone(s, f)
	}
	return s
}

// Request redacts a request that is shown. Its server parameters are holes
// already; what is left is a caller who sends a secret as a parameter.
func (r *Redactor) Request(h *record.HTTPRequest) {
	h.URL = r.Data(h.URL)
	h.Body = r.Value(h.Body)
	for i := range h.Headers {
		h.Headers[i].Value = r.Data(h.Headers[i].Value)
	}
}

// Data redacts a text that is data, where a short secret stays.
func (r *Redactor) Data(s string) string {
	if r.long == nil {
		return s
	}
	folded := lower(s)
	var b strings.Builder
	at := 0
	for i := 0; i < len(folded); {
		f, ok := r.match(folded[i:])
		if !ok {
			i++
			continue
		}
		b.WriteString(s[at:i])
		b.WriteString(f.shown)
		i += len(f.text)
		at = i
	}
	if at == 0 {
		return s
	}
	b.WriteString(s[at:])
	return b.String()
}

// match returns the longest form that folded starts with.
func (r *Redactor) match(folded string) (secretForm, bool) {
	for _, f := range r.long[folded[0]] {
		if strings.HasPrefix(folded, f.text) {
			return f, true
		}
	}
	return secretForm{}, false
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
	return c == '_' || c >= 0x80 || percent.Unreserved(c) && c != '-' && c != '.' && c != '~'
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
		if s := r.Data(v.Str()); s != v.Str() {
			return ordjson.NewString(s), true
		}
	case ordjson.Number:
		if s := r.Data(v.NumberText()); strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
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
			key := r.Data(m.Key)
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

// misread are the texts that a server makes of a value whose bytes it reads as
// Latin-1, or as Windows-1252.
func misread(v string) []string {
	latin, _ := charmap.ISO8859_1.NewDecoder().String(v)
	windows, _ := charmap.Windows1252.NewDecoder().String(v)
	return []string{latin, windows}
}
