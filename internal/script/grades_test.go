//go:build unix

package script

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// goldens are the artefacts of testdata/grades, which has schemas of every grade and
// in every stage: files in want, and the commands that print them. -update writes them.
var goldens = map[string]string{
	"grades.ndjson": "fmcp-grade --runs runs.ndjson --scores scores catalog",
	"grades.txt":    "fmcp-grade --runs runs.ndjson --scores scores -f text catalog",
	"badge.svg":     "fmcp-grade --runs runs.ndjson --scores scores -f badge catalog",
	"comment.md":    "fmcp-grade --runs runs.ndjson --scores scores -f markdown catalog",
	// Grades of an earlier run: of the file as it is, of other versions, of one that fails now.
	"earlier.ndjson": "fmcp-grade --runs runs.ndjson --scores scores --grades earlier.ndjson catalog",
	"plan.ndjson":    "fmcp-grade plan --runs runs.ndjson --scores scores --grades earlier.ndjson catalog",
	"plan.txt":       "fmcp-grade plan --runs runs.ndjson --scores scores --grades earlier.ndjson -f text catalog",
	"trim.txt":       "fmcp-grade trim --runs runs.ndjson --out trimmed/catalog -f text catalog",
	"prompts.ndjson": "fmcp-grade prompts catalog",
	"reports.json":   "sh reports.sh",
	"spec2.ndjson": "fmcp-grade --runs runs.ndjson --scores scores --grading spec2 --persona schema-maintainer " +
		"--timestamp 2026-05-29T15:34:00Z catalog",
}

// gradesFolder is a folder with a copy of testdata/grades.
func gradesFolder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "grades")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(repo, "testdata", "grades"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestGradesGolden(t *testing.T) {
	dir, folder := gradesFolder(t), filepath.Join(repo, "testdata", "grades", "want")
	for name, command := range goldens {
		t.Run(name, func(t *testing.T) {
			out, _ := start(t, dir, strings.Fields(command)...).end()
			if *update {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(out), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil || out != string(want) {
				t.Errorf("%v; %s prints\n%s", err, command, out)
			}
		})
	}
	names, err := os.ReadDir(folder)
	if err != nil || len(names) != len(goldens) {
		t.Errorf("%d files in %s, %d are made: %v", len(names), folder, len(goldens), err)
	}
}

// The same records give the same bytes in any order, at any -j, and as paths.
func TestGradesAnyOrder(t *testing.T) {
	dir := gradesFolder(t)
	want, err := os.ReadFile(filepath.Join(dir, "want", "earlier.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	// a file of runs that was named can be named again
	want = bytes.ReplaceAll(want, []byte("--runs runs.ndjson"), []byte("--captures captures"))
	records, status := start(t, dir, "sh", "-c",
		"fmcp-scan catalog | fmcp-load | fmcp-validate --pass=all; cat runs.ndjson earlier.ndjson").end()
	if status != 0 {
		t.Fatal(status)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(records, "\n"), "\n")
	lines[len(lines)-1] += "\n"
	random := rand.New(rand.NewPCG(16, 20))
	for range 6 {
		for _, j := range []string{"-j1", "-j8"} {
			p := start(t, dir, "fmcp-grade", j, "--scores", "scores")
			p.write(strings.Join(lines, ""))
			if out, status := p.end(); status != 3 || out != string(want) {
				t.Fatalf("status %d, %s; of\n%s\n%s", status, j, strings.Join(lines, ""), out)
			}
		}
		random.Shuffle(len(lines), func(a, b int) { lines[a], lines[b] = lines[b], lines[a] })
	}
}
