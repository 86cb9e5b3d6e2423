package protocol

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/record"
)

// inFiles writes files into a folder, and makes it the current one.
func inFiles(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func said(list []*record.Diagnostic) []string {
	var out []string
	for _, d := range list {
		out = append(out, fmt.Sprintf("%s:%d %s %s %s %s", d.Loc.Path, d.Loc.Line, d.Severity, d.Code, d.Subject,
			d.Message))
	}
	return out
}

func TestBook(t *testing.T) {
	old := strings.ReplaceAll(hash, "0", "f")
	other := scoresJSON(t, "schemaIdSlug", `"a_c"`)
	for _, tt := range []struct {
		name  string
		files map[string]string
		paths []string
		hash  string
		used  bool
		want  []string
	}{
		{"a file", map[string]string{"s": scoresJSON(t)}, []string{"s"}, hash, true, nil},
		{"a folder", map[string]string{"d/a_b/scores.json": scoresJSON(t), "d/a_b/prompts.json": "no"}, []string{"d"},
			hash, true, nil},
		{"of another version", map[string]string{"s": scoresJSON(t)}, []string{"s"}, old, false, []string{
			"s:4 error GRD003 a/b these scores are for " + hash + ", and a/b is " + old + " now"}},
		{"scored again", map[string]string{"s": scoresJSON(t), "t": scoresJSON(t, "schemaHash", `"`+old+`"`)},
			[]string{"s", "t"}, hash, true, []string{"t:4 warning GRD003 a/b these scores are for " + old}},
		{"in two files", map[string]string{"s": scoresJSON(t), "t": scoresJSON(t)}, []string{"s", "t"}, hash, false,
			[]string{"t:0 error GRD005 a/b found scores of a/b in this file and in s, expected one file"}},
		{"without a hash", map[string]string{"s": scoresJSON(t, "schemaHash", "")}, []string{"s"}, hash, true,
			[]string{"s:1 warning GRD007 a/b found no schemaHash: nobody knows "}},
		{"partial", map[string]string{"s": scoresJSON(t, "scores", `[{"score":3}]`)}, []string{"s"}, hash, true,
			[]string{"s:0 warning GRD006 a/b found no score of parameters: a/b gets no grade"}},
		{"foreign", map[string]string{"s": other}, []string{"s"}, hash, false, []string{
			`s:0 error GRD004  found scores of "a_c", which is not the slug of any schema in the input: they are ` +
				`not used (did you mean "a_b"?)`}},
		{"foreign in a folder", map[string]string{"d/1/scores.json": other, "d/2/scores.json": scoresJSON(t)},
			[]string{"d"}, hash, true, []string{`d/1/scores.json:0 warning GRD004  found scores of "a_c", `}},
		{"refused", map[string]string{"s": "{"}, []string{"s"}, hash, false, []string{
			"s:1 error GRD001  is not JSON: "}},
		{"of a schema that did not come", map[string]string{"s": scoresJSON(t)}, []string{"s"}, "", false, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inFiles(t, tt.files)
			book, err := ReadBook(tt.paths)
			if err != nil {
				t.Fatal(err)
			}
			e := &grade.Evidence{ID: "a/b", FileHash: tt.hash}
			got := said(slices.Concat(book.Score(e), book.Rest()))
			if (e.Scores != nil) != tt.used || (e.StaleScores != nil) != (tt.name == "of another version") ||
				len(got) != len(tt.want) {
				t.Fatalf("%v, %v, %q, want %q", e.Scores, e.StaleScores, got, tt.want)
			}
			for i, want := range tt.want {
				if !strings.HasPrefix(got[i], want) {
					t.Errorf("%s\nwant %s", got[i], want)
				}
			}
		})
	}
}

func TestReadBook(t *testing.T) {
	inFiles(t, map[string]string{"d/prompts.json": "{}", "long": strings.Repeat(" ", maxScores+1)})
	for path, want := range map[string]string{
		"none": "none: cannot be read: no such file or directory",
		"d":    "d: has no scores.json in it, as a grader writes beside prompts.json",
		"long": "long: is longer than 1048576 bytes, expected a scores.json of one schema",
	} {
		if _, err := ReadBook([]string{path}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
