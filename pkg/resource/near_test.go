package resource

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// describe is the statement that pkg/catalog adds as describeTables.
const describe = "SELECT m.name as table_name, p.name as column, p.type FROM sqlite_master m JOIN " +
	"pragma_table_info(m.name) p WHERE m.type = 'table'"

// An R-Tree, as GeoPackage and SpatiaLite files have them, is asked in a
// database that is only read.
func TestRTree(t *testing.T) {
	path := makeDB(t,
		"CREATE VIRTUAL TABLE area USING rtree(id, west, east, +label)",
		"INSERT INTO area VALUES (1, 0, 10, 'bight'), (2, 20, 30, 'sound')")
	before := stateOf(t, path)
	db := openDB(t, path)
	if got := ask(db, "SELECT id, label FROM area WHERE west < 5"); got != `[{"id":1,"label":"bight"}]` {
		t.Error(got)
	}
	for _, text := range []string{"DELETE FROM area_node", "WITH a AS (SELECT 1) INSERT INTO area_rowid SELECT 1, 1",
		"SELECT * FROM area; DELETE FROM area"} {
		if got := ask(db, text); !strings.HasPrefix(got, CodeRefused) {
			t.Errorf("%s: %s", text, got)
		}
	}
	db.Close()
	if after := stateOf(t, path); after != before {
		t.Errorf("the file was %v and is %v", before, after)
	}
}

// A table of an extension that is not there takes no other table away.
func TestDescribe(t *testing.T) {
	store, path := project(t,
		"CREATE TABLE t (a INTEGER, b TEXT)",
		"CREATE VIRTUAL TABLE words USING fts5(w)",
		"CREATE VIRTUAL TABLE old USING fts5(x)",
		"CREATE TABLE u (c)")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.ReplaceAll(data, []byte("old USING fts5"), []byte("old USING fts4"))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	res, err := store.Describe(t.Context(), specOf("in-memory"), describe, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	text := ordjson.Text(res.Rows)
	for _, want := range []string{`{"table_name":"t","column":"a","type":"INTEGER"},{"table_name":"t","column":"b",` +
		`"type":"TEXT"}`, `{"table_name":"words","column":"w","type":""}`,
		`{"table_name":"u","column":"c","type":""}`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %s", text, want)
		}
	}
	want := "the table old is left out: EXE073 " + specOf("in-memory").File +
		": no such module: fts4; the table needs an extension of SQLite that is not built in: leave it out"
	if len(res.Cut) != 1 || res.Cut[0] != want {
		t.Errorf("cut %q, want %q", res.Cut, want)
	}
	if _, err := store.Describe(t.Context(), specOf("in-memory"), describe, Limits{Rows: 1}); err != nil {
		t.Error(err)
	}
}
