package text

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Example are the arguments of a call of fmcp-exec for keys of the JSON Schema input:
// those of a test, and for what is required and not there what stands nearest to a
// value.
func Example(input ordjson.Value, keys []string, test ordjson.Value) []string {
	var given []ordjson.Member
	for _, key := range keys {
		v := test.Get(key)
		if !v.Exists() && slices.Contains(record.StringsOf(input.Get("required")), key) {
			v = sample(key, input.Get("properties").Get(key))
		}
		if v.Exists() {
			given = append(given, ordjson.Field(key, v))
		}
	}
	var list []string
	for _, m := range given {
		if strings.HasPrefix(m.Key, "-") || strings.Contains(m.Key, "=") { // would be read as something else
			return []string{"--params", string(ordjson.Append(nil, ordjson.NewObject(given...)))}
		}
		list = append(list, m.Key+"="+ordjson.Unquoted(m.Value))
	}
	return list
}

// sample is a value for a parameter of which no test has one.
func sample(key string, prop ordjson.Value) ordjson.Value {
	switch first := prop.Get("enum").Elems(); {
	case prop.Get("examples").Len() > 0:
		return prop.Get("examples").Elems()[0]
	case prop.Get("default").Exists():
		return prop.Get("default")
	case len(first) > 0:
		return first[0]
	}
	switch prop.Get("type").Str() {
	case "number", "integer":
		return ordjson.NewInt(1)
	case "boolean":
		return ordjson.NewBool(true)
	case "array":
		return ordjson.NewArray()
	case "object":
		return ordjson.NewObject()
	}
	return ordjson.NewString(strings.ToUpper(key))
}

// ShellLine is a command line of words for a POSIX shell.
func ShellLine(list []string) string {
	var out []string
	for _, w := range list {
		if w == "" ||
			strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,@%+=-") != "" {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}
