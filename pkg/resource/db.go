package resource

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Limits bound one query. A field that is 0 has its default.
type Limits struct {
	Rows  int           // the most rows that are returned; what follows is left out
	Bytes int           // the most bytes of the rows as JSON; more is an error
	Time  time.Duration // until the last row
}

// The default limits. Rows and bytes fit into one line of a stream and one
// answer to an MCP client.
const (
	DefaultRows  = 10_000
	DefaultBytes = 8 << 20
	DefaultTime  = 10 * time.Second
)

func (l Limits) orDefault() Limits {
	if l.Rows <= 0 {
		l.Rows = DefaultRows
	}
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	if l.Time <= 0 {
		l.Time = DefaultTime
	}
	return l
}

// Result is what a query returns.
type Result struct {
	Rows ordjson.Value // an array of objects, whose keys are the columns in their order
	More bool          // there were more rows than the limit

	Cached   *record.Cached // what was done about the copy of an http resource; nil for others
	Warnings []string       // about the copy, or the database
	Cut      []string       // what is missing of the rows, but for what More says
}

// DB is a database that is only read: the file never changes, whatever the
// statements say (chapter 13, "In-Memory: Safe by Architecture"). It is safe
// for concurrent use.
type DB struct {
	name      string // of the file, without its folder
	path      string
	immutable bool

	connect func(*conn) error

	idle  chan *conn
	slots chan struct{} // one for each connection that there may be

	mu     sync.Mutex
	closed bool
}

// Limits of values and statements on a connection that only reads. Functions
// such as instr and LIKE take time that grows with the product of two lengths
// and cannot be stopped on the way, so lengths are short.
const (
	maxValue   = 1 << 20 // bytes of a value
	maxSQL     = 100_000 // bytes of a statement
	maxPattern = 1_000   // bytes of a LIKE or GLOB pattern
	maxOps     = 500_000 // steps of a compiled statement
)

// openReadOnly opens the database at an absolute path for reading. The error is an
// *words.Problem of code CodeMissing or CodeCorrupt. A file that this process may
// have open beside it already is not looked at, which would take the locks of the
// other away.
func openReadOnly(path string, beside bool) (*DB, error) {
	db := newDB(path)
	db.connect = db.openReader
	if !beside {
		var err error
		if db.immutable, err = inspect(path); err != nil {
			return nil, err
		}
	}
	if err := db.tryOut(); err != nil {
		return nil, err
	}
	return db, nil
}

func newDB(path string) *DB {
	n := max(4, runtime.GOMAXPROCS(0))
	return &DB{name: filepath.Base(path), path: path, idle: make(chan *conn, n), slots: make(chan struct{}, n)}
}

// tryOut reads the schema, so that a damaged file is found when it is opened
// and not by the first query.
func (db *DB) tryOut() error {
	_, err := db.Query(context.Background(), "SELECT count(*) FROM sqlite_master", nil, Limits{})
	if err != nil {
		db.Close()
	}
	return err
}

// Close closes the database. It waits for queries that are still running.
func (db *DB) Close() {
	db.mu.Lock()
	db.closed = true
	db.mu.Unlock()
	for {
		select {
		case c := <-db.idle:
			c.close()
		default:
			return
		}
	}
}

// Query runs one statement, a SELECT with or without WITH, and returns its
// rows. args are bound to its placeholders in their order: nil, bool, int,
// int64, float64, string or []byte. The error is a *words.Problem.
//
// Integers keep all digits, a blob becomes base64, an infinite number null, and
// the second of two columns of one name gets the suffix ":1".
func (db *DB) Query(ctx context.Context, text string, args []any, limits Limits) (Result, error) {
	limits = limits.orDefault()
	var res Result
	err := db.run(ctx, limits.Time, func(c *conn) error {
		s, err := readStatement(c, text)
		if err != nil {
			return err
		}
		defer s.reset()
		if err := s.bind(args); err != nil {
			return err
		}
		res, err = s.collect(limits)
		return err
	})
	if err != nil {
		return Result{}, explain(ctx, err, db.name, limits.Time)
	}
	return res, nil
}

// readStatement prepares a statement that only reads, once for a connection.
func readStatement(c *conn, text string) (*stmt, error) {
	if s := c.cached(text); s != nil {
		return s, nil
	}
	parsed, clean, err := single(text)
	if err != nil {
		return nil, err
	}
	if err := onlyReads(parsed); err != nil {
		return nil, err
	}
	s, err := c.prepare(clean)
	if err != nil {
		return nil, c.near(err)
	}
	c.keep(s, text)
	return s, nil
}

// collect returns the rows up to the limits.
func (s *stmt) collect(limits Limits) (Result, error) {
	rows := make([]ordjson.Value, 0, 8)
	size := 2
	for {
		more, err := s.step()
		if err != nil {
			return Result{}, err
		}
		if !more || len(rows) == limits.Rows {
			return Result{Rows: ordjson.NewArray(rows...), More: more}, nil
		}
		row, n := s.row()
		if size += n; size > limits.Bytes {
			return Result{}, fail(CodeTooLarge, "the rows are larger than %d bytes; ask for fewer rows or columns",
				limits.Bytes)
		}
		rows = append(rows, row)
	}
}

// changed reports whether the file has been replaced or written since it was
// opened: a new file must be read.
func (db *DB) changed(now, was fs.FileInfo) bool {
	return !os.SameFile(now, was) || now.Size() != was.Size() || !now.ModTime().Equal(was.ModTime()) ||
		db.immutable && inUse(db.path)
}
