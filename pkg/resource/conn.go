package resource

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"sync"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
	"zombiezen.com/go/sqlite"
)

// conn is one connection to a database, for one goroutine at a time.
//
// It does not use the driver of database/sql, which does not stop a statement once
// its first row has come, turns texts of columns declared DATE into times, and
// copies values that are too large before they can be refused.
type conn struct {
	db    *sqlite.Conn // nil if it is not open
	kept  []*stmt      // prepared statements, the one used last at the end
	guard *sqlite.Stmt

	ctx    context.Context // its end ends what runs, and the use of the connection
	cancel context.CancelFunc

	allowed func(sqlite.Action) bool
	denied  string // what the authorizer refused last
	tidies  bool   // what was prepared last is a PRAGMA that changes the database
}

// heapLimit is how many bytes SQLite may have in this process, in all
// connections: values, sorted rows, caches. A statement that wants more fails.
const heapLimit = 256 << 20

// start configures SQLite when the first database is opened: a process that
// opens none does not pay for it.
var start = sync.OnceFunc(func() {
	lib.PatchIssue199()
	tls := libc.NewTLS()
	defer tls.Close()
	on := libc.NewVaList(int32(1))
	defer libc.Xfree(tls, on)
	// Without its own account of memory SQLite cannot keep to a limit.
	lib.Xsqlite3_config(tls, lib.SQLITE_CONFIG_MEMSTATUS, on)
	lib.Xsqlite3_initialize(tls)
	lib.Xsqlite3_hard_heap_limit64(tls, heapLimit)
})

func newConn(ctx context.Context) *conn {
	c := &conn{}
	c.ctx, c.cancel = context.WithCancel(ctx)
	return c
}

// openConn is open on a connection that works until the context ends.
func openConn(ctx context.Context, path string, flags sqlite.OpenFlags, immutable bool) (*conn, error) {
	c := newConn(ctx)
	return c, c.open(path, flags, immutable)
}

// open opens a file. immutable promises that no process writes the file
// meanwhile.
func (c *conn) open(path string, flags sqlite.OpenFlags, immutable bool) (err error) {
	start()
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	if c.db, err = sqlite.OpenConn(uri(path, immutable), flags|sqlite.OpenURI); err != nil {
		return c.failure(err)
	}
	c.db.SetInterrupt(c.ctx.Done())
	// What an untrusted file may not do (sqlite.org/security.html).
	if err := errors.Join(c.db.SetDefensive(true), c.db.SetAuthorizer(sqlite.AuthorizeFunc(c.authorize)),
		c.addGuard()); err != nil {
		return c.failure(err)
	}
	return c.exec("PRAGMA trusted_schema = OFF")
}

// addGuard puts a statement that never ends on the connection. SQLite forgets that it
// was interrupted whenever a statement begins and no other is under way; so an
// interrupt that comes just before the first step of a query would be lost, and
// the query go on.
func (c *conn) addGuard() error {
	guard, _, err := c.db.PrepareTransient("SELECT 1")
	if err == nil {
		c.guard = guard
		_, err = guard.Step()
	}
	return err
}

func (c *conn) dropGuard() {
	if c.guard != nil {
		_ = c.guard.Finalize()
		c.guard = nil
	}
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

func (c *conn) close() {
	for _, s := range c.kept {
		s.finalize()
	}
	c.kept = nil
	c.dropGuard()
	if c.db != nil {
		_ = c.db.Close()
		c.db = nil
	}
	c.cancel()
}

// authorize asks what the connection allows, for each thing that a statement would
// do, when the statement is prepared.
func (c *conn) authorize(a sqlite.Action) sqlite.AuthResult {
	if c.allowed != nil && !c.allowed(a) {
		c.denied = nameOf(a)
		return sqlite.AuthResultDeny
	}
	c.tidies = c.tidies || tidies(a)
	return sqlite.AuthResultOK
}

// failure is an error of the library as the code and the message of SQLite.
func (c *conn) failure(err error) error {
	rc := sqlite.ErrCode(err)
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	msg := strings.TrimPrefix(err.Error(), rc.Message()+": ")
	switch {
	case c.denied != "":
		rc, msg, c.denied = sqlite.ResultAuth, c.denied+" is not allowed here", ""
	case msg == "not authorized": // by the function itself
		rc, msg = sqlite.ResultAuth, "the function load_extension is not allowed here"
	}
	// It repeats what a damaged file, or a caller, has in the place of text.
	return &sqliteError{rc: rc, msg: strings.ToValidUTF8(msg, "\ufffd")}
}

// exec runs our own statements when their rows are not needed.
func (c *conn) exec(statements ...string) error {
	for _, text := range statements {
		s, err := c.prepare(text)
		if err != nil {
			return err
		}
		for row := true; row && err == nil; {
			row, err = s.step()
		}
		s.finalize()
		if err != nil {
			return err
		}
	}
	return nil
}

// own is exec for our own statements on a connection that allows less.
func (c *conn) own(statements ...string) error {
	allowed := c.allowed
	c.allowed = nil
	defer func() { c.allowed = allowed }()
	return c.exec(statements...)
}
