package migrate

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// routeFields are the fields of a route of version 1 that version 2 has under another name.
var routeFields = []struct{ old, now string }{{"requestMethod", "method"}, {"route", "path"}}

// Fields finds fields of routes by their names of version 1.
func Fields(s *Source) []Step {
	if !s.version1() {
		return nil
	}
	var changes []edit.Change
	first, routes := -1, 0
	for _, route := range s.Root.Get(fieldRoutes).Members() {
		n := len(changes)
		for _, f := range routeFields {
			m, ok := route.Value.Member(f.old)
			if !ok || route.Value.Get(f.now).Exists() {
				continue
			}
			if first < 0 {
				first = int(m.KeyPos)
			}
			changes = append(changes, edit.Rename(ordjson.Pointer(fieldRoutes, route.Key, f.old), f.now))
		}
		if len(changes) > n {
			routes++
		}
	}
	if changes == nil {
		return nil
	}
	return []Step{{At: first, Edits: s.edits(true, changes...),
		Message: "found requestMethod and route in " + words.Count(routes, "route") +
			", which are called method and path since version 2",
		Fix: "rename them to method and path"}}
}

// Namespace finds that the file has no namespace, which version 1.1 took from its folder.
func Namespace(s *Source) []Step {
	if !s.version1() || s.Root.Get("namespace").Exists() {
		return nil
	}
	step := Step{At: s.Root.Pos(), Message: "found no namespace, which every schema has since version 1.2",
		Fix: "add namespace, the name of the provider's folder"}
	if s.Namespace != "" {
		step.Fix = "add namespace: " + words.Quote(s.Namespace) + ", the name of its folder"
		step.Edits = s.edits(true, edit.Add("", "namespace", ordjson.NewString(s.Namespace), "name"))
	}
	return []Step{step}
}

// Blocks finds parameters without z. A value that the schema sets is of a type that it
// shows; that of the caller is proposed from the tests.
func Blocks(s *Source) []Step {
	if !s.version1() {
		return nil
	}
	var fixed, own []edit.Change
	var fixedAt, ownAt int
	for _, route := range s.Root.Get(fieldRoutes).Members() {
		tests := s.literal(route.Value.Get("tests"))
		for i, p := range route.Value.Get("parameters").Elems() {
			position, ok := p.Member("position")
			if !ok || p.Get("z").Exists() {
				continue
			}
			pointer := ordjson.Pointer(fieldRoutes, route.Key, "parameters", i)
			if at := s.literal(position.Value); strings.Contains(at.Get("value").Str(), "{{USER_PARAM}}") {
				own = append(own, edit.Add(pointer, "z", proposed(tests, at.Get("key").Str())))
				ownAt = int(position.KeyPos)
			} else {
				fixed = append(fixed, edit.Add(pointer, "z", block("string()")))
				fixedAt = int(position.KeyPos)
			}
		}
	}
	var steps []Step
	if fixed != nil {
		steps = append(steps, Step{At: fixedAt, Edits: s.edits(true, fixed...),
			Message: "found " + words.Count(len(fixed), "parameter") + " without z whose value the schema sets",
			Fix:     "add z: { primitive: 'string()', options: [] }"})
	}
	if own != nil {
		steps = append(steps, Step{At: ownAt, Edits: s.edits(false, own...),
			Message: "found " + words.Count(len(own), "parameter") + " of callers without z",
			Fix:     "add z with the type of the parameter; the edit takes that of its tests"})
	}
	return steps
}

func block(primitive string, options ...string) ordjson.Value {
	return ordjson.NewObject(ordjson.Field("primitive", ordjson.NewString(primitive)),
		ordjson.Field("options", ordjson.Strings(options)))
}

// proposed is the z of a parameter by the values that tests have for it.
func proposed(tests ordjson.Value, key string) ordjson.Value {
	var options []string
	kinds := map[ordjson.Kind]bool{}
	for _, test := range tests.Elems() {
		if v := test.Get(key); v.Exists() {
			kinds[v.Kind()] = true
		} else {
			options = []string{"optional()"}
		}
	}
	primitive := "string()"
	for kind, name := range map[ordjson.Kind]string{ordjson.Number: "number()", ordjson.Bool: "boolean()",
		ordjson.Array: "array()"} {
		if len(kinds) == 1 && kinds[kind] {
			primitive = name
		}
	}
	return block(primitive, options...)
}
