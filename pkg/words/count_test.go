package words

import "testing"

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n          int
		noun, want string
	}{
		{0, "finding", "0 findings"}, {1, "finding", "1 finding"}, {2, "finding", "2 findings"},
		{-1, "finding", "-1 findings"},
		{1, "entry", "1 entry"}, {3, "entry", "3 entries"}, {2, "key", "2 keys"}, {2, "info", "2 info"},
		{1, "placeholder ?", "1 placeholder ?"}, {2, "placeholder ?", "2 placeholders ?"},
		{0, "query of a resource", "0 queries of a resource"},
	} {
		if got := Count(c.n, c.noun); got != c.want {
			t.Errorf("%d %s: %q, want %q", c.n, c.noun, got, c.want)
		}
	}
}
