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
    namespace: 'demo', name: 'pick', version: 'flowmcp/4.0.0', description: 'One tool', whenToUse: 'When one is needed', tools: [ 'demo/tool/get' ],
    resources: [], prompts: [], skills: []
}
`

// saidInRounds validates what fmcp-scan --watch emits of a folder, and returns the codes
// with a prefix that each round says. Each writes files, and removes those without
// text, when the round before has passed.
func saidInRounds(t *testing.T, prefix string, list ...map[string]string) []string {
	t.Helper()
	root, passed := t.TempDir(), make(chan struct{})
	source := func(ctx context.Context, send func(Batch) bool) error {
		for _, files := range list {
			if !send(append(edited(t, root, files), New(roundOf(root, files)))) {
				return nil
			}
			select {
			case <-passed:
			case <-ctx.Done():
			}
		}
		return nil
	}
	var said, got []string
	steps := append([]Step{Scan(ScanOptions{}), Load()},
		Validate(ValidateOptions{Profile: "community", Spec: "4.2"})...)
	err := Run(t.Context(), Options{Jobs: 1}, source, steps, func(it *Item) error {
		switch rec := it.Rec.(type) {
		case *record.Diagnostic:
			if strings.HasPrefix(rec.Code, prefix) {
				said = append(said, rec.Code)
			}
		case *record.Round:
			got = append(got, strings.Join(said, " "))
			said = nil
			passed <- struct{}{}
		}
		return nil
	}, func() error { return nil })
	if err != nil || len(said) > 0 {
		t.Fatalf("%v, after the last round %q", err, said)
	}
	return got
}

// edited writes and removes files, and returns those that are there.
func edited(t *testing.T, root string, files map[string]string) (b Batch) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if files[name] == "" {
			if err := os.Remove(path); err != nil {
				t.Error(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(path, []byte(files[name]), 0o644); err != nil {
			t.Error(err)
		}
		b = append(b, &Item{file: &file{File: walk.File{Root: root, Path: name}}})
	}
	return b
}

func roundOf(root string, files map[string]string) *record.Round {
	round := &record.Round{Root: root, Changed: len(files), Removed: []string{}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if files[name] == "" {
			round.Removed = append(round.Removed, name)
		}
	}
	return round
}

// What a selection refers to comes, goes and comes back with another file:
// it is spoken of when that changes something, and not in between.
func TestRounds(t *testing.T) {
	one, pick := "providers/demo/one.mjs", "selections/pick/selection.mjs"
	got := saidInRounds(t, "SEL",
		map[string]string{one: schema("demo", "", "string()"), pick: selection},
		map[string]string{one: strings.Replace(schema("demo", "", "string()"), "get:", "fetch:", 1)},
		map[string]string{one: strings.Replace(schema("demo", "tags: [],", "string()"), "get:", "fetch:", 1)},
		map[string]string{one: ""},
		map[string]string{one: schema("demo", "", "string()")},
		map[string]string{pick: strings.Replace(selection, "tool/get", "tool/gets", 1)},
		map[string]string{pick: ""},
	)
	want := []string{"", "SEL003", "", "", "", "SEL003", ""}
	if !slices.Equal(got, want) {
		t.Errorf("said %q, want %q", got, want)
	}
}

// A list that a list depends on comes, goes and comes back.
func TestRoundsOfLists(t *testing.T) {
	list := func(name, dependsOn string) string {
		return "export const list = { meta: { name: '" + name +
			"', version: '1.0.0', description: 'd', fields: [ { key: 'alias', type: 'string', description: 'd' } ]" +
			dependsOn + " }, entries: [ { alias: 'a' } ] }\n"
	}
	one, base, pick := "providers/demo/one.mjs", "_lists/base.mjs", "_lists/pick.mjs"
	got := saidInRounds(t, "LST",
		map[string]string{one: schema("demo", "", "string()"),
			pick: list("pick", ", dependsOn: [ { ref: 'base', version: '1.0.0' } ]")},
		map[string]string{base: list("base", "")},
		map[string]string{base: ""},
		map[string]string{base: list("base", "")},
	)
	if want := []string{"LST009", "", "LST009", ""}; !slices.Equal(got, want) {
		t.Errorf("said %q, want %q", got, want)
	}
}

// What a file defines that cannot be read is not known; when the file is gone, it
// defines nothing.
func TestRoundsOfUnreadFiles(t *testing.T) {
	one, pick := "providers/demo/one.mjs", "selections/pick/selection.mjs"
	got := saidInRounds(t, "SEL",
		map[string]string{one: "export const main = {", pick: selection, "registry.json": `{"name":"demo"}`},
		map[string]string{one: ""},
		map[string]string{one: "export const main = {"},
		map[string]string{one: schema("demo", "", "string()")},
	)
	if want := []string{"", "SEL003", "", ""}; !slices.Equal(got, want) {
		t.Errorf("said %q, want %q", got, want)
	}
}

// A schema that has no prompts any more does not wait for the whole catalog.
func TestRoundsOfFormerPrompts(t *testing.T) {
	one, two := "providers/demo/one.mjs", "providers/demo/two.mjs"
	prompts := "prompts: { about: { name: 'about', version: 'flowmcp-prompt/1.0.0', namespace: 'demo', " +
		"description: 'd', dependsOn: [ 'gets' ], references: [], contentFile: './about.mjs' } },"
	got := saidInRounds(t, "PRM006",
		map[string]string{one: schema("demo", prompts, "string()")},
		map[string]string{one: schema("demo", "", "string()")},
		map[string]string{two: strings.Replace(schema("demo", "", "string()"), "get:", "gets:", 1)},
		map[string]string{two: ""},
	)
	if want := []string{"PRM006", "", "", ""}; !slices.Equal(got, want) {
		t.Errorf("said %q, want %q", got, want)
	}
}
