package engine_test

import (
	"fmt"
	"path"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// fakeFolder has n providers, each in a folder that is not called as its
// namespace is, and counts how many of them are read.
type fakeFolder struct {
	n    int
	read int
}

func (f *fakeFolder) path(i int) string { return fmt.Sprintf("providers/p%d-com/x.mjs", i) }

func (f *fakeFolder) Load(name string) *record.Load {
	f.read++
	var i int
	if _, err := fmt.Sscanf(name, "providers/p%d-com/x.mjs", &i); err != nil {
		return nil
	}
	ns := fmt.Sprintf("p%d", i)
	tools := ordjson.NewObject(ordjson.Field("get", ordjson.NewObject()))
	return &record.Load{Type: record.TypeSchema, ID: ns + "/x", Src: record.Source{Path: name},
		Data: ordjson.NewObject(ordjson.Field("tools", tools))}
}

func (f *fakeFolder) Read(string) []byte { return nil }

func (f *fakeFolder) Exists(string) bool { return true }

func (f *fakeFolder) List(dir string) []string {
	var names []string
	for i := range min(f.n, engine.MaxListed) {
		if dir == "providers" || dir == path.Dir(f.path(i)) {
			names = append(names, f.path(i))
		}
	}
	return names
}

func toolID(namespace, name string) catalog.ID {
	return catalog.ID{Namespace: namespace, Type: engine.TypeTool, Name: name}
}

// Of a catalog of which one file is checked, the others are found whatever
// their folders are called; they are read once.
func TestOutside(t *testing.T) {
	files := &fakeFolder{n: 3}
	c := &engine.Context{Catalog: walk.NewFacts("."), Files: files}
	ids := (&engine.Pass{Ctx: c}).IDs()
	if !ids.Defines(toolID("p1", "get")) || ids.Defines(toolID("p1", "put")) || ids.Defines(toolID("p9", "get")) {
		t.Error("a tool is not known by the namespace that its file defines")
	}
	if l := c.LoadID(toolID("p2", "get")); l == nil || l.ID != "p2/x" {
		t.Errorf("loadID = %v", l)
	}
	before := files.read
	if ids.Defines(toolID("p8", "get")); files.read != before {
		t.Errorf("%d files were read again", files.read-before)
	}
}

func promptOf(t *testing.T, text string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// What the files of a folder define is found out once, however many prompts of
// however many files ask.
func TestFolderIsReadOnce(t *testing.T) {
	files := &fakeFolder{n: 3}
	c := &engine.Context{Catalog: walk.NewFacts("."), Files: files}
	c.Catalog.AddFile(record.Source{Path: "registry.json"})
	var prompts []ordjson.Member
	for i := range 50 {
		prompts = append(prompts, ordjson.Field(fmt.Sprintf("p-%d", i),
			promptOf(t, fmt.Sprintf(`{"namespace":"p0","dependsOn":["gte%d"],"content":"{{tool:gte%d}}"}`, i, i))))
	}
	read := 0
	for i := range 20 {
		load := &record.Load{Type: record.TypeSchema, ID: "p0/x",
			Src:  record.Source{Path: fmt.Sprintf("providers/p0-com/x%d.mjs", i)},
			Data: ordjson.NewObject(ordjson.Field("prompts", ordjson.NewObject(prompts...)))}
		if found := rules.CheckCatalog(load, c); len(found) < len(prompts) {
			t.Fatalf("%d findings about %d prompts", len(found), len(prompts))
		}
		if i == 0 {
			read = files.read
		}
	}
	if files.read > 10*files.n || files.read != read {
		t.Errorf("%d files were read for the first, and %d for the others; there are %d", read, files.read-read,
			files.n)
	}
}

// Where all has come by, nothing is read to know what is not there.
func TestOutsideWhole(t *testing.T) {
	files := &fakeFolder{n: engine.MaxListed}
	c := &engine.Context{Catalog: walk.NewFacts("."), Files: files}
	ids := (&engine.Pass{Ctx: c}).IDs()
	for i := range files.n {
		c.Catalog.Add(files.Load(files.path(i)))
	}
	files.read = 0
	if !ids.Defines(toolID("p7", "get")) || ids.Defines(toolID("p7000", "get")) {
		t.Error("the catalog does not define what has come by, or what has not")
	}
	if files.read > 0 {
		t.Errorf("%d files were read", files.read)
	}
}

// A folder too large to be looked at may define anything: better to be silent.
func TestOutsideLarge(t *testing.T) {
	files := &fakeFolder{n: 5 * engine.MaxListed}
	c := &engine.Context{Catalog: walk.NewFacts("."), Files: files}
	ids := (&engine.Pass{Ctx: c}).IDs()
	if !ids.Defines(toolID("p4321", "get")) || files.read > 0 {
		t.Errorf("an ID of a large folder is said to be undefined, or %d files were read", files.read)
	}
}
