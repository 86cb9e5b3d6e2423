package listing

import (
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// safeSchema is an input schema under keys that the APIs of models take; the
// Caller knows them too.
func safeSchema(input ordjson.Value) ordjson.Value {
	safe := model.SafeKeys(Keys(input))
	if safe == nil {
		return input
	}
	shown := func(key string) string {
		if s, ok := safe[key]; ok {
			return s
		}
		return key
	}
	var props []ordjson.Member
	for _, m := range input.Get("properties").Members() {
		props = append(props, ordjson.Field(shown(m.Key), m.Value))
	}
	out := input.With("properties", ordjson.NewObject(props...))
	if required := input.Get("required"); required.Exists() {
		var keys []string
		for _, key := range required.Elems() {
			keys = append(keys, shown(key.Str()))
		}
		out = out.With("required", ordjson.Strings(keys))
	}
	return out
}

// Keys are the keys of the properties of a schema.
func Keys(schema ordjson.Value) []string {
	members := schema.Get("properties").Members()
	keys := make([]string, len(members))
	for i, m := range members {
		keys[i] = m.Key
	}
	return keys
}
