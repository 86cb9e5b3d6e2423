package lists

import (
	"maps"
	"slices"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
)

// column is one field of a shared list.
type column struct {
	list, field string
	version     string
	place       int  // among all columns
	size        int  // distinct values
	key         bool // each entry that has a value has one of its own
	required    bool
}

// columnIndex finds the columns that hold a value.
type columnIndex struct {
	columns []column
	holders map[string][]int // value to positions in columns
}

// columnsOf returns the index of all lists, built at the first use.
func columnsOf(c *engine.Context) *columnIndex {
	return engine.Keep(&c.Kept, func() *columnIndex { return newColumnIndex(c.Lists) })
}

func newColumnIndex(lists *sharedlist.Lists) *columnIndex {
	ix := &columnIndex{holders: map[string][]int{}}
	if lists == nil {
		return ix
	}
	for _, l := range lists.All() {
		for _, f := range l.FieldNames() {
			ix.add(l, f)
		}
	}
	return ix
}

func (ix *columnIndex) add(l *sharedlist.List, field string) {
	id, size := len(ix.columns), 0
	for _, v := range sharedlist.Values(l.Entries, field) {
		ids := ix.holders[v]
		if len(ids) > 0 && ids[len(ids)-1] == id {
			continue
		}
		size++
		ix.holders[v] = append(ids, id)
	}
	ix.columns = append(ix.columns, column{
		list: l.Name, field: field, version: l.Version, place: id, size: size,
		key:      size == countValues(l.Entries, field),
		required: slices.ContainsFunc(l.Fields, func(f sharedlist.Field) bool { return f.Key == field && !f.Optional }),
	})
}

// countValues is how many of the entries have a value in the field.
func countValues(entries []ordjson.Value, field string) int {
	n := 0
	for _, e := range entries {
		if v := e.Get(field); v.Exists() && !v.Is(ordjson.Null) {
			n++
		}
	}
	return n
}

// VAL107 takes a hard-coded enum for a copy of a list if at least this many of its
// values, and all of them but one, are in one column, or if it is the whole list: a
// value for each entry, two at least. The few words of a column that sorts
// entries into kinds (true and false; low, medium and high) are not list, and
// agree with an enum by chance.
const (
	minWholeList  = 2
	minPartColumn = 5
)

// copyOf is a column that an enum is a copy of.
type copyOf struct {
	column
	hits int // values of the enum that it has
}

// copied returns the columns that values are a copy of; no value may be there
// twice.
func (ix *columnIndex) copied(values []string) []copyOf {
	hits, unknown := map[int]int{}, 0
	for _, v := range values {
		ids := ix.holders[v]
		if ids == nil {
			unknown++
		}
		if unknown > 1 {
			return nil
		}
		for _, id := range ids {
			hits[id]++
		}
	}
	var found []copyOf
	for _, id := range slices.Sorted(maps.Keys(hits)) {
		col, n := ix.columns[id], hits[id]
		whole := n == len(values) && n == col.size && n >= minWholeList
		if whole && col.key || n >= minPartColumn && n >= len(values)-1 {
			found = append(found, copyOf{col, n})
		}
	}
	return found
}

// missing is the value that a column lacks of an enum that is a copy of it.
func (ix *columnIndex) missing(col copyOf, values []string) string {
	for _, v := range values {
		if !slices.Contains(ix.holders[v], col.place) {
			return v
		}
	}
	return ""
}
