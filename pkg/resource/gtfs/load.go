package gtfs

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/flowmcp/fmcp/pkg/words"
)

// loader moves the files of a feed into the tables of a database and checks
// them on the way. Of each row it remembers no more than its key, and of a trip
// where it has come to, so that memory does not grow with stop_times.
type loader struct {
	db   *sqlite.Conn
	feed *archive
	rep  *Report

	keys     map[string]*keys // by table; those of shapes are shape IDs
	trips    []trip           // by the index of their key
	places   []int8           // location_type of stops, by the index of their key
	agencies int              // rows of agency.txt
	zone     string           // of the first agency
	flexible bool             // a stop time has a window
	unusable map[string]bool  // tables whose file could not be read
}

// keys are the IDs of a table.
type keys struct {
	at    map[string]int32
	lines []int32
}

func (k *keys) has(id string) bool { _, ok := k.find(id); return ok }

func (k *keys) find(id string) (int32, bool) {
	if k == nil {
		return 0, false
	}
	at, ok := k.at[id]
	return at, ok
}

// add adds an ID and returns its index, and the line of its twin where it has one.
func (k *keys) add(id string, line int) (at int32, twin int32) {
	if at, ok := k.at[id]; ok {
		return at, k.lines[at]
	}
	at = int32(len(k.lines))
	k.at[strings.Clone(id)] = at // the row's text is not kept
	k.lines = append(k.lines, int32(line))
	return at, 0
}

func (l *loader) keysOf(table string) *keys {
	if l.keys[table] == nil {
		l.keys[table] = &keys{at: map[string]int32{}}
	}
	return l.keys[table]
}

// table loads one file, where the feed has it.
func (l *loader) table(ctx context.Context, t *table) error {
	n := int64(-1)
	if l.feed.members[t.file()] != nil {
		file, err := l.feed.open(t.file())
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		if n, err = l.rows(ctx, t, file); err != nil {
			return err
		}
	}
	if n > 0 {
		l.rep.Rows = append(l.rep.Rows, TableRows{t.name, n})
	} else if t.must {
		message := "the file is missing"
		if n == 0 {
			message = "the file has no rows"
		}
		l.rep.add(Finding{Code: CodeNoFile, File: t.file(), Message: message, Fix: "a feed needs it"})
	}
	return nil
}

// rows loads the rows of a file and counts them.
func (l *loader) rows(ctx context.Context, t *table, file io.Reader) (int64, error) {
	in, err := openRows(t, file, l.rep)
	if err != nil || in == nil {
		l.unusable[t.name] = true
		if t.name == "calendar_dates" {
			l.unusable[services] = true
		}
		return 0, err
	}
	if err := l.exec(ctx, createTable(t)); err != nil {
		return 0, err
	}
	insert, err := l.db.Prepare(insertInto(t, in.used))
	if err != nil {
		return 0, failed(ctx, err)
	}
	for n := int64(0); ; n++ {
		if err := in.next(); errors.Is(err, io.EOF) {
			return n, nil
		} else if err != nil {
			return n, err
		}
		insert.BindInt64(1, int64(in.line))
		if t.name == "stop_times" {
			in.completeTimes()
		}
		for i, at := range in.used {
			bind(insert, 2+i, l.value(in, at))
		}
		l.row(in)
		if err := run(insert); err != nil {
			return n, failed(ctx, err)
		}
	}
}

// bind gives a value of a field to a placeholder.
func bind(s *sqlite.Stmt, slot int, v any) {
	switch v := v.(type) {
	case nil:
		s.BindNull(slot)
	case int64:
		s.BindInt64(slot, v)
	case float64:
		s.BindFloat(slot, v)
	case string:
		s.BindText(slot, v)
	}
}

// run runs a statement that returns no rows.
func run(s *sqlite.Stmt) error {
	if _, err := s.Step(); err != nil {
		return err
	}
	return s.Reset()
}

// value reads and checks the value of a field; nil if there is none.
func (l *loader) value(in *rows, at int) any {
	f, cell := &in.table.fields[at], in.cells[at]
	if cell == "" {
		if f.must {
			l.say(in, CodeNoValue, f.name, "the value is missing", "")
		}
		return nil
	}
	if !isText(cell) {
		l.say(in, CodeNotUTF8, f.name, "found bytes that are not UTF-8", "write the file as UTF-8")
		return nil
	}
	v, expected := f.value(cell)
	if expected != "" {
		l.say(in, CodeBadValue, f.name, "found "+words.Quote(cell)+", expected "+expected, "")
		return nil
	}
	if f.refs != "" && !l.keys[f.refs].has(cell) && !l.lost(f.refs) {
		l.say(in, CodeBroken, f.name, "found "+words.Quote(cell)+", which is not in "+fileOf(f.refs), "")
	}
	return v
}

// lost reports whether it is said already that a file has no rows, so that each
// reference to it is broken for that reason alone.
func (l *loader) lost(name string) bool {
	if l.unusable[name] {
		return true
	}
	if name == services {
		return !l.loaded("calendar") && !l.loaded("calendar_dates")
	}
	return !l.loaded(name) && slices.ContainsFunc(tables, func(t *table) bool { return t.name == name && t.must })
}

// fileOf is the file that has the keys of a table.
func fileOf(table string) string {
	switch table {
	case locations:
		return locationsFile
	case services:
		return "calendar.txt or calendar_dates.txt"
	}
	return table + ".txt"
}

// say reports a finding about the row.
func (l *loader) say(in *rows, code, field, message, fix string) {
	l.rep.add(Finding{Code: code, File: in.table.file(), Line: in.line, Field: field, Message: message, Fix: fix})
}

// printable is a name of a feed as messages show it: as it is, or quoted where it
// is long or would do something to a terminal.
func printable(s string) string {
	if q := words.Quote(s); q != `"`+s+`"` {
		return q
	}
	return s
}

func (l *loader) exec(ctx context.Context, statements ...string) error {
	for _, s := range statements {
		if err := sqlitex.ExecuteTransient(l.db, s, nil); err != nil {
			return failed(ctx, err)
		}
	}
	return nil
}

// failed is why a statement did not end: the context did, or the database cannot
// be written.
func failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return notWritten(err)
}

func notWritten(err error) error {
	return fail(CodeNotWritten, "no file was left; check the space on the disk and in TMPDIR",
		"the database cannot be written (%v)", err)
}

// createTable makes the table with all fields of the reference, so that SQL
// does not depend on which of them a feed has. The rowid is the line in the
// file, by which later checks name it. A file without rows has made its table
// when those that are missing are made.
func createTable(t *table) string {
	var b strings.Builder
	b.WriteString("CREATE TABLE IF NOT EXISTS " + t.name + " (")
	for i, f := range t.fields {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.name + " " + f.kind.affinity())
	}
	return b.String() + ")"
}

func (k kind) affinity() string {
	switch k {
	case count, choice:
		return "INTEGER"
	case number, lat, lon:
		return "REAL"
	}
	return "TEXT"
}

func insertInto(t *table, used []int) string {
	names := make([]string, len(used))
	for i, at := range used {
		names[i] = t.fields[at].name
	}
	return "INSERT INTO " + t.name + " (rowid, " + strings.Join(names, ", ") + ") VALUES (?" +
		strings.Repeat(", ?", len(used)) + ")"
}
