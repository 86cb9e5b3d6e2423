package migrate

import (
	"slices"
	"strings"
	"unicode"

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
	for _, route := range s.routes() {
		n := len(changes)
		for _, f := range routeFields {
			m, ok := route.Value.Member(f.old)
			if !ok || route.Value.Get(f.now).Exists() {
				continue
			}
			if first < 0 {
				first = int(m.KeyPos)
			}
			changes = append(changes, edit.Rename(ordjson.Pointer(s.routesKey(), route.Key, f.old), f.now))
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

// Namespace finds that the file has no namespace, which version 1.1 took from its folder,
// or one with capital letters.
func Namespace(s *Source) []Step {
	if !s.version1() {
		return nil
	}
	m, ok := s.Root.Member("namespace")
	if is := s.text(m); ok && is != hyphened(is) {
		return []Step{{At: int(m.KeyPos), Message: "found namespace " + words.Quote(is) + " with capital letters",
			Fix:   "write " + words.Quote(hyphened(is)) + ", by which the names of tools over MCP stay what they are",
			Edits: s.edits(false, edit.Set("/namespace", ordjson.NewString(hyphened(is))))}}
	}
	if ok {
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

// hyphened is a name such as zvgPortal in the form zvg-portal.
func hyphened(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(rune(name[i-1])) && name[i-1] != '-' {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Blocks finds parameters without z. A value that the schema sets is of a type that it
// shows; that of the caller is proposed from the tests.
func Blocks(s *Source) []Step {
	if !s.version1() {
		return nil
	}
	var fixed, own []edit.Change
	var fixedAt, ownAt int
	for _, route := range s.routes() {
		tests := s.literal(route.Value.Get("tests"))
		for i, p := range route.Value.Get("parameters").Elems() {
			position, ok := p.Member("position")
			if !ok || p.Get("z").Exists() {
				continue
			}
			pointer := ordjson.Pointer(s.routesKey(), route.Key, "parameters", i)
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
	if step, ok := s.enums(); ok {
		steps = append(steps, step)
	}
	if own != nil {
		steps = append(steps, Step{At: ownAt, Edits: s.edits(false, own...),
			Message: "found " + words.Count(len(own), "parameter") + " of callers without z",
			Fix:     "add z with the type of the parameter; the edit takes that of its tests"})
	}
	return steps
}

// enums finds values that are an option of a text: they are a primitive of their own.
func (s *Source) enums() (step Step, ok bool) {
	var changes []edit.Change
	n := 0
	for _, route := range s.routes() {
		for i, p := range route.Value.Get("parameters").Elems() {
			at, has := p.Member("z")
			z := s.literal(at.Value)
			options := z.Get("options").Elems()
			enum := slices.IndexFunc(options, func(o ordjson.Value) bool { return strings.HasPrefix(o.Str(), "enum(") })
			primitive := z.Get("primitive").Str()
			if !has || enum < 0 || primitive != "string()" && primitive != "boolean()" {
				continue
			}
			if changes == nil {
				step.At = int(at.KeyPos)
			}
			pointer := ordjson.Pointer(s.routesKey(), route.Key, "parameters", i, "z")
			if primitive == "string()" {
				changes = append(changes, edit.Set(pointer+"/primitive", options[enum]))
			}
			changes = append(changes, edit.Drop(pointer+ordjson.Pointer("options", enum)))
			n++
		}
	}
	step.Message = "found " + words.Count(n, "z-block") + " with an enum among the options"
	step.Fix = "make the enum the primitive; a boolean() needs none"
	step.Edits = s.edits(true, changes...)
	return step, changes != nil
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
