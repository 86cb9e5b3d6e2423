package ordjson

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Append appends v as JSON.stringify(v) prints it. Missing prints as null.
func Append(b []byte, v Value) []byte {
	switch v.Kind() {
	case Bool:
		return strconv.AppendBool(b, v.flag())
	case Number:
		return append(b, v.text()...)
	case String:
		if v.flag() {
			return appendPlain(b, v.text(), 0)
		}
		return AppendString(b, v.text())
	case Array:
		b = append(b, '[')
		for i, e := range v.elems() {
			if i > 0 {
				b = append(b, ',')
			}
			b = Append(b, e)
		}
		return append(b, ']')
	case Object:
		b = append(b, '{')
		members := v.members()
		for i := range members {
			if i > 0 {
				b = append(b, ',')
			}
			b = Append(members[i].appendKey(b), members[i].Value)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// Text returns v as JSON.stringify(v) prints it.
func Text(v Value) string { return string(Append(nil, v)) }

// AppendKey appends a quoted key and its colon.
func AppendKey(b []byte, key string) []byte { return append(AppendString(b, key), ':') }

// appendKey is AppendKey for the member's key.
func (m *Member) appendKey(b []byte) []byte {
	if m.Plain {
		return appendPlain(b, m.Key, ':')
	}
	return AppendKey(b, m.Key)
}

// appendPlain appends text that prints as it is, quoted, and the byte after
// unless it is 0.
func appendPlain(b []byte, s string, after byte) []byte {
	n := len(b)
	b = slices.Grow(b, len(s)+3)[:n+len(s)+2]
	b[n] = '"'
	copy(b[n+1:], s)
	b[n+len(s)+1] = '"'
	if after != 0 {
		b = append(b, after)
	}
	return b
}

// AppendCanonical appends v with the keys of every object sorted by UTF-16
// code units, the text that schemaHash is taken of (decision "Three hashes").
func AppendCanonical(b []byte, v Value) []byte {
	switch v.Kind() {
	case Array:
		b = append(b, '[')
		for i, e := range v.elems() {
			if i > 0 {
				b = append(b, ',')
			}
			b = AppendCanonical(b, e)
		}
		return append(b, ']')
	case Object:
		var few [16]*Member
		order := few[:0]
		members := v.members()
		for i := range members {
			order = append(order, &members[i])
		}
		slices.SortFunc(order, func(x, y *Member) int { return CompareUTF16(x.Key, y.Key) })
		b = append(b, '{')
		for i, m := range order {
			if i > 0 {
				b = append(b, ',')
			}
			b = AppendCanonical(m.appendKey(b), m.Value)
		}
		return append(b, '}')
	}
	return Append(b, v)
}

// AppendIndent appends v over several lines, each level indented by two
// spaces, as JSON.stringify(v, null, 2) prints it; prefix starts every line
// but the first.
func AppendIndent(b []byte, v Value, prefix string) []byte {
	inner := prefix + "  "
	switch {
	case v.Is(Array) && v.Len() > 0:
		b = append(b, '[')
		for i, e := range v.elems() {
			b = appendLineStart(b, i, inner)
			b = AppendIndent(b, e, inner)
		}
		return append(append(append(b, '\n'), prefix...), ']')
	case v.Is(Object) && v.Len() > 0:
		b = append(b, '{')
		for i, m := range v.members() {
			b = appendLineStart(b, i, inner)
			b = append(AppendKey(b, m.Key), ' ')
			b = AppendIndent(b, m.Value, inner)
		}
		return append(append(append(b, '\n'), prefix...), '}')
	}
	return Append(b, v)
}

func appendLineStart(b []byte, i int, prefix string) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return append(append(b, '\n'), prefix...)
}

// CompareUTF16 orders strings as JavaScript's < does, by UTF-16 code units:
// U+FF5E comes after U+1F600 there, because the latter starts with 0xD83D.
func CompareUTF16(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i == len(a) || i == len(b) {
		return len(a) - len(b)
	}
	x, y := a[i], b[i]
	// Only four-byte sequences (surrogate pairs) sort differently: below
	// U+E000–U+FFFF, and among lone surrogates, which start with 0xED.
	if x >= 0xED && y >= 0xED && (x >= 0xF0) != (y >= 0xF0) {
		return slices.Compare(utf16Units(a[i:]), utf16Units(b[i:]))
	}
	return int(x) - int(y)
}

// utf16Units returns the code units of the WTF-8 string s.
func utf16Units(s string) []uint16 {
	var units []uint16
	for len(s) > 0 {
		if surrogateAt(s, 0) {
			units = append(units, surrogateUnit(s, 0))
			s = s[3:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		units = utf16.AppendRune(units, r)
		s = s[n:]
	}
	return units
}

const hexDigits = "0123456789abcdef"

// Plain returns the offset, from i on, of the first byte of s that is not
// printable ASCII, or is a backslash or the quote, or len(s). It looks at eight
// bytes at a time: most of what these commands read and write is plain text in
// quotes.
func Plain(s string, i int, quote byte) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	quotes := ones * uint64(quote)
	for ; i+8 <= len(s); i += 8 {
		w := s[i : i+8]
		x := uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
			uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56 // one load
		q, bs := x^quotes, x^(ones*'\\')
		stop := x | (x-ones*' ')&^x | (q-ones)&^q | (bs-ones)&^bs
		if stop &= highs; stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
	}
	for i < len(s) && s[i] >= ' ' && s[i] < utf8.RuneSelf && s[i] != '\\' && s[i] != quote {
		i++
	}
	return i
}

// AppendString appends s quoted as JSON.stringify quotes it.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := Plain(s, 0, '"'); i < len(s); i = Plain(s, i+1, '"') {
		c := s[i]
		if c >= utf8.RuneSelf && !surrogateAt(s, i) {
			continue
		}
		b = append(b, s[start:i]...)
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < 0x20:
			b = appendControl(b, c)
		default:
			u := surrogateUnit(s, i)
			b = append(b, '\\', 'u', hexDigits[u>>12], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
			i += 2
		}
		start = i + 1
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

func appendControl(b []byte, c byte) []byte {
	switch c {
	case '\b':
		return append(b, '\\', 'b')
	case '\f':
		return append(b, '\\', 'f')
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// surrogateAt reports whether the three bytes at s[i] are a lone surrogate in
// WTF-8: 0xED followed by a byte of 0xA0 or more.
func surrogateAt(s string, i int) bool {
	return s[i] == 0xED && i+2 < len(s) && s[i+1] >= 0xA0
}

// surrogateUnit is the code unit of the lone surrogate at s[i].
func surrogateUnit(s string, i int) uint16 {
	return 0xD000 | uint16(s[i+1]&0x3F)<<6 | uint16(s[i+2]&0x3F)
}

// AppendUTF16 appends the code unit u to the WTF-8 string b, joining it with
// a high surrogate at b's end where the two make a pair.
func AppendUTF16(b []byte, u uint16) []byte {
	if u >= 0xDC00 && u <= 0xDFFF && len(b) >= 3 && b[len(b)-3] == 0xED && b[len(b)-2] >= 0xA0 && b[len(b)-2] < 0xB0 {
		high := uint32(0xD000) | uint32(b[len(b)-2]&0x3F)<<6 | uint32(b[len(b)-1]&0x3F)
		r := rune((high-0xD800)<<10|(uint32(u)-0xDC00)) + 0x10000
		return utf8.AppendRune(b[:len(b)-3], r)
	}
	if u >= 0xD800 && u <= 0xDFFF {
		return append(b, 0xED, 0x80|byte(u>>6&0x3F), 0x80|byte(u&0x3F))
	}
	return utf8.AppendRune(b, rune(u))
}

// AppendConcat appends a WTF-8 string to another as JavaScript's + does: a high
// surrogate at the end of a and a low one at the start of b become one character.
func AppendConcat(a []byte, b string) []byte {
	if len(a) < 3 || len(b) < 3 || !surrogateAt(b, 0) || b[1] < 0xB0 {
		return append(a, b...)
	}
	return append(AppendUTF16(a, surrogateUnit(b, 0)), b[3:]...)
}

// AppendNumber appends f as Number::toString prints it (ECMA-262, 6.1.6.1.20).
// f must be finite.
func AppendNumber(b []byte, f float64) []byte {
	if f == 0 {
		return append(b, '0') // -0 too
	}
	if i := int64(f); float64(i) == f && i > -1<<53 && i < 1<<53 {
		return strconv.AppendInt(b, i, 10)
	}
	abs := math.Abs(f)
	if abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	start := len(b)
	b = strconv.AppendFloat(b, f, 'e', -1, 64)
	// Go prints at least two digits of exponent, JavaScript as few as needed.
	if e := slices.Index(b[start:], 'e') + start; b[e+2] == '0' {
		b = slices.Delete(b, e+2, e+3)
	}
	return b
}
