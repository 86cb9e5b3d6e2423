package skills

import (
	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// objects is the table of the fields of a skill (chapter 14).
var objects = []engine.Objects{
	{In: ".requires", Of: fields.SkillRequires, Fields: []engine.Field{
		{Code: "SKL005", Name: "tools", Must: engine.Strings.UnlessMisspelt(),
			Fix: "write requires: { tools: [ 'toolName' ] }"},
		{Code: "SKL006", Name: "resources", Must: engine.Strings.UnlessMisspelt(),
			Fix: "write requires: { resources: [ 'resourceName' ] }"},
	}},
	{In: "", Of: fields.Skill, Fields: []engine.Field{
		{Code: "SKL005", Name: "requires", Must: engine.Object.UnlessMisspelt(),
			Fix: "write requires: { tools: [ … ], resources: [ … ] }"},
		{Code: "SKL010", Name: "content", Must: engine.Text, When: ownContent, Fix: contentExample},
		{Code: "SKL002", Name: "name", Must: engine.Matching(skillName, engine.IsSkillName, proposeName),
			Fix: "write name: 'contract-audit'"},
		{Code: "SKL007", Name: "description", Must: engine.Text,
			Fix: "say in a sentence what the skill does and what comes out"},
		{Code: "SKL011", Name: "output", Must: engine.Text,
			Fix: "name format and parts of the result: output: 'Markdown table with …'"},
		{Code: "SKL026", Name: "whenToUse", Must: engine.Text,
			Fix: "say in a sentence when to use the skill: whenToUse: 'When the user asks …'"},
		{Code: "SKL027", Name: "type", Must: engine.WordOf(fields.Skill, "type"),
			Fix: "write type: 'namespace', 'selection' or 'agent', whichever folder the skill is in"},
		{Code: "SKL029", Name: "prefill", Must: engine.Array.UnlessMisspelt().As("an array of objects"),
			Fix: prefillExample + " in an array"},
		{Code: "SKL012", Name: "input", Must: engine.Array.UnlessMisspelt().As("an array of objects"),
			Fix: inputExample + " in an array"},
	}},
	{In: ".prefill[]", Of: fields.SkillPrefill, Fields: []engine.Field{
		{Code: "SKL029", Must: engine.Object, Fix: prefillExample},
		{Code: "SKL029", Name: "tool", Must: engine.Text.As("the ID of a tool"), Fix: prefillExample},
		{Code: "SKL029", Name: "params", Must: engine.Object.UnlessMisspelt(), Fix: prefillExample},
	}},
	{In: ".input[]", Of: fields.SkillInput, Fields: []engine.Field{
		{Code: "SKL009", Name: "values", Must: engine.Texts.As("an array of strings, one at least"), When: isEnum,
			Fix: "write values: [ 'first', 'second' ]"},
		{Code: "SKL012", Must: engine.Object, Fix: inputExample},
		{Code: "SKL012", Name: "key", Must: engine.Camel, Fix: "write key: 'address'"},
		{Code: "SKL013", Name: "type", Must: engine.WordOf(fields.SkillInput, "type"), Fix: "write type: 'string'"},
		{Code: "SKL014", Name: "description", Must: engine.Text, Fix: "say what the value means, with an example"},
		{Code: "SKL015", Name: "required", Must: engine.Bool,
			Fix: "write required: true, or false where the skill works without the value"},
	}},
}

const (
	skillName      = "at most 64 lower-case letters, digits and hyphens, a letter first"
	prefillExample = "write { tool: 'namespace/tool/name', params: { … } }"
	inputExample   = "write { key: 'address', type: 'string', description: '…', required: true }"
)

// proposeName proposes the name of a skill, "" where it would be too long.
func proposeName(s string) string {
	if name := engine.ToNamespace(s); len(name) <= engine.MaxSkillName {
		return name
	}
	return ""
}

const contentExample = "write the instructions into const content = `…` above the export, and content into the skill"

// ownContent reports whether a skill does not try to have its content in a file.
func ownContent(_ *engine.Pass, skill *model.Node) bool {
	return !skill.Get("contentFile").Exists() || skill.Get("content").Exists()
}

func isEnum(_ *engine.Pass, input *model.Node) bool { return input.Get("type").Str() == "enum" }
