package stage

import (
	"fmt"
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
			t.Run(r.Code+"/"+filepath.Base(example), func(t *testing.T) {
				root := filepath.Join(t.TempDir(), "catalog")
				if err := os.CopyFS(root, os.DirFS(example)); err != nil {
					t.Fatal(err)
				}
				none, only := inParts(t, root)
				maps.Copy(seen[rules.NoCatalogRules], codesIn(none))
				maps.Copy(seen[rules.OnlyCatalogRules], codesIn(only))
			})
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

// What an example does not have: files that cannot be read, providers of several parts
// that want the same, and a catalog that has no lists.
func TestPartsOfOneCatalog(t *testing.T) {
	files := map[string]string{
		"registry.json": `{ "name": "c", "shared": [], "schemas": [], "agents": [] }`,
		"agents/a/agent.mjs": `export const agent = { name: 'a', sharedLists: [ 'ports' ], tools: { 'p1/tool/none': null },
			skills: { broken: { file: './skills/broken.mjs' }, near: { file: './skills/brokn.mjs' } } }`,
		"agents/a/skills/broken.mjs": "export const skill = {",
	}
	for i := range 6 {
		ns := fmt.Sprintf("p%d", i)
		files["providers/"+ns+"/"+ns+".mjs"] = `export const main = { namespace: 'p', resources: { all: { source: 'http',
			path: 'all.db', url: 'https://` + ns + `.example/all.db' } }, tools: { get: {} } }`
	}
	_, only := inParts(t, write(t, files))
	for code, want := range map[string]int{"AGT032": 1, "AGT016": 1, "CMP040": 5, "LOD031": 10} {
		if n := strings.Count(strings.Join(only, "\n"), `"code":"`+code+`"`); n != want {
			t.Errorf("%s is found %d times, want %d", code, n, want)
		}
	}
}

// inParts checks a catalog in parts, and fails where that is not what is found in one
// run. The catalog is not there afterwards.
func inParts(t *testing.T, root string) (none, only []string) {
	t.Helper()
	whole := found(t, walked(root), "")
	var loaded []string
	for i := range uint64(2) {
		part := Walk([]string{root}, walk.Options{Shard: walk.Shard{Number: i, Of: 2}}, nil)
		loaded = append(loaded, strings.Join(lines(t, part, Loading("fmcp-load")), "\n"))
		none = append(none, found(t, feed(loaded[i]), rules.NoCatalogRules)...)
	}
	if err := os.Rename(root, root+"-away"); err != nil {
		t.Fatal(err)
	}
	only = found(t, feed(loaded[0]+"\n"+loaded[1]), rules.OnlyCatalogRules)
	turned := found(t, feed(loaded[1]+"\n"+loaded[0]), rules.OnlyCatalogRules)
	got := slices.Concat(none, only, turned) // what comes of files in both parts is the same
	slices.Sort(got)
	slices.Sort(whole)
	if got = slices.Compact(got); !slices.Equal(got, whole) {
		t.Errorf("in parts\n%s\nin one run\n%s", strings.Join(got, "\n"), strings.Join(whole, "\n"))
	}
	return none, only
}
