package edit

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
)

// cut are the splices that take parts out of the object or array that token open
// opens.
func (s *Source) cut(open int, gone []part) []splice {
	all := s.parts(open)
	gone = distinct(gone)
	var list []splice
	left := -1 // the last part that stays
	for i, p := range all {
		if !slices.Contains(gone, p) {
			left = i
			continue
		}
		from, to := s.extent(p)
		if n := len(list); n > 0 && strings.TrimSpace(s.text[list[n-1].end:from]) == "" {
			list[n-1].end = to // one stretch, so that the space between goes too
			continue
		}
		list = append(list, splice{from, to, ""})
	}
	end := s.start(int(s.tokens.List[open].Match))
	for i := range list {
		s.widen(&list[i], end)
	}
	if left < 0 {
		return s.emptied(int(s.tokens.List[open].End), end, list)
	}
	// Who writes no comma after the last does not want one now either. After an
	// empty place it is that place.
	if p := all[left]; left < len(all)-1 && all[len(all)-1].comma < 0 && p.first < p.end {
		comma := s.tokens.List[p.comma]
		list = append(list, splice{int(comma.Start), int(comma.End), ""})
	}
	return list
}

// emptied takes out the space between two brackets too, if nothing else is left
// there.
func (s *Source) emptied(start, end int, list []splice) []splice {
	left, at := "", start
	for _, sp := range list {
		left += s.text[at:sp.start]
		at = sp.end
	}
	if strings.TrimSpace(left+s.text[at:end]) != "" {
		return list
	}
	return []splice{{start, end, ""}}
}

// extent is where a part begins and ends, with the comments that belong to it: those
// directly above it, and those beside it in its last line.
func (s *Source) extent(p part) (from, to int) {
	from = s.start(p.first)
	beside, others := s.comments(p.first)
	if len(others) == 0 && len(beside) > 0 && !s.breaks(beside[len(beside)-1].end, from) {
		others = beside // /* of b */ b: 2
	}
	for _, c := range slices.Backward(others) {
		if s.lines(c.end, from) > 1 {
			break
		}
		from = c.start
	}
	last := p.end
	if to = int(s.tokens.List[p.end-1].End); p.comma >= 0 {
		last, to = p.comma+1, int(s.tokens.List[p.comma].End)
	}
	if beside, _ = s.comments(last); len(beside) > 0 {
		if c := beside[len(beside)-1]; s.breaks(c.end, s.start(last)) || s.tokens.Closes(last) {
			to = c.end
		}
	}
	return from, to
}

// comments are those between token i and the one before it: those that begin in the
// line of the latter, and the others.
func (s *Source) comments(i int) (beside, others []splice) {
	at := int(s.tokens.List[i-1].End)
	for start, end := range module.Comments(s.text, at, s.start(i)) {
		c := splice{start: start, end: end}
		if others != nil || s.breaks(at, c.start) {
			others = append(others, c)
		} else {
			beside = append(beside, c)
		}
		at = end
	}
	return beside, others
}

// breaks reports whether a line ends between two offsets.
func (s *Source) breaks(from, to int) bool { return s.lines(from, to) > 0 }

// lines is how many lines end between two offsets.
func (s *Source) lines(from, to int) int {
	text := strings.ReplaceAll(s.text[from:to], "\r\n", "\n")
	return strings.Count(text, "\n") + strings.Count(text, "\r")
}

const blanks = " \t"

// widen adds the space that goes with what is taken out: whole lines where nothing
// else is in them, and blank lines that would be left beside others or beside a
// bracket. end is where the object or array does.
func (s *Source) widen(sp *splice, end int) {
	before := strings.TrimRight(s.text[:sp.start], blanks)
	after := strings.TrimLeft(s.text[sp.end:end], blanks)
	begins, ends := before != trimLine(before), after != trimNewline(after)
	switch {
	case !ends:
		sp.end = end - len(after)
		return
	case !begins:
		sp.start = len(before)
		return
	}
	sp.start, sp.end = len(before), end-len(trimNewline(after))
	above := strings.TrimRight(trimLine(before), blanks)
	blankAbove := above != trimLine(above)
	opens := strings.HasSuffix(above, "{") || strings.HasSuffix(above, "[")
	below := strings.TrimLeft(s.text[sp.end:end], blanks)
	if blankAbove || opens {
		for line := trimNewline(below); line != below; line = trimNewline(below) {
			sp.end, below = end-len(line), strings.TrimLeft(line, blanks)
		}
	}
	for below == "" && blankAbove {
		sp.start = len(above)
		above = strings.TrimRight(trimLine(above), blanks)
		blankAbove = above != trimLine(above)
	}
}

// trimNewline takes the end of a line off the beginning of a text, trimLine off its end.
func trimNewline(text string) string {
	if rest, ok := strings.CutPrefix(text, "\r\n"); ok {
		return rest
	}
	return strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n")
}

func trimLine(text string) string {
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
}
