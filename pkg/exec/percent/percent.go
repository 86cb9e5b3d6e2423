// Package percent escapes text for URLs (RFC 3986).
package percent

import "strings"

// Unreserved reports whether a character stands for itself in every part of a
// URL.
func Unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}

const digits = "0123456789ABCDEF"

// Escape escapes all characters but the unreserved ones and those of keep.
func Escape(s, keep string) string {
	stays := func(c byte) bool { return Unreserved(c) || strings.IndexByte(keep, c) >= 0 }
	plain := 0
	for plain < len(s) && stays(s[plain]) {
		plain++
	}
	if plain == len(s) {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:plain])
	for _, c := range []byte(s[plain:]) {
		if stays(c) {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(digits[c>>4])
			b.WriteByte(digits[c&15])
		}
	}
	return b.String()
}
