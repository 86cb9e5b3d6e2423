package resource

import (
	"context"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// conn is one connection to a database, for one goroutine at a time.
//
// It stands on the library below the driver of database/sql, since that driver
// does not stop a statement once its first row has come, turns texts of columns
// declared DATE into times, and copies values that are too large before anybody
// can refuse them.
type conn struct {
	tls *libc.TLS
	db  uintptr
	id  uintptr // of the callbacks

	kept []*stmt // prepared statements, the one used last at the end

	// What the callbacks look at while a statement runs.
	ctx      context.Context
	deadline time.Time
	waitEnd  time.Time // until when a lock is waited for
	allowed  func(action int32, arg1, arg2 string) bool
	denied   string // what the authorizer refused last
}

// conns are the open connections by id: SQLite hands a number to callbacks.
var (
	conns  sync.Map // of uintptr to *conn
	connID atomic.Uintptr
)

// heapLimit is how many bytes SQLite may have in this process, in all
// connections: values, sorted rows, caches. A statement that wants more fails.
const heapLimit = 256 << 20

// start configures SQLite when the first database is opened: a process that
// opens none does not pay for it.
var start = sync.OnceFunc(func() {
	lib.PatchIssue199()
	tls := libc.NewTLS()
	defer tls.Close()
	args := libc.Xmalloc(tls, vaSlots)
	defer libc.Xfree(tls, args)
	// Without its own account of memory SQLite cannot keep to a limit.
	lib.Xsqlite3_config(tls, lib.SQLITE_CONFIG_MEMSTATUS, libc.VaList(args, int32(1)))
	lib.Xsqlite3_initialize(tls)
	lib.Xsqlite3_hard_heap_limit64(tls, heapLimit)
})

// vaSlots is what two variadic arguments take.
const vaSlots = 16

// openConn opens a file by flags of sqlite3_open_v2. immutable promises that
// nobody writes the file meanwhile.
func openConn(path string, flags int32, immutable bool) (*conn, error) {
	start()
	c := &conn{tls: libc.NewTLS(), id: connID.Add(1)}
	name, err := libc.CString(uri(path, immutable))
	if err != nil {
		c.tls.Close()
		return nil, err
	}
	defer libc.Xfree(c.tls, name)
	out := libc.Xcalloc(c.tls, 1, vaSlots)
	defer libc.Xfree(c.tls, out)
	rc := lib.Xsqlite3_open_v2(c.tls, name, out, flags|lib.SQLITE_OPEN_URI|lib.SQLITE_OPEN_NOMUTEX|lib.SQLITE_OPEN_EXRESCODE, 0)
	c.db = pointerAt(out)
	if rc != lib.SQLITE_OK {
		err := c.failure(rc)
		c.close()
		return nil, err
	}
	conns.Store(c.id, c)
	lib.Xsqlite3_progress_handler(c.tls, c.db, progressEvery, funcPointer(onProgress), c.id)
	lib.Xsqlite3_busy_handler(c.tls, c.db, funcPointer(onBusy), c.id)
	lib.Xsqlite3_set_authorizer(c.tls, c.db, funcPointer(onAuthorize), c.id)
	// What a file of strangers may not do (sqlite.org/security.html). A name in
	// double quotes that is no column is an error and no text, as in
	// better-sqlite3, which chapter 13 names.
	c.config(lib.SQLITE_DBCONFIG_DEFENSIVE, true)
	c.config(lib.SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
	c.config(lib.SQLITE_DBCONFIG_DQS_DDL, false)
	c.config(lib.SQLITE_DBCONFIG_DQS_DML, false)
	c.config(lib.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false)
	return c, nil
}

// uri is the path as SQLite wants it, with its characters ? and # hidden.
func uri(path string, immutable bool) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/…
	}
	u := url.URL{Scheme: "file", Path: slashed}
	if immutable {
		u.RawQuery = "immutable=1"
	}
	return u.String()
}

func (c *conn) config(option int32, on bool) {
	value := int32(0)
	if on {
		value = 1
	}
	args := libc.Xmalloc(c.tls, vaSlots)
	defer libc.Xfree(c.tls, args)
	lib.Xsqlite3_db_config(c.tls, c.db, option, libc.VaList(args, value, uintptr(0)))
}

// limit sets one of SQLITE_LIMIT_….
func (c *conn) limit(which, value int32) { lib.Xsqlite3_limit(c.tls, c.db, which, value) }

func (c *conn) close() {
	for _, s := range c.kept {
		s.finalize()
	}
	c.kept = nil
	lib.Xsqlite3_close_v2(c.tls, c.db)
	conns.Delete(c.id)
	c.tls.Close()
}

// failure is the error of a result code, with the message of SQLite.
func (c *conn) failure(rc int32) error {
	msg := libc.GoString(lib.Xsqlite3_errstr(c.tls, rc))
	if c.db != 0 && lib.Xsqlite3_extended_errcode(c.tls, c.db)&primary == rc&primary {
		msg = libc.GoString(lib.Xsqlite3_errmsg(c.tls, c.db))
	}
	if c.denied != "" {
		rc, msg = lib.SQLITE_AUTH, c.denied+" is not allowed here"
	}
	// It repeats what a damaged file, or a caller, has in the place of text.
	return &sqliteError{rc: rc, msg: strings.ToValidUTF8(msg, "\ufffd")}
}

// exec runs a statement of ours that returns no rows.
func (c *conn) exec(text string) error {
	s, err := c.prepare(text)
	if err != nil {
		return err
	}
	defer s.finalize()
	for {
		row, err := s.step()
		if err != nil || !row {
			return err
		}
	}
}

// setUp runs statements on a new connection, and closes it where one fails.
func (c *conn) setUp(statements ...string) error {
	defer c.within(context.Background(), lockWait)()
	for _, text := range statements {
		if err := c.exec(text); err != nil {
			c.close()
			return err
		}
	}
	return nil
}

// own is exec for a statement of ours on a connection that allows less.
func (c *conn) own(text string) error {
	allowed := c.allowed
	c.allowed = nil
	defer func() { c.allowed = allowed }()
	return c.exec(text)
}

// within sets until when what runs next may take, and returns what puts back
// what was before.
func (c *conn) within(ctx context.Context, limit time.Duration) func() {
	now := time.Now()
	oldCtx, oldDeadline, oldEnd := c.ctx, c.deadline, c.waitEnd
	c.ctx, c.deadline, c.waitEnd = ctx, now.Add(limit), now.Add(min(limit, lockWait))
	return func() { c.ctx, c.deadline, c.waitEnd = oldCtx, oldDeadline, oldEnd }
}

// over reports whether what runs has to stop.
func (c *conn) over() bool {
	return c.ctx != nil && (c.ctx.Err() != nil || !c.deadline.IsZero() && time.Now().After(c.deadline))
}
