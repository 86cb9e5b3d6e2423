package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/flowmcp/fmcp/scripts/gencatalog/gen"
)

// BenchmarkChange is a change of one schema among 500, until all that is found then is
// published. An editor should show it within 50 ms.
func BenchmarkChange(b *testing.B) {
	const schemas = 500
	dir := filepath.Join(b.TempDir(), "catalog")
	put := func(name string, src []byte) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, src, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	put(gen.List())
	put("registry.json", gen.Registry("catalog", schemas, 0))
	for i := range schemas {
		put(gen.Schema(i))
	}
	name, src := gen.Schema(schemas / 2)
	c := dial(b, dir, "community")
	b.ResetTimer()
	for i := range b.N {
		c.set(name, fmt.Sprintf("%s// %d\n", src, i))
	}
}
