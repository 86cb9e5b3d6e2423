package stage

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Of more files than are held, the last is judged as the first is.
func TestShelvedFiles(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("providers/demo/one.mjs", strings.Replace(schema("demo", "", "string()"), "get:", "fetch:", 1))
	const n = maxWaiting + 20
	for i := range n {
		write(fmt.Sprintf("selections/pick-%03d/selection.mjs", i), strings.Replace(selection, "'demo'", fmt.Sprintf("'n%03d'", i), 1))
	}
	for _, jobs := range []int{1, 4} {
		steps := []Step{Scan(ScanOptions{}), Load(), Validate(ValidateOptions{Profile: "spec", Spec: "4.2"}), Encode()}
		var found []*record.Diagnostic
		err := Run(t.Context(), Options{Jobs: jobs}, Walk([]string{root}, catalog.WalkOptions{}), steps, func(it *Item) error {
			if d, ok := it.Rec.(*record.Diagnostic); ok && d.Code == "SEL003" {
				found = append(found, d)
			}
			return nil
		}, func() error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		if len(found) != n {
			t.Fatalf("%d findings, want %d", len(found), n)
		}
		first, last := found[0], found[n-1]
		if !strings.HasSuffix(last.Loc.Path, fmt.Sprintf("pick-%03d/selection.mjs", n-1)) {
			t.Errorf("the last finding is about %s", last.Loc.Path)
		}
		if first.Message != last.Message || first.Loc.Line != last.Loc.Line || first.Loc.Col != last.Loc.Col {
			t.Errorf("the last finding is %+v, the first %+v", last, first)
		}
	}
}
