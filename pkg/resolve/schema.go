package resolve

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// InputSchema is the JSON Schema of what a caller may pass to a tool: one
// property for every user parameter, in order (decision "Hidden parameters"). It is a plain
// top-level object without $schema and additionalProperties, which clients drop
// or refuse (MCP-FACTS "input schema"). The primitives must be interpolated.
//
// A property says what the parameter's description says, and has as examples
// values of tests, an array or Missing (docs/decisions.md, "What a
// model sees").
//
// A key that stands twice, in the path and in the query say, is one property,
// required if one of the two is. Where the two are of different types the first
// is taken and the second reported (LOD036).
func InputSchema(params []model.Parameter, tests ordjson.Value) (ordjson.Value, []words.Problem) {
	var problems []words.Problem
	var props []ordjson.Member
	var plain []ordjson.Value // the properties without description and examples
	place := map[string]int{} // of the property of a key
	must := map[string]bool{}
	for _, p := range params {
		if p.Source != model.User {
			continue
		}
		s, _ := zod.Parse(p.Primitive, p.Options)
		schema := s.JSONSchema()
		i, twice := place[p.Key]
		if !twice {
			place[p.Key] = len(props)
			plain = append(plain, schema)
			props = append(props, ordjson.Field(p.Key, described(schema, p, examples(p.Key, s, tests))))
		} else if !ordjson.Equal(plain[i], schema) {
			problems = append(problems, words.Problem{Code: catalog.CodeKeyTwice, Pointer: p.Pointer(),
				Message: "user parameter " + words.Quote(p.Key) +
					" stands twice with different z blocks; callers see the first, " + ordjson.Text(plain[i]),
				Fix: "give both the same z block, or one of them another key"})
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

// described is the schema of a parameter with what models are shown beside it.
func described(schema ordjson.Value, p model.Parameter, examples []ordjson.Value) ordjson.Value {
	members := append(make([]ordjson.Member, 0, schema.Len()+2), schema.Members()...) // held for each parameter
	if p.Description != "" {
		members = append(members, ordjson.Field("description", ordjson.NewString(p.Description)))
	}
	if len(examples) > 0 {
		members = append(members, ordjson.Field("examples", ordjson.NewArray(examples...)))
	}
	return ordjson.NewObject(members...)
}

// How many examples a property has, and how long one may be as JSON: a document
// of a test teaches no more than its beginning, and each session pays for it.
const (
	maxExamples = 3
	maxExample  = 1024
)

// examples are values that tests give for a key and the z block accepts.
func examples(key string, s *zod.Schema, tests ordjson.Value) []ordjson.Value {
	var list []ordjson.Value
	for _, test := range tests.Elems() {
		v := test.Get(key)
		if !v.Exists() || len(ordjson.Text(v)) > maxExample || len(s.Check(v)) > 0 ||
			slices.ContainsFunc(list, func(known ordjson.Value) bool { return ordjson.Equal(known, v) }) {
			continue
		}
		if list = append(list, v); len(list) == maxExamples {
			break
		}
	}
	return list
}
