package fields

import "github.com/flowmcp/fmcp/pkg/model"

// Prompt is the prompt export of a file.
var Prompt = &Object{Name: "Prompt", Export: "prompt", Chapter: "12", Text: "A text that teaches the use of tools.",
	Variants: []string{"ProviderPrompt", "AgentPrompt"}}

var (
	promptName    = Field{Name: "name", Type: kebab, Required: true, Text: "The name, which its ID ends with."}
	promptVersion = Field{Name: "version", Type: words("flowmcp-prompt/1.0.0"), Required: true,
		Text: "The version of the format."}
	promptText = Field{Name: "description", Type: text.atMost(1024), Required: true, Text: "What the prompt teaches."}
	references = Field{Name: "references", Type: texts, Required: true,
		Text: "IDs of other prompts that belong to it, namespace/prompt/name; [] for none."}
)

// ProviderPrompt is one entry of main.prompts; provider is how the field names the
// namespace (decision "Agents that export main").
var ProviderPrompt = &Object{Name: "ProviderPrompt", Chapter: "12", Others: Unread,
	Text: "A prompt for the tools of one provider, for any model.", Fields: []Field{
		promptName, promptVersion,
		{Name: "namespace", Type: kebab, Required: true, Text: "The provider."},
		promptText,
		{Name: "dependsOn", Type: texts, Required: true,
			Text: "Names of the tools that it is about, of the same namespace."},
		references,
		{Name: "contentFile", Type: like(`\.mjs$`, "ends with .mjs"), Required: true,
			Text: "The file that exports the text as content, relative to the schema."},
		{Name: "provider", Type: kebab, Instead: "namespace", For: "namespace",
			Text: "The provider, as older prompts have it."},
	}}

// AgentPrompt is a prompt of an agent.
var AgentPrompt = &Object{Name: "AgentPrompt", Chapter: "12", Others: Unread,
	Text: "A prompt of an agent, for the model that it was tried with.", Fields: []Field{
		promptName, promptVersion,
		{Name: "agent", Type: kebab, Required: true, Text: "The agent, by the name of its folder."},
		promptText,
		{Name: "testedWith", Type: like(`.+/.+`, "organization/model"), Required: true,
			Text: "The model that the prompt was tried with."},
		{Name: "dependsOn", Type: texts, Required: true,
			Text: "IDs of the tools that it is about, namespace/tool/name."},
		references,
		{Name: "content", Type: text, Required: true, Text: "The text; {{tool:ID}} and {{input:key}} are filled in."},
	}}

// Skill is the skill export of a file (chapters 14 and 18).
var Skill = &Object{Name: "Skill", Export: "skill", Chapter: "14", Others: Unread,
	Text: "Instructions that lead a model through a task, step by step.", Fields: []Field{
		{Name: "name", Type: like(`^[a-z][a-z0-9-]{0,63}$`, "at most 64 lower-case letters, digits and hyphens"),
			Required: true, Text: "The name, which is that of the file."},
		{Name: "version", Required: true, Type: formatVersion("flowmcp-skill/1.0.0"), Text: formatText},
		{Name: "type", Type: words("namespace", "selection", "agent"), Required: true,
			Text: "What the skill belongs to, as its folder says."},
		{Name: "description", Type: text.atMost(1024), Required: true, Text: "What the skill does and what comes out."},
		{Name: "whenToUse", Type: text, Required: true, Text: "When a model should use it, in one sentence."},
		{Name: "requires", Type: ref("SkillRequires"), Default: "{}", Text: "What it needs."},
		{Name: "input", Type: arrayOf(ref("SkillInput")), Default: "[]", Text: "The values that the user gives."},
		{Name: "output", Type: text, Required: true, Text: "Format and parts of the result."},
		{Name: "content", Type: text, Required: true,
			Text: "The instructions; {{tool:name}}, {{resource:name}} and {{input:key}} are filled in."},
		{Name: "prefill", Type: arrayOf(ref("SkillPrefill")), Default: "[]", Chapter: "18",
			Text: "Calls that are made before the skill is delivered; the text shows their answers."},
		{Name: "testedWith", Type: str, Loose: true, Chapter: "06",
			Text: "The model that an agent's skill was tried with; fmcp does not read it."},
	}}

const formatText = "The version of the format, the same for skills, selections and agents."

// formatVersion is a version of the format of a primitive, the newest first (decision
// "Versions of primitives").
func formatVersion(older ...string) Type {
	return words(append([]string{"flowmcp/4.0.0", "flowmcp/3.0.0"}, older...)...)
}

// SkillRequires is skill.requires.
var SkillRequires = &Object{Name: "SkillRequires", Chapter: "14", Others: Unread, Text: "What a skill needs.",
	Fields: []Field{
		{Name: "tools", Type: texts, Default: "[]", Text: "Tools, by name in the skill's own scope, or by ID."},
		{Name: "resources", Type: texts, Default: "[]", Text: "Resources, by name in the skill's own scope, or by ID."},
		{Name: "external", Type: anything, Default: "[]", Text: "What else the model must be able to do, in words."},
	}}

// SkillInput is an element of skill.input.
var SkillInput = &Object{Name: "SkillInput", Chapter: "14", Others: Unread, Text: "A value that the user gives.",
	Fields: []Field{
		{Name: "key", Type: camel, Required: true, Text: "The name that {{input:key}} has."},
		{Name: "type", Required: true, Text: "The type of the value.", Type: words(string(model.InputString),
			string(model.InputNumber), string(model.InputBoolean), string(model.InputEnum))},
		{Name: "description", Type: text, Required: true, Text: "What the value means, with an example."},
		{Name: "required", Type: boolean, Required: true, Text: "Whether the skill needs it."},
		{Name: "values", Type: texts.atLeast(1), When: "with type enum",
			Text: "The values of an enum."},
	}}

// SkillPrefill is an element of skill.prefill.
var SkillPrefill = &Object{Name: "SkillPrefill", Chapter: "18", Others: Unread,
	Text: "A call that is made before the skill is delivered.", Fields: []Field{
		{Name: "tool", Type: id, Required: true, Text: "The ID of a read-only tool, or of a resource."},
		{Name: "params", Type: mapOf(anything), Default: "{}",
			Text: "The values of its parameters; {{input:key}} is what the user gives."},
	}}
