package sql

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/words"
)

// kind is what a token is, as far as statements depend on it.
type kind uint8

const (
	end         kind = iota
	word             // keyword or name without quotes
	value            // string, quoted name, number, blob
	placeholder      // ?, ?NNN, :name, @name, $name
	open             // (
	closing          // )
	semicolon        // ;
	operator         // , . and all others, a byte each
)

// token is text[start:end]. White space and comments are not tokens.
type token struct {
	kind       kind
	start, end int
}

// lexer cuts a text into tokens by the rules of SQLite's tokenizer.
type lexer struct {
	text string
	at   int
}

// byteAt is the byte at i, 0 after the end.
func (l *lexer) byteAt(i int) byte {
	if i < len(l.text) {
		return l.text[i]
	}
	return 0
}

func (l *lexer) next() (token, error) {
	l.skip()
	start := l.at
	if start == len(l.text) {
		return token{end, start, start}, nil
	}
	k, err := l.scan()
	return token{k, start, l.at}, err
}

// skip passes white space and comments. A comment /* that is not closed goes to
// the end of the text, as in SQLite; it does so too where nothing follows, lest
// something that is appended disappears in it.
func (l *lexer) skip() {
	for l.at < len(l.text) {
		rest := l.text[l.at:]
		switch {
		case strings.IndexByte(" \t\n\f\r", rest[0]) >= 0:
			l.at++
		case strings.HasPrefix(rest, "\ufeff"): // a byte order mark is white space
			l.at += len("\ufeff")
		case strings.HasPrefix(rest, "--"):
			l.to("\n")
		case strings.HasPrefix(rest, "/*"):
			l.at += 2
			l.to("*/")
		default:
			return
		}
	}
}

// to moves past the next mark, or to the end.
func (l *lexer) to(mark string) {
	i := strings.Index(l.text[l.at:], mark)
	if i < 0 {
		l.at = len(l.text)
		return
	}
	l.at += i + len(mark)
}

// scan moves past the token that begins here.
func (l *lexer) scan() (kind, error) {
	switch c := l.text[l.at]; {
	case c == '\'' || c == '"' || c == '`':
		return value, l.quoted(c)
	case c == '[':
		return value, l.bracketed()
	case (c == 'x' || c == 'X') && l.byteAt(l.at+1) == '\'':
		return value, l.blob()
	case isDigit(c) || c == '.' && isDigit(l.byteAt(l.at+1)):
		l.number()
		return value, nil
	case c == '?':
		for l.at++; isDigit(l.byteAt(l.at)); l.at++ {
		}
		return placeholder, nil
	case c == ':' || c == '@' || c == '$':
		return placeholder, l.named()
	case isName(c):
		for l.at < len(l.text) && isName(l.text[l.at]) {
			l.at++
		}
		return word, nil
	}
	return l.punctuation()
}

func (l *lexer) punctuation() (kind, error) {
	c := l.text[l.at]
	switch {
	case c == '(':
		l.at++
		return open, nil
	case c == ')':
		l.at++
		return closing, nil
	case c == ';':
		l.at++
		return semicolon, nil
	case strings.IndexByte(",.+-*/%=<>|&~", c) >= 0 || c == '!' && l.byteAt(l.at+1) == '=':
		l.at++
		return operator, nil
	}
	_, size := utf8.DecodeRuneInString(l.text[l.at:])
	return operator, l.fail("found the character "+strconv.Quote(l.text[l.at:l.at+size])+", which SQL does not have",
		"remove it, or put the name or text into quotes")
}

// quoted passes a string or name in quotes; the quote itself is written twice.
func (l *lexer) quoted(quote byte) error {
	for i := l.at + 1; i < len(l.text); i++ {
		if l.text[i] != quote {
			continue
		}
		if l.byteAt(i+1) != quote {
			l.at = i + 1
			return nil
		}
		i++
	}
	return l.fail("found "+words.Quote(l.text[l.at:])+", whose "+string(quote)+" is not closed",
		"close it; inside quotes, write "+string(quote)+" twice")
}

func (l *lexer) bracketed() error {
	i := strings.IndexByte(l.text[l.at:], ']')
	if i < 0 {
		return l.fail("found "+words.Quote(l.text[l.at:])+", whose [ is not closed", "close it with ]")
	}
	l.at += i + 1
	return nil
}

// blob passes x'53514C69'.
func (l *lexer) blob() error {
	i := l.at + 2
	for isHex(l.byteAt(i)) {
		i++
	}
	if l.byteAt(i) != '\'' || (i-l.at)%2 != 0 {
		return l.fail("found "+words.Quote(l.text[l.at:])+", expected pairs of hex digits in x'…'",
			"write x'53514C', or leave out the x")
	}
	l.at = i + 1
	return nil
}

// number passes 12, 1.5e-3, .5, 0xFF, 1_000.
func (l *lexer) number() {
	if l.text[l.at] == '0' && l.byteAt(l.at+1)|0x20 == 'x' {
		l.at += 2
	}
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case isName(c) && c != '$' || c == '.':
			l.at++
			if c|0x20 == 'e' && strings.IndexByte("+-", l.byteAt(l.at)) >= 0 && isDigit(l.byteAt(l.at+1)) {
				l.at++
			}
		default:
			return
		}
	}
}

// named passes :name, @name and $name, whose names may have :: and end with
// (…), as in Tcl.
func (l *lexer) named() error {
	i, letters := l.at+1, 0
	for i < len(l.text) {
		switch c := l.text[i]; {
		case isName(c):
			letters++
			i++
			continue
		case c == ':' && l.byteAt(i+1) == ':':
			i += 2
			continue
		case c == '(' && letters > 0:
			for i++; i < len(l.text) && strings.IndexByte(" \t\n\f\r)", l.text[i]) < 0; i++ {
			}
			if l.byteAt(i) != ')' {
				return l.fail("found "+words.Quote(l.text[l.at:])+", whose ( is not closed", "write ? for the value")
			}
			i++
		}
		break
	}
	if letters == 0 {
		return l.fail("found "+strconv.Quote(l.text[l.at:l.at+1])+", expected a name after it",
			"write ? for the value")
	}
	l.at = i
	return nil
}

func (l *lexer) fail(msg, fix string) error {
	return &words.SyntaxError{Offset: l.at, Message: msg, Fix: fix}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// isName reports whether a name goes on with c; SQLite takes all that is not
// ASCII for letters.
func isName(c byte) bool {
	return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' || c >= 0x80
}
