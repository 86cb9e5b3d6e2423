package words

import "testing"

func TestLetters(t *testing.T) {
	for name, want := range map[string]string{"page_size": "pagesize", "$Page-Size2": "pagesize", "ü": "", "": ""} {
		if got := Letters(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
