package module

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// identStart and identPart mark the ASCII characters of identifiers.
var identStart, identPart = func() (start, part [256]bool) {
	for c := 'a'; c <= 'z'; c++ {
		start[c], start[c-'a'+'A'] = true, true
	}
	start['$'], start['_'] = true, true
	part = start
	for c := '0'; c <= '9'; c++ {
		part[c] = true
	}
	return
}()

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func quoteRune(r rune) string { return strconv.QuoteRune(r) }

// skipIndent skips blanks, eight at a time: a third of a schema is indentation.
func skipIndent(s string, i int) int {
	for i+8 <= len(s) && s[i:i+8] == "        " {
		i += 8
	}
	for i < len(s) && s[i] == ' ' {
		i++
	}
	return i
}

// skipSpace skips white space and comments from i on and reports whether a
// line terminator was among them.
func skipSpace(s string, i int) (end int, newline bool, err error) {
	for i < len(s) {
		switch c := s[i]; {
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			i = skipIndent(s, i+1)
		case c == '\n' || c == '\r':
			newline = true
			i = skipIndent(s, i+1)
		case c == '/' && i+1 < len(s) && s[i+1] == '/':
			for i += 2; i < len(s) && !lineEnd(s, i); i++ {
			}
		case c == '/' && i+1 < len(s) && s[i+1] == '*':
			var nl bool
			if i, nl, err = skipBlockComment(s, i); err != nil {
				return i, newline, err
			}
			newline = newline || nl
		case c >= utf8.RuneSelf:
			n, nl := wideSpace(s[i:])
			if n == 0 {
				return i, newline, nil
			}
			newline = newline || nl
			i += n
		default:
			return i, newline, nil
		}
	}
	return i, newline, nil
}

func skipBlockComment(s string, start int) (end int, newline bool, err error) {
	for i := start + 2; i < len(s); i++ {
		if s[i] == '*' && i+1 < len(s) && s[i+1] == '/' {
			return i + 2, newline, nil
		}
		newline = newline || lineEnd(s, i)
	}
	return start, newline, &words.SyntaxError{Offset: start, Message: "comment is not closed, expected */"}
}

// lineEnd reports whether a line terminator is at s[i]: LF, CR, U+2028 or
// U+2029.
func lineEnd(s string, i int) bool {
	c := s[i]
	return c == '\n' || c == '\r' || c == 0xE2 && lineSeparator(s, i)
}

func lineSeparator(s string, i int) bool {
	return i+2 < len(s) && s[i+1] == 0x80 && (s[i+2] == 0xA8 || s[i+2] == 0xA9)
}

// wideSpace returns the length of the white space character beyond ASCII that
// s starts with, and whether it ends a line.
func wideSpace(s string) (n int, newline bool) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == '\u2028' || r == '\u2029':
		return n, true
	case r == '\uFEFF' || unicode.Is(unicode.Zs, r):
		return n, false
	}
	return 0, false
}

// scanIdent reads an identifier that may hold unicode escapes and characters
// beyond ASCII, and returns its decoded name.
func scanIdent(s string, start int) (name string, end int, err error) {
	var b []byte
	i := start
	for i < len(s) {
		r, n, err := identRune(s, i)
		if err != nil {
			return "", i, err
		}
		if n == 0 || !isIdentRune(r, i > start) {
			break
		}
		b = utf8.AppendRune(b, r)
		i += n
	}
	if i == start {
		r, _ := utf8.DecodeRuneInString(s[i:])
		return "", i, &words.SyntaxError{Offset: i, Message: "unexpected character " + quoteRune(r)}
	}
	return string(b), i, nil
}

// identRune reads one character of an identifier, escaped or not; n is 0
// where none can stand.
func identRune(s string, i int) (r rune, n int, err error) {
	if s[i] != '\\' {
		r, n = utf8.DecodeRuneInString(s[i:])
		return r, n, nil
	}
	if i+1 >= len(s) || s[i+1] != 'u' {
		return 0, 0, &words.SyntaxError{Offset: i, Message: `unexpected \, expected \u in a name`}
	}
	r, end, ok := scanUnicodeEscape(s, i+2)
	if !ok {
		return 0, 0, &words.SyntaxError{Offset: i, Message: `\u needs four hex digits or {…}`}
	}
	return r, end - i, nil
}

func isIdentRune(r rune, part bool) bool {
	if r < utf8.RuneSelf {
		return part && identPart[byte(r)] || identStart[byte(r)]
	}
	// What is unassigned may be a letter to an engine with newer tables, for
	// which code must not be hidden after it.
	if unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Other_ID_Start, unicode.Cn) {
		return true
	}
	return part && (unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue) ||
		r == '\u200c' || r == '\u200d' || r == '\u30fb' || r == '\uff65') // the last two since Unicode 15.1
}

// scanUnicodeEscape reads what follows \u: four hex digits, or digits in
// braces. A code unit of a surrogate pair comes back as it is.
func scanUnicodeEscape(s string, i int) (r rune, end int, ok bool) {
	if i < len(s) && s[i] == '{' {
		start := i + 1
		for i = start; i < len(s) && s[i] != '}'; i++ {
			d, isHex := ordjson.HexDigit(s[i])
			if !isHex || r > utf8.MaxRune>>4 {
				return 0, i, false
			}
			r = r<<4 | rune(d)
		}
		return r, i + 1, i < len(s) && i > start && r <= utf8.MaxRune
	}
	if i+4 > len(s) {
		return 0, i, false
	}
	for _, c := range []byte(s[i : i+4]) {
		d, isHex := ordjson.HexDigit(c)
		if !isHex {
			return 0, i, false
		}
		r = r<<4 | rune(d)
	}
	return r, i + 4, true
}

