package clients

import (
	"fmt"
	"slices"

	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Tool is a tool as it is listed.
type Tool struct {
	Name, Description string
	Schema            ordjson.Value // of its input
}

// Finding is something that a client cannot do with.
type Finding struct {
	Lost  bool // tools cannot be used; else something is cut or ignored
	Text  string
	Tools []string // those that it is about, nil for the server
}

// Check says what of a server a client cannot do with.
func (c *Client) Check(server, instructions string, tools []Tool) []Finding {
	var found []Finding
	add := func(lost bool, text string, about []string) {
		found = append(found, Finding{lost, text, about})
	}
	if mode := c.Mode(len(tools)); mode != "all" {
		why := "the model chooses badly among more than"
		if c.Tools > 0 {
			why = "of all servers it uses"
		}
		add(false, fmt.Sprintf("%s in a list of all; %s %d: --mode %s", words.Count(len(tools), "tool"), why, c.Most(),
			mode), nil)
	}
	if c.Instructions > 0 && len(instructions) > c.Instructions {
		add(false, fmt.Sprintf("the instructions have %d bytes, and are cut after %d", len(instructions),
			c.Instructions), nil)
	}
	for _, check := range []struct {
		lost bool
		text string // of the tools that bad is true of
		bad  func(t *Tool) bool
	}{
		{true, fmt.Sprintf("whose name is longer than %d bytes, as %s: give the server a shorter --name, or resolve "+
			"with --max-name %d", c.Name, c.ToolName(server, "NAME"), c.Name-len(c.ToolName(server, ""))),
			func(t *Tool) bool { return len(c.ToolName(server, t.Name)) > c.Name }},
		{false, fmt.Sprintf("described in more than %d bytes, and cut there", c.Description),
			func(t *Tool) bool { return c.Description > 0 && len(t.Description) > c.Description }},
		{true, "with parameters that are not named by 1 to 64 letters, digits, _, . and -: the API of the model " +
			"refuses them",
			func(t *Tool) bool { return c.Keys && within(t.Schema, badKeys) }},
		{true, "with arrays without items: the API of the model refuses them",
			func(t *Tool) bool { return c.Items && within(t.Schema, itemless) }},
		{false, "with anyOf, oneOf or allOf at the top of the input: what these say is dropped",
			func(t *Tool) bool { return c.TopLevel && combined(t.Schema) }},
	} {
		var about []string
		for i := range tools {
			if check.bad(&tools[i]) {
				about = append(about, tools[i].Name)
			}
		}
		if about != nil {
			add(check.lost, words.Count(len(about), "tool")+" "+check.text, about)
		}
	}
	return found
}

// within reports whether something is true of a schema, or of one that it has in it.
func within(schema ordjson.Value, is func(ordjson.Value) bool) bool {
	if schema.Is(ordjson.Object) && is(schema) {
		return true
	}
	for _, m := range schema.Get("properties").Members() {
		if within(m.Value, is) {
			return true
		}
	}
	for _, key := range append(combining, "prefixItems") {
		if slices.ContainsFunc(schema.Get(key).Elems(), func(v ordjson.Value) bool { return within(v, is) }) {
			return true
		}
	}
	for _, key := range []string{"items", "additionalProperties", "not"} {
		if v := schema.Get(key); v.Is(ordjson.Object) && within(v, is) {
			return true
		}
	}
	return false
}

// goodKey is what Anthropic's API takes as the name of a property.
var goodKey = lazy.Regexp(`^[a-zA-Z0-9_.-]{1,64}$`)

func badKeys(schema ordjson.Value) bool {
	return slices.ContainsFunc(schema.Get("properties").Members(),
		func(m ordjson.Member) bool { return !goodKey().MatchString(m.Key) })
}

func itemless(schema ordjson.Value) bool {
	t := schema.Get("type")
	is := func(v ordjson.Value) bool { return v.Str() == "array" }
	return (is(t) || slices.ContainsFunc(t.Elems(), is)) && !schema.Get("items").Exists()
}

func combined(schema ordjson.Value) bool {
	return slices.ContainsFunc(combining, func(key string) bool { return schema.Get(key).Exists() })
}

// combining are the keywords that make one schema of several.
var combining = []string{"anyOf", "oneOf", "allOf"}

// notOfNames is what several clients do not take in the name of a server.
var notOfNames = lazy.Regexp(`[^A-Za-z0-9_-]+`)

// ServerName is the name by which clients know a server, made of what it calls itself.
func ServerName(name string) string { return notOfNames().ReplaceAllString(name, "-") }
