package ordjson

import "testing"

// Plain agrees with looking at one byte after the other, for every byte at
// every place of a word.
func TestPlain(t *testing.T) {
	slow := func(s string, i int, quote byte) int {
		for i < len(s) && s[i] >= ' ' && s[i] < 0x80 && s[i] != '\\' && s[i] != quote {
			i++
		}
		return i
	}
	for c := range 256 {
		for at := range 20 {
			for _, second := range []byte{'x', 0, '"', 0xFF} {
				b := []byte("abcdefghijklmnopqrst")
				b[at], b[(at+3)%20] = byte(c), second
				s := string(b)
				for _, quote := range []byte{'"', '\''} {
					for _, from := range []int{0, 1, 9, 20} {
						if got, want := Plain(s, from, quote), slow(s, from, quote); got != want {
							t.Fatalf("Plain(%q, %d, %q) = %d, want %d", s, from, quote, got, want)
						}
					}
				}
			}
		}
	}
}
