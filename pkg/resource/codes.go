package resource

import (
	"context"
	"errors"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"github.com/flowmcp/fmcp/pkg/words"
)

// The codes of failed queries. Each is a rule row in pkg/rules, which --explain
// prints.
const (
	CodeMissing     = "EXE070" // the file is not there, or cannot be opened
	CodeCorrupt     = "EXE071" // the file is not a database, or a damaged one
	CodeRefused     = "EXE072" // a statement that the mode does not allow
	CodeStatement   = "EXE073" // a statement that SQLite does not accept
	CodeSlow        = "EXE074" // no result within the time limit
	CodeTooLarge    = "EXE085" // a result or value beyond the limits, or no memory
	CodeBusy        = "EXE086" // another connection holds the database
	CodeNotStored   = "EXE087" // a change could not be written
	CodeNotMade     = "EXE088" // a database that is not made
	CodeRefusedFile = "EXE075" // a file that is not a regular one
	CodeCancelled   = "EXE036" // the caller gave up; the code is that of calls
)

// fail is why a query failed, or the data of a resource cannot be had.
func fail(code, format string, args ...any) *words.Problem {
	return words.Problemf(code, format, args...)
}

// sqliteError is a result code of SQLite and its message.
type sqliteError struct {
	rc  sqlite.ResultCode
	msg string
}

func (e *sqliteError) Error() string { return e.msg }

// hints say what to do about a result code, extended or not, and under which
// code it is reported. What is not listed is a statement that SQLite does not accept.
var hints = map[sqlite.ResultCode]struct{ code, hint string }{
	// Files beside the database, which a reader must not change.
	sqlite.ResultReadOnlyRollback: {CodeCorrupt,
		"a program was cut off while it changed the database, and its journal beside it must be played back: open it " +
			"once by a program that may write it, such as sqlite3"},
	sqlite.ResultReadOnlyRecovery: {CodeCorrupt,
		"a program was cut off while it changed the database, and its -wal file must be played back: open it once by " +
			"a program that may write it, such as sqlite3"},
	sqlite.ResultReadOnlyCantInit: {CodeMissing,
		"the database has a -wal file, and to read that, files must be made beside it: allow it in its folder, or " +
			"close it in the program that writes it"},
	sqlite.ResultReadOnlyDirectory: {CodeNotStored, "allow files to be made in its folder"},

	sqlite.ResultCantOpen: {CodeMissing, "check the path and its permissions"},
	sqlite.ResultPerm:     {CodeMissing, "check the permissions of the file"},
	sqlite.ResultCorrupt:  {CodeCorrupt, "replace the file, by its backup NAME.bak where there is one"},
	sqlite.ResultNotADB:   {CodeCorrupt, "put an SQLite database there"},
	sqlite.ResultAuth:     {CodeRefused, "leave it out"},
	sqlite.ResultReadOnly: {CodeRefused,
		"only a file-based resource can be written to, and only where its file and folder can"},
	sqlite.ResultBusy:     {CodeBusy, "try again when the other process is done"},
	sqlite.ResultLocked:   {CodeBusy, "try again when the other statement is done"},
	sqlite.ResultProtocol: {CodeBusy, "try again when the other process is done"},
	sqlite.ResultTooBig:   {CodeTooLarge, "ask for less"},
	sqlite.ResultNoMem:    {CodeTooLarge, "ask for less: fewer rows, no sorting of large values"},
	sqlite.ResultMismatch: {CodeStatement, "give a whole number for LIMIT, OFFSET and the key of a row"},
	sqlite.ResultFull:     {CodeNotStored, "make room on the disk; nothing was changed"},
	sqlite.ResultIOErr:    {CodeNotStored, "check the disk; nothing was changed"},
}

// explain turns an error of SQLite into one for the caller. name is the name of
// the file without its folder, which callers must not see.
func explain(ctx context.Context, err error, name string, limit time.Duration) error {
	var e *sqliteError
	if !errors.As(err, &e) {
		return err
	}
	if e.rc.ToPrimary() == sqlite.ResultInterrupt {
		return stopped(ctx, limit)
	}
	h, ok := hints[e.rc]
	if !ok {
		h, ok = hints[e.rc.ToPrimary()]
	}
	if ok {
		return fail(h.code, "%s: %s; %s", name, e.msg, h.hint)
	}
	if strings.HasPrefix(e.msg, "no such module") {
		return fail(CodeStatement, "%s: %s; the table needs an extension of SQLite that is not built in: leave it out",
			name, e.msg)
	}
	return fail(CodeStatement, "%s: %s; correct the statement or its values, describeTables lists tables and columns",
		name, e.msg)
}

// stopped says why a query did not go on: its caller gave up, or its time was
// over.
func stopped(ctx context.Context, limit time.Duration) *words.Problem {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fail(CodeCancelled, "the call was cancelled")
	}
	return fail(CodeSlow, "no result within %s; ask for less, use a column that has an index, or raise --query-time",
		limit)
}
