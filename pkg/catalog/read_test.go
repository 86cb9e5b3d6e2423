package catalog

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

// toolLine is the record of a tool; extra are further members of its data.
func toolLine(namespace, extra string) string {
	return `{"v":1,"kind":"resolved","id":"` + namespace + `/tool/find","type":"tool","data":{"schema":"` + namespace +
		`/file","name":"find","wireName":"find_` + namespace +
		`","method":"GET","root":"https://` + namespace + `.com","path":"/","parameters":[]` + extra + `}}` + "\n"
}

const resourceLine = `{"v":1,"kind":"resolved","id":"a/resource/db","type":"resource","data":{"schema":"a/file",` +
	`"name":"db","source":"sqlite","queries":[` +
	`{"name":"byYear","wireName":"by_year_db_a","sql":"SELECT 1","parameters":[]},{"name":"runSql",` +
	`"wireName":"run_sql_db_a","added":true,"parameters":[]}],` +
	`"src":{"path":"a.mjs"},"hashes":{"fileHash":"sha256:1"}}}` + "\n"

func read1(t testing.TB, text string) *Index {
	t.Helper()
	x, err := Read(strings.NewReader(text), ReadOptions{Name: "c.ndjson"})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestIndex(t *testing.T) {
	x := read1(t, `{"v":1,"kind":"resolved","id":"demo","type":"catalog","data":{"name":"demo",`+
		`"counts":{"tools":2}}}`+"\n\n"+toolLine("a", "")+resourceLine+
		`{"v":1,"kind":"diagnostic","code":"X","severity":"info","message":"m","subject":"s","loc":{"path":"p",`+
		`"pointer":""}}`+"\n"+
		`{"v":1,"kind":"resolved","id":"a/file","type":"handlers","data":{"source":"x",`+
		`"hashes":{"fileHash":"sha256:1"}}}`+"\n"+
		`{"v":1,"kind":"resolved","id":"a/agent/g","type":"agent","data":{"name":"g",`+
		`"tools":["a/tool/find"]}}`+"\n"+toolLine("b", ""))
	if got := fmt.Sprint(x.IDs(), x.Of(record.TypeResource, record.TypeAgent), x.Names(), x.HandlerFiles()); got !=
		"[a/tool/find a/resource/db/byYear b/tool/find] [a/resource/db a/agent/g] [by_year_db_a find_a find_b "+
			"run_sql_db_a] [{a/file sha256:1}]" {
		t.Error(got)
	}
	if x.Named("by_year_db_a") != "a/resource/db/byYear" || x.Type("a/agent/g") != record.TypeAgent ||
		x.Type("none") != "" || x.Place("a/tool/find") != "c.ndjson:3" {
		t.Errorf("%q %q %q", x.Named("by_year_db_a"), x.Type("a/agent/g"), x.Place("a/tool/find"))
	}
	about, err := x.Catalog()
	if err != nil || about.Name != "demo" || about.Counts.Tools != 2 {
		t.Errorf("%+v %v", about, err)
	}
	r, err := x.Resource("a/resource/db")
	if err != nil || len(r.Queries) != 2 || r.Queries[0].Resource != r || r.Queries[1].ID != "a/resource/db/runSql" {
		t.Fatalf("%+v %v", r, err)
	}
	if h, err := x.Handlers(r.Queries[0].File()); err != nil || h.Source != "x" {
		t.Errorf("%+v %v", h, err)
	}
	g, err := x.Group("a/agent/g")
	if err != nil || !slices.Equal(g.Members[0], []string{"a/tool/find"}) {
		t.Errorf("%+v %v", g, err)
	}
	if _, err := x.Tool("a/resource/db"); err == nil || err.Error() != "the catalog's record of a/resource/db is of "+
		"type resource" {
		t.Error(err)
	}
	if _, err := x.Tool("none"); err == nil || err.Error() != "the catalog has no record of none" {
		t.Error(err)
	}
}

func TestReadRefuses(t *testing.T) {
	one := toolLine("a", "")
	for _, tt := range []struct{ stream, want string }{
		{one + "\n" + one, `c.ndjson:3: the tool id "a/tool/find" is there twice: resolve the catalog again (LOD031)`},
		{`{"v":1,"kind":"resolved","type":"tool","data":{}}`, "c.ndjson:1: a tool record without an id: resolve the " +
			"catalog again (LOD020)"},
		{"id,name\n", "c.ndjson:1: not a JSON record: write the catalog with fmcp-resolve (LOD020)"},
		{one + `{"v":1,"kind":"resolved","id":"a","type":"tool","data":{`,
			"c.ndjson:2: not a JSON record: write the catalog with fmcp-resolve (LOD020)"},
		{one + strings.Repeat("x", 5000), "c.ndjson:2: the line has 5000 bytes, more than are read (LOD021)"},
		{`{"v":1,"kind":"resolved","id":"a","type":"tool","data":{}`, "c.ndjson: the record of a is not JSON: write " +
			"the catalog with fmcp-resolve (LOD020)"},
	} {
		if _, err := Read(strings.NewReader(tt.stream), ReadOptions{Name: "c.ndjson", MaxLine: 4096}); err == nil ||
			err.Error() != tt.want {
			t.Errorf("%.40s: %v, want %s", tt.stream, err, tt.want)
		}
	}
}

// TestWrong: where the caller takes what is wrong, the rest is read; what earlier
// stages could not process is told too.
func TestWrong(t *testing.T) {
	var told []string
	text := toolLine("a", "") + toolLine("a", "") + `{"v":1,"kind":"error","input":"a.mjs","stage":"fmcp-load",` +
		`"code":"LOD003","message":"broken"}` + "\n" + toolLine("b", "")
	x, err := Read(strings.NewReader(text), ReadOptions{Name: "c.ndjson", Wrong: func(e *record.Error) error {
		told = append(told, e.Input+" "+e.Code)
		return nil
	}})
	if err != nil || fmt.Sprint(told, x.IDs()) != "[c.ndjson:2 LOD031 a.mjs LOD003] [a/tool/find b/tool/find]" {
		t.Error(told, x.IDs(), err)
	}
	if x := read1(t, `{"v":1,"kind":"error","input":"a.mjs","stage":"fmcp-load","code":"LOD003",`+
		`"message":"broken"}`); x.Arrival.Kinds[record.KindError] != 1 {
		t.Error("an error of an earlier stage ends the reading")
	}
}

// TestWrittenOver: a line that is not the one that was read is not used, be it of
// the same length or gone; a file that is replaced as a whole is read on.
func TestWrittenOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.ndjson")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(path, toolLine("a", "")+toolLine("b", ""))
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	x, err := Read(f, ReadOptions{Name: "c.ndjson"})
	if err != nil {
		t.Fatal(err)
	}
	write(path+".new", toolLine("c", "")+toolLine("d", ""))
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	if r, err := x.Tool("a/tool/find"); err != nil || r.Root != "https://a.com" {
		t.Fatal(r, err)
	}
	write(path+".old", toolLine("a", "")+toolLine("x", ""))
	if r, err := x.Tool("a/tool/find"); err != nil || r.Root != "https://a.com" {
		t.Error(r, err)
	}
	want := "c.ndjson has been written over since it was read, so that b/tool/find cannot be used"
	if _, err := x.Tool("b/tool/find"); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Error(err)
	}
	write(path+".old", toolLine("a", ""))
	if _, err := x.Tool("b/tool/find"); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Error(err)
	}
}

