package exec

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The byte order marks that an answer may start with.
const (
	markUTF8    = "\xef\xbb\xbf"
	markUTF16LE = "\xff\xfe"
	markUTF16BE = "\xfe\xff"
)

// readText reads a body in its charset, without its byte order mark: UTF-8,
// UTF-16, or the Latin ones where the answer says so. What is valid UTF-8 is
// read as that, whatever it calls itself. The warning, "" for none, says that
// something could not be read.
func readText(body []byte, charset string) (text, warning string) {
	s := string(body)
	charset = strings.ToLower(strings.TrimSpace(charset))
	switch {
	case strings.HasPrefix(s, markUTF8):
		s = s[len(markUTF8):]
	case strings.HasPrefix(s, markUTF16LE):
		return fromUTF16(s[2:], 0)
	case strings.HasPrefix(s, markUTF16BE):
		return fromUTF16(s[2:], 1)
	case charset == "utf-16le":
		return fromUTF16(s, 0)
	case charset == "utf-16be", charset == "utf-16":
		return fromUTF16(s, 1)
	}
	if utf8.ValidString(s) {
		return s, ""
	}
	switch charset {
	case "iso-8859-1", "latin1", "windows-1252", "cp1252", "us-ascii", "ascii":
		return fromLatin(s, windows1252), ""
	case "iso-8859-15", "latin9", "latin-9":
		return fromLatin(s, latin9), ""
	}
	warning = "the answer holds bytes that are no UTF-8: U+FFFD stands for them"
	if charset != "" && charset != "utf-8" && charset != "utf8" {
		warning += " (fmcp does not read its charset " + charset + ")"
	}
	return strings.ToValidUTF8(s, "\ufffd"), warning
}

// fromUTF16 reads UTF-16 whose upper byte stands second (upper 0) or first.
func fromUTF16(s string, upper int) (text, warning string) {
	units := make([]uint16, 0, len(s)/2)
	for i := 0; i+1 < len(s); i += 2 {
		lo, hi := s[i], s[i+1]
		if upper == 1 {
			lo, hi = hi, lo
		}
		units = append(units, uint16(hi)<<8|uint16(lo))
	}
	if len(s)%2 != 0 {
		warning = "the answer is UTF-16 and breaks off in the middle of a character"
	}
	return string(utf16.Decode(units)), warning
}

// windows1252 has what differs from Latin-1. Browsers read Latin-1 as this too,
// since who says the one mostly means the other.
var windows1252 = map[byte]rune{
	0x80: '€', 0x82: '‚', 0x83: 'ƒ', 0x84: '„', 0x85: '…', 0x86: '†', 0x87: '‡', 0x88: 'ˆ', 0x89: '‰', 0x8a: 'Š', 0x8b: '‹', 0x8c: 'Œ', 0x8e: 'Ž',
	0x91: '‘', 0x92: '’', 0x93: '“', 0x94: '”', 0x95: '•', 0x96: '–', 0x97: '—', 0x98: '˜', 0x99: '™', 0x9a: 'š', 0x9b: '›', 0x9c: 'œ', 0x9e: 'ž', 0x9f: 'Ÿ',
}

var latin9 = map[byte]rune{0xa4: '€', 0xa6: 'Š', 0xa8: 'š', 0xb4: 'Ž', 0xb8: 'ž', 0xbc: 'Œ', 0xbd: 'œ', 0xbe: 'Ÿ'}

func fromLatin(s string, but map[byte]rune) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if r, ok := but[s[i]]; ok {
			b.WriteRune(r)
		} else {
			b.WriteRune(rune(s[i]))
		}
	}
	return b.String()
}
