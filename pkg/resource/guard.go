package resource

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	lib "modernc.org/sqlite/lib"

	"github.com/flowmcp/fmcp/pkg/sql"
)

// single returns the one statement of a text, without semicolon and comments
// around it.
func single(text string) (sql.Statement, string, error) {
	list, err := sql.Split(text)
	var bad *sql.Error
	switch {
	case errors.As(err, &bad):
		return sql.Statement{}, "", fail(CodeStatement, "the statement is no SQL: %s at byte %d; %s", bad.Msg, bad.Offset, bad.Fix)
	case len(list) == 0:
		return sql.Statement{}, "", fail(CodeStatement, "the statement is empty; write one that begins with SELECT or WITH")
	case len(list) > 1:
		return sql.Statement{}, "", fail(CodeRefused, "found %d statements, expected one; leave out what follows the first semicolon", len(list))
	}
	s := list[0]
	return s, text[s.Start:s.End], nil
}

// onlyReads refuses a statement for a database that may only be read: chapter
// 13 allows SELECT, and WITH in front of it.
func onlyReads(s sql.Statement) error {
	if s.Verb == "SELECT" {
		return nil
	}
	return fail(CodeRefused, "the statement is a %s, and this resource can only be read; write one that begins with SELECT, or WITH … SELECT", cmp.Or(s.Verb, "something that is no word"))
}

// Pragmas that tell about tables and change nothing, which describeTables is
// made of. Others would tell where the file is.
var harmlessPragmas = []string{
	"table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
	"data_version", // FTS5 asks for it
	"foreign_key_list", "function_list", "collation_list", "module_list", "compile_options", "encoding", "user_version", "application_id",
}

// readingAllowed is what statements of a database may do that is only read.
func readingAllowed(action int32, arg1, arg2 string) bool {
	switch action {
	case lib.SQLITE_SELECT, lib.SQLITE_READ, lib.SQLITE_RECURSIVE:
		return true
	case lib.SQLITE_FUNCTION:
		return functionAllowed(arg2)
	case lib.SQLITE_PRAGMA:
		return slices.Contains(harmlessPragmas, strings.ToLower(arg1))
	case lib.SQLITE_INSERT, lib.SQLITE_UPDATE, lib.SQLITE_DELETE:
		return ofRTree(arg1)
	}
	return false
}

// ofRTree reports whether a table may be one of those that an R-Tree keeps its
// index in. When it is opened it prepares the statements that write to them,
// also for a SELECT, which then runs none of them: the statement itself is a
// SELECT, and the file is opened for reading.
func ofRTree(table string) bool {
	name := strings.ToLower(table)
	return strings.HasSuffix(name, "_node") || strings.HasSuffix(name, "_rowid") || strings.HasSuffix(name, "_parent")
}

// Pragmas that the writer of a database may use besides: they look at it, or
// tidy it up.
var writerPragmas = []string{"integrity_check", "quick_check", "foreign_key_check", "optimize", "incremental_vacuum", "wal_checkpoint", "page_count", "page_size", "freelist_count"}

// writingAllowed is what statements of a database may do that is written to.
// What they make must be in the database: other files and temporary tables,
// which belong to a connection, are not. VACUUM attaches a file without a name.
func writingAllowed(action int32, arg1, arg2 string) bool {
	switch action {
	case lib.SQLITE_FUNCTION:
		return functionAllowed(arg2)
	case lib.SQLITE_PRAGMA:
		name := strings.ToLower(arg1)
		return slices.Contains(harmlessPragmas, name) || slices.Contains(writerPragmas, name)
	case lib.SQLITE_ATTACH:
		return arg1 == ""
	case lib.SQLITE_CREATE_TEMP_INDEX, lib.SQLITE_CREATE_TEMP_TABLE, lib.SQLITE_CREATE_TEMP_TRIGGER, lib.SQLITE_CREATE_TEMP_VIEW:
		return false
	}
	return true
}

// functionAllowed refuses what would run code or read files, were it there.
func functionAllowed(name string) bool {
	return !slices.Contains([]string{"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit", "sqlite_log"}, strings.ToLower(name))
}

// actions are what the authorizer may refuse, as a caller knows it.
var actions = map[int32]string{
	lib.SQLITE_ATTACH: "ATTACH", lib.SQLITE_DETACH: "DETACH", lib.SQLITE_INSERT: "INSERT", lib.SQLITE_UPDATE: "UPDATE",
	lib.SQLITE_DELETE: "DELETE", lib.SQLITE_TRANSACTION: "a transaction", lib.SQLITE_SAVEPOINT: "a savepoint",
	lib.SQLITE_CREATE_TABLE: "CREATE TABLE", lib.SQLITE_CREATE_TEMP_TABLE: "CREATE TEMP TABLE", lib.SQLITE_CREATE_VTABLE: "CREATE VIRTUAL TABLE",
}

// nameOf says what the authorizer refuses.
func nameOf(action int32, arg1, arg2 string) string {
	switch action {
	case lib.SQLITE_FUNCTION:
		return "the function " + arg2
	case lib.SQLITE_PRAGMA:
		return "PRAGMA " + arg1
	}
	if name, ok := actions[action]; ok {
		return name
	}
	return "this statement"
}
