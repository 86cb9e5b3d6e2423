package fields

import "github.com/flowmcp/fmcp/pkg/model"

const ofSkillMD = "skill-md-frontmatter"

// What optional fields of a frontmatter are: null is as if they were not there.
var (
	maybeText  = either(str, null)
	maybeTexts = either(str, texts, null)
	onOrOff    = either(boolean, words("yes", "no", "on", "off"), null)
)

// Frontmatter is the frontmatter of a SKILL.md; what fmcp does not read is for the
// program that has the skill.
var Frontmatter = &Object{Name: "Frontmatter", Chapter: ofSkillMD, Others: Unread,
	Text: "The frontmatter of a SKILL.md.", Fields: []Field{
		{Name: "name", Type: text, Required: true, Text: "The name, which is that of the folder."},
		{Name: "description", Type: text, Required: true, Text: "What the skill does and when to use it."},
		{Name: model.SkillExtension, Type: ref("SkillExtension"), Required: true,
			Text: "What the skill publishes over MCP."},
		{Name: "when_to_use", Type: maybeText, Text: "More about when to use it."},
		{Name: "allowed-tools", Type: maybeTexts, Text: "Tools that may be used without asking."},
		{Name: "disallowed-tools", Type: maybeTexts, Text: "Tools that must not be used."},
		{Name: "disable-model-invocation", Type: onOrOff, Text: "Only users may start it."},
		{Name: "user-invocable", Type: onOrOff, Text: "Users may start it."},
		{Name: "argument-hint", Type: maybeText, Text: "What users are shown of the arguments."},
		{Name: "arguments", Type: maybeTexts, Text: "The names of the arguments."},
		{Name: "license", Type: maybeText, Text: "The licence."},
		{Name: "compatibility", Type: maybeText, Text: "What the skill needs to run."},
		{Name: "metadata", Type: either(mapOf(str), null), Text: "Anything else, as texts."},
		{Name: "model", Text: "The model to use."},
		{Name: "effort", Text: "How hard the model should think."},
		{Name: "context", Text: "Whether it runs in a context of its own."},
		{Name: "agent", Text: "The agent that runs it."},
		{Name: "hooks", Text: "Commands that run before or after it."},
		{Name: "paths", Text: "The files that it is for."},
		{Name: "shell", Text: "The shell that its commands run in."},
	}}

// SkillExtension is x-personal-mcp of a frontmatter.
var SkillExtension = &Object{Name: "SkillExtension", Chapter: ofSkillMD, Others: Unread,
	Text: "What a SKILL.md publishes over MCP.", Fields: []Field{
		{Name: "id", Type: kebab, Required: true, Text: "The name of the skill's folder."},
		{Name: "version", Type: text, Required: true, Text: "The version of the skill, three numbers."},
		{Name: "tags", Type: texts, Default: "[]", Text: "Words to find the skill by."},
		{Name: "capabilities", Type: texts.atLeast(1), Required: true,
			Text: "The addresses that it publishes, resource://skills/ID/document among them."},
		{Name: "depends_on", Type: texts, Default: "[]", Text: "IDs of the skills that it needs."},
		{Name: "references", Type: mapOf(ref("SkillExtensionReference")), Default: "{}",
			Text: "Documents beside it, by ID."},
	}}

// SkillExtensionReference is one entry of its references.
var SkillExtensionReference = &Object{Name: "SkillExtensionReference", Chapter: ofSkillMD, Others: Unread,
	Text: "A document beside a SKILL.md.", Fields: []Field{
		{Name: "path", Type: text, Required: true, Text: "The file, below references/."},
		{Name: "mime_type", Type: str, Default: "text/markdown", Text: "What kind of text it is."},
		{Name: "title", Type: maybeText, Text: "A short title."},
	}}
