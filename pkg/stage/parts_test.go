package stage

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// lines are what steps make of a source; edits of findings need the source file, and
// are left out.
func lines(t *testing.T, source Source, steps []Step) []string {
	t.Helper()
	var lines []string
	err := Run(t.Context(), Options{Jobs: 2}, source, steps, func(it *Item) error {
		if d, ok := it.Rec.(*record.Diagnostic); ok {
			plain := *d
			plain.Edits = nil
			it = New(&plain)
		}
		lines = append(lines, string(it.AppendJSON(nil)))
		return nil
	}, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// found are the findings and errors of fmcp-validate.
func found(t *testing.T, source Source, which rules.CatalogRules) []string {
	t.Helper()
	opts := spec42
	opts.Ignores, opts.CatalogRules = true, which
	return lines(t, source, append(Loading("fmcp-validate"), Validate(opts)...))
}

// codesIn are the codes of findings.
func codesIn(lines []string) map[string]bool {
	codes := map[string]bool{}
	for _, line := range lines {
		_, rest, _ := strings.Cut(line, `"code":"`)
		code, _, _ := strings.Cut(rest, `"`)
		codes[code] = true
	}
	return codes
}

// What is found in parts of a catalog, and then in what they loaded, is what is found in
// all of it, whatever the order of the parts; and then its files need not be there.
func TestCatalogInParts(t *testing.T) {
	seen := map[rules.CatalogRules]map[string]bool{rules.NoCatalogRules: {}, rules.OnlyCatalogRules: {}}
	for _, r := range rules.All() {
		if !r.Catalog && r.Code != "LOD031" && r.Code != "CMP016" || r.Replaced != "" {
			continue
		}
		examples, err := filepath.Glob(filepath.Join("../../testdata/rules", r.Code, "*", "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		done := map[string]bool{}
		for _, file := range examples {
			example := filepath.Dir(filepath.Dir(file))
			if done[example] {
				continue
			}
			done[example] = true
			t.Run(r.Code+"/"+filepath.Base(example), func(t *testing.T) { inParts(t, example, seen) })
		}
	}
	for _, r := range rules.All() {
		part := rules.NoCatalogRules
		if r.Catalog && !r.Folder {
			part = rules.OnlyCatalogRules
		}
		for which, codes := range seen {
			if r.Catalog && codes[r.Code] != (which == part) {
				t.Errorf("%s is found by --catalog-rules %s: %v", r.Code, which, codes[r.Code])
			}
		}
	}
}

func inParts(t *testing.T, example string, seen map[rules.CatalogRules]map[string]bool) {
	root := filepath.Join(t.TempDir(), "catalog")
	if err := os.CopyFS(root, os.DirFS(example)); err != nil {
		t.Fatal(err)
	}
	whole := found(t, walked(root), "")
	var none []string
	loaded := ""
	for i := range uint64(2) {
		part := Walk([]string{root}, walk.Options{Shard: walk.Shard{Number: i, Of: 2}}, nil)
		text := strings.Join(lines(t, part, Loading("fmcp-load")), "\n")
		none = append(none, found(t, feed(text), rules.NoCatalogRules)...)
		loaded = text + "\n" + loaded
	}
	if err := os.Rename(root, root+"-away"); err != nil {
		t.Fatal(err)
	}
	only := found(t, feed(loaded), rules.OnlyCatalogRules)
	maps.Copy(seen[rules.NoCatalogRules], codesIn(none))
	maps.Copy(seen[rules.OnlyCatalogRules], codesIn(only))
	got := slices.Concat(none, only) // shared files were in both parts, and what is found in them
	slices.Sort(got)
	slices.Sort(whole)
	if got = slices.Compact(got); !slices.Equal(got, whole) {
		t.Errorf("in parts\n%s\nin one run\n%s", strings.Join(got, "\n"), strings.Join(whole, "\n"))
	}
}
