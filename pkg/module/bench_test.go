package module_test

import (
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja/parser"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/scripts/gencatalog/gen"
)

// corpus is 50 schemas of the size and shape of the field.
func corpus() (sources []string, size int64) {
	for i := range 50 {
		_, src := gen.Schema(i)
		sources = append(sources, string(src))
		size += int64(len(src))
	}
	return sources, size
}

func read(b *testing.B, sources []string) {
	for _, src := range sources {
		m, err := module.Read(src)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := m.Value("main"); err != nil {
			b.Fatal(err)
		}
	}
}

// gojaParse is the baseline: goja's parser over the same text.
func gojaParse(b *testing.B, sources []string) {
	for _, src := range sources {
		if _, err := parser.ParseFile(nil, "", src, 0, parser.WithDisableSourceMaps); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRead reads the corpus with both in turn; x-goja is how many times
// the bytes per second of goja's parser Read reaches.
func BenchmarkRead(b *testing.B) {
	sources, size := corpus()
	scripts := make([]string, len(sources))
	for i, src := range sources {
		scripts[i] = strings.ReplaceAll(src, "\nexport const", "\n       const")
	}
	var ours, theirs time.Duration
	for b.Loop() {
		start := time.Now()
		gojaParse(b, scripts)
		middle := time.Now()
		read(b, sources)
		theirs += middle.Sub(start)
		ours += time.Since(middle)
	}
	total := float64(size) * float64(b.N) / 1e6
	b.ReportMetric(total/theirs.Seconds(), "goja-MB/s")
	b.ReportMetric(total/ours.Seconds(), "fmcp-MB/s")
	b.ReportMetric(theirs.Seconds()/ours.Seconds(), "x-goja")
}
