package resource

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"zombiezen.com/go/sqlite"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

func TestQuery(t *testing.T) {
	path := makeDB(t, stations...)
	before := stateOf(t, path)
	db := openDB(t, path)
	tests := []struct {
		text string
		args []any
		want string
	}{
		{"SELECT name FROM stations ORDER BY id", nil, `[{"name":"Borkum"},{"name":"Emden"},{"name":"Ærø"}]`},
		{"SELECT height, id FROM stations WHERE id < 3", nil, `[{"height":1.5,"id":1},{"height":null,"id":2}]`},
		{"SELECT id, height FROM stations WHERE name = ?", []any{"Ærø"}, `[{"id":9007199254740993,"height":null}]`},
		// no times are made of texts
		{"SELECT since FROM stations ORDER BY id", nil, `[{"since":"1931-01-01"},{"since":"1900-05-06"},{"since":""}]`},
		{"SELECT mark FROM stations ORDER BY id", nil, `[{"mark":"AP8="},{"mark":null},{"mark":""}]`},
		{"SELECT a.id, b.id, b.id AS \"id:1\" FROM stations a JOIN stations b USING (id) WHERE a.id = 1", nil,
			`[{"id":1,"id:1":1,"id:1:1":1}]`},
		{"SELECT * FROM stations a JOIN stations b ON a.id = b.id AND a.id = 1", nil,
			`[{"id":1,"name":"Borkum","height":1.5,"since":"1931-01-01","mark":"AP8=","id:1":1,"name:1":"Borkum",` +
				`"height:1":1.5,"since:1":"1931-01-01","mark:1":"AP8="}]`},
		{"SELECT ?, ?, ?, ?, ?, ?", []any{nil, true, 7, int64(9007199254740993), 0.1, []byte{1}},
			`[{"?":null,"?:1":1,"?:2":7,"?:3":9007199254740993,"?:4":0.1,"?:5":"AQ=="}]`},
		{"SELECT ?2, ?1", []any{"a", "b"}, `[{"?2":"b","?1":"a"}]`},
		{"SELECT 1.0 AS a, 1e21 AS b, -0.0 AS c, CAST(x'41FF42' AS TEXT) AS d", nil,
			`[{"a":1,"b":1e+21,"c":0,"d":"A` + "\ufffd" + `B"}]`},
		{"-- which\nWITH s AS (SELECT * FROM stations) SELECT count(*) AS n FROM s; -- end", nil, `[{"n":3}]`},
		{"SELECT name FROM stations WHERE 0", nil, `[]`},
		{"SELECT m.name AS t, p.name AS c FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE p.pk", nil,
			`[{"t":"stations","c":"id"}]`},
		{"SELECT name FROM stations WHERE name = ?", nil,
			"EXE073 the statement has 1 placeholder, and there are 0 values; give one for each ?"},
		{"SELECT nome FROM stations", nil,
			"EXE073 stations.db: no such column: nome (did you mean \"name\"?); correct the statement or its values, " +
				"describeTables lists tables and columns"},
		{`SELECT "nome" FROM stations`, nil,
			"EXE073 stations.db: no such column: \"nome\" - should this be a string literal in single-quotes? (did " +
				"you mean \"name\"?); correct the statement or its values, describeTables lists tables and columns"},
		{"SELECT s.nome FROM stations s", nil,
			"EXE073 stations.db: no such column: s.nome (did you mean \"name\"?); correct the statement or its " +
				"values, describeTables lists tables and columns"},
		{"SELECT name FROM main.station", nil,
			"EXE073 stations.db: no such table: main.station (did you mean \"stations\"?); correct the statement or " +
				"its values, describeTables lists tables and columns"},
		{"SELECT name FROM xyz", nil, "EXE073 stations.db: no such table: xyz; correct the statement or its values, " +
			"describeTables lists tables and columns"},
		{"SELECT 1 LIMIT ?", []any{1.5},
			"EXE073 stations.db: datatype mismatch; give a whole number for LIMIT, OFFSET and the key of a row"},
		{"SELEC 1", nil, "EXE072 the statement is SELEC, and this resource can only be read; write one that begins " +
			"with SELECT, or WITH … SELECT"},
		{" ; ", nil, "EXE073 the statement is empty; write one that begins with SELECT or WITH"},
		{"SELECT 'a", nil, `EXE073 the statement is not SQL: found "'a", whose ' is not closed at byte 7; close it; ` +
			`inside quotes, write ' twice`},
	}
	for _, tt := range tests {
		for range 2 { // the second time, the statement is a kept one
			if got := ask(db, tt.text, tt.args...); got != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.text, got, tt.want)
			}
		}
	}
	if after := stateOf(t, path); after != before {
		t.Errorf("the file was %v and is %v", before, after)
	}
}

