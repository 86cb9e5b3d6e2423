package fetch

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// The byte order marks that an answer may start with.
const (
	markUTF8    = "\xef\xbb\xbf"
	markUTF16LE = "\xff\xfe"
	markUTF16BE = "\xfe\xff"
)

// readText reads a body in its charset, without its byte order mark. What is
// valid UTF-8 is read as that, whatever it calls itself; other names mean what
// they mean to a browser, which reads Latin-1 as Windows-1252. The warning, ""
// for none, says that something could not be read.
func readText(body []byte, charset string) (text, warning string) {
	charset = strings.ToLower(strings.TrimSpace(charset))
	starts := func(mark string) bool { return bytes.HasPrefix(body, []byte(mark)) }
	switch {
	case starts(markUTF8):
		body = body[len(markUTF8):]
	case starts(markUTF16LE), starts(markUTF16BE), charset == "utf-16be", charset == "utf-16":
		return fromUTF16(body, unicode.BigEndian)
	case charset == "utf-16le":
		return fromUTF16(body, unicode.LittleEndian)
	}
	if utf8.Valid(body) {
		return string(body), ""
	}
	name := "UTF-8"
	from, unknown := htmlindex.Get(charset)
	if unknown == nil && from != unicode.UTF8 {
		name = charset
		body, _ = from.NewDecoder().Bytes(body) // what cannot be read becomes U+FFFD
		if !bytes.ContainsRune(body, utf8.RuneError) {
			return string(body), ""
		}
	}
	warning = "the answer holds bytes that are not " + name + ": U+FFFD stands for them"
	if charset != "" && unknown != nil {
		warning += " (fmcp does not read its charset " + charset + ")"
	}
	return strings.ToValidUTF8(string(body), "\ufffd"), warning
}

// fromUTF16 reads UTF-16 in an order of bytes that its mark, if any, decides.
func fromUTF16(body []byte, order unicode.Endianness) (text, warning string) {
	whole := len(body) &^ 1
	if whole < len(body) {
		warning = "the answer is UTF-16 and breaks off in the middle of a character"
	}
	read, _ := unicode.UTF16(order, unicode.UseBOM).NewDecoder().Bytes(body[:whole]) // lone surrogates become U+FFFD
	return string(read), warning
}
