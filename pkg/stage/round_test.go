package stage

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
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
			for _, name := range slices.Sorted(maps.Keys(files)) {
				path := filepath.Join(root, filepath.FromSlash(name))
				switch text := files[name]; text {
				case "":
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
					send(Batch{{file: &file{File: walk.File{Root: root, Path: name}}}})
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

// A list that a list depends on comes, goes and comes back.
func TestRoundsOfLists(t *testing.T) {
	list := func(name, dependsOn string) string {
		return "export const list = { meta: { name: '" + name + "', version: '1.0.0', description: 'd', fields: [ { key: 'alias', type: 'string', description: 'd' } ]" +
			dependsOn + " }, entries: [ { alias: 'a' } ] }\n"
	}
	one, base, pick := "providers/demo/one.mjs", "_lists/base.mjs", "_lists/pick.mjs"
	source := edits(t, t.TempDir(),
		map[string]string{one: schema("demo", "", "string()"), pick: list("pick", ", dependsOn: [ { ref: 'base', version: '1.0.0' } ]")},
		map[string]string{base: list("base", "")},
		map[string]string{base: ""},
		map[string]string{base: list("base", "")},
	)
	steps := []Step{Scan(ScanOptions{}), Load(), Validate(ValidateOptions{Profile: "community", Spec: "4.2"})}
	var said, got []string
	err := Run(t.Context(), Options{Jobs: 1}, source, steps, func(it *Item) error {
		switch rec := it.Rec.(type) {
		case *record.Diagnostic:
			if strings.HasPrefix(rec.Code, "LST") {
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
	if want := []string{"LST009", "", "LST009", ""}; strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("said %q, want %q", got, want)
	}
}
