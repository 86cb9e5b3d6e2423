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
	marks  []int // characters in front of each mark; nil where all lines are short
}

// A line that is longer than longLine is not counted through for each column in
// it: 10,000 findings in one line of a megabyte would take minutes. Each
// markEvery bytes there is a mark.
const (
	longLine  = 4096
	markEvery = 1024
)

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
	l := &Lines{src: src, starts: starts}
	for i, start := range starts {
		end := len(src)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		if end-start > longLine {
			l.mark()
			break
		}
	}
	return l
}

// mark counts the characters in front of each mark.
func (l *Lines) mark() {
	l.marks = make([]int, 1, len(l.src)/markEvery+1)
	for i, n := 0, 0; len(l.marks) <= len(l.src)/markEvery; {
		next := l.markAt(len(l.marks))
		n += utf8.RuneCountInString(l.src[i:next])
		l.marks = append(l.marks, n)
		i = next
	}
}

// markAt is the offset of mark k, which is not inside a character: none has
// more than four bytes.
func (l *Lines) markAt(k int) int {
	i := k * markEvery
	for n := 0; n < utf8.UTFMax-1 && i < len(l.src) && !utf8.RuneStart(l.src[i]); n++ {
		i++
	}
	return i
}

// chars is the number of characters between two offsets.
func (l *Lines) chars(start, end int) int {
	if l.marks == nil || end-start <= longLine {
		return utf8.RuneCountInString(l.src[start:end])
	}
	first, last := start/markEvery+1, end/markEvery
	if l.markAt(last) > end {
		last--
	}
	from, to := l.markAt(first), l.markAt(last)
	return utf8.RuneCountInString(l.src[start:from]) + l.marks[last] - l.marks[first] + utf8.RuneCountInString(l.src[to:end])
}

// Position returns line and column of a byte offset, both from 1; the column
// counts characters.
func (l *Lines) Position(offset int) (line, col int) {
	offset = max(0, min(offset, len(l.src)))
	line = sort.SearchInts(l.starts, offset+1)
	return line, l.chars(l.starts[line-1], offset) + 1
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

// Cursor is Lines for offsets of which most are a little behind the one before:
// it counts on from that. The others are looked up.
type Cursor struct {
	src               string
	offset, line, col int // the last one
	lines             *Lines
}

// NewCursor returns a Cursor at the beginning of src.
func NewCursor(src string) *Cursor { return &Cursor{src: src, line: 1, col: 1} }

// maxStep is how far, in bytes, a Cursor counts on.
const maxStep = 4096

// Position is that of Lines.
func (c *Cursor) Position(offset int) (line, col int) {
	switch step := offset - c.offset; {
	case step < 0 || step > maxStep || offset > len(c.src):
		if c.lines == nil {
			c.lines = NewLines(c.src)
		}
		c.line, c.col = c.lines.Position(offset)
	default:
		for i := c.offset; i < offset; i++ {
			switch b := c.src[i]; {
			case b == '\n' || b == '\r' && (i+1 == len(c.src) || c.src[i+1] != '\n'):
				c.line, c.col = c.line+1, 1
			case utf8.RuneStart(b):
				c.col++
			}
		}
	}
	c.offset = max(0, min(offset, len(c.src)))
	return c.line, c.col
}
