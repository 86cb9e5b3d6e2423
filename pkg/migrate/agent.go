package migrate

import (
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Agent is the agent.mjs of an agent of version 2, of which text is the manifest.json
// (chapter 08, section 2, step 6). What version 3 asks for beside it is not made up.
func Agent(text string) (string, error) {
	manifest, err := ordjson.Parse(text)
	if err != nil {
		return "", fmt.Errorf("is not JSON: %w", err)
	}
	if !manifest.Is(ordjson.Object) {
		return "", fmt.Errorf("found %s, expected an object", manifest.Kind())
	}
	var members []ordjson.Member
	for _, m := range manifest.Members() {
		switch m.Key {
		case "version":
			m.Value = ordjson.NewString("flowmcp/3.0.0")
		case "tools":
			m.Value = keyed(m.Value, func(e ordjson.Value) (string, ordjson.Value) {
				return toolID(e.Str()), ordjson.NewNull()
			})
		case "prompts":
			m.Value = keyed(m.Value, func(e ordjson.Value) (string, ordjson.Value) {
				return e.Get("name").Str(), ordjson.NewObject(ordjson.Field("file", e.Get("file")))
			})
		case "tests":
			var tests []ordjson.Value
			for _, e := range m.Value.Elems() {
				if e.Is(ordjson.String) {
					e = ordjson.NewObject(ordjson.Field("_description", e), ordjson.Field("input", e))
				}
				tests = append(tests, e)
			}
			m.Value = ordjson.NewArray(tests...)
		}
		members = append(members, m)
	}
	return "export const agent = " + edit.Literal(ordjson.NewObject(members...)) + "\n", nil
}

// keyed is an array as an object; what has no key stays as it is, for the rules to report.
func keyed(list ordjson.Value, entry func(ordjson.Value) (string, ordjson.Value)) ordjson.Value {
	var members []ordjson.Member
	for _, e := range list.Elems() {
		key, v := entry(e)
		if key == "" {
			return list
		}
		members = append(members, ordjson.Field(key, v))
	}
	return ordjson.NewObject(members...)
}

// toolID is the ID of a tool that version 2 names namespace/tool, or namespace/file::tool.
func toolID(name string) string {
	namespace, tool, ok := strings.Cut(name, "/")
	if _, last, of := strings.Cut(tool, "::"); of {
		tool = last
	}
	if !ok || strings.Contains(tool, "/") {
		return name
	}
	return namespace + "/tool/" + tool
}
