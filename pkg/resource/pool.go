package resource

import (
	"context"
	"runtime/debug"
	"time"

	lib "modernc.org/sqlite/lib"
)

// grace is how long a query may go on behind its time limit. What SQLite cannot
// stop, such as one call of a function, is left to end by itself.
const grace = 250 * time.Millisecond

// run calls f with a connection. It returns within the limit and the grace,
// even where f does not.
func (db *DB) run(ctx context.Context, limit time.Duration, f func(*conn) error) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case db.slots <- struct{}{}:
	case <-ctx.Done():
		return stopped(ctx, limit)
	case <-timer.C:
		return fail(CodeBusy, "%s: other queries kept the database busy for %s; try again", db.name, limit)
	}
	done := make(chan error, 1)
	go func() {
		err := db.on(ctx, limit, f)
		<-db.slots
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	case <-timer.C:
	}
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case err := <-done:
		return err
	case <-late.C:
		return stopped(ctx, limit)
	}
}

// on calls f with a connection that is idle, or a new one. A damaged file may
// lead the library astray; that ends the query and the connection, not the
// process.
func (db *DB) on(ctx context.Context, limit time.Duration, f func(*conn) error) (err error) {
	debug.SetPanicOnFault(true)
	defer func() {
		if p := recover(); p != nil {
			err = fail(CodeCorrupt, "%s: reading it failed (%v); replace the file", db.name, p)
		}
	}()
	c, err := db.connection()
	if err != nil {
		return err
	}
	end := c.within(ctx, limit)
	err = f(c)
	end()
	db.release(c)
	return err
}

func (db *DB) connection() (*conn, error) {
	select {
	case c := <-db.idle:
		return c, nil
	default:
	}
	return db.connect()
}

// openReader opens a connection that only reads.
func (db *DB) openReader() (*conn, error) {
	c, err := openConn(db.path, lib.SQLITE_OPEN_READONLY, db.immutable)
	if err != nil {
		return nil, err
	}
	if err := c.setUp("PRAGMA query_only = 1", "PRAGMA temp_store = MEMORY"); err != nil {
		return nil, err
	}
	c.limit(lib.SQLITE_LIMIT_LENGTH, maxValue)
	c.limit(lib.SQLITE_LIMIT_SQL_LENGTH, maxSQL)
	c.limit(lib.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, maxPattern)
	c.limit(lib.SQLITE_LIMIT_VDBE_OP, maxOps)
	c.limit(lib.SQLITE_LIMIT_ATTACHED, 0)
	c.limit(lib.SQLITE_LIMIT_WORKER_THREADS, 0)
	c.allowed = readingAllowed
	return c, nil
}

// release puts a connection back for the next query.
func (db *DB) release(c *conn) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		c.close()
		return
	}
	db.idle <- c // has room: there are no more connections than slots
}
