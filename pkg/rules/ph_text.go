package rules

import (
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
)

// eachReference calls f for each reference of a text (chapters 12, 14 and 18),
// once for each way of writing it; at is the placeholder as written and where
// it stands.
func eachReference(text string, f func(ref model.Reference, at string)) {
	eachPlaceholder(text, func(ph model.Placeholder, at string) {
		if ref, ok := ph.Reference(); ok {
			f(ref, at)
		}
	})
}

func eachPlaceholder(text string, f func(ph model.Placeholder, at string)) {
	seen := map[string]bool{}
	lines := strings.Contains(text, "\n")
	line, from := 1, 0 // counted on the way: a text may hold a placeholder in each of its lines
	for _, ph := range model.Placeholders(text) {
		if lines {
			line += strings.Count(text[from:ph.Start], "\n")
			from = ph.Start
		}
		written := text[ph.Start:ph.End]
		if seen[written] {
			continue
		}
		seen[written] = true
		at := shorten(written)
		if lines {
			at += " on line " + strconv.Itoa(line) + " of the text"
		}
		f(ph, at)
	}
}

// shorten is quote for text that needs no quotes.
func shorten(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' }) || len(s) > maxQuoted {
		return quote(s)
	}
	return s
}

// isInputName matches ^[a-zA-Z][a-zA-Z0-9]*$ (PH003).
func isInputName(s string) bool {
	return each(s, func(c byte) bool { return isLower(c) || isUpper(c) }, isAlnum)
}
