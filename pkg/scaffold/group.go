package scaffold

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
)

// SelectionKinds are the types of what a selection names by IDs.
var SelectionKinds = []string{catalog.TypeTool, catalog.TypeResource, "prompt", "skill"}

// Selection makes a selection of what the catalog has.
func Selection(id, description, when string, members []catalog.ID) (*File, error) {
	namespace, name, err := splitID(id, "trip-planning/weather-check", engine.IsKebab, engine.ToKebab)
	if err != nil {
		return nil, err
	}
	f := &File{ID: namespace + "/selection/" + name, Path: "selections/" + namespace + "/" + name + ".mjs"}
	fields := []ordjson.Member{text("namespace", namespace), text("name", name), text("version", "flowmcp/4.0.0"),
		text("description", description), text("whenToUse", when)}
	for _, kind := range SelectionKinds {
		var ids []string
		for _, m := range members {
			if m.Type == kind {
				ids = append(ids, m.String())
			}
		}
		fields = append(fields, ordjson.Field(kind+"s", ordjson.Strings(ids)))
	}
	f.Text = export("selection", ordjson.NewObject(fields...))
	return f, nil
}

// Agent makes an agent that has some tools of the catalog.
func Agent(name, description, model string, tools []catalog.ID) (*File, error) {
	if !engine.IsKebab(name) {
		return nil, fmt.Errorf("%s is no name of an agent: expected lower case, digits and hyphens, such as "+
			"harbour-master", words.Quote(name))
	}
	if err := checkModel(model); err != nil {
		return nil, err
	}
	f := &File{ID: name, Path: "agents/" + name + "/agent.mjs", Notes: []string{
		"write how the agent works and speaks into its systemPrompt",
		"tests with " + ReplaceMe + " need questions of yours, and words that their answers must have"}}
	var members, tests []ordjson.Value
	var nulls []ordjson.Member
	for _, t := range tools {
		members = append(members, ordjson.NewString(t.String()))
		nulls = append(nulls, ordjson.Field(t.String(), ordjson.NewNull()))
	}
	for i := range 3 { // combinations of tools that differ, where there are some
		expected := members[min(i, len(members)-1):][:1]
		if i == 2 {
			expected = members
		}
		tests = append(tests, ordjson.NewObject(text("_description", fmt.Sprintf("Replace question %d", i+1)),
			text("input", fmt.Sprintf("%s-%d", ReplaceMe, i+1)),
			ordjson.Field("expectedTools", ordjson.NewArray(slices.Clone(expected)...)),
			ordjson.Field("expectedContent", ordjson.Strings([]string{ReplaceMe}))))
	}
	f.Text = export("agent", ordjson.NewObject(text("name", name), text("description", description),
		text("version", "flowmcp/4.0.0"), text("model", model),
		text("systemPrompt", description+". Answer with the help of the tools."),
		ordjson.Field("tools", ordjson.NewObject(nulls...)), ordjson.Field("tests", ordjson.NewArray(tests...))))
	return f, nil
}

// List makes a shared list with one field.
func List(name, description string, values []string) (*File, error) {
	if !engine.IsCamel(name) {
		return nil, fmt.Errorf("%s is no name of a list: expected camelCase, such as seaAreas", words.Quote(name))
	}
	f := &File{ID: "shared/list/" + name, Path: "_lists/" + engine.ToKebab(name) + ".mjs"}
	var entries []ordjson.Value
	for i, v := range values {
		if v == "" || slices.Contains(values[:i], v) {
			return nil, fmt.Errorf("value %s of the list is empty or there twice", words.Quote(v))
		}
		entries = append(entries, ordjson.NewObject(text("alias", v)))
	}
	field := ordjson.NewObject(text("key", "alias"), text("type", "string"),
		text("description", "What users write for one of "+strings.ToLower(strings.Join(engine.PartsOf(name), " "))))
	f.Text = export("list", ordjson.NewObject(
		ordjson.Field("meta", ordjson.NewObject(text("name", name), text("version", "1.0.0"),
			text("description", description), ordjson.Field("fields", ordjson.NewArray(field)),
			ordjson.Field("dependsOn", ordjson.NewArray()))),
		ordjson.Field("entries", ordjson.NewArray(entries...))))
	return f, nil
}

// Skill makes a skill of a namespace that uses some of its tools.
func Skill(id, description, when string, tools []catalog.ID) (*File, error) {
	namespace, name, err := splitID(id, "weather/storm-check", engine.IsSkillName, engine.ToKebab)
	if err != nil {
		return nil, err
	}
	f := &File{ID: namespace + "/skill/" + name, Path: "providers/" + namespace + "/skills/" + name + ".mjs",
		Notes: []string{"write the steps into its content, and what comes out into its output"}}
	names, err := namesIn(namespace, tools, "a skill of a selection or an agent can")
	if err != nil {
		return nil, err
	}
	none := ordjson.NewArray()
	f.Text = export("skill", ordjson.NewObject(text("name", name), text("version", "flowmcp/4.0.0"),
		text("type", "namespace"), text("description", description), text("whenToUse", when),
		ordjson.Field("requires", ordjson.NewObject(ordjson.Field("tools", ordjson.Strings(names)),
			ordjson.Field("resources", none), ordjson.Field("external", none))),
		ordjson.Field("input", none), text("output", "What the tools answered, in a few sentences."),
		text("content", description+"."+calls(names)+"\n")))
	return f, nil
}
