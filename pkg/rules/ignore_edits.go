package rules

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/record"
)

// codeEdits are the edits that write another code in the place of one of the n-th
// fmcp-ignore comment of a source, or, where there is no other, take it out. All of them
// need a look: another code takes back other findings, and what nothing is found for here
// may be found by other rules.
func codeEdits(src string, n int, codes []string, which int, better string) []record.Edit {
	start, end := ignoreComment(src, n)
	at := start + strings.Index(src[start:end], ignoreWord) + len(ignoreWord)
	var ends []int // of the codes up to this one
	for _, code := range codes[:which+1] {
		at += strings.Index(src[at:end], code) + len(code)
		ends = append(ends, at)
	}
	from := at - len(codes[which])
	switch {
	case better != "":
		return []record.Edit{{Start: from, End: at, Text: better}}
	case which > 0:
		return []record.Edit{{Start: ends[which-1], End: at}}
	case len(codes) > 1:
		return []record.Edit{{Start: from, End: at + strings.Index(src[at:end], codes[1])}}
	}
	return []record.Edit{wholeComment(src, start, end)}
}

// ignoreComment is where the n-th fmcp-ignore comment of a source is.
func ignoreComment(src string, n int) (start, end int) {
	eachComment(module.Tokenize(src), ignoreWord, func(c comment) {
		if n--; n == -1 {
			start, end = c.start, c.end
		}
	})
	return start, end
}

// wholeComment takes out a comment: its lines where nothing else is in them, else
// the blanks before it too.
func wholeComment(src string, start, end int) record.Edit {
	line := strings.LastIndexAny(src[:start], "\r\n") + 1
	before := len(strings.TrimRight(src[:start], " \t"))
	after := len(src) - len(strings.TrimLeft(src[end:], " \t"))
	if before > line {
		return record.Edit{Start: before, End: end}
	}
	for _, newline := range []string{"\r\n", "\n", "\r"} {
		if strings.HasPrefix(src[after:], newline) {
			return record.Edit{Start: line, End: after + len(newline)}
		}
	}
	return record.Edit{Start: start, End: after}
}
