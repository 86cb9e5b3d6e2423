package module

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// Lines finds the line and column of byte offsets in a source.
type Lines struct {
	src    string
	starts []int
}

// NewLines indexes the lines of src; they end with LF, CR LF or CR.
func NewLines(src string) *Lines {
	starts := make([]int, 1, 1+strings.Count(src, "\n"))
	returns := strings.IndexByte(src, '\r') >= 0
	for i := 0; i < len(src); i++ {
		if !returns { // as nearly always: the next LF is the next end
			n := strings.IndexByte(src[i:], '\n')
			if n < 0 {
				break
			}
			i += n
		}
		if src[i] == '\n' || src[i] == '\r' && (i+1 >= len(src) || src[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return &Lines{src, starts}
}

// Position returns line and column of a byte offset, both from 1; the column
// counts characters.
func (l *Lines) Position(offset int) (line, col int) {
	offset = max(0, min(offset, len(l.src)))
	line = sort.SearchInts(l.starts, offset+1)
	return line, utf8.RuneCountInString(l.src[l.starts[line-1]:offset]) + 1
}

// Text returns line number n, counted from 1, without its end.
func (l *Lines) Text(n int) string {
	if n < 1 || n > len(l.starts) {
		return ""
	}
	end := len(l.src)
	if n < len(l.starts) {
		end = l.starts[n]
	}
	text := l.src[l.starts[n-1]:end]
	for text != "" && (text[len(text)-1] == '\n' || text[len(text)-1] == '\r') {
		text = text[:len(text)-1]
	}
	return text
}