// TestManyKeys: the domains of a key are the same, however many are asked about.
func TestManyKeys(t *testing.T) {
	var lines strings.Builder
	for i := range 3 * manyKeys {
		line := strings.Replace(toolLine(fmt.Sprintf("n%d", i), fmt.Sprintf(`,"serverParams":["KEY_%d","ALL"]`, i)),
			fmt.Sprintf("https://n%d", i), fmt.Sprintf("https://d%d", i%7), 1)
		lines.WriteString(line)
	}
	x := read1(t, lines.String())
	for i := range 3 * manyKeys {
		if got := x.Domains(fmt.Sprintf("KEY_%d", i)); len(got) != 1 || got[0] != fmt.Sprintf("d%d.com", i%7) {
			t.Fatalf("KEY_%d: %v", i, got)
		}
		if got := x.Domains("ALL"); len(got) != 7 {
			t.Fatalf("ALL: %v", got)
		}
	}
	if got := x.Domains("NONE"); got != nil {
		t.Error(got)
	}
}

// TestManyNames: of many records each is found by its ID and its name, and what is
// not there is not; of two tools of one name it is the last one's.
func TestManyNames(t *testing.T) {
	const tools = 5000
	var text strings.Builder
	for i := range tools {
		text.WriteString(toolLine(fmt.Sprint("n", i), ""))
	}
	text.WriteString(strings.Replace(toolLine("again", ""), "find_again", "find_n7", 1))
	x := read1(t, text.String())
	for i := range tools {
		id, name := fmt.Sprintf("n%d/tool/find", i), fmt.Sprint("find_n", i)
		want := id
		if i == 7 {
			want = "again/tool/find"
		}
		if got := x.Named(name); got != want || x.Type(id) != record.TypeTool ||
			x.Place(id) != fmt.Sprint("c.ndjson:", i+1) {
			t.Fatalf("%s is of %s, want %s; %s is at %s", name, got, want, id, x.Place(id))
		}
	}
	if x.Named("find_n") != "" || x.Named("") != "" || x.Type("n/tool/find") != "" || x.Type("") != "" {
		t.Error("what is not there is found")
	}
	if ids, names := x.IDs(), x.Names(); len(ids) != tools+1 || ids[0] != "n0/tool/find" || len(names) != tools {
		t.Errorf("%d IDs, %d names", len(ids), len(names))
	}
}
