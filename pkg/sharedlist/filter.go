package sharedlist

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Filter selects entries of a list (chapter 03, "Filter Types"). The zero
// Filter selects all.
type Filter struct {
	Key    string
	exists ordjson.Value // boolean, or Missing
	value  ordjson.Value
	in     ordjson.Value // array, or Missing
}

// NewFilter reads the filter of a reference; "field" is read as "key"
// (decision "List references"). What is no filter is not ok.
func NewFilter(ref model.ListRef) (f Filter, ok bool) {
	if !ref.Filter.Exists() {
		return Filter{}, true
	}
	f = Filter{
		Key:    cmp.Or(ref.Filter.Get("key").Str(), ref.Filter.Get("field").Str()),
		exists: ref.Filter.Get("exists"), value: ref.Filter.Get("value"), in: ref.Filter.Get("in"),
	}
	ok = f.Key != "" && (f.exists.Exists() || f.value.Exists() || f.in.Exists()) &&
		(!f.exists.Exists() || f.exists.Is(ordjson.Bool)) && (!f.in.Exists() || f.in.Is(ordjson.Array))
	return f, ok
}

// suits reports whether the entries have values of a type that the filter asks for:
// values are compared as JavaScript's === compares them, so that one of another type
// selects nothing.
func (f Filter) suits(l *List) bool {
	if f.Key == "" || f.exists.Exists() {
		return true
	}
	kinds := l.Kinds(f.Key)
	there := func(v ordjson.Value) bool { return slices.Contains(kinds, v.Kind()) }
	if f.value.Exists() {
		return len(kinds) == 0 || there(f.value)
	}
	return len(kinds) == 0 || f.in.Len() == 0 || slices.ContainsFunc(f.in.Elems(), there)
}

// absent returns the first value that the filter asks for and no entry has, "" if
// there is none, and the values that entries have.
func (f Filter) absent(l *List) (asked string, have []string) {
	have = Values(l.Entries, f.Key)
	for _, v := range append(slices.Clip(f.in.Elems()), f.value) {
		if text, ok := ordjson.ScalarText(v); ok && !slices.Contains(have, text) {
			return text, have
		}
	}
	return "", have
}

// Match reports whether the filter selects an entry. Absent and null are the
// same; values are compared as JavaScript's === compares them.
func (f Filter) Match(entry ordjson.Value) bool {
	if f.Key == "" {
		return true
	}
	v := entry.Get(f.Key)
	if f.exists.Exists() {
		there := v.Exists() && !v.Is(ordjson.Null)
		if there != f.exists.True() {
			return false
		}
	}
	if f.value.Exists() && !ordjson.Equal(v, f.value) {
		return false
	}
	return !f.in.Exists() || slices.ContainsFunc(f.in.Elems(),
		func(e ordjson.Value) bool { return ordjson.Equal(v, e) })
}

// Select returns the entries that the filter selects, in order.
func (f Filter) Select(entries []ordjson.Value) []ordjson.Value {
	among := ordjson.SetOf(f.in.Elems())
	rest := f
	rest.in = ordjson.Value{}
	var out []ordjson.Value
	for _, e := range entries {
		if rest.Match(e) && (!f.in.Exists() || f.Key == "" || among.Has(e.Get(f.Key))) {
			out = append(out, e)
		}
	}
	return out
}

// String says what is selected as chapter 03's "CLI Access" does:
// "etherscanAlias exists", "chainId = 1", "chainId in [1,137]", "" for all.
func (f Filter) String() string {
	var parts []string
	switch {
	case f.exists.True():
		parts = append(parts, f.Key+" exists")
	case f.exists.Exists():
		parts = append(parts, f.Key+" does not exist")
	}
	if f.value.Exists() {
		parts = append(parts, f.Key+" = "+ordjson.Text(f.value))
	}
	if f.in.Exists() {
		parts = append(parts, f.Key+" in "+ordjson.Text(f.in))
	}
	return strings.Join(parts, ", ")
}
