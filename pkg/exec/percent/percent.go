// Package percent escapes text for URLs (RFC 3986) and names of files.
package percent

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// Unreserved reports whether a character stands for itself in every part of a
// URL.
func Unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' ||
		c == '~'
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

// Unescape takes escapes away, and leaves what is none.
func Unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if IsEscape(s[i:]) {
			n, _ := strconv.ParseUint(s[i+1:i+3], 16, 8)
			b.WriteByte(byte(n))
			i += 2
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// IsEscape reports whether a text starts with an escape.
func IsEscape(s string) bool {
	return len(s) > 2 && s[0] == '%' && isHex(s[1]) && isHex(s[2])
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// maxName is how long a name of the catalog may be as the name of a file.
const maxName = 100

// FileName makes the name of a file of a name of the catalog, which may hold
// anything: slashes, dots, and whatever a file system gives a meaning.
func FileName(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c := s[i]; Unreserved(c) && c != '.' && c != '~' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	name := b.String()
	switch {
	case name == "":
		return "%"
	case len(name) > maxName:
		sum := sha256.Sum256([]byte(s))
		return name[:maxName-17] + "%" + hex.EncodeToString(sum[:8])
	}
	return name
}
