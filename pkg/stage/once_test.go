package stage

import (
	"slices"
	"testing"
)

func TestOnce(t *testing.T) {
	const a, b = `{"v":1,"kind":"load","id":"a"}`, `{"v":1,"kind":"load","id":"b"}`
	const round, envelope = `{"v":1,"kind":"round"}`, `{"v":1,"kind":"envelope"}`
	for _, c := range []struct {
		name       string
		lines, out []string
	}{
		{"shards", []string{a, b, a, b, a}, []string{a, b}},
		{"other records", []string{envelope, a, envelope}, []string{envelope, a, envelope}},
		{"rounds", []string{a, round, b, a, round, a}, []string{a, round, b, a, round, a}},
	} {
		step := once()
		var out []string
		for _, line := range c.lines {
			batch, err := step(&Item{Line: []byte(line)})
			if err != nil {
				t.Fatal(err)
			}
			for _, it := range batch {
				out = append(out, string(it.Line))
			}
		}
		if !slices.Equal(out, c.out) {
			t.Errorf("%s: %q, expected %q", c.name, out, c.out)
		}
	}
}
