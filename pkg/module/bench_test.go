package module_test

import (
	"strings"
	"testing"

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

func BenchmarkRead(b *testing.B) {
	sources, size := corpus()
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
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
}

// BenchmarkGojaParse is the baseline: goja's parser over the same text.
func BenchmarkGojaParse(b *testing.B) {
	sources, size := corpus()
	for i, src := range sources {
		sources[i] = strings.ReplaceAll(src, "\nexport const", "\n       const")
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, src := range sources {
			if _, err := parser.ParseFile(nil, "", src, 0, parser.WithDisableSourceMaps); err != nil {
				b.Fatal(err)
			}
		}
	}
}
