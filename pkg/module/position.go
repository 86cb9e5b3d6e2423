package module

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// Lines finds the line and column of byte offsets in a source. It counts on from
// the place that was asked for last, which most are a little after, and looks
// others up.
type Lines struct {
	src               string
	offset, line, col int   // the place that was asked for last
	starts            []int // of lines; nil until a place is looked up
	marks             []int // characters in front of each mark; nil where all lines are short
}

// maxStep is how far, in bytes, Lines counts on.
const maxStep = 4096

// A line that is longer than longLine is not counted through for each column in
// it: 10,000 places in one line of a megabyte would take minutes. Each
// markEvery bytes there is a mark.
const (
	longLine  = 4096
	markEvery = 1024
)

// NewLines returns the lines of src; they end with LF, CR LF or CR.
func NewLines(src string) *Lines { return &Lines{src: src, line: 1, col: 1} }

// Position returns line and column of a byte offset, both from 1; the column
// counts characters.
func (l *Lines) Position(offset int) (line, col int) {
	offset = max(0, min(offset, len(l.src)))
	if step := offset - l.offset; step < 0 || step > maxStep {
		l.line, l.col = l.look(offset)
	} else {
		l.count(offset)
	}
	l.offset = offset
	return l.line, l.col
}

// count goes on to offset.
func (l *Lines) count(offset int) {
	from := l.offset
	if part := l.src[from:offset]; strings.IndexByte(part, '\r') < 0 {
		if n := strings.Count(part, "\n"); n > 0 { // of the lines before the last no column is asked for
			l.line, l.col = l.line+n, 1
			from += strings.LastIndexByte(part, '\n') + 1
		}
	}
	for i := from; i < offset; i++ {
		switch {
		case l.ends(i):
			l.line, l.col = l.line+1, 1
		case utf8.RuneStart(l.src[i]):
			l.col++
		}
	}
}

// ends reports whether a line ends with the byte at i.
func (l *Lines) ends(i int) bool {
	return l.src[i] == '\n' || l.src[i] == '\r' && (i+1 == len(l.src) || l.src[i+1] != '\n')
}

// look is Position from the index of lines.
func (l *Lines) look(offset int) (line, col int) {
	l.index()
	line = sort.SearchInts(l.starts, offset+1)
	return line, l.chars(l.starts[line-1], offset) + 1
}

// index notes where the lines start.
func (l *Lines) index() {
	if l.starts != nil {
		return
	}
	l.starts = make([]int, 1, 1+strings.Count(l.src, "\n"))
	longest := 0
	for i := range len(l.src) {
		if l.ends(i) {
			longest = max(longest, i-l.starts[len(l.starts)-1])
			l.starts = append(l.starts, i+1)
		}
	}
	if longest = max(longest, len(l.src)-l.starts[len(l.starts)-1]); longest > longLine {
		l.mark()
	}
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
	return utf8.RuneCountInString(l.src[start:from]) + l.marks[last] - l.marks[first] +
		utf8.RuneCountInString(l.src[to:end])
}

// Text returns line number n, counted from 1, without its end.
func (l *Lines) Text(n int) string {
	if l.index(); n < 1 || n > len(l.starts) {
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
