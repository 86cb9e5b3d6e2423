// Package skills holds the rules for skills (chapter 14).
package skills

import (
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// Families are the rules of this package.
var Families = [][]engine.Rule{skillRules, dependRules}

var (
	onSkill = []record.Type{record.TypeSkill}
)

// skillRules are SKL001–SKL025: the fields of a skill, how selections and
// agents list them, and what skills refer to (chapters 09 and 14).
var skillRules = []engine.Rule{
	{
		Code: "SKL001", Name: "skill-export", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "A skill file exports an object named skill.",
		Why:     "The export is all that is read of the file; without it there is no skill.",
		Fix:     "Write export const skill = { name: '…', … }.",
		From:    engine.Spec30, On: onSkill, Whole: true,
		Check: checkSkillExport,
	},
	{
		Code: "SKL002", Name: "skill-name", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "skill.name matches ^[a-z][a-z0-9-]{0,63}$.",
		Why:     "The name is part of the skill's ID and of the name under which MCP clients list it.",
		Fix:     "Use lower-case letters, digits and hyphens: 'contract-audit'.",
		From:    engine.Spec30, On: onSkill,
		Check: checkSkillName,
	},
	{
		Code: "SKL003", Name: "skill-key", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "skill.name is the key under which a selection or an agent registers the skill, or the name of its file in the skills folder of a namespace.",
		Why:     "A skill that is found by one name and calls itself another cannot be referred to.",
		Fix:     "Make name and key, or file, the same.",
		From:    engine.Spec30, On: []record.Type{record.TypeSkill, record.TypeAgent, record.TypeSelection}, Catalog: true,
		Check: checkSkillKey,
	},
	{
		Code: "SKL004", Name: "skill-version", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "skill.version is 'flowmcp/4.0.0'; 'flowmcp-skill/1.0.0' and 'flowmcp/3.0.0' are accepted with a warning.",
		Why:     "The version says by which rules the skill is read.",
		Fix:     "Write version: 'flowmcp/4.0.0'.",
		From:    engine.Spec30, On: onSkill,
		Check: checkSkillVersion,
	},
	{
		Code: "SKL005", Name: "skill-requires-tools", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "Each entry of requires.tools names a tool: of the skill's own scope, or by its ID one of the catalog.",
		Why:     "The skill tells the AI agent to call a tool that does not exist.",
		Fix:     "Correct the name, or remove the entry.",
		From:    engine.Spec30, On: onSkill, Catalog: true,
		Check: checkRequires(engine.TypeTool),
	},
	{
		Code: "SKL006", Name: "skill-requires-resources", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "Each entry of requires.resources names a resource: of the skill's own scope, or by its ID one of the catalog.",
		Why:     "The skill tells the AI agent to read a resource that does not exist.",
		Fix:     "Correct the name, or remove the entry.",
		From:    engine.Spec30, On: onSkill, Catalog: true,
		Check: checkRequires(engine.TypeResource),
	},
	{
		Code: "SKL007", Name: "skill-description", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "skill.description is a string of at most 1024 characters.",
		Why:     "It is what a user reads in the list of prompts.",
		Fix:     "Say in a sentence what the skill does and what comes out.",
		From:    engine.Spec30, On: onSkill,
		Check: checkSkillDescription,
	},
	{
		Code: "SKL008", Name: "skill-input-declared", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "Each {{input:key}} of the content has an entry in skill.input.",
		Why:     "Nobody asks the user for an input that is not declared, and the text keeps a hole.",
		Fix:     "Add { key: '…', type: 'string', description: '…', required: true } to skill.input.",
		From:    engine.Spec30, On: onSkill,
		Check: checkSkillInputDeclared,
	},
	{
		Code: "SKL009", Name: "skill-input-values", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "input[].values is an array of strings where the type is enum, and nowhere else.",
		Why:     "An enum without values accepts nothing; values of another type are never looked at.",
		Fix:     "List the values of an enum; remove them elsewhere.",
		From:    engine.Spec30, On: onSkill,
		Check: checkSkillInputValues,
	},
	{
		Code: "SKL010", Name: "skill-content", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "skill.content is a string that is not empty.",
		Why:     "The content is what the AI agent follows.",
		Fix:     "Write the instructions into const content = `…` above the export, and content into the skill.",
		From:    engine.Spec30, On: onSkill,
		Check: checkSkillContent,
	},
	{
		Code: "SKL011", Name: "skill-output", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "skill.output is a string that is not empty.",
		Why:     "It tells the AI agent what the result must look like.",
		Fix:     "Name format and parts of the result.",
		From:    engine.Spec30, On: onSkill,
		Check: func(p *engine.Pass) {
			p.ExpectText(p.Root, "output", skillFields, "name format and parts of the result: output: 'Markdown table with …'")
		},
	},
	{
		Code: "SKL012", Name: "skill-input-key", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "skill.input is an array of objects whose key matches ^[a-z][a-zA-Z0-9]*$.",
		Why:     "The key is the name of the argument, and what {{input:key}} refers to.",
		Fix:     "Use camelCase: key: 'contractAddress'.",
		From:    engine.Spec30, On: onSkill,
		Check: checkSkillInputKey,
	},
	{
		Code: "SKL013", Name: "skill-input-type", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "input[].type is string, number, boolean or enum.",
		Why:     "These are the types that the arguments of MCP prompts have.",
		Fix:     "Write type: 'string'.",
		From:    engine.Spec30, On: onSkill,
		Check: checkSkillInputType,
	},
	{
		Code: "SKL014", Name: "skill-input-description", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "input[].description is a string that is not empty.",
		Why:     "The user has to know what to type.",
		Fix:     "Say what the value means and how it is written.",
		From:    engine.Spec30, On: onSkill,
		Check: func(p *engine.Pass) {
			for _, n := range skill(p).Inputs() {
				p.ExpectText(n, "description", inputFields, "say what the value means, with an example")
			}
		},
	},
	{
		Code: "SKL015", Name: "skill-input-required", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "input[].required is true or false.",
		Why:     "Clients ask for required arguments before they fetch the skill.",
		Fix:     "Write required: true, or false where the skill works without the value.",
		From:    engine.Spec30, On: onSkill,
		Check: func(p *engine.Pass) {
			for _, n := range skill(p).Inputs() {
				if !n.Get("required").Is(ordjson.Bool) {
					p.Expect(n, "required", inputFields, "true or false", "write required: true, or false where the skill works without the value")
				}
			}
		},
	},
	{
		Code: "SKL016", Name: "skill-registration-file", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "An entry of selection.skills names its file by a relative path that ends with .mjs; for an agent's entries AGT014 and AGT016 say so.",
		Why:     "Skills are modules; nothing else is loaded.",
		Fix:     "Write 'contract-audit': { file: './skills/contract-audit.mjs' }.",
		From:    engine.Spec30, On: []record.Type{record.TypeSelection},
		Check: checkRegisteredFile,
	},
	{
		Code: "SKL017", Name: "skill-registration-exists", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "The file that an entry of selection.skills names exists; for an agent's entries AGT016 says so.",
		Why:     "The skill cannot be loaded.",
		Fix:     "Correct the path, which is relative to the selection, or add the file.",
		From:    engine.Spec30, On: []record.Type{record.TypeSelection}, Catalog: true,
		Check: checkRegisteredExists,
	},
	{
		Code: "SKL018", Name: "skill-count", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "A selection or an agent has at most 4 skills.",
		Why:     "Each skill is one more choice for the AI agent; few are chosen better than many.",
		Fix:     "Split the selection or the agent.",
		From:    engine.Spec30, On: []record.Type{record.TypeSelection, record.TypeAgent},
		Check: checkSkillCount,
	},
	{
		Code: "SKL020", Name: "skill-tool-unlisted", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "3.0.0", Chapter: "14",
		Summary: "A tool that the content refers to by name is listed in requires.tools.",
		Why:     "What is not listed is not checked, and clients cannot tell what the skill needs.",
		Fix:     "Add the tool to requires.tools.",
		From:    engine.Spec30, On: onSkill,
		Check: checkListed(engine.TypeTool),
	},
	{
		Code: "SKL021", Name: "skill-resource-unlisted", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "3.0.0", Chapter: "14",
		Summary: "A resource that the content refers to by name is listed in requires.resources.",
		Why:     "What is not listed is not checked, and clients cannot tell what the skill needs.",
		Fix:     "Add the resource to requires.resources.",
		From:    engine.Spec30, On: onSkill,
		Check: checkListed(engine.TypeResource),
	},
	{
		Code: "SKL022", Name: "skill-reference", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "{{skill:name}} names a skill of the same selection, agent or namespace.",
		Why:     "The AI agent is told to follow a skill that it does not have.",
		Fix:     "Register the skill, or correct the name.",
		From:    engine.Spec30, On: onSkill, Catalog: true,
		Check: checkSkillRegistered,
	},
	{
		Code: "SKL023", Name: "skill-depth", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "14",
		Summary: "A skill that another refers to does not refer to a skill itself.",
		Why:     "Chains may have no end, and each level adds its whole text to the context of the AI agent.",
		Fix:     "Write the steps out, or refer to the last skill of the chain.",
		From:    engine.Spec30, On: onSkill, Catalog: true,
		Check: checkSkillDepth,
	},
	{
		Code: "SKL024", Name: "skill-tool-unused", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "3.0.0", Chapter: "14",
		Summary: "The content refers to each tool of requires.tools with {{tool:name}}.",
		Why:     "Without the reference the AI agent is not told what the tool does and takes.",
		Fix:     "Write {{tool:name}} where the content speaks about the tool, or remove the entry.",
		From:    engine.Spec30, On: onSkill,
		Check: checkUsed(engine.TypeTool),
	},
	{
		Code: "SKL025", Name: "skill-resource-unused", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "3.0.0", Chapter: "14",
		Summary: "The content refers to each resource of requires.resources with {{resource:name}}.",
		Why:     "Without the reference the AI agent is not told what the resource holds.",
		Fix:     "Write {{resource:name}} where the content speaks about the resource, or remove the entry.",
		From:    engine.Spec30, On: onSkill,
		Check: checkUsed(engine.TypeResource),
	},
}
