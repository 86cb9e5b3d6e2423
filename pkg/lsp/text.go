package lsp

import (
	"net/url"
	"path/filepath"
	"sort"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// text is a source whose places have three forms: offsets in bytes; the lines and
// columns of findings, from 1, in characters; and the positions of the protocol, from
// 0, in UTF-16 code units.
type text struct {
	src    string
	starts []int // offsets of lines; they end with LF, CR LF or CR
}

func newText(src string) *text {
	t := &text{src: src, starts: []int{0}}
	for i := 0; i < len(src); i++ {
		if src[i] == '\n' || src[i] == '\r' && (i+1 == len(src) || src[i+1] != '\n') {
			t.starts = append(t.starts, i+1)
		}
	}
	return t
}

// line is a line by its number from 0, and where it starts. It has its end, but for
// the last.
func (t *text) line(n int) (line string, start int) {
	switch {
	case n < 0:
		return "", 0
	case n >= len(t.starts):
		return "", len(t.src)
	case n+1 < len(t.starts):
		return t.src[t.starts[n]:t.starts[n+1]], t.starts[n]
	}
	return t.src[t.starts[n]:], t.starts[n]
}

// place is the offset of a finding; 0 where it has no place.
func (t *text) place(line, col int) int {
	s, at := t.line(line - 1)
	for range col - 1 {
		_, n := utf8.DecodeRuneInString(s)
		s, at = s[n:], at+n
	}
	return at
}

// offset is the offset of a position; one after the end of its line is there.
func (t *text) offset(p position) int {
	s, at := t.line(p.Line)
	for units := 0; s != "" && units < p.Character && s[0] != '\n' && s[0] != '\r'; {
		r, n := utf8.DecodeRuneInString(s)
		s, at, units = s[n:], at+n, units+utf16.RuneLen(r)
	}
	return at
}

// position is the position of an offset; one inside a character is at its start.
func (t *text) position(offset int) position {
	offset = max(0, min(offset, len(t.src)))
	for offset > 0 && offset < len(t.src) && !utf8.RuneStart(t.src[offset]) {
		offset--
	}
	line := sort.SearchInts(t.starts, offset+1) - 1
	p := position{Line: line}
	for _, r := range t.src[t.starts[line]:offset] {
		p.Character += utf16.RuneLen(r)
	}
	return p
}

func (t *text) span(start, end int) span { return span{t.position(start), t.position(end)} }

// extent is where what begins at an offset ends, as far as an editor underlines it: a
// text, a word or one character, never more than the line.
func (t *text) extent(start int) int {
	rest := t.src[min(start, len(t.src)):]
	if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
		rest = rest[:i]
	}
	first, size := utf8.DecodeRuneInString(rest)
	if strings.ContainsRune("'\"`", first) {
		for i := size; i < len(rest); i++ {
			switch rest[i] {
			case '\\':
				i++
			case rest[0]:
				return start + i + 1
			}
		}
		return start + len(rest)
	}
	if !isWord(first) {
		return start + size
	}
	if i := strings.IndexFunc(rest, func(r rune) bool { return !isWord(r) }); i >= 0 {
		return start + i
	}
	return start + len(rest)
}

func isWord(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// pathOf is the path of a file's URI, false for that of anything else.
func pathOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return "", false
	}
	path := u.Path
	if len(path) > 2 && path[2] == ':' && filepath.Separator == '\\' { // /C:/folder
		path = path[1:]
	}
	return filepath.Clean(filepath.FromSlash(path)), true
}

// uriOf is the URI of an absolute path.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
