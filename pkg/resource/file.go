package resource

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"zombiezen.com/go/sqlite"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/sql"
)

// fileDB is a database that is written to (chapter 13, "File-Based: Conscious
// Decision"): all statements are allowed but those that reach other files or
// outlive their call. Those that write run one at a time in this process; other
// processes take turns by SQLite's locks.
type fileDB struct {
	*DB
	turn chan struct{} // to write

	mu    sync.Mutex
	saved bool // there is a backup of this session
}

// Limits of values and statements where the user's own data is written.
const (
	maxWritten    = 16 << 20 // bytes of a value
	maxWrittenSQL = 1 << 20  // bytes of a statement
)

// openFile opens a database for reading and writing; beside is as in openReadOnly.
func openFile(path string, beside bool) (*fileDB, error) {
	if !beside {
		if _, err := inspect(path); err != nil {
			return nil, err
		}
	}
	for _, suffix := range []string{"-wal", "-shm", "-journal", backupSuffix} {
		// The folder may have come with an untrusted repository.
		if info, err := os.Lstat(path + suffix); err == nil && !info.Mode().IsRegular() {
			return nil, fail(CodeRefusedFile, "%s is not a regular file; remove it", info.Name())
		}
	}
	db := &fileDB{DB: newDB(path), turn: make(chan struct{}, 1)}
	db.connect = db.openWriter
	if err := db.tryOut(); err != nil {
		return nil, err
	}
	return db, nil
}

// openWriter opens a connection that may write. With full syncs, a change that
// was reported is on the disk.
func (db *fileDB) openWriter(c *conn) error {
	if err := c.open(db.path, sqlite.OpenReadWrite, false); err != nil {
		return err
	}
	c.db.Limit(sqlite.LimitLength, maxWritten)
	c.db.Limit(sqlite.LimitSQLLength, maxWrittenSQL)
	c.db.Limit(sqlite.LimitAttached, 1) // which VACUUM needs
	c.db.Limit(sqlite.LimitWorkerThreads, 0)
	c.allowed = writingAllowed
	return c.own("PRAGMA synchronous = FULL", "PRAGMA temp_store = MEMORY", "PRAGMA foreign_keys = 1")
}

// changed reports whether the file is another one than was opened. That it was
// written to is what it is for.
func (db *fileDB) changed(now, was fs.FileInfo) bool { return !os.SameFile(now, was) }

// Query runs one statement of any kind. Before the first that changes something
// in this session, a backup is made. A statement that fails, takes too long or
// is cut off changes nothing.
func (db *fileDB) Query(ctx context.Context, text string, args []any, limits Limits) (Result, error) {
	s, clean, err := single(text)
	if err != nil {
		return Result{}, err
	}
	if s.Verb == "SELECT" {
		return db.DB.Query(ctx, text, args, limits)
	}
	if slices.Contains(outliving, s.Verb) {
		return Result{}, fail(CodeRefused,
			"%s is not allowed here: it would outlive its call or reach another file; each statement is a "+
				"transaction of its own, done whole or not at all", s.Verb)
	}
	limits = limits.orDefault()
	var res Result
	err = db.run(ctx, limits.Time, func(c *conn) error {
		select {
		case db.turn <- struct{}{}:
		case <-c.ctx.Done():
			if ctx.Err() != nil {
				return stopped(ctx, limits.Time)
			}
			return fail(CodeBusy, "%s: other statements kept the database busy for %s; try again", db.name, limits.Time)
		}
		defer func() { <-db.turn }()
		r, err := db.write(c, s, clean, args, limits)
		res = r
		return err
	})
	if err != nil {
		return Result{}, explain(ctx, err, db.name, limits.Time)
	}
	return res, nil
}

// outliving are the statements that change the connection and not the database.
var outliving = []string{"BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "ATTACH", "DETACH"}

// write runs a statement in a transaction of its own, which takes the lock for
// writing before it reads: two processes that read first and write then would
// each wait for the other.
func (db *fileDB) write(c *conn, parsed sql.Statement, text string, args []any, limits Limits) (Result, error) {
	s, err := c.prepare(text)
	if err != nil {
		return Result{}, c.near(err)
	}
	defer s.finalize()
	if err := s.bind(args); err != nil {
		return Result{}, err
	}
	if parsed.Reads() || parsed.Verb == "EXPLAIN" || parsed.Verb == "PRAGMA" && !s.tidies {
		return s.collect(limits)
	}
	if err := db.save(c); err != nil {
		return Result{}, err
	}
	switch parsed.Verb { // which cannot be in a transaction
	case "VACUUM": // and wants to be alone
		c.dropGuard()
		defer func() { _ = c.addGuard() }()
		return s.collect(limits)
	case "PRAGMA":
		return s.collect(limits)
	}
	if err := c.own("BEGIN IMMEDIATE"); err != nil {
		return Result{}, err
	}
	res, err := s.collect(limits)
	if err == nil {
		s.reset()
		if len(s.columns) == 0 && slices.Contains([]string{"INSERT", "REPLACE", "UPDATE", "DELETE"}, parsed.Verb) {
			res.Rows = c.changes()
		}
		err = c.own("COMMIT")
	}
	if err != nil {
		s.reset()
		// SQLite rolls back on its own when it cannot go on, and when a
		// connection is closed after its time limit.
		_ = c.own("ROLLBACK")
		return Result{}, err
	}
	return res, nil
}

// changes is what a statement without rows of its own answers, in the names of
// better-sqlite3.
func (c *conn) changes() ordjson.Value {
	number := func(n int64) ordjson.Value { return ordjson.NewNumberText(fmt.Sprint(n)) }
	return ordjson.NewArray(ordjson.NewObject(
		ordjson.Field("changes", number(int64(c.db.Changes()))),
		ordjson.Field("lastInsertRowid", number(c.db.LastInsertRowID())),
	))
}

// save makes the backup and turns WAL on, before the first change of the
// session.
func (db *fileDB) save(c *conn) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.saved {
		return nil
	}
	if err := backup(c, db.path); err != nil {
		return err
	}
	for {
		err := c.own("PRAGMA journal_mode = WAL")
		var busy *sqliteError
		if !errors.As(err, &busy) || busy.rc.ToPrimary() != sqlite.ResultBusy || c.ctx.Err() != nil {
			db.saved = err == nil
			return err
		}
		// SQLite does not wait where a mode is changed.
		time.Sleep(10 * time.Millisecond)
	}
}
