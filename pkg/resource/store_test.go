package resource

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/resource/origin"
)

// project is a store whose project is a new folder with a database, and that
// database's path. A resource is queried by its mode.
func project(t *testing.T, statements ...string) (*Store, string) {
	t.Helper()
	return projectIn(t, t.TempDir(), statements...)
}

func projectIn(t *testing.T, dir string, statements ...string) (*Store, string) {
	t.Helper()
	path := filepath.Join(dir, ".flowmcp", "resources", "tide-log.db")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if statements != nil {
		writeDB(t, path, statements...)
	}
	s := &Store{Places: origin.Places{Project: dir}}
	t.Cleanup(s.Close)
	return s, path
}

func specOf(mode string) *Spec {
	return &Spec{Resource: &catalog.Resource{
		ID: "tide/resource/log", Source: model.SQLite, Mode: mode, Origin: model.Project, File: "tide-log.db",
	}}
}

func send(s *Store, spec *Spec, text string, args ...any) string {
	res, err := s.Query(context.Background(), spec, text, args, Limits{Time: 5 * time.Second})
	if err != nil {
		return err.Error()
	}
	return ordjson.Text(res.Rows)
}

// A database that is replaced is read again, one that vanishes is missed, and
// one that comes back is found.
func TestStoreFollowsTheFile(t *testing.T) {
	s, path := project(t, stations...)
	spec := specOf(model.InMemory)
	const count = "SELECT count(*) AS n FROM stations"
	if got := send(s, spec, count); got != `[{"n":3}]` {
		t.Fatal(got)
	}
	other := path + ".new"
	writeDB(t, other, append(stations, "DELETE FROM stations WHERE id = 1")...)
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	if got := send(s, spec, count); got != `[{"n":2}]` {
		t.Errorf("replaced: %s", got)
	}
	if err := os.Rename(path, other); err != nil {
		t.Fatal(err)
	}
	if got := send(s, spec, count); !strings.HasPrefix(got, CodeMissing+" ") {
		t.Errorf("gone: %s", got)
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	if got := send(s, spec, count); got != `[{"n":2}]` {
		t.Errorf("back: %s", got)
	}
}

// One file as two resources: what one writes the other reads, and reading takes
// no lock of the writer away.
func TestStoreTwoResourcesOneFile(t *testing.T) {
	s, path := project(t, stations...)
	reader, writer := specOf(model.InMemory), specOf(model.FileBased)
	for i, text := range []string{"SELECT count(*) AS n FROM stations", "INSERT INTO stations (id) VALUES (4)",
		"SELECT count(*) AS n FROM stations"} {
		spec := reader
		if i == 1 {
			spec = writer
		}
		if got := send(s, spec, text); strings.Contains(got, "EXE") {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := send(s, reader, "SELECT count(*) AS n FROM stations"); got != `[{"n":4}]` {
		t.Errorf("the reader sees %s", got)
	}
	if _, err := os.Stat(path + "-wal"); err != nil {
		t.Errorf("the writer's log is gone: %v", err)
	}
	if got := send(s, reader, "DELETE FROM stations"); !strings.HasPrefix(got, CodeRefused+" ") {
		t.Errorf("the reader deletes: %s", got)
	}
}

// Where a catalog says file-based of another origin than project, it is read.
func TestStoreWritesInTheProjectOnly(t *testing.T) {
	for _, r := range []*catalog.Resource{
		{Source: model.SQLite, Mode: model.FileBased, Origin: model.Global},
		{Source: model.SQLite, Mode: model.InMemory, Origin: model.Project},
		{Source: model.HTTP, Mode: model.FileBased, Origin: model.Project},
	} {
		if (&Spec{Resource: r}).writes() {
			t.Errorf("%s %s %s is written to", r.Source, r.Mode, r.Origin)
		}
	}
}

func TestDynamic(t *testing.T) {
	tests := []struct {
		mode, text, want string
		rows             int
	}{
		{"in-memory", "SELECT * FROM t", "SELECT * FROM t LIMIT 7", 7},
		{"in-memory", "SELECT * FROM t;", "SELECT * FROM t LIMIT 7", 7},
		{"in-memory", "SELECT * FROM t ; -- LIMIT 3\n", "SELECT * FROM t LIMIT 7", 7},
		{"in-memory", "SELECT * FROM t -- LIMIT 3", "SELECT * FROM t LIMIT 7", 7},
		{"in-memory", "SELECT * FROM t WHERE a = 'x LIMIT 3' /* LIMIT 4 */",
			"SELECT * FROM t WHERE a = 'x LIMIT 3' LIMIT 7", 7},
		{"in-memory", "SELECT * FROM (SELECT * FROM t LIMIT 3)", "SELECT * FROM (SELECT * FROM t LIMIT 3) LIMIT 7", 7},
		{"in-memory", "WITH a AS (SELECT 1 LIMIT 1) SELECT * FROM a",
			"WITH a AS (SELECT 1 LIMIT 1) SELECT * FROM a LIMIT 7", 7},
		{"in-memory", "SELECT 1 UNION SELECT 2 ORDER BY 1", "SELECT 1 UNION SELECT 2 ORDER BY 1 LIMIT 7", 7},
		{"in-memory", `SELECT "limit" FROM t`, `SELECT "limit" FROM t LIMIT 7`, 7},
		{"in-memory", "SELECT * FROM t LIMIT 5000", "SELECT * FROM t LIMIT 5000", MaxLimit},
		{"in-memory", "SELECT * FROM t limit 5 OFFSET 10", "SELECT * FROM t limit 5 OFFSET 10", MaxLimit},
		{"in-memory", "SELECT 1 UNION SELECT 2 LIMIT 10, 5;", "SELECT 1 UNION SELECT 2 LIMIT 10, 5", MaxLimit},
		{"in-memory", "DELETE FROM t", CodeRefused, 0},
		{"in-memory", "SELECT 1; SELECT 2", CodeRefused, 0},
		{"file-based", "DELETE FROM t", "DELETE FROM t", MaxLimit},
		{"file-based", "INSERT INTO t SELECT * FROM u", "INSERT INTO t SELECT * FROM u", MaxLimit},
		{"file-based", "SELECT * FROM t", "SELECT * FROM t LIMIT 7", 7},
		{"file-based", "VALUES (1), (2)", "VALUES (1), (2)", 7},
		{"in-memory", "SELECT 1 UNION ALL VALUES (2), (3)", "SELECT 1 UNION ALL VALUES (2), (3)", 7},
		{"in-memory", "SELECT * FROM t WHERE a = ?", CodeStatement, 0},
		{"file-based", "DELETE FROM t WHERE a = :a", CodeStatement, 0},
		{"file-based", "", CodeStatement, 0},
	}
	for _, tt := range tests {
		got, rows, err := specOf(tt.mode).Dynamic(tt.text, 7)
		if err != nil {
			got = codeOf(err)
		}
		if got != tt.want || rows != tt.rows {
			t.Errorf("%s %q: %q, %d rows, %v; want %q, %d", tt.mode, tt.text, got, rows, err, tt.want, tt.rows)
		}
	}
}

// A schema's own query of a caller's statement may have no parameter limit, or one
// without bounds.
func TestDynamicLimit(t *testing.T) {
	for limit, want := range map[int]int{-1: 100, 0: 100, 1: 1, 1000: 1000, 5000: 1000} {
		got, rows, err := specOf(model.InMemory).Dynamic("SELECT 1", limit)
		if ready := "SELECT 1 LIMIT " + strconv.Itoa(want); err != nil || got != ready || rows != want {
			t.Errorf("%d: %s, %d rows, %v; want %s", limit, got, rows, err, ready)
		}
	}
}

// A database is not made beside what is left of another one of its name, which
// SQLite would play back into it.
func TestCreateBesideLeftovers(t *testing.T) {
	store, path := project(t)
	spec := specOf(model.FileBased)
	for _, suffix := range []string{"-wal", "-journal"} {
		if err := os.WriteFile(path+suffix, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := store.Create(t.Context(), spec, "CREATE TABLE t (a)")
		if codeOf(err) != CodeNotMade ||
			!strings.Contains(err.Error(), "tide-log.db"+suffix+" is left of a database that was there") {
			t.Errorf("%s: %v", suffix, err)
		}
		if err := os.Remove(path + suffix); err != nil {
			t.Fatal(err)
		}
	}
	if tables, err := store.Create(t.Context(), spec, "CREATE TABLE t (a)"); err != nil || len(tables) != 1 {
		t.Errorf("%v, %v", tables, err)
	}
}

// Tables are made before the indexes and triggers that want them, in whatever
// order the rows of getSchema come.
func TestCreateInOrder(t *testing.T) {
	store, path := project(t)
	_, err := store.Create(t.Context(), specOf(model.FileBased),
		"SELECT 'a' AS name, 'CREATE UNIQUE INDEX a ON t (x)' AS sql UNION SELECT 'b', 'create trigger b AFTER "+
			"INSERT ON t BEGIN SELECT 1; END'"+
			" UNION SELECT 't', 'CREATE TABLE t (x)' UNION SELECT 'v', 'CREATE VIEW v AS SELECT x FROM t' UNION "+
			"SELECT 'w', 'CREATE TABLE w AS SELECT x FROM v'")
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(openDB(t, path), "SELECT group_concat(name) AS n FROM sqlite_master"); got != `[{"n":"t,v,w,a,b"}]` {
		t.Error(got)
	}
}

// If a file could not be opened for a caller that has gone, the next call tries
// again and does not get the old error.
func TestOpenedTooLate(t *testing.T) {
	s, path := project(t, logTable, "INSERT INTO log (who) VALUES ('first')")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	spec := specOf(model.InMemory)
	if err := os.WriteFile(path, []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	<-s.opened(spec, path, info).done
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := send(s, spec, "SELECT count(*) AS n FROM log"); got != `[{"n":1}]` {
		t.Errorf("after the file was put right: %s", got)
	}
}

// TestStoreMark: the mark of a resource changes with its data, also while that is in
// the log of the database only.
func TestStoreMark(t *testing.T) {
	dir := t.TempDir()
	spec := &Spec{Resource: &catalog.Resource{ID: "a/resource/b", Source: model.SQLite, Origin: model.Project,
		File: "stations.db"}}
	path := filepath.Join(dir, ".flowmcp", "resources", spec.File)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	s := &Store{Places: origin.Places{Project: dir}}
	marks := []string{s.Mark(spec)}
	writeDB(t, path, stations...)
	marks = append(marks, s.Mark(spec))
	if again := s.Mark(spec); again != marks[1] {
		t.Errorf("%s, and then %s", marks[1], again)
	}
	if err := os.WriteFile(path+"-wal", []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if marks = append(marks, s.Mark(spec)); marks[0] == "" || marks[0] == marks[1] || marks[1] == marks[2] {
		t.Errorf("marks %q", marks)
	}
	if got := s.Mark(&Spec{Resource: &catalog.Resource{Source: model.HTTP}}); got != "" {
		t.Errorf("a database on the network has the mark %s", got)
	}
}
