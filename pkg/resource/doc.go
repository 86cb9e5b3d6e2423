// Package resource reads and writes the local data of a schema: SQLite
// databases and documents (chapter 13). It is the only door of SQLite.
//
// A database of a stranger's schema is asked by statements of a stranger's
// client, so nothing here trusts either: what may be prepared is decided three
// times, by the text (pkg/sql), by SQLite's authorizer, and by the file, which
// is opened for reading only; what a statement may cost is bounded in time,
// rows, bytes and memory.
package resource
