package ordjson

import "strings"

// mistake says what to do about what stands at the cursor, "" where that is not
// known. JavaScript allows most of it.
func (p *parser) mistake(expected string) string {
	if p.i >= len(p.s) {
		return ""
	}
	rest, before := p.s[p.i:], strings.TrimRight(p.s[:p.i], " \t\r\n")
	switch {
	case rest[0] == '\'':
		return "write texts and keys between double quotes"
	case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "/*"):
		return "remove the comment: JSON has none"
	case strings.HasSuffix(before, ",") && (rest[0] == ']' || rest[0] == '}'):
		return "remove the comma before it"
	case strings.Contains(expected, "expected , or") && strings.IndexByte(`"{[`, rest[0]) >= 0:
		return "write a comma after the value before it"
	case strings.HasSuffix(expected, "a quoted key"):
		return "write the key between double quotes"
	case strings.HasSuffix(expected, "a value") && strings.IndexByte("]},:", rest[0]) < 0:
		return "write the value out: JSON has texts in double quotes, numbers, true, false, null, arrays and objects"
	}
	return ""
}
