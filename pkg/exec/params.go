package exec

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// params are the parameters of a tool or a query, their z-blocks read.
type params struct {
	Params []Param

	fields []zod.Field       // Params as the input knows them
	safe   map[string]string // what MCP clients have for keys that model APIs refuse; nil for most
}

// Param is one parameter.
type Param struct {
	Key      string
	Location model.Location // "" of a query
	Source   model.Source
	Value    ordjson.Value // as written
	Slashes  bool          // those of a value stay in the path
	Z        *zod.Schema
}

// read reads the parameters of a record.
func (in *params) read(r *catalog.Callable) {
	for _, p := range r.Parameters {
		// Text around {{USER_PARAM}} does not make a value fixed.
		for _, ph := range model.Placeholders(p.Value.Str()) {
			if ph.Bare() && ph.Name == userParam {
				p.Source = model.User
			}
		}
		z, _ := zod.Parse(p.Primitive, p.Options)
		in.Params = append(in.Params, Param{Key: p.Key, Location: p.Location, Source: p.Source, Value: p.Value,
			Slashes: p.Slashes, Z: z})
		in.fields = append(in.fields, zod.Field{Key: p.Key, Source: p.Source, Z: z})
	}
	in.safe = model.SafeKeys(in.UserKeys())
}

func (in *params) inputs() *params { return in }

// User returns the parameter of that key which the caller gives.
func (in *params) User(key string) (*Param, bool) {
	for i := range in.Params {
		if in.Params[i].Source == model.User && in.Params[i].Key == key {
			return &in.Params[i], true
		}
	}
	return nil, false
}

// UserKeys are the keys that the caller may give, in order, without repeats.
func (in *params) UserKeys() []string {
	var keys []string
	seen := make(map[string]bool, len(in.Params))
	for _, p := range in.Params {
		if p.Source == model.User && !seen[p.Key] {
			seen[p.Key] = true
			keys = append(keys, p.Key)
		}
	}
	return keys
}

// ownKeys are parameters under the schema's own keys, where a caller has those
// of MCP clients. A key that is given both ways stays unknown in the second.
func (in *params) ownKeys(given ordjson.Value) ordjson.Value {
	own := map[string]string{}
	for key, safe := range in.safe {
		if given.Get(safe).Exists() && !given.Get(key).Exists() {
			own[safe] = key
		}
	}
	if len(own) == 0 {
		return given
	}
	members := slices.Clone(given.Members())
	for i, m := range members {
		if key, ok := own[m.Key]; ok {
			members[i] = ordjson.Field(key, m.Value)
		}
	}
	return ordjson.NewObject(members...)
}

// ownKey is ownKeys for one key.
func (in *params) ownKey(key string) string {
	for own, safe := range in.safe {
		if safe == key {
			return own
		}
	}
	return key
}
