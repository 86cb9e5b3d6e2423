package stage

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
)

const selection = `export const selection = {
    namespace: 'demo', name: 'pick', version: 'flowmcp/4.0.0', description: 'One tool', whenToUse: 'When one is needed', tools: [ 'demo/tool/get' ]
}
`

// edits is a source of what fmcp-scan --watch emits: each round writes files,
// and removes those without text.
func edits(t *testing.T, root string, list ...map[string]string) Source {
	return func(ctx context.Context, send func(Batch) bool) error {
		for _, files := range list {
			round := &record.Round{Root: root, Changed: len(files), Removed: []string{}}
			for _, name := range []string{"providers/demo/one.mjs", "selections/pick/selection.mjs"} {
				path := filepath.Join(root, filepath.FromSlash(name))
				text, changed := files[name]
				switch {
				case !changed:
				case text == "":
					round.Removed = append(round.Removed, name)
					if err := os.Remove(path); err != nil {
						t.Error(err)
					}
				default:
					if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
						t.Error(err)
					}
					if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
						t.Error(err)
					}
					send(Batch{{file: &file{catalog.File{Root: root, Path: name}}}})
				}
			}
			if !send(Batch{New(round)}) {
				return nil
			}
		}
		return nil
	}
}

// What a selection refers to comes, goes and comes back with another file:
// it is spoken of when that changes something, and not in between.
func TestRounds(t *testing.T) {
	one, pick := "providers/demo/one.mjs", "selections/pick/selection.mjs"
	source := edits(t, t.TempDir(),
		map[string]string{one: schema("demo", "", "string()"), pick: selection},
		map[string]string{one: strings.Replace(schema("demo", "", "string()"), "get:", "fetch:", 1)},
		map[string]string{one: strings.Replace(schema("demo", "tags: [],", "string()"), "get:", "fetch:", 1)},
		map[string]string{one: ""},
		map[string]string{one: schema("demo", "", "string()")},
		map[string]string{pick: strings.Replace(selection, "tool/get", "tool/gets", 1)},
		map[string]string{pick: ""},
	)
	steps := []Step{Scan(ScanOptions{}), Load(), Validate(ValidateOptions{Profile: "community", Spec: "4.2"})}
	var got []string
	var said []string
	err := Run(t.Context(), Options{Jobs: 1}, source, steps, func(it *Item) error {
		switch rec := it.Rec.(type) {
		case *record.Diagnostic:
			if strings.HasPrefix(rec.Code, "SEL") {
				said = append(said, rec.Code)
			}
		case *record.Round:
			got = append(got, strings.Join(said, " "))
			said = nil
		}
		return nil
	}, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"", "SEL003", "", "", "", "SEL003", ""}
	if strings.Join(got, "|") != strings.Join(want, "|") || len(said) > 0 {
		t.Errorf("said %q, then %q, want %q", got, said, want)
	}
}
