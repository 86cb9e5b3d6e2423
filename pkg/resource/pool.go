package resource

import (
	"context"
	"runtime/debug"
	"sync/atomic"
	"time"

	"zombiezen.com/go/sqlite"
)

// grace is how long a query may go on after its time limit. What SQLite cannot
// interrupt, such as one call of a function, ends on its own.
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
	var c *conn
	select {
	case c = <-db.idle:
	default:
		c = newConn(context.Background())
	}
	var ended atomic.Bool // on its own or by its limit, whichever came first
	done := make(chan error, 1)
	go func() {
		err := db.on(c, f)
		if ended.CompareAndSwap(false, true) {
			db.release(c)
		} else {
			c.close()
		}
		<-db.slots
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	case <-timer.C:
	}
	if ended.CompareAndSwap(false, true) {
		c.cancel()
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

// on calls f with a connection, which is opened where it is new. A damaged file
// may lead the library astray; that ends the query and the connection, not the
// process.
func (db *DB) on(c *conn, f func(*conn) error) (err error) {
	debug.SetPanicOnFault(true)
	defer func() {
		if p := recover(); p != nil {
			err = fail(CodeCorrupt, "%s: reading it failed (%v); replace the file", db.name, p)
			c.db, c.kept, c.guard = nil, nil, nil // what state they are in is not known
		}
	}()
	if c.db == nil {
		if err := db.connect(c); err != nil {
			return err
		}
	}
	return f(c)
}

// openReader opens a connection that only reads.
func (db *DB) openReader(c *conn) error {
	if err := c.open(db.path, sqlite.OpenReadOnly, db.immutable); err != nil {
		return err
	}
	c.db.Limit(sqlite.LimitLength, maxValue)
	c.db.Limit(sqlite.LimitSQLLength, maxSQL)
	c.db.Limit(sqlite.LimitLikePatternLength, maxPattern)
	c.db.Limit(sqlite.LimitVDBEOp, maxOps)
	c.db.Limit(sqlite.LimitAttached, 0)
	c.db.Limit(sqlite.LimitWorkerThreads, 0)
	c.allowed = readingAllowed
	return c.own("PRAGMA query_only = 1", "PRAGMA temp_store = MEMORY")
}

// release puts a connection back for the next query.
func (db *DB) release(c *conn) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed || c.db == nil {
		c.close()
		return
	}
	db.idle <- c // has room: there are no more connections than slots
}
