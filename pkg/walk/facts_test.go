package walk

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

func schemaWith(t *testing.T, path, id string, tools ...string) *record.Load {
	t.Helper()
	var members []ordjson.Member
	for _, name := range tools {
		members = append(members, ordjson.Field(name, ordjson.NewObject()))
	}
	return &record.Load{
		Type: record.TypeSchema, ID: id, Src: record.Source{Root: "catalog", Path: path},
		Data: ordjson.NewObject(ordjson.Field("tools", ordjson.NewObject(members...))),
	}
}

func TestFacts(t *testing.T) {
	f := NewFacts("catalog")
	f.Add(schemaWith(t, "providers/a/x.mjs", "a/x", "one", "two"))
	f.Add(schemaWith(t, "providers/a/y.mjs", "a/y", "two"))
	f.AddFile(record.Source{Root: "catalog/resources", Path: "notes.md"})

	for id, want := range map[string][]string{
		"a/tool/one":   {"providers/a/x.mjs"},
		"a/tool/two":   {"providers/a/x.mjs", "providers/a/y.mjs"},
		"a/x":          {"providers/a/x.mjs"},
		"a/tool/three": nil,
	} {
		if got := f.FilesOf(id); !slices.Equal(got, want) {
			t.Errorf("FilesOf(%s) = %v, want %v", id, got, want)
		}
		if f.Has(id) != (want != nil) {
			t.Errorf("Has(%s) = %t", id, f.Has(id))
		}
	}
	if !f.HasFile("resources/notes.md") || f.HasFile("notes.md") {
		t.Error("a file is known by its path from the root of the catalog only")
	}
	if got := slices.Collect(f.FilesIn("providers/a")); len(got) != 2 {
		t.Errorf("FilesIn = %v", got)
	}
}

// A file that comes again, as fmcp-scan --watch makes it, is what it is now.
func TestFactsForget(t *testing.T) {
	f := NewFacts("catalog")
	f.Add(schemaWith(t, "providers/a/x.mjs", "a/x", "one"))
	f.Remove("providers/a/x.mjs")
	if f.Has("a/tool/one") || f.HasFile("providers/a/x.mjs") {
		t.Error("a file that was removed is still known")
	}
	f.Add(schemaWith(t, "providers/a/x.mjs", "a/x", "two"))
	if f.Has("a/tool/one") || !f.Has("a/tool/two") {
		t.Error("a file that came again defines what it did before")
	}
	if got := slices.Collect(f.Files()); !slices.Equal(got, []string{"providers/a/x.mjs"}) {
		t.Errorf("files = %v", got)
	}
}

func TestFactsPath(t *testing.T) {
	f := NewFacts("catalog")
	for src, want := range map[record.Source]string{
		{Root: "catalog", Path: "providers/a/x.mjs"}:           "providers/a/x.mjs",
		{Root: "catalog/providers/a", Path: "x.mjs"}:           "providers/a/x.mjs",
		{Root: "elsewhere", Path: "x.mjs"}:                     "elsewhere/x.mjs",
		{Root: "catalog-2", Path: "x.mjs"}:                     "catalog-2/x.mjs",
		{Root: "catalog/../catalog", Path: "./providers/.mjs"}: "providers/.mjs",
	} {
		if got := f.Path(src); got != want {
			t.Errorf("Path(%v) = %q, want %q", src, got, want)
		}
	}
}

