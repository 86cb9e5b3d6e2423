package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// BenchmarkMerge is fmcp-resolve merge of ten parts with 10,000 schemas each: those of
// one, and the same with other namespaces.
func BenchmarkMerge(b *testing.B) {
	rss, dir := build(b, "./rss"), b.TempDir()
	first := output(b, exec.Command(command("fmcp-resolve"), "--part", generated(b, "10000")))
	args := []string{"merge"}
	for i := range 10 {
		file := filepath.Join(dir, fmt.Sprintf("part-%d.ndjson", i))
		if err := os.WriteFile(file, varied(first, i), 0o666); err != nil {
			b.Fatal(err)
		}
		args = append(args, file)
	}
	var took time.Duration
	var most int64
	for b.Loop() {
		c, peak := measured(b, rss, command("fmcp-resolve"), args...)
		took += pipe(b, c)
		most = max(most, peak())
	}
	ms(b, took, "merge-ms/op")
	b.ReportMetric(float64(most), "merge-rss-B")
}

// namespace is that of the part of a schema.
var namespace = regexp.MustCompile(`^\{"v":1,"kind":"part","id":"([^"/]+)/`)

// varied is a part whose schemas have other namespaces.
func varied(part []byte, number int) []byte {
	var out []byte
	for line := range bytes.Lines(part) {
		if m := namespace.FindSubmatch(line); m != nil {
			line = bytes.ReplaceAll(line, m[1], fmt.Appendf(nil, "%s-v%d", m[1], number))
		}
		out = append(out, line...)
	}
	return out
}