func TestQueryLimits(t *testing.T) {
	db := openDB(t, makeDB(t, stations...))
	res, err := db.Query(t.Context(), "SELECT id FROM stations", nil, Limits{Rows: 2})
	if err != nil || res.Rows.Len() != 2 || !res.More {
		t.Errorf("%d rows, more %v, %v; want 2 of more", res.Rows.Len(), res.More, err)
	}
	res, err = db.Query(t.Context(), "SELECT id FROM stations", nil, Limits{Rows: 3})
	if err != nil || res.Rows.Len() != 3 || res.More {
		t.Errorf("%d rows, more %v, %v; want all 3", res.Rows.Len(), res.More, err)
	}
	if _, err := db.Query(t.Context(), "SELECT name FROM stations", nil,
		Limits{Bytes: 40}); codeOf(err) != CodeTooLarge {
		t.Errorf("40 bytes: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	began := time.Now()
	if _, err := db.Query(ctx, endless, nil, Limits{}); codeOf(err) != CodeCancelled ||
		time.Since(began) > 3*time.Second {
		t.Errorf("cancelled: %v after %s", err, time.Since(began))
	}
	if got := ask(db, "SELECT 1 AS a"); got != `[{"a":1}]` {
		t.Errorf("after that: %s", got)
	}
}

const endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"

// SQLite forgets an interrupt when a statement begins while no other is under
// way, so that one which comes just before the first step would be lost.
func TestInterruptIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newConn(t.Context())
		if err := openDB(t, makeDB(t, stations...)).connect(c); err != nil {
			t.Fatal(err)
		}
		defer c.close()
		c.cancel()
		synctest.Wait()        // until SQLite learns of it
		c.db.SetInterrupt(nil) // the library itself does not look any more
		var e *sqliteError
		if err := c.exec("SELECT count(*) FROM stations"); !errors.As(err, &e) || e.rc != sqlite.ResultInterrupt {
			t.Errorf("after an interrupt: %v", err)
		}
	})
}

// More queries than connections, and one DB: no answer is another's.
func TestQueryConcurrent(t *testing.T) {
	db := openDB(t, makeDB(t, stations...))
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			res, err := db.Query(t.Context(), "SELECT ? AS i, name FROM stations WHERE id = 1", []any{i}, Limits{})
			if err != nil || res.Rows.Index(0).Get("i").Float() != float64(i) {
				t.Errorf("%d: %s, %v", i, ordjson.Text(res.Rows), err)
			}
		})
	}
	wg.Wait()
}

// A file that is not a whole database is refused when it is opened, or by the
// query that meets the damage.
func TestOpenBadFiles(t *testing.T) {
	whole, err := os.ReadFile(makeDB(t,
		append(stations, "CREATE TABLE filler (a)", "INSERT INTO filler VALUES (zeroblob(50000))")...))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		data []byte
		code string
	}{
		{"empty", nil, CodeCorrupt},
		{"text", []byte(strings.Repeat("no database\n", 20)), CodeCorrupt},
		{"short header", whole[:60], CodeCorrupt},
		{"truncated", whole[:len(whole)-5000], CodeCorrupt},
		{"no schema", append(append([]byte{}, whole[:100]...), make([]byte, len(whole)-100)...), CodeCorrupt},
	}
	for _, tt := range tests {
		path := filepath.Join(t.TempDir(), "bad.db")
		if err := os.WriteFile(path, tt.data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); codeOf(err) != tt.code || strings.Contains(err.Error(), filepath.Dir(path)) {
			t.Errorf("%s: %v, want %s and no folder", tt.name, err, tt.code)
		}
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "missing.db"), t.TempDir()} {
		if _, err := Open(path); codeOf(err) != CodeMissing {
			t.Errorf("%s: %v", path, err)
		}
	}
	// Any byte after the header may be wrong: the result is an error or rows,
	// never a crash.
	for at := 100; at < len(whole); at += 97 {
		data := append([]byte{}, whole...)
		for i := at; i < min(at+8, len(data)); i++ {
			data[i] ^= 0xff
		}
		path := filepath.Join(t.TempDir(), "bad.db")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := Open(path)
		if err == nil {
			_, err = db.Query(t.Context(), "SELECT * FROM stations JOIN filler ORDER BY name", nil, Limits{})
			db.Close()
		}
		var e *words.Problem
		if err != nil && !errors.As(err, &e) {
			t.Errorf("byte %d: %v", at, err)
		}
	}
}

// Names with characters that a URI would take for something else.
func TestOpenNames(t *testing.T) {
	for _, name := range []string{"a b.db", "a?mode=rw.db", "a#b.db", "100%25.db", "ü.db"} {
		path := filepath.Join(t.TempDir(), name)
		writeDB(t, path, stations...)
		if got := ask(openDB(t, path), "SELECT count(*) AS n FROM stations"); got != `[{"n":3}]` {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// SQLite repeats what a damaged file has in the place of text; a message is text
// all the same.
func TestMessagesAreText(t *testing.T) {
	path := makeDB(t, "CREATE TABLE harbour (x)")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(data, []byte("CREATE TABLE"), []byte("CREAT\xff TABLE")),
		0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); codeOf(err) != CodeCorrupt || !strings.Contains(err.Error(), "CREAT\ufffd") {
		t.Errorf("%q", err)
	}
	db := openDB(t, makeDB(t, stations...))
	if got := ask(db, "SELECT * FROM \"\xff\""); !strings.Contains(got, "no such table: \ufffd") ||
		!utf8.ValidString(got) {
		t.Errorf("%q", got)
	}
}
