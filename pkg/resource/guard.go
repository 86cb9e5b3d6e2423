package resource

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"zombiezen.com/go/sqlite"

	"github.com/flowmcp/fmcp/pkg/sql"
	"github.com/flowmcp/fmcp/pkg/words"
)

// single returns the one statement of a text, without semicolon and comments
// around it.
func single(text string) (sql.Statement, string, error) {
	list, err := sql.Split(text)
	var bad *words.SyntaxError
	switch {
	case errors.As(err, &bad):
		return sql.Statement{}, "", fail(CodeStatement, "the statement is not SQL: %s at byte %d; %s", bad.Message,
			bad.Offset, bad.Fix)
	case len(list) == 0:
		return sql.Statement{}, "", fail(CodeStatement,
			"the statement is empty; write one that begins with SELECT or WITH")
	case len(list) > 1:
		return sql.Statement{}, "", fail(CodeRefused,
			"found %d statements, expected one; leave out what follows the first semicolon", len(list))
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
	return fail(CodeRefused, "the statement is %s, and this resource can only be read; write one that begins with "+
		"SELECT, or WITH … SELECT", cmp.Or(s.Verb, "something that is not a word"))
}

// Pragmas that describe tables and change nothing; describeTables is made of
// them. Others would reveal where the file is.
var harmlessPragmas = []string{
	"table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
	"data_version", // FTS5 asks for it
	"foreign_key_list", "function_list", "collation_list", "module_list", "compile_options", "encoding", "user_version",
	"application_id",
}

// readingAllowed is what statements of a database may do that is only read.
func readingAllowed(a sqlite.Action) bool {
	switch a.Type() {
	case sqlite.OpSelect, sqlite.OpRead, sqlite.OpRecursive, sqlite.OpFunction:
		return true
	case sqlite.OpPragma:
		return slices.Contains(harmlessPragmas, strings.ToLower(a.Pragma()))
	case sqlite.OpInsert, sqlite.OpUpdate, sqlite.OpDelete:
		return ofRTree(a.Table())
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

// Further pragmas for the writer of a database: they inspect it, or tidy it up.
var (
	lookingPragmas = []string{"integrity_check", "quick_check", "foreign_key_check", "page_count", "page_size",
		"freelist_count"}
	tidyingPragmas = []string{"optimize", "incremental_vacuum", "wal_checkpoint"}
)

// writingAllowed is what statements of a database may do that is written to.
// What they make must be in the database: other files and temporary tables,
// which belong to a connection, are not. VACUUM attaches a file without a name.
func writingAllowed(a sqlite.Action) bool {
	switch a.Type() {
	case sqlite.OpPragma:
		return slices.Contains(slices.Concat(harmlessPragmas, lookingPragmas, tidyingPragmas),
			strings.ToLower(a.Pragma()))
	case sqlite.OpAttach:
		return a.File() == ""
	case sqlite.OpCreateTempIndex, sqlite.OpCreateTempTable, sqlite.OpCreateTempTrigger, sqlite.OpCreateTempView:
		return false
	}
	return true
}

// tidies reports whether an action is a PRAGMA that changes the database.
func tidies(a sqlite.Action) bool {
	switch name := strings.ToLower(a.Pragma()); name {
	case "user_version", "application_id":
		return a.PragmaArg() != ""
	default:
		return slices.Contains(tidyingPragmas, name)
	}
}

// actions are what the authorizer may refuse, as a caller knows it.
var actions = map[sqlite.OpType]string{
	sqlite.OpAttach: "ATTACH", sqlite.OpDetach: "DETACH", sqlite.OpInsert: "INSERT", sqlite.OpUpdate: "UPDATE",
	sqlite.OpDelete: "DELETE", sqlite.OpTransaction: "a transaction", sqlite.OpSavepoint: "a savepoint",
	sqlite.OpCreateTable: "CREATE TABLE", sqlite.OpCreateTempTable: "CREATE TEMP TABLE",
	sqlite.OpCreateVTable: "CREATE VIRTUAL TABLE",
}

// nameOf says what the authorizer refuses.
func nameOf(a sqlite.Action) string {
	if a.Type() == sqlite.OpPragma {
		return "PRAGMA " + a.Pragma()
	}
	if name, ok := actions[a.Type()]; ok {
		return name
	}
	return "this statement"
}
