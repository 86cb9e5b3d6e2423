package rules_test

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	fixtures "github.com/flowmcp/fmcp/testdata/rules"
)

// blocking are the findings about a fixture that keep something from being
// called, one a line: what, and by which code.
func blocking(t *testing.T, name string, profile rules.Profile) string {
	t.Helper()
	text, err := fs.ReadFile(fixtures.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := module.Read(string(text))
	if err != nil {
		t.Fatal(err)
	}
	load := &record.Load{Type: record.TypeSchema, Exports: mod.Exports, Handlers: mod.Handlers, Data: ordjson.NewNull()}
	if v, err := mod.Value("main"); err == nil {
		load.Data = v
	}
	var lists sharedlist.Lists
	names, err := fs.Glob(fixtures.FS, "_lists/*.mjs")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(fixtures.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		mod, err := module.Read(string(text))
		if err != nil {
			t.Fatal(err)
		}
		v, err := mod.Value("list")
		if err != nil {
			t.Fatal(err)
		}
		l, _ := sharedlist.NewList(&record.Load{Type: record.TypeList, Src: record.Source{Path: name}, Data: v})
		if p := lists.Add(l); p != nil {
			t.Fatal(p)
		}
	}
	var found []string
	for _, f := range rules.Blocking(load, &rules.Context{Profile: profile, Lists: &lists}) {
		what := "schema"
		if f.Blocks.Section != "" {
			what = path.Join(f.Blocks.Section, f.Blocks.Name, f.Blocks.Query)
		}
		found = append(found, f.Rule.Code+" "+what)
	}
	return strings.Join(found, ", ")
}

// TestBlocks: of the examples of each rule that keeps things out of a catalog,
// which of them do, and what. Good ones keep nothing out.
func TestBlocks(t *testing.T) {
	var got strings.Builder
	for _, r := range rules.All() {
		if !r.MayBlock() {
			continue
		}
		names, err := fs.Glob(fixtures.FS, r.Code+"/*.mjs")
		if err != nil {
			t.Fatal(err)
		}
		any := false
		for _, name := range names {
			found := blocking(t, name, rules.ProfileSpec)
			any = any || strings.Contains(found, r.Code)
			fmt.Fprintf(&got, "%s: %s\n", name, found)
			if strings.Contains(name, "/good") && found != "" {
				t.Errorf("%s: %s", name, found)
			}
		}
		if len(names) > 0 && !any {
			t.Errorf("%s: no example is kept out", r.Code)
		}
	}
	compareGolden(t, "testdata/blocks.txt", got.String())
	if found := blocking(t, "CMP008/bad.mjs", rules.ProfileCommunity); found != "" {
		t.Errorf("a body that is not sent under community: %s", found)
	}
}
