package module

import (
	"slices"
	"testing"
)

func TestComments(t *testing.T) {
	for _, c := range []struct {
		between string
		want    []string
	}{
		{"", nil},
		{" \n\t", nil},
		{" // a * / b\r\n", []string{"// a * / b"}},
		{"// a\u2028/* b\n // c */ /**/// d", []string{"// a", "/* b\n // c */", "/**/", "// d"}},
		{"/* no end", []string{"/* no end"}},
		{"/*/", []string{"/*/"}},
		{"/", []string{"/"}},
	} {
		src := "a/" + c.between + "/b"
		var got []string
		for start, end := range Comments(src, 2, len(src)-2) {
			got = append(got, src[start:end])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.between, got, c.want)
		}
	}
	for range Comments("//a\n//b", 0, 7) { // who has seen enough gets no more
		break
	}
}
