package stage

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// manySelections is how many there are in the catalog of selections: more than
// are remembered.
const manySelections = maxRemembered + 20

// selections writes a catalog in which each selection names a tool that is not
// there, and returns its folder.
func selections(t *testing.T) string {
	t.Helper()
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
	for i := range manySelections {
		write(selectionFile(i), strings.Replace(selection, "'demo'", fmt.Sprintf("'n%03d'", i), 1))
	}
	return root
}

func selectionFile(i int) string { return fmt.Sprintf("selections/pick-%03d/selection.mjs", i) }

var spec42 = ValidateOptions{Profile: "spec", Spec: "4.2"}

// Of many files, the last is judged as the first is.
func TestManyFilesWait(t *testing.T) {
	root := selections(t)
	for _, jobs := range []int{1, 4} {
		steps := slices.Concat([]Step{Scan(ScanOptions{}), Load()}, Validate(spec42), []Step{Encode()})
		var found []*record.Diagnostic
		err := Run(t.Context(), Options{Jobs: jobs}, Walk([]string{root}, walk.Options{}, nil), steps,
			func(it *Item) error {
				if d, ok := it.Rec.(*record.Diagnostic); ok && d.Code == "SEL003" {
					found = append(found, d)
				}
				return nil
			}, func() error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		if len(found) != manySelections {
			t.Fatalf("%d findings, want %d", len(found), manySelections)
		}
		first, last := found[0], found[manySelections-1]
		if !strings.HasSuffix(last.Loc.Path, selectionFile(manySelections-1)) {
			t.Errorf("the last finding is about %s", last.Loc.Path)
		}
		sameText := strings.Replace(first.Message, "n000", fmt.Sprintf("n%03d", manySelections-1), 1) == last.Message
		if !sameText || first.Loc.Line != last.Loc.Line || first.Loc.Col != last.Loc.Col {
			t.Errorf("the last finding is %+v, the first %+v", last, first)
		}
	}
}

// Records may come from another machine.
func TestFilesElsewhereAreKept(t *testing.T) {
	root := selections(t)
	loads := output(t, Walk([]string{root}, walk.Options{}, nil), Scan(ScanOptions{}), Load())
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	got := output(t, Lines(strings.NewReader(loads), "stdin", "fmcp-validate", 0, false, &Tally{}),
		append(Loading("fmcp-validate"), Validate(spec42)...)...)
	if found := strings.Count(got, `"SEL003"`); found != manySelections {
		t.Errorf("%d findings, want %d", found, manySelections)
	}
}

// A file that changes while others are read is judged as it was read.
func TestFileChangedWhileItWaits(t *testing.T) {
	root := selections(t)
	change := Step{Finish: func(context.Context, func(Batch) bool) error {
		return os.WriteFile(filepath.Join(root, filepath.FromSlash(selectionFile(7))), []byte("changed"), 0o644)
	}}
	out := output(t, Walk([]string{root}, walk.Options{}, nil),
		append([]Step{Scan(ScanOptions{}), Load(), change}, Validate(spec42)...)...)
	if found := strings.Count(out, `"SEL003"`); found != manySelections {
		t.Errorf("%d findings, want %d", found, manySelections)
	}
}
