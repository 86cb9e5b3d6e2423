package markdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/words"
)

// section is the text from a heading up to the next one of its level or a
// higher one, without blank lines at its end.
func section(in *lines, size int64, name string) (Text, error) {
	src, err := in.all(size)
	if err != nil {
		return Text{}, err
	}
	list, err := headings([]byte(src))
	if err != nil {
		return Text{}, err
	}
	found := find(list, name)
	if len(found) == 0 {
		return Text{}, noSection(list, name)
	}
	starts := lineStarts(src)
	first, last := extent(list, found[0], src, starts)
	t := Text{Body: src[starts[first-1]:starts[last]]}
	if len(found) > 1 {
		var others []string
		for _, i := range found[1:] {
			from, to := extent(list, i, src, starts)
			others = append(others, span(from, to))
		}
		t.Cut = append(t.Cut, fmt.Sprintf("%d sections are called %s: this is the first, lines %s; read the others "+
			"by lines: %s",
			len(found), words.Quote(name), span(first, last), words.List(others)))
	}
	return t, nil
}

// find returns the headings that a name means: as written, else as read, else
// whatever case and marks. With # before it, only those of that level.
func find(list []heading, name string) []int {
	level, want := cutLevel(name)
	read := plain(want)
	for _, same := range []func(heading) bool{
		func(h heading) bool { return h.raw == want },
		func(h heading) bool { return plain(h.raw) == want },
		func(h heading) bool {
			shown := plain(h.raw)
			return strings.EqualFold(shown, read) || strings.EqualFold(shown, want)
		},
	} {
		var found []int
		for i, h := range list {
			if (level == 0 || h.level == level) && same(h) {
				found = append(found, i)
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// cutLevel reads "## Functions ##" as a level and a text; the level is 0 if it
// is not said.
func cutLevel(name string) (level int, text string) {
	name = words.OneLine(name)
	rest := strings.TrimLeft(name, "#")
	level = len(name) - len(rest)
	if level == 0 || level > 6 || rest != "" && rest[0] != ' ' {
		return 0, name
	}
	if closed := strings.TrimRight(rest, "#"); strings.HasSuffix(closed, " ") {
		rest = closed
	}
	return level, strings.TrimSpace(rest)
}

// extent is the first and the last line of a section.
func extent(list []heading, i int, src string, starts []int) (first, last int) {
	first, last = list[i].line, len(starts)-1
	for _, h := range list[i+1:] {
		if h.level <= list[i].level {
			last = h.line - 1
			break
		}
	}
	for last > first && strings.TrimSpace(src[starts[last-1]:starts[last]]) == "" {
		last--
	}
	return first, last
}

// lineStarts are the offsets of all lines, and that of the end of the text.
func lineStarts(src string) []int {
	starts := []int{0}
	for at := 0; ; {
		i := strings.IndexByte(src[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		starts = append(starts, at)
	}
	if starts[len(starts)-1] < len(src) {
		starts = append(starts, len(src))
	}
	return starts
}

// noSection is the error for a section that is not there.
func noSection(list []heading, name string) error {
	if len(list) == 0 {
		return fail(CodePart, "there is no section %s: the document has no headings, read it by lines or search",
			words.Quote(name))
	}
	hint := ""
	level, want := cutLevel(name)
	if other := find(list, want); level > 0 && len(other) > 0 {
		h := list[other[0]]
		hint = fmt.Sprintf(" (did you mean %q in line %d?)", h.String(), h.line)
	}
	names, texts := make([]string, len(list)), make([]string, len(list))
	for i, h := range list {
		names[i], texts[i] = h.String(), plain(h.raw)
	}
	if near, ok := words.Closest(plain(want), texts); ok && hint == "" {
		hint = fmt.Sprintf(" (did you mean %q?)", names[slices.Index(texts, near)])
	}
	return fail(CodePart, "there is no section %s%s; the document has %s", words.Quote(name), hint,
		words.QuoteList(names))
}
