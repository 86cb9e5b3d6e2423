package edit

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// style is how a source is written.
type style struct {
	indent    string // of one level
	newline   string
	quote     byte
	quoteKeys bool // keys that could be names are quoted too, as in JSON
	trailing  bool // a comma follows the last member
}

// maxWidth is how wide a schema without others inside may be to fit in one line.
const maxWidth = 120

// Literal is a value as the chapters write theirs.
func Literal(v ordjson.Value) string {
	return string(style{indent: "    ", newline: "\n", quote: '\''}.value(nil, v, ""))
}

// value appends v as JavaScript; indent is that of the line it begins on.
// Objects of plain values are in one line, as in the examples of chapter 04.
func (st style) value(b []byte, v ordjson.Value, indent string) []byte {
	switch {
	case v.Is(ordjson.String):
		return st.string(b, v.Str())
	case v.Len() == 0:
		return ordjson.Append(b, v)
	case flat(v):
		at := len(b)
		if b = st.line(b, v); len(b)-at <= maxWidth || v.Is(ordjson.Array) {
			return b
		}
		b = b[:at]
	}
	inner := indent + st.indent
	end := byte(']')
	if v.Is(ordjson.Object) {
		end = '}'
		b = append(b, '{')
		for i, m := range v.Members() {
			b = st.value(append(st.key(st.start(b, i, inner), m.Key), ' '), m.Value, inner)
		}
	} else {
		b = append(b, '[')
		for i, e := range v.Elems() {
			b = st.value(st.start(b, i, inner), e, inner)
		}
	}
	if st.trailing {
		b = append(b, ',')
	}
	return append(append(append(b, st.newline...), indent...), end)
}

// start begins the line of a member or an element.
func (st style) start(b []byte, i int, indent string) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return append(append(b, st.newline...), indent...)
}

// flat reports whether v holds plain values only, or arrays of them.
func flat(v ordjson.Value) bool {
	for _, e := range v.Elems() {
		if e.Len() > 0 {
			return false
		}
	}
	for _, m := range v.Members() {
		if m.Value.Is(ordjson.Object) || !flat(m.Value) {
			return false
		}
	}
	return true
}

// line appends v in one line.
func (st style) line(b []byte, v ordjson.Value) []byte {
	switch {
	case v.Is(ordjson.String):
		return st.string(b, v.Str())
	case v.Len() == 0:
		return ordjson.Append(b, v)
	case v.Is(ordjson.Array):
		b = append(b, '[')
		for i, e := range v.Elems() {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = st.line(b, e)
		}
		return append(b, ']')
	}
	b = append(b, "{ "...)
	for i, m := range v.Members() {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = st.line(append(st.key(b, m.Key), ' '), m.Value)
	}
	return append(b, " }"...)
}

// key appends a key and its colon.
func (st style) key(b []byte, key string) []byte {
	if st.quoteKeys || !model.IsIdent(key) {
		return append(st.string(b, key), ':')
	}
	return append(append(b, key...), ':')
}

// string appends a string literal. What cannot be seen is escaped: the keys of
// an untrusted response must not hide what a line says, nor steer a terminal.
func (st style) string(b []byte, s string) []byte {
	b = append(b, st.quote)
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1: // half of a surrogate pair, see ordjson
			n = min(3, len(s))
			b = fmt.Appendf(b, `\u%04x`, surrogate(s[:n]))
		case r == rune(st.quote) || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r > 0xFFFF && !unicode.IsPrint(r):
			b = fmt.Appendf(b, `\u{%x}`, r)
		case r != ' ' && !unicode.IsPrint(r):
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = append(b, s[:n]...)
		}
		s = s[n:]
	}
	return append(b, st.quote)
}

// surrogate is the code unit that three bytes of WTF-8 hold.
func surrogate(s string) rune {
	if len(s) < 3 {
		return utf8.RuneError
	}
	return rune(s[0]&0x0F)<<12 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F)
}

// styleOf reads the style of a source around a member of an object, or of what begins the
// line of that.
func styleOf(tokens *module.Tokens, object, member ordjson.Member) style {
	src := tokens.Src
	st := style{indent: "    ", newline: Newline(src), quote: '\''}
	single, double := 0, 0
	for _, t := range tokens.List {
		if t.Kind == module.String {
			if src[t.Start] == '"' {
				double++
			} else {
				single++
			}
		}
	}
	if double > single {
		st.quote = '"'
	}
	at := src[member.KeyPos]
	st.quoteKeys = (at == '"' || at == '\'') && model.IsIdent(member.Key)
	outer, inner := Indent(src, int(object.KeyPos)), Indent(src, int(member.KeyPos))
	if more, ok := strings.CutPrefix(inner, outer); ok && more != "" {
		st.indent = more
	} else if strings.HasPrefix(inner, "\t") {
		st.indent = "\t"
	}
	return st
}

// Indent is the white space at the start of the line of an offset.
func Indent(src string, offset int) string {
	line := src[lineAt(src, offset):]
	return line[:len(line)-len(strings.TrimLeft(line, blanks))]
}

// Newline is how the lines of a source end: as the first does.
func Newline(src string) string {
	if i := strings.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