// An entry of a registry agrees with a schema whatever the order of names, and
// where it says nothing.
func TestFactsAgree(t *testing.T) {
	value := func(text string) ordjson.Value {
		v, err := ordjson.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	f := NewFacts("cat")
	f.Add(&record.Load{Type: record.TypeSchema, ID: "a/s", Exports: []string{"main", "handlers"},
		Src: record.Source{Path: "providers/a/s.mjs", Root: "cat"}, Data: value(`{"namespace":"a",
		"requiredServerParams":["A_KEY","B_KEY"],"sharedLists":[{"ref":"ports","version":"1.0.0"}]}`)})
	for entry, want := range map[string]bool{
		`{"requiredServerParams":["B_KEY","A_KEY"],"sharedLists":["ports"],"hasHandlers":true}`: true,
		`{}`:                                 true,
		`{"requiredServerParams":["A_KEY"]}`: false,
		`{"sharedLists":[]}`:                 false,
		`{"hasHandlers":false}`:              false,
		`{"namespace":"b"}`:                  false,
		`{"namespace":"a"}`:                  true,
	} {
		if got := f.Agrees("providers/a/s.mjs", value(entry)); got != want {
			t.Errorf("%s: %v", entry, got)
		}
	}
	if f.Agrees("providers/a/t.mjs", value(`{}`)) {
		t.Error("a file that did not come by")
	}
}

// A file that comes again all day takes no more room than one.
func TestFactsSweep(t *testing.T) {
	f := NewFacts("cat")
	load := func(name string) *record.Load {
		v, err := ordjson.Parse(`{"namespace":"` + name + `","tools":{"get":{}}}`)
		if err != nil {
			t.Fatal(err)
		}
		return &record.Load{Type: record.TypeSchema, ID: name + "/s",
			Src: record.Source{Path: "providers/" + name + "/s.mjs", Root: "cat"}, Data: v}
	}
	f.Add(load("first"))
	for range 3 * maxGone {
		f.Remove("providers/again/s.mjs")
		f.Add(load("again"))
	}
	f.Add(load("last"))
	if n := len(f.files); n > 2*maxGone {
		t.Errorf("%d files are kept", n)
	}
	want := []string{"providers/again/s.mjs", "providers/first/s.mjs", "providers/last/s.mjs"}
	if got := slices.Collect(f.Files()); !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	for _, name := range []string{"first", "again", "last"} {
		path := "providers/" + name + "/s.mjs"
		id := name + "/tool/get"
		if got := f.FilesOf(id); !slices.Equal(got, []string{path}) || !f.HasFile(path) {
			t.Errorf("%s is in %q", id, got)
		}
		registered, _ := ordjson.Parse(`{"namespace":"` + name + `"}`)
		if !f.Agrees(path, registered) || len(f.Twice()) > 0 {
			t.Errorf("%s: the registry does not agree, or it is there twice: %v", path, f.Twice())
		}
	}
}

// Whatever the order in which files come, they are in that of a walk, and so is which of
// two files of one ID is the first.
func TestFactsInOrder(t *testing.T) {
	want := []string{"_lists/x.mjs", "agents/a/agent.mjs", "providers/a/x.mjs", "providers/a/y.mjs",
		"providers/a-b/x.mjs", "providers/b/x.mjs", "providers/b/registry.json", "registry.json"}
	for range 20 {
		f := NewFacts("catalog")
		for _, i := range rand.Perm(len(want)) {
			if strings.HasPrefix(want[i], "providers/a") {
				f.Add(schemaWith(t, want[i], "a/"+want[i], "get"))
			} else {
				f.AddFile(record.Source{Root: "catalog", Path: want[i]})
			}
		}
		walked := slices.SortedFunc(slices.Values(want), ComparePaths)
		if got := slices.Collect(f.Files()); !slices.Equal(got, walked) {
			t.Fatalf("files %q, want %q", got, walked)
		}
		for dir, want := range map[string]int{"providers": 5, "providers/a": 2, "providers/a-b": 1, "providers/b": 2,
			"_lists": 1, ".": 8, "x": 0} {
			if got := slices.Collect(f.FilesIn(dir)); len(got) != want {
				t.Errorf("%d files in %s: %q", want, dir, got)
			}
		}
		of := f.FilesOf("a/tool/get")
		if pairs := f.Twice(); len(pairs) != 2 || pairs[0][0] != of[0] || !slices.IsSortedFunc(of, ComparePaths) {
			t.Errorf("the tool is in %q, and twice in %q", of, pairs)
		}
	}
}
