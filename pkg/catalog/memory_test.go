package catalog

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestHolds: of a tool an Index holds its names and where its record is.
func TestHolds(t *testing.T) {
	const tools, each = 20_000, 250
	file := filepath.Join(t.TempDir(), "c.ndjson")
	var text strings.Builder
	for i := range tools {
		text.WriteString(toolLine(fmt.Sprint("namespace", i), `,"description":"`+strings.Repeat("x", 1000)+`"`))
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	text.Reset()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	before := inUse()
	x, err := Read(f, ReadOptions{Name: "c.ndjson"})
	if err != nil {
		t.Fatal(err)
	}
	if got := (inUse() - before) / tools; got > each {
		t.Errorf("%d bytes of each tool, want at most %d", got, each)
	}
	runtime.KeepAlive(x)
}

// inUse is how many bytes of the heap are.
func inUse() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
