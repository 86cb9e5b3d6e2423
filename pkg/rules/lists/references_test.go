package lists

import (
	"testing"
)

func TestCompatible(t *testing.T) {
	for _, c := range []struct {
		want, have string
		ok         bool
	}{
		{"1.0.0", "1.0.0", true}, {"1.0.0", "1.0.1", true}, {"1.0.0", "1.2.0", true}, {"1.2.0", "1.10.0", true},
		{"1.0.1", "1.0.0", false}, {"1.2.0", "1.1.9", false}, {"1.0.0", "2.0.0", false}, {"2.0.0", "1.9.9", false},
		{"1.0.99999999999999999999", "1.0.100000000000000000000", true},
	} {
		if got := compatible(c.want, c.have); got != c.ok {
			t.Errorf("a list %s for a reference to %s: %v, want %v", c.have, c.want, got, c.ok)
		}
	}
}
