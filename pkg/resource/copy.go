package resource

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/flowmcp/fmcp/pkg/words"
)

// copyTime is how long the copy of a database may take.
const copyTime = 10 * time.Minute

// copiedDB is a copy of a database that is written to.
type copiedDB struct {
	*fileDB
	dir string // which nothing else is in
}

// openCopy opens a copy of a database, as it is at one moment, even while
// others write to it. The database itself is only read. beside is as in
// openReadOnly.
func openCopy(path string, beside bool) (database, error) {
	from, err := openReadOnly(path, beside)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	dir, err := os.MkdirTemp("", "fmcp-test-")
	if err != nil {
		return nil, fail(CodeNotStored, "%s cannot be copied for its tests: %v", from.name, words.Cause(err))
	}
	db, err := copyTo(from, filepath.Join(dir, from.name))
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	return &copiedDB{db, dir}, nil
}

func copyTo(from *DB, path string) (*fileDB, error) {
	err := os.WriteFile(path, nil, 0o600)
	if err == nil {
		err = from.run(context.Background(), copyTime, func(c *conn) error { return copyPages(c, path) })
	}
	if err != nil {
		return nil, fail(CodeNotStored,
			"%s cannot be copied for its tests: %v; make room in %s, or test the file itself by --in-place", from.name,
			words.Cause(err), os.TempDir())
	}
	db, err := openFile(path, false)
	if err == nil {
		db.saved = true // a copy needs no backup
	}
	return db, err
}

// Close implements database.
func (db *copiedDB) Close() {
	db.fileDB.Close()
	_ = os.RemoveAll(db.dir)
}
