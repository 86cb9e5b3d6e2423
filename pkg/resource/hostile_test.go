package resource

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"

	"github.com/flowmcp/fmcp/internal/await"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Statements that would write, reach another file, or never end. Each ends with
// a code, soon, and leaves the file and its folder as they were.
func TestHostileStatements(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "stations.db")
	writeDB(t, path, append(stations,
		"CREATE VIRTUAL TABLE notes USING fts5(body)", "INSERT INTO notes VALUES ('ebb and flow')",
		"CREATE VIEW sneaky AS SELECT load_extension('x') AS a")...)
	other := filepath.Join(dir, "other.db")
	writeDB(t, other, stations...)
	if err := os.Chtimes(path, time.Unix(1e9, 0), time.Unix(1e9, 0)); err != nil {
		t.Fatal(err)
	}
	before := stateOf(t, path)
	db := openDB(t, path)
	deep := strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000)
	doubling := "WITH a0 AS (SELECT 1 AS x)"
	for i := range 60 {
		from, to := "a"+strconv.Itoa(i), "a"+strconv.Itoa(i+1)
		doubling += ", " + to + " AS (SELECT l.x FROM " + from + " l, " + from + " r)"
	}
	doubling += " SELECT count(*) FROM a60"
	crossed := "SELECT count(*) FROM stations s0"
	for i := range 40 {
		crossed += ", stations s" + strconv.Itoa(i+1)
	}
	tests := []struct{ text, code string }{ // two codes where either may come first
		// other statements
		{"ATTACH '" + other + "' AS o", CodeRefused},
		{"DETACH main", CodeRefused},
		{"PRAGMA writable_schema = 1", CodeRefused},
		{"PRAGMA query_only = 0", CodeRefused},
		{"PRAGMA journal_mode = WAL", CodeRefused},
		{"PRAGMA table_info(stations)", CodeRefused},
		{"DELETE FROM stations", CodeRefused},
		{"REPLACE INTO stations (id) VALUES (1)", CodeRefused},
		{"WITH a AS (SELECT 1) DELETE FROM stations", CodeRefused},
		{"WITH a AS (SELECT 1) INSERT INTO stations (id) SELECT 9 RETURNING id", CodeRefused},
		{"INSERT INTO notes VALUES ('x')", CodeRefused},
		{"INSERT INTO notes(notes) VALUES ('optimize')", CodeRefused},
		{"CREATE TEMP TABLE x (a)", CodeRefused},
		{"CREATE TABLE x AS SELECT 1", CodeRefused},
		{"DROP TABLE stations", CodeRefused},
		{"VACUUM", CodeRefused},
		{"VACUUM INTO '" + filepath.Join(dir, "copy.db") + "'", CodeRefused},
		{"REINDEX", CodeRefused},
		{"ANALYZE", CodeRefused},
		{"BEGIN EXCLUSIVE", CodeRefused},
		{"SAVEPOINT a", CodeRefused},
		{"EXPLAIN SELECT 1", CodeRefused},
		{"VALUES (1)", CodeRefused},
		// a second statement, and what looks like one
		{"SELECT 1; DROP TABLE stations", CodeRefused},
		{"SELECT 1 /* ; */; -- \n DELETE FROM stations", CodeRefused},
		{"/* SELECT */ DELETE FROM stations -- SELECT", CodeRefused},
		{"SELECT 1 --\n; DELETE FROM stations", CodeRefused},
		{"\ufeffDELETE FROM stations", CodeRefused},
		{"SELECT 1\x00; DELETE FROM stations", CodeStatement},
		// functions and tables that do more than read
		{"SELECT load_extension('/tmp/x.so')", CodeRefused},
		{"SELECT a FROM sneaky", CodeStatement},
		{"SELECT writefile('/tmp/x', 'y')", CodeStatement},
		{"SELECT readfile('/etc/passwd')", CodeStatement},
		{"SELECT edit('x')", CodeStatement},
		{"SELECT fts3_tokenizer('x', x'00')", CodeStatement},
		{"SELECT * FROM pragma_database_list", CodeRefused},
		{"SELECT * FROM pragma_journal_mode", CodeRefused},
		{"SELECT * FROM other.stations", CodeStatement},
		// without end
		{endless, CodeSlow},
		{"SELECT 1 UNION ALL SELECT * FROM (" + endless + ")", CodeSlow},
		{crossed, CodeSlow},
		{"WITH RECURSIVE n(x) AS (SELECT 1 UNION SELECT abs(random()) FROM n LIMIT 100000000) SELECT max(x) FROM n",
			CodeSlow},
		{doubling, CodeSlow + CodeTooLarge},
		// beyond memory
		{"SELECT zeroblob(1000000000)", CodeTooLarge},
		{"SELECT randomblob(1000000000)", CodeTooLarge},
		{"SELECT hex(zeroblob(900000))", CodeTooLarge},
		{"SELECT printf('%1000000000d', 1)", CodeTooLarge},
		{"SELECT printf('%.*c', 1000000000, 'x')", CodeTooLarge},
		{"SELECT replace(hex(zeroblob(10000)), '00', hex(zeroblob(10000)))", CodeTooLarge},
		{"WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT " +
			"group_concat(hex(zeroblob(100000))) FROM n", CodeSlow},
		{"WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT " +
			"json_group_array(hex(zeroblob(100000))) FROM n", CodeSlow + CodeTooLarge},
		{"WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n ORDER BY " +
			"hex(zeroblob(400000)) || x", CodeSlow + CodeTooLarge},
		{"WITH RECURSIVE n(x) AS (SELECT zeroblob(900000) UNION ALL SELECT x FROM n) SELECT x FROM n",
			CodeSlow + CodeTooLarge},
		// too deep, too long
		{"SELECT " + deep, CodeStatement},
		{"SELECT 1" + strings.Repeat(" + 1", 20000), CodeStatement},
		{"SELECT '" + strings.Repeat("x", 200_000) + "'", CodeTooLarge},
		{"SELECT 'x' LIKE '" + strings.Repeat("%a", 40_000) + "'", CodeStatement},
		{"SELECT 'x' GLOB '" + strings.Repeat("*a", 40_000) + "'", CodeStatement},
		{"SELECT 1" + strings.Repeat(" UNION SELECT 1", 600), CodeStatement},
	}
	// Seconds, and many of them where the race detector looks on: that it ends
	// is what counts.
	const ends = 2 * time.Minute
	for _, tt := range tests {
		began := time.Now()
		_, err := db.Query(t.Context(), tt.text, nil, Limits{Time: 400 * time.Millisecond})
		if code := codeOf(err); code == "" || !strings.Contains(tt.code, code) {
			t.Errorf("%.90s: %.300v, want %s", tt.text, err, tt.code)
		}
		if took := time.Since(began); took > ends {
			t.Errorf("%.90s: took %s", tt.text, took)
		}
		drain(t, db)
		if took := time.Since(began); took > ends {
			t.Errorf("%.90s: went on for %s", tt.text, took)
		}
	}
	if got := ask(db, "SELECT count(*) AS n FROM notes WHERE notes MATCH 'flow'"); got != `[{"n":1}]` {
		t.Errorf("after all of them: %s", got)
	}
	db.Close()
	if after := stateOf(t, path); after != before {
		t.Errorf("the file was %v and is %v", before, after)
	}
}

