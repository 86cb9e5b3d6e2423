package markdown

import (
	"io"
	"strings"
	"testing"
)

// BenchmarkRead reads parts of a document of 2 MB, beside io.ReadAll of it as
// the baseline.
func BenchmarkRead(b *testing.B) {
	chapter := "## Chapter\n\nSome **text** and `code` about the sea, a line of it.\n\n- one\n- two\n\n```sh\n" +
		"# x\n```\n\n"
	doc := strings.Repeat(chapter, 2<<20/len(chapter)) + "# Last\n\nneedle\n"
	b.Run("baseline", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := io.ReadAll(strings.NewReader(doc)); err != nil {
				b.Fatal(err)
			}
		}
	})
	for name, part := range map[string]Part{"whole": {}, "section": {Section: "# Last"}, "lines": {Lines: "100000-"},
		"search": {Search: "Needle", Context: 2}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				if text, err := Read(strings.NewReader(doc), int64(len(doc)), part, 10<<20); err != nil ||
					text.Body == "" {
					b.Fatal(err)
				}
			}
		})
	}
}
