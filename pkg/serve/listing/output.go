package listing

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// envelopeSchema is the JSON Schema of the standard envelope around the data
// that a tool's output declares. Clients refuse a result that does not match, while a schema's
// output is informational (chapter 04, "Non-Blocking Validation"): so data is
// described, and no keyword of it can fail.
func envelopeSchema(output ordjson.Value) ordjson.Value {
	data := loose(output.Get("schema"), 0)
	if text := output.Get("description").Str(); text != "" && !output.Get("schema").Get("description").Exists() {
		data = data.With("description", ordjson.NewString(strings.Trim(data.Get("description").Str()+": "+text, ": ")))
	}
	messages := Typed("array").With("items", Typed("string"))
	return Typed("object").
		With("properties", ordjson.NewObject(
			ordjson.Field("status", Typed("boolean")),
			ordjson.Field("messages", messages),
			ordjson.Field("data", data),
		)).
		With("required", ordjson.Strings([]string{"status", "messages", "data"}))
}

// Typed is the JSON Schema of a type.
func Typed(name string) ordjson.Value {
	return ordjson.NewObject(ordjson.Field("type", ordjson.NewString(name)))
}

// maxOutputDepth is how deep an output is described; chapter 04 allows 4
// levels.
const maxOutputDepth = 8

// loose turns an output schema into one that every value matches: the type
// becomes a part of the description, enum and format one of two choices, of
// which the other takes everything.
func loose(s ordjson.Value, depth int) ordjson.Value {
	out := ordjson.NewObject()
	if depth >= maxOutputDepth {
		return out
	}
	text := s.Get("description").Str()
	if kind := s.Get("type").Str(); kind != "" {
		if s.Get("nullable").True() {
			kind += " or null"
		}
		if text != "" {
			kind += ": "
		}
		text = kind + text
	}
	if text != "" {
		out = out.With("description", ordjson.NewString(text))
	}
	if expected := only(s, "enum", "format"); expected.Len() > 0 {
		out = out.With("anyOf", ordjson.NewArray(expected, ordjson.NewObject()))
	}
	if props := s.Get("properties"); props.Len() > 0 {
		list := make([]ordjson.Member, 0, props.Len())
		for _, m := range props.Members() {
			list = append(list, ordjson.Field(m.Key, loose(m.Value, depth+1)))
		}
		out = out.With("properties", ordjson.NewObject(list...))
	}
	if items := s.Get("items"); items.Is(ordjson.Object) {
		out = out.With("items", loose(items, depth+1))
	}
	return out
}

// only is an object with those of its members that are named.
func only(s ordjson.Value, keys ...string) ordjson.Value {
	var members []ordjson.Member
	for _, key := range keys {
		if v := s.Get(key); v.Exists() {
			members = append(members, ordjson.Field(key, v))
		}
	}
	return ordjson.NewObject(members...)
}