// One call of a function that SQLite cannot interrupt does not delay its
// caller; it ends on its own.
func TestUnstoppableFunction(t *testing.T) {
	db := openDB(t, makeDB(t, stations...))
	began := time.Now()
	_, err := db.Query(t.Context(), "SELECT instr(printf('%.*c', 600000, 'a'), printf('%.*c', 100000, 'a') || 'b')",
		nil, Limits{Time: 50 * time.Millisecond})
	if took := time.Since(began); took > 5*time.Second || err != nil && codeOf(err) != CodeSlow {
		t.Errorf("%v after %s", err, took)
	}
	if got := ask(db, "SELECT 1 AS a"); got != `[{"a":1}]` {
		t.Errorf("meanwhile: %s", got)
	}
	drain(t, db)
}

// drain waits until the queries that were left running have ended.
func drain(t *testing.T, db *DB) {
	t.Helper()
	await.Until(t, "the last query ends", func() bool { return len(db.slots) == 0 })
}

// Whatever the text, the first guard is not the only one: the connection itself
// refuses to write.
func TestReadingConnection(t *testing.T) {
	path := makeDB(t, stations...)
	before := stateOf(t, path)
	c := newConn(t.Context())
	if err := openDB(t, path).connect(c); err != nil {
		t.Fatal(err)
	}
	defer c.close()
	for _, all := range []bool{false, true} {
		if all {
			c.allowed = func(sqlite.Action) bool { return true }
		}
		for _, text := range []string{"DELETE FROM stations", "CREATE TABLE a (b)", "PRAGMA user_version = 5",
			"INSERT INTO sqlite_master DEFAULT VALUES", "ATTACH 'x.db' AS x"} {
			if err := c.exec(text); err == nil {
				t.Errorf("%s is done, everything allowed %v", text, all)
			}
		}
	}
	if after := stateOf(t, path); after != before {
		t.Errorf("the file was %v and is %v", before, after)
	}
}

