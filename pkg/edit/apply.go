package edit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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
