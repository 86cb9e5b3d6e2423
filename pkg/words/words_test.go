package words

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestQuote(t *testing.T) {
	whole := strings.Repeat("a", Shown)
	for _, c := range []struct{ text, want string }{
		{"", `""`},
		{"a\n\"b", `"a\n\"b"`},
		{whole, `"` + whole + `"`},
		{whole + "b", `"` + whole + `"… (81 bytes)`},
		{whole[:Shown-1] + "é", `"` + whole[:Shown-1] + `"… (81 bytes)`}, // not inside a character
		{strings.Repeat("\x80", 100), `"` + strings.Repeat(`\x80`, Shown) + `"… (100 bytes)`},
	} {
		if got := Quote(c.text); got != c.want {
			t.Errorf("Quote(%q) = %s, want %s", c.text, got, c.want)
		}
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"", 10, ""},
		{"0123456789", 10, "0123456789"},
		{"0123456789a", 10, "0123456…"},
		{"012345é89ab", 10, "012345…"},
	} {
		if got := Clip(c.text, c.limit); got != c.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}

func TestList(t *testing.T) {
	names := strings.Split(strings.Repeat("x ", listed)+"y z", " ")
	most := strings.Repeat("x, ", listed-1) + "x"
	for n, want := range map[int]string{0: "", 2: "x, x", listed: most, listed + 2: most + " and 2 more"} {
		if got := List(names[:n]); got != want {
			t.Errorf("%d names: %s", n, got)
		}
	}
}

func TestCause(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	_, open := os.Open(missing)
	other := errors.New("other")
	for _, c := range []struct{ err, want error }{
		{open, syscall.ENOENT},
		{os.Rename(missing, missing+"2"), syscall.ENOENT},
		{fmt.Errorf("reading: %w", open), syscall.ENOENT},
		{other, other},
	} {
		if got := Cause(c.err); got != c.want {
			t.Errorf("Cause(%v) = %v, want %v", c.err, got, c.want)
		}
	}
}
