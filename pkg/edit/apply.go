package edit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Apply makes edits in a source, all of them or none: the error says why they
// cannot be. Where two touch, both are made; two texts in one place have no order.
func Apply(src string, edits []record.Edit) (string, error) {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, compare)
	var b strings.Builder
	done := 0
	for i, e := range edits {
		switch {
		case e.Start < 0 || e.End < e.Start || e.End > len(src):
			return "", fmt.Errorf("bytes %d to %d are not in a file of %d bytes", e.Start, e.End, len(src))
		case !boundary(src, e.Start) || !boundary(src, e.End):
			return "", fmt.Errorf("bytes %d to %d begin or end inside a character", e.Start, e.End)
		case i > 0 && overlap(edits[i-1], e):
			return "", fmt.Errorf("bytes %d to %d are changed twice", e.Start, e.End)
		}
		b.WriteString(src[done:e.Start])
		b.WriteString(e.Text)
		done = e.End
	}
	b.WriteString(src[done:])
	return b.String(), nil
}

func compare(a, b record.Edit) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
}

// overlap reports whether two edits, the first of which begins first, are in each
// other's way.
func overlap(a, b record.Edit) bool { return b.Start < a.End || b.End == a.Start }

func boundary(src string, i int) bool { return i == len(src) || utf8.RuneStart(src[i]) }

// Together returns which of some groups of edits can be made at once: each whose
// edits are in the way of none that came before it.
func Together(groups [][]record.Edit) []int {
	var chosen []int
	var taken []record.Edit // sorted
	for i, group := range groups {
		list := append(slices.Clone(taken), group...)
		slices.SortFunc(list, compare)
		free := true
		for k := 1; k < len(list) && free; k++ {
			free = !overlap(list[k-1], list[k])
		}
		if free {
			chosen, taken = append(chosen, i), list
		}
	}
	return chosen
}

// Marked are edits with a comment in a line of its own above what they change: above the
// first line that they insert, if there is one.
func Marked(src string, edits []record.Edit, comment string) []record.Edit {
	for i, e := range edits {
		after := strings.TrimPrefix(e.Text, ",")
		if line := trimNewline(after); line != after && e.Start == e.End {
			edits = slices.Clone(edits)
			head := strings.TrimSuffix(e.Text, line)
			edits[i].Text = head + commentLine(Indent(line, 0), comment, Newline(src)) + line
			return edits
		}
	}
	return append(slices.Clip(edits), Mark(src, edits[0].Start, comment))
}

// Mark is the edit that puts a comment in a line of its own above that of an offset;
// above the text of several lines that the line is part of.
func Mark(src string, offset int, comment string) record.Edit {
	tokens := module.Tokenize(src)
	start := lineAt(src, offset)
	for i := tokens.At(start) - 1; i >= 0 && int(tokens.List[i].End) > start; i = tokens.At(start) - 1 {
		start = lineAt(src, int(tokens.List[i].Start))
	}
	return record.Edit{Start: start, End: start, Text: commentLine(Indent(src, start), comment, Newline(src))}
}

func commentLine(indent, comment, newline string) string {
	return indent + "// " + strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, comment) + newline
}

func lineAt(src string, offset int) int { return strings.LastIndexAny(src[:offset], "\r\n") + 1 }

// Renew is the changed text of a schema with the schemaHash of its main, where that
// was right before, or has come with the change.
func Renew(before, after string) string {
	a, err := ReadSource(after, "main")
	if err != nil || a.hashed() || !a.value.Get("schemaHash").Exists() {
		return after
	}
	b, err := ReadSource(before, "main")
	if err != nil || b.value.Get("schemaHash").Exists() && !b.hashed() &&
		a.value.Get("schemaHash").Str() != record.SchemaHash(b.value) {
		return after
	}
	if changed := a.rehashed(); changed != nil {
		return changed.text
	}
	return after
}
