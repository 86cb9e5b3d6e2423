package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// registryLoad is the record of the registry.json of the catalog "cat".
func registryLoad(t *testing.T, text string) *record.Load {
	t.Helper()
	v, err := ordjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return &record.Load{ID: "cat", Type: record.TypeRegistry, Src: record.Source{Root: "cat", Path: "registry.json"},
		Data: v, Static: true}
}

// A registry of 50,000 entries of which half lead nowhere, in a catalog of as
// many files that are not listed: what is quadratic does not come back from it.
func TestLargeRegistry(t *testing.T) {
	const n = 50_000
	facts := walk.NewFacts("cat")
	var entries []string
	for i := range n {
		entries = append(entries, fmt.Sprintf(`{"file":"providers/p%d/a.mjs"}`, i))
		if i%2 == 0 {
			facts.AddFile(record.Source{Root: "cat", Path: fmt.Sprintf("providers/p%d/a.mjs", i)})
			facts.AddFile(record.Source{Root: "cat", Path: fmt.Sprintf("providers/p%d/b.mjs", i)})
		}
	}
	load := registryLoad(t, `{"name":"cat","schemaSpec":"4.2.0","shared":[],"agents":[],"schemas":[`+
		strings.Join(entries, ",")+`]}`)
	count := map[string]int{}
	for _, f := range rules.CheckCatalog(load, &rules.Context{Catalog: facts}) {
		count[f.Rule.Code]++
	}
	if count["CAT004"] != n/2 || count["CAT006"] != n/2 || len(count) != 2 {
		t.Errorf("found %v, want %d of CAT004 and of CAT006", count, n/2)
	}
}

// What is not a manifest of a catalog, or a folder that is not checked as
// a whole, is not checked against chapter 15.
func TestRegistryElsewhere(t *testing.T) {
	inProvider := registryLoad(t, `{}`)
	inProvider.Src.Path = "providers/npm/registry.json"
	list := func(root, path string) *record.Load {
		return &record.Load{Type: record.TypeList, Src: record.Source{Root: root, Path: path},
			Data: ordjson.NewObject(), Exports: []string{"list"}}
	}
	for _, c := range []struct {
		load *record.Load
		want int
	}{
		{registryLoad(t, `{}`), 3}, // shared, schemas, agents
		{inProvider, 0},
		{list("cat", "_lists/a.mjs"), 1},
		{list("cat/_lists", "a.mjs"), 0},
		{list("cat", "a.mjs"), 0},
		{list("", "_lists/a.mjs"), 0},
	} {
		ctx := &rules.Context{Catalog: walk.NewFacts("cat")}
		got := 0
		for _, f := range append(rules.CheckCatalog(c.load, ctx), rules.CheckCatalog(c.load, ctx)...) {
			if strings.HasPrefix(f.Rule.Code, "CAT") {
				got++
			}
		}
		if got /= 2; got != c.want {
			t.Errorf("%s in %q: %d findings, want %d", c.load.Src.Path, c.load.Src.Root, got, c.want)
		}
	}
}
