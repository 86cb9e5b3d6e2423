package module

import (
	"strings"
	"testing"
)

func TestOverwritten(t *testing.T) {
	for src, want := range map[string]string{
		"export const main = { a: 1, b: { c: 1, 'c': 2, c: 3 }, a: 4 }":                "c: 1 'c': a: 1",
		"const x = { y: [ { z: 1, z: 2 } ] }; export const main = { a: x }":            "z: 1",
		"export const main = { a: 1, A: 2, b: { a: 1 } }":                              "",
		"export const main = { a: 1 }; export const handlers = () => ({ a: 1, a: 2 })": "",
	} {
		mod, err := Read(src)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, lost := range mod.Overwritten {
			at := src[lost.Offset : lost.Offset+4]
			if !strings.Contains(at, lost.Key) {
				t.Errorf("%s: %q is not at %d", src, lost.Key, lost.Offset)
			}
			got = append(got, at)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}