// A database in WAL mode is read without files beside it as long as no process
// writes it; if one does, its changes are seen.
func TestWAL(t *testing.T) {
	path := makeDB(t, append([]string{"PRAGMA journal_mode = WAL"}, stations...)...)
	before := stateOf(t, path)
	db := openDB(t, path)
	if got := ask(db, "SELECT count(*) AS n FROM stations"); got != `[{"n":3}]` || !db.immutable {
		t.Errorf("%s, immutable %v", got, db.immutable)
	}
	if after := stateOf(t, path); after != before {
		t.Errorf("the file was %v and is %v", before, after)
	}
	db.Close()
	c, err := openConn(t.Context(), path, sqlite.OpenReadWrite, false)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if err := c.exec("INSERT INTO stations (id) VALUES (4)"); err != nil {
		t.Fatal(err)
	}
	during := stateOf(t, path)
	db = openDB(t, path)
	if got := ask(db, "SELECT count(*) AS n FROM stations"); got != `[{"n":4}]` || db.immutable {
		t.Errorf("while it is written: %s, immutable %v", got, db.immutable)
	}
	db.Close()
	if after := stateOf(t, path); after != during {
		t.Errorf("the file was %v and is %v", during, after)
	}
}

// FuzzQuery: whatever the statement, it ends soon with rows or a code, and the
// file and its folder stay as they are.
func FuzzQuery(f *testing.F) {
	for _, text := range []string{
		"SELECT * FROM stations", "WITH a AS (SELECT 1) SELECT * FROM a; ", "SELECT 1; DROP TABLE stations",
		"/* SELECT */ DELETE FROM stations",
		"SELECT load_extension('x')", "SELECT * FROM pragma_table_info('stations')", "ATTACH 'x' AS y",
		"SELECT name FROM stations WHERE id = ?1 LIMIT 5 OFFSET 2",
		"SELECT group_concat(name, x'00') FROM stations", "SELECT printf('%*d', 1000, 1), hex(zeroblob(100))",
		"EXPLAIN SELECT 1", "SELECT json_extract('{\"a\":[1]}', '$.a[0]')",
	} {
		f.Add(text)
	}
	path := makeDB(f, stations...)
	before := stateOf(f, path)
	db, err := Open(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(db.Close)
	f.Fuzz(func(t *testing.T, text string) {
		began := time.Now()
		res, err := db.Query(t.Context(), text, nil, Limits{Time: 200 * time.Millisecond})
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%q took %s", text, took)
		}
		if err != nil && codeOf(err) == "" {
			t.Errorf("%q: %v has no code", text, err)
		}
		if _, err := ordjson.Parse(ordjson.Text(res.Rows)); res.Rows.Exists() && err != nil {
			t.Errorf("%q: the rows are not JSON: %v", text, err)
		}
		if after := stateOf(t, path); after != before {
			t.Fatalf("%q: the file was %v and is %v", text, before, after)
		}
	})
}
