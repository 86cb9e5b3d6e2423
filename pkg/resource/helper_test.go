package resource

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// makeDB writes a database by statements and returns its path.
func makeDB(t testing.TB, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stations.db")
	writeDB(t, path, statements...)
	return path
}

func writeDB(t testing.TB, path string, statements ...string) {
	t.Helper()
	c, err := openConn(context.Background(), path, sqlite.OpenReadWrite|sqlite.OpenCreate, false)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	for _, text := range statements {
		if err := c.exec(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// stations is a small table that the tests ask.
var stations = []string{
	"CREATE TABLE stations (id INTEGER PRIMARY KEY, name TEXT, height REAL, since DATE, mark BLOB)",
	"INSERT INTO stations VALUES (1, 'Borkum', 1.5, '1931-01-01', x'00FF'), (2, 'Emden', NULL, '1900-05-06', NULL), " +
		"(9007199254740993, 'Ærø', 9e999, '', x'')",
}

// Open is openReadOnly of a file that nobody else has open.
func Open(path string) (*DB, error) { return openReadOnly(path, false) }

func openDB(t testing.TB, path string) *DB {
	t.Helper()
	db, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// ask runs a query and returns its rows as text, or the error.
func ask(db *DB, text string, args ...any) string {
	res, err := db.Query(context.Background(), text, args, Limits{Time: 5 * time.Second})
	if err != nil {
		return err.Error()
	}
	return ordjson.Text(res.Rows)
}

func codeOf(err error) string {
	var e *words.Problem
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// state is all that can be seen of a file from outside, and of what SQLite may
// leave beside it.
type state struct {
	hash  [32]byte
	mtime time.Time
	files string
}

func stateOf(t testing.TB, path string) state {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	s := state{hash: sha256.Sum256(data), mtime: info.ModTime()}
	for _, e := range entries {
		s.files += e.Name() + " "
	}
	return s
}
