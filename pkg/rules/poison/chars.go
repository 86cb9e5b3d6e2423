package poison

// charSet is which of the ASCII characters are in a text; all others count as notASCII.
type charSet [2]uint64

const notASCII = 0x7f

func charsOf(text string) (s charSet) {
	for i := range len(text) {
		c := min(text[i], notASCII)
		s[c/64] |= 1 << (c % 64)
	}
	return s
}

func (s charSet) has(c byte) bool { return s[c/64]&(1<<(c%64)) != 0 }

func (s charSet) any(o charSet) bool { return s[0]&o[0]|s[1]&o[1] != 0 }

func (s charSet) all(o charSet) bool { return o[0]&^s[0]|o[1]&^s[1] == 0 }
