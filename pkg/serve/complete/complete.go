// Package complete says which values a user who types an argument may mean.
package complete

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// most is how many values the protocol lets an answer have.
const most = 100

// Values are those that a property of an input schema is known to take: those of
// its enum, which may be a shared list's, true and false, or its examples.
func Values(property ordjson.Value) []string {
	if items := property.Get("items"); items.Exists() {
		property = items
	}
	known := property.Get("enum").Elems()
	switch {
	case known != nil:
	case property.Get("type").Str() == "boolean":
		known = []ordjson.Value{ordjson.NewBool(true), ordjson.NewBool(false)}
	default:
		known = property.Get("examples").Elems()
	}
	values := make([]string, len(known))
	for i, v := range known {
		values[i] = ordjson.Unquoted(v)
	}
	return values
}

// Match are the values that begin with what was typed, and after them those that
// have it elsewhere, in any case of letters: the first of them, and how many there
// are.
func Match(values []string, typed string) (list []string, total int) {
	typed = strings.ToLower(typed)
	list = []string{}
	var inside []string
	for _, v := range values {
		switch strings.Index(strings.ToLower(v), typed) {
		case -1:
		case 0:
			list = append(list, v)
		default:
			inside = append(inside, v)
		}
	}
	list = append(list, inside...)
	return slices.Clip(list[:min(len(list), most)]), len(list)
}
