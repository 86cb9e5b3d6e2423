package migrate

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// ListFile is the shared list that an array of objects becomes (chapter 03).
func ListFile(name string, entries ordjson.Value) string {
	text := func(s string) ordjson.Value { return ordjson.NewString(s) }
	var fields []ordjson.Value
	var seen []string
	for _, e := range entries.Elems() {
		for _, m := range e.Members() {
			if slices.Contains(seen, m.Key) {
				continue
			}
			seen = append(seen, m.Key)
			field := []ordjson.Member{ordjson.Field("key", text(m.Key)), ordjson.Field("type", text(typeOf(m.Value)))}
			if slices.ContainsFunc(entries.Elems(), func(e ordjson.Value) bool { return !e.Get(m.Key).Exists() }) {
				field = append(field, ordjson.Field("optional", ordjson.NewBool(true)))
			}
			fields = append(fields, ordjson.NewObject(field...))
		}
	}
	return "export const list = " + edit.Literal(ordjson.NewObject(
		ordjson.Field("meta", ordjson.NewObject(
			ordjson.Field("name", text(name)),
			ordjson.Field("version", text(listVersion)),
			ordjson.Field("description", text("Entries of "+name)),
			ordjson.Field("fields", ordjson.NewArray(fields...)),
		)),
		ordjson.Field("entries", entries),
	)) + "\n"
}

// listVersion is that of a list that was an array of version 1.
const listVersion = "1.0.0"

// typeOf is the type of a field by a value that it has.
func typeOf(v ordjson.Value) string {
	if v.Is(ordjson.Number) || v.Is(ordjson.Bool) {
		return v.Kind().String()
	}
	return "string"
}
