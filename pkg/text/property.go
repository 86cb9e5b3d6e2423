package text

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Kind is the type of a property of an input schema in words, or the values of an
// enum: most of them, 0 for all, and how many more there are.
func Kind(prop ordjson.Value, most int) (text string, more int) {
	if values := prop.Get("enum").Elems(); len(values) > 0 {
		if most > 0 && len(values) > most {
			values, more = values[:most], len(values)-most
		}
		return "one of " + Join(values), more
	}
	typ := prop.Get("type").Str()
	if of := prop.Get("items").Get("type").Str(); typ == "array" && of != "" {
		return "array of " + of, 0
	}
	if typ == "" {
		return "any value", 0
	}
	return typ, 0
}

// Join lists values.
func Join(values []ordjson.Value) string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = ordjson.Unquoted(v)
	}
	return strings.Join(list, ", ")
}

// About is what a property says of itself, with up to three of its examples.
func About(prop ordjson.Value) string {
	about := prop.Get("description").Str()
	if examples := prop.Get("examples").Elems(); len(examples) > 0 {
		about = strings.TrimPrefix(about+"; such as "+Join(examples[:min(len(examples), 3)]), "; ")
	}
	return about
}

// Limits are what a property says of its values beside their type.
func Limits(prop ordjson.Value) string {
	text := between(prop, "minimum", "maximum", "") + between(prop, "minLength", "maxLength", " character") +
		between(prop, "minItems", "maxItems", " value")
	for _, limit := range []struct{ key, words string }{{"pattern", "matches "}, {"format", ""},
		{"default", "default "}} {
		if v := prop.Get(limit.key); v.Exists() {
			text += "; " + limit.words + ordjson.Unquoted(v)
		}
	}
	return text
}

// between is "; 3 to 20 characters", "" where a property has no such limits.
func between(prop ordjson.Value, least, most, unit string) string {
	from, to := prop.Get(least), prop.Get(most)
	last := to
	if !to.Exists() {
		last = from
	}
	if unit != "" && ordjson.Unquoted(last) != "1" {
		unit += "s"
	}
	switch {
	case from.Exists() && to.Exists() && ordjson.Unquoted(from) == ordjson.Unquoted(to):
		return "; " + ordjson.Unquoted(from) + unit
	case from.Exists() && to.Exists():
		return "; " + ordjson.Unquoted(from) + " to " + ordjson.Unquoted(to) + unit
	case from.Exists():
		return "; at least " + ordjson.Unquoted(from) + unit
	case to.Exists():
		return "; at most " + ordjson.Unquoted(to) + unit
	}
	return ""
}
