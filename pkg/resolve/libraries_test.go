package resolve

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// TestLibraries: a library is in the stream once, in the catalog that first
// needs it, and a schema that cannot have all of its own is left out.
func TestLibraries(t *testing.T) {
	opts := Options{Library: func(name string) (*catalog.Library, *words.Problem) {
		switch name {
		case "zlib":
			return nil, nil
		case "good", "other":
			return &catalog.Library{Name: name, Hash: hash, Script: "exports.library = '" + name + "'"}, nil
		}
		return nil, &words.Problem{Code: "SEC020", Message: name + " is not let in", Fix: "do not"}
	}}
	schema := func(file, libraries string) *record.Load {
		namespace := strings.TrimSuffix(file[strings.LastIndex(file, "/")+1:], ".mjs")
		l := schemaLoad(file, aSchema(namespace, `,"requiredLibraries":[`+libraries+`]`, aTool("GET", "/")))
		l.Src.Root, _, _ = strings.Cut(file, "/")
		l.Src.Path = strings.TrimPrefix(file, l.Src.Root+"/")
		return l
	}
	recs, diags := resolveAll(t, opts,
		schema("one/providers/a/a.mjs", `"good","zlib","good"`),
		schema("one/providers/b/b.mjs", `"evil","other",1,"worse"`), schema("one/providers/c/c.mjs", ``),
		schema("two/providers/d/d.mjs", `"good","other"`))
	var got []string
	for _, r := range recs {
		got = append(got, string(r.Type)+" "+r.ID)
	}
	want := "catalog one, library good, tool a/tool/x, tool c/tool/x, catalog two, library other, tool d/tool/x"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	var found []string
	for _, d := range diags {
		found = append(found, d.Code+" "+d.Subject+" "+d.Loc.Pointer+" "+d.Message)
	}
	want = "SEC020 b/b /requiredLibraries/0 main.requiredLibraries[0]: evil is not let in, SEC020 b/b " +
		"/requiredLibraries/3 main.requiredLibraries[3]: worse is not let in"
	if text := strings.Join(found, ", "); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	if recs, _ := resolveAll(t, Options{}, schema("one/providers/b/b.mjs", `"evil"`)); len(recs) != 2 {
		t.Errorf("without libraries %d records, want the catalog and its tool", len(recs))
	}
}
