package rules

import (
	"fmt"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
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
	return &record.Load{Type: record.TypeSchema, ID: ns + "/x", Src: record.Source{Path: name}, Data: ordjson.NewObject(ordjson.Field("tools", tools))}
}

func (f *fakeFolder) Exists(string) bool { return true }

func (f *fakeFolder) List(dir string) []string {
	var names []string
	for i := 0; dir == "providers" && i < min(f.n, MaxListed); i++ {
		names = append(names, f.path(i))
	}
	return names
}

func toolID(namespace, name string) catalog.ID {
	return catalog.ID{Namespace: namespace, Type: typeTool, Name: name}
}

// Of a catalog of which one file is checked, the others are found whatever
// their folders are called; they are read once.
func TestOutside(t *testing.T) {
	files := &fakeFolder{n: 3}
	c := &Context{Catalog: catalog.NewFacts("."), Files: files}
	ids := (&Pass{ctx: c}).ids()
	if !ids.defines(toolID("p1", "get")) || ids.defines(toolID("p1", "put")) || ids.defines(toolID("p9", "get")) {
		t.Error("a tool is not known by the namespace that its file defines")
	}
	if l := c.loadID(toolID("p2", "get")); l == nil || l.ID != "p2/x" {
		t.Errorf("loadID = %v", l)
	}
	before := files.read
	if ids.defines(toolID("p8", "get")); files.read != before {
		t.Errorf("%d files were read again", files.read-before)
	}
}

// Where all has come by, nothing is read to know what is not there.
func TestOutsideWhole(t *testing.T) {
	files := &fakeFolder{n: MaxListed}
	c := &Context{Catalog: catalog.NewFacts("."), Files: files}
	ids := (&Pass{ctx: c}).ids()
	for i := range files.n {
		c.Catalog.Add(files.Load(files.path(i)))
	}
	files.read = 0
	if !ids.defines(toolID("p7", "get")) || ids.defines(toolID("p7000", "get")) {
		t.Error("the catalog does not define what has come by, or what has not")
	}
	if files.read > 0 {
		t.Errorf("%d files were read", files.read)
	}
}

// A folder too large to be looked at may define anything: better to be silent.
func TestOutsideLarge(t *testing.T) {
	files := &fakeFolder{n: 5 * MaxListed}
	c := &Context{Catalog: catalog.NewFacts("."), Files: files}
	ids := (&Pass{ctx: c}).ids()
	if !ids.defines(toolID("p4321", "get")) || files.read > 0 {
		t.Errorf("an ID of a large folder is said to be undefined, or %d files were read", files.read)
	}
}
