package catalog

import (
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// InputSchema is the JSON Schema of what a caller may pass to a tool: one
// property for every user parameter, in order (READINGS 22). It is a plain
// top-level object without $schema and additionalProperties, which clients drop
// or refuse (MCP-FACTS "input schema"). The primitives must be interpolated.
//
// A key that stands twice, in the path and in the query say, is one property,
// required if one of the two is. Where the two are of different types the first
// is taken and the second reported (LOD036).
func InputSchema(params []model.Parameter) (ordjson.Value, []Problem) {
	var problems []Problem
	var props []ordjson.Member
	place := map[string]int{} // of the property of a key
	must := map[string]bool{}
	for _, p := range params {
		if p.Source != model.User {
			continue
		}
		s, _ := zod.Parse(p.Primitive, p.Options)
		prop := ordjson.Field(p.Key, s.JSONSchema())
		i, twice := place[p.Key]
		if !twice {
			place[p.Key] = len(props)
			props = append(props, prop)
		} else if !ordjson.Equal(props[i].Value, prop.Value) {
			problems = append(problems, Problem{Code: CodeKeyTwice, Pointer: p.Pointer(),
				Message: "user parameter " + quote(p.Key) + " stands twice with different z blocks; callers see the first, " + ordjson.Text(props[i].Value),
				Fix:     "give both the same z block, or one of them another key"})
		}
		must[p.Key] = must[p.Key] || !s.Optional()
	}
	var required []string
	for _, p := range props {
		if must[p.Key] {
			required = append(required, p.Key)
		}
	}
	members := []ordjson.Member{
		ordjson.Field("type", ordjson.NewString("object")),
		ordjson.Field("properties", ordjson.NewObject(props...)),
	}
	if len(required) > 0 {
		members = append(members, ordjson.Field("required", ordjson.Strings(required)))
	}
	return ordjson.NewObject(members...), problems
}
