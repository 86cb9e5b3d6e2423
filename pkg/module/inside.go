package module

import "strings"

// Inside returns the offsets in the source of places in a text, in order, whose
// literal begins at start. There are fewer where the text is not written there,
// as strings and templates with + between them.
func (l *Lines) Inside(start int, text string, places []int) []int {
	found := make([]int, 0, len(places))
	var b []byte // what has been read of the text
	for start < len(l.src) && strings.IndexByte("'\"`", l.src[start]) >= 0 && len(found) < len(places) {
		i, from, here := start+1, len(b), len(found)
		for i < len(l.src) && l.src[i] != l.src[start] {
			at, before := i, len(b)
			if b, i = l.char(b, i); len(b) > before && len(found) < len(places) && before == places[len(found)] {
				found = append(found, at)
			}
		}
		if len(b) > len(text) || string(b[from:]) != text[from:len(b)] {
			return found[:here] // the literal of something else, such as the key of a value that code has made
		}
		start = l.operand(i + 1)
	}
	return found
}

// char appends the byte or the escape of a literal at an offset, and returns
// the offset after it: the end of the source where it cannot be read.
func (l *Lines) char(b []byte, i int) ([]byte, int) {
	switch {
	case l.src[i] == '\\' && i+1 < len(l.src):
		text, end, err := decodeEscape(b, l.src, i, 0)
		if err != nil {
			return b, len(l.src)
		}
		return text, end
	case l.src[i] != '\r':
		return append(b, l.src[i]), i + 1
	case strings.HasPrefix(l.src[i+1:], "\n"):
		i++
	}
	return append(b, '\n'), i + 1
}

// operand is where what is added to a literal begins that ends at an offset: the
// end of the source where nothing is.
func (l *Lines) operand(end int) int {
	plus, _, err := skipSpace(l.src, min(end, len(l.src)))
	if err != nil || plus == len(l.src) || l.src[plus] != '+' {
		return len(l.src)
	}
	start, _, err := skipSpace(l.src, plus+1)
	if err != nil {
		return len(l.src)
	}
	return start
}
