package module

import (
	"iter"
	"strings"
)

// Comments are where the comments begin and end between two tokens, which are at from
// and to: nothing else is there but white space.
func Comments(src string, from, to int) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for {
			n := strings.IndexByte(src[from:to], '/')
			if n < 0 {
				return
			}
			start := from + n
			from = start + commentLen(src[start:to])
			if !yield(start, from) {
				return
			}
		}
	}
}

// commentLen is the length of the comment that a text begins with.
func commentLen(text string) int {
	end := strings.IndexAny(text, "\r\n\u2028\u2029")
	if strings.HasPrefix(text, "/*") {
		if end = strings.Index(text[2:], "*/"); end >= 0 {
			end += 4
		}
	}
	if end < 0 {
		return len(text)
	}
	return end
}
