package bench

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/search"
)

// first is how many results are looked at.
const first = 5

// BenchmarkSearch is the index of 2,000 tools, index-ms, and what it finds: for
// each file of requests, of whole sentences and of keywords, in how many of a
// hundred a right tool of the community catalog is among the first 5.
func BenchmarkSearch(b *testing.B) {
	b.Run("index", func(b *testing.B) {
		docs := toolsOf(b, catalog2000(b))
		b.ResetTimer()
		var took time.Duration
		for b.Loop() {
			start := time.Now()
			search.New(slices.Values(docs))
			took += time.Since(start)
		}
		ms(b, took, "index-ms")
	})
	community := os.Getenv("FMCP_COMMUNITY")
	if community == "" {
		b.Log("FMCP_COMMUNITY names no folder: what is found is not measured")
		return
	}
	resolved := filepath.Join(b.TempDir(), "community.ndjson")
	text := output(b, exec.Command(command("fmcp-resolve"), "--profile", "community", community))
	if err := os.WriteFile(resolved, text, 0o644); err != nil {
		b.Fatal(err)
	}
	index := search.New(slices.Values(toolsOf(b, resolved)))
	files, err := filepath.Glob("requests/*.tsv")
	if err != nil || len(files) == 0 {
		b.Fatalf("no requests: %v", err)
	}
	for _, file := range files {
		b.Run(strings.TrimSuffix(filepath.Base(file), ".tsv"), func(b *testing.B) {
			for b.Loop() {
				answered(b, index, file)
			}
		})
	}
}

// answered reports how many requests of a file are answered.
func answered(b *testing.B, index *search.Index, file string) {
	b.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	asked, found := map[string]float64{}, map[string]float64{}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 5 {
			b.Fatalf("%s: %q has %d fields, want 5", file, line, len(f))
		}
		asked[f[0]]++
		if slices.ContainsFunc(index.Search(f[3], first), func(id string) bool { return wanted(id, f[4]) }) {
			found[f[0]]++
		}
	}
	for kind := range asked {
		b.ReportMetric(100*found[kind]/asked[kind], kind+"-%")
	}
}

func wanted(id, right string) bool {
	return slices.ContainsFunc(strings.Fields(right), func(pattern string) bool {
		matches, _ := path.Match(pattern, id)
		return matches
	})
}

// toolsOf are the tools of a resolved catalog.
func toolsOf(b *testing.B, file string) (docs []search.Doc) {
	b.Helper()
	f, err := os.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	x, err := catalog.Read(f, catalog.ReadOptions{Name: file})
	if err != nil {
		b.Fatal(err)
	}
	for _, id := range x.Of(record.TypeTool, record.TypeResource) {
		rec, err := x.Record(id)
		if err != nil {
			b.Fatal(err)
		}
		docs = append(docs, search.Docs(rec)...)
	}
	return docs
}
