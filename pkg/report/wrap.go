package report

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks text between words so that no line is longer than width, if its
// words allow that. The first line begins at column at, those after it are
// indented. A width of 0 is none.
func Wrap(text string, width, at, indent int) string {
	if width <= 0 || at+utf8.RuneCountInString(text) <= width {
		return text
	}
	var b strings.Builder
	col := at
	for i, word := range strings.Split(text, " ") {
		n := utf8.RuneCountInString(word)
		switch space := min(i, 1); {
		case col+space+n > width && col > indent:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			col = indent
		case space == 1:
			b.WriteByte(' ')
			col++
		}
		b.WriteString(word)
		col += n
	}
	return b.String()
}
