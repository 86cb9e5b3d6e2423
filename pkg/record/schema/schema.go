// Package schema publishes a JSON Schema (2020-12) for every kind of record.
// The schemas are the written contract of the stream: they name all fields
// that the commands write, and allow others, because consumers ignore what
// they do not know (docs/records.md).
package schema

import "embed"

//go:embed *.schema.json
var files embed.FS

// For returns the JSON Schema of the records of a kind ("scan", "load",
// "diagnostic", "resolved", "part", "request", "envelope", "grade", "error",
// "round", "end"), and whether there is such a kind.
func For(kind string) ([]byte, bool) {
	text, err := files.ReadFile(kind + ".schema.json")
	return text, err == nil
}
