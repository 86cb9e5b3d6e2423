package words

import (
	"strconv"
	"strings"
)

// Count is a number of things: "1 finding", "2 findings", "0 entries", "2 keys". The
// noun is given in the singular; what follows its first word stays as it is, as in
// "3 placeholders ?". Of info, which counts findings, there is no plural.
func Count(n int, noun string) string {
	word, rest, more := strings.Cut(noun, " ")
	switch stem, ies := strings.CutSuffix(word, "y"); {
	case n == 1, word == "info":
	case ies && !strings.HasSuffix(stem, "e"):
		word = stem + "ies"
	default:
		word += "s"
	}
	if more {
		word += " " + rest
	}
	return strconv.Itoa(n) + " " + word
}
