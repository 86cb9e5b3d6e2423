package poison

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// unseen are the characters that show nothing, or that turn the text around them,
// beside tag characters (CMP033).
var unseen = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00ad, 0x00ad, 1}, {0x034f, 0x034f, 1}, {0x061c, 0x061c, 1}, {0x115f, 0x1160, 1}, {0x17b4, 0x17b5, 1},
		{0x180b, 0x180f, 1}, {0x200b, 0x200f, 1}, {0x202a, 0x202e, 1}, {0x2060, 0x206f, 1}, {0x3164, 0x3164, 1},
		{0xfe00, 0xfe0f, 1}, {0xfeff, 0xfeff, 1}, {0xffa0, 0xffa0, 1}, {0xfff9, 0xfffb, 1},
	},
	R32: []unicode.Range32{
		{0x13430, 0x13438, 1}, {0x1bca0, 0x1bca3, 1}, {0x1d173, 0x1d17a, 1}, {0xe0000, 0xe0fff, 1},
	},
}

func invisible(c rune) bool { return c > 0x7f && unicode.Is(unseen, c) }

func isTag(c rune) bool { return c >= 0xe0000 && c <= 0xe007f }

// findHidden returns the first run of characters that are not seen, and how many
// there are of them in the text.
func findHidden(text string) (at, end, count int) {
	softHyphens, at := 0, -1
	rightToLeft := false
	var before rune
	for i, c := range text {
		rightToLeft = rightToLeft || unicode.In(c, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana)
		next := i + utf8.RuneLen(c)
		if c == utf8.RuneError {
			next = i + 1
		}
		switch {
		case c == 0xad:
			softHyphens++ // one is where a text was copied from a page
			if softHyphens != 2 {
				break
			}
			fallthrough
		case control(c), invisible(c) && !isTag(c) && !belongs(c, before, text[next:], rightToLeft):
			if at < 0 {
				at, end = i, next
			} else if end == i {
				end = next
			}
			count++
		}
		before = c
	}
	return at, end, count
}

// control reports whether a character is one for devices, but for those that
// findEscape speaks about.
func control(c rune) bool {
	switch c {
	case '\t', '\n', '\r', 0x1b, 0x85, 0x9b:
		return false
	}
	return unicode.IsControl(c)
}

// joining are the scripts in which characters without width say how letters join.
var joining = []*unicode.RangeTable{unicode.Arabic, unicode.Syriac, unicode.Devanagari, unicode.Bengali,
	unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
	unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Mongolian, unicode.Thai,
	unicode.Tibetan}

// belongs reports whether a character that is not seen is what its script needs, or
// part of an emoji.
func belongs(c, before rune, after string, rightToLeft bool) bool {
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case c == 0x200d:
		return unicode.In(before, joining...) || pictogram(before) && pictogram(next)
	case c == 0x200c, c >= 0x180b && c <= 0x180f:
		return unicode.In(before, joining...)
	case c == 0xfe0f || c == 0xfe0e:
		return pictogram(before)
	case c == 0x200e || c == 0x200f || c == 0x061c || c >= 0x2066 && c <= 0x2069 || c >= 0x202a && c <= 0x202c:
		return rightToLeft || slices.ContainsFunc([]rune(after), func(c rune) bool {
			return unicode.In(c, unicode.Arabic, unicode.Hebrew)
		})
	case c >= 0xe0100 && c <= 0xe01ef || c >= 0xfe00 && c < 0xfe0e:
		return unicode.Is(unicode.Han, before) || unicode.Is(unicode.Sm, before)
	}
	return false
}

// pictogram reports whether a character has an emoji, or is a part of one.
func pictogram(c rune) bool {
	return unicode.In(c, unicode.So, unicode.Sm, unicode.Sk, unicode.Po) || c >= '0' && c <= '9' || c == '#' ||
		c == 0xfe0f || c == 0x20e3 || c == 0xa9 || c == 0xae || c >= 0x2100 && c <= 0x2bff ||
		c >= 0x1f000 && c <= 0x1faff
}
