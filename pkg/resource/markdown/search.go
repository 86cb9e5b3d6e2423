package markdown

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/words"
)

// maxMatches is how many matching lines are shown, and maxShown how many bytes
// of a line.
const (
	maxMatches = 100
	maxShown   = 1000
)

// search finds the lines that hold a text, case aside, and shows them with
// their numbers and the lines around them as grep -n does: "12:" before a line
// that matches, "13-" before one around it, "--" between parts that do not
// touch. Of the document it holds the lines around a match alone.
func search(in *lines, part Part) (Text, error) {
	s := searcher{word: strings.ToLower(part.Search), context: part.Context, limit: in.limit}
	for {
		line, ok, err := in.next()
		if err != nil {
			return Text{}, err
		}
		if !ok {
			return s.result(part.Search, in.num), nil
		}
		if err := s.add(in.num, bytes.TrimRight(line, "\r\n")); err != nil {
			return Text{}, err
		}
	}
}

type searcher struct {
	word    string // in lower case
	context int
	limit   int64

	out     []byte
	before  []shown // lines that are shown if a match follows
	after   int     // lines still to be shown after a match
	last    int     // number of the line shown last
	matches int
	cut     bool // a line was too long to be shown
}

// shown is a line as it is shown.
type shown struct {
	num  int
	text string
	cut  bool
}

func (s *searcher) add(num int, line []byte) error {
	at := strings.Index(strings.ToLower(string(line)), s.word)
	switch {
	case at >= 0:
		if s.matches++; s.matches > maxMatches {
			s.after = 0
			return nil
		}
		for _, b := range s.before {
			s.show(b, '-')
		}
		s.before = s.before[:0]
		s.show(around(num, line, at), ':')
		s.after = s.context
	case s.after > 0:
		s.after--
		s.show(around(num, line, 0), '-')
	case s.context > 0 && s.matches < maxMatches:
		if len(s.before) == s.context {
			s.before = append(s.before[:0], s.before[1:]...)
		}
		s.before = append(s.before, around(num, line, 0))
	}
	if int64(len(s.out)) > s.limit {
		return fail(CodeDocument, "the lines found are more than the %d bytes that are returned at once: search for "+
			"more, or raise --max-response", s.limit)
	}
	return nil
}

func (s *searcher) show(l shown, mark byte) {
	if s.last > 0 && l.num > s.last+1 {
		s.out = append(s.out, "--\n"...)
	}
	s.last, s.cut = l.num, s.cut || l.cut
	s.out = strconv.AppendInt(s.out, int64(l.num), 10)
	s.out = append(s.out, mark)
	s.out = append(s.out, l.text...)
	s.out = append(s.out, '\n')
}

// around is a line as it is shown: of a long one, what is around a byte.
func around(num int, line []byte, at int) shown {
	if len(line) <= maxShown {
		return shown{num: num, text: string(line)}
	}
	// Lower case may have another length, so that at is about the place only.
	start := min(max(at-maxShown/4, 0), len(line)-maxShown)
	for start > 0 && !utf8.RuneStart(line[start]) {
		start--
	}
	end := min(start+maxShown, len(line))
	for end < len(line) && !utf8.RuneStart(line[end]) {
		end++
	}
	text := string(line[start:end])
	if start > 0 {
		text = "…" + text
	}
	if end < len(line) {
		text += "…"
	}
	return shown{num, text, true}
}

func (s *searcher) result(word string, count int) Text {
	t := Text{Body: string(s.out)}
	switch {
	case s.matches == 0:
		t.Warnings = append(t.Warnings, fmt.Sprintf("none of the document's %s holds %s", words.Count(count, "line"),
			words.Quote(word)))
	case s.matches > maxMatches:
		t.Cut = append(t.Cut, fmt.Sprintf("%d lines hold %s, the first %d are shown, up to line %d: search for more, "+
			"or read on by lines", s.matches, words.Quote(word), maxMatches, s.last))
	}
	if s.cut {
		t.Cut = append(t.Cut, fmt.Sprintf("lines of more than %d bytes are shown in part: read them by lines",
			maxShown))
	}
	return t
}
