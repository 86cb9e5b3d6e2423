// Package resource reads and writes the local data of a schema: SQLite
// databases and documents (chapter 13). It is the only importer of SQLite.
//
// The database comes with an untrusted schema and the statements from an
// untrusted client. What may be prepared is therefore checked three times: by
// the text (pkg/sql), by SQLite's authorizer, and by opening the file for
// reading only. What a statement may cost is bounded in time, rows, bytes and
// memory.
package resource