// scanString finds the end of the string literal at s[start].
func scanString(s string, start int) (end int, form form, err error) {
	quote := s[start]
	end = ordjson.Plain(s, start+1, quote)
	if end < len(s) && s[end] == quote {
		if quote == '\'' && strings.IndexByte(s[start+1:end], '"') >= 0 {
			return end + 1, verbatim, nil
		}
		return end + 1, plain, nil
	}
	form = verbatim
	for i := end; i < len(s); i = ordjson.Plain(s, i+1, quote) {
		switch s[i] {
		case quote:
			return i + 1, form, nil
		case '\\':
			form = escaped
			if i++; i+1 < len(s) && s[i] == '\r' && s[i+1] == '\n' {
				i++ // one line continuation
			}
		case '\n', '\r':
			return i, escaped, &words.SyntaxError{Offset: start,
				Message: "string is not closed before the end of the line, expected " + string(quote),
				Fix:     "write " + string(quote) + " at the end of the text; a text of several lines needs backquotes"}
		}
	}
	return len(s), escaped, &words.SyntaxError{Offset: start, Message: "string is not closed, expected " +
		string(quote)}
}

// scanTemplate finds the end of a template's text: after the closing
// backquote, or after a ${ that opens an expression.
func scanTemplate(s string, start int) (end int, open bool, err error) {
	for i := start; i < len(s); i++ {
		switch s[i] {
		case '`':
			return i + 1, false, nil
		case '\\':
			i++
		case '$':
			if i+1 < len(s) && s[i+1] == '{' {
				return i + 2, true, nil
			}
		}
	}
	return len(s), false, &words.SyntaxError{Offset: start - 1, Message: "template literal is not closed, expected `"}
}

// scanRegex finds the end of the regular expression at s[start], its flags
// included.
func scanRegex(s string, start int) (int, error) {
	class := false
	for i := start + 1; i < len(s) && !lineEnd(s, i); i++ {
		switch c := s[i]; {
		case c == '\\':
			if i++; i < len(s) && lineEnd(s, i) {
				return i, &words.SyntaxError{Offset: start, Message: "regular expression is not closed before the " +
					"end of the line, expected /"}
			}
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return identEnd(s, i+1), nil
		}
	}
	return len(s), &words.SyntaxError{Offset: start, Message: "regular expression is not closed before the end of " +
		"the line, expected /"}
}

// decodeString returns the value of the text between the quotes of a string
// literal, or of a template, in which line ends become \n; at is the offset of its
// first byte, for errors.
func decodeString(text string, at int) (string, error) {
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\\':
			var err error
			if b, i, err = decodeEscape(b, text, i, at); err != nil {
				return "", err
			}
		case c == '\r': // in a template only
			if i++; i < len(text) && text[i] == '\n' {
				i++
			}
			b = append(b, '\n')
		default:
			b = append(b, c)
			i++
		}
	}
	return string(b), nil
}

var singleEscapes = [256]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

// decodeEscape appends the value of the escape at text[i], a backslash, and
// returns the offset after it.
func decodeEscape(b []byte, text string, i, at int) ([]byte, int, error) {
	bad := func(msg string) ([]byte, int, error) { return nil, 0, &words.SyntaxError{Offset: at + i, Message: msg} }
	c := text[i+1]
	switch {
	case singleEscapes[c] != 0:
		return append(b, singleEscapes[c]), i + 2, nil
	case c == 'x':
		if i+4 <= len(text) {
			hi, ok1 := ordjson.HexDigit(text[i+2])
			lo, ok2 := ordjson.HexDigit(text[i+3])
			if ok1 && ok2 {
				return utf8.AppendRune(b, rune(hi)<<4|rune(lo)), i + 4, nil
			}
		}
		return bad(`\x needs two hex digits`)
	case c == 'u':
		r, end, ok := scanUnicodeEscape(text, i+2)
		if !ok {
			return bad(`\u needs four hex digits or {…}`)
		}
		if r <= 0xFFFF {
			return ordjson.AppendUTF16(b, uint16(r)), end, nil
		}
		return utf8.AppendRune(b, r), end, nil
	case c == '0' && (i+2 >= len(text) || !isDigit(text[i+2])):
		return append(b, 0), i + 2, nil
	case isDigit(c):
		return bad(`octal escapes are not allowed in modules`)
	case c == '\r':
		if i+2 < len(text) && text[i+2] == '\n' {
			return b, i + 3, nil
		}
		return b, i + 2, nil
	case c == '\n':
		return b, i + 2, nil
	case lineEnd(text, i+1):
		return b, i + 4, nil
	}
	_, n := utf8.DecodeRuneInString(text[i+1:])
	return append(b, text[i+1:i+1+n]...), i + 1 + n, nil
}

// reserved reports whether name is a word that cannot name anything in a
// module (ECMA-262, 12.7.2 and 13.1.1).
func reserved(name string) bool {
	switch name {
	case "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do",
		"else", "enum", "export", "extends", "false", "finally", "for", "function", "if", "import", "in",
		"instanceof", "new", "null", "return", "super", "switch", "this", "throw", "true", "try", "typeof", "var",
		"void", "while", "with", "yield", "let", "static", "implements", "interface", "package", "private",
		"protected", "public", "eval", "arguments":
		return true
	}
	return false
}
