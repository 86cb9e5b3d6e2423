package fields

import "slices"

// Selection is the selection export of a file; its members may be written in several
// forms (decision "Selection members").
var Selection = &Object{Name: "Selection", Export: "selection", Chapter: "17", Others: Unread,
	Text: "Tools, skills, resources and prompts that belong together for a purpose.", Fields: []Field{
		{Name: "namespace", Type: kebab, Required: true, Text: "The name that its ID begins with."},
		{Name: "name", Type: text, Required: true, Text: "The name that its ID ends with, in kebab-case."},
		{Name: "version", Type: formatVersion(), Required: true, Text: formatText},
		{Name: "description", Type: text, Required: true, Text: "What the selection provides."},
		{Name: "whenToUse", Type: text, Required: true, Text: "When an agent should activate it, in one sentence."},
		{Name: "tools", Type: members(), Required: true, Text: "IDs of tools, namespace/tool/name; [] for none."},
		{Name: "skills", Type: members(ref("SkillFile"), ref("Skill")), Required: true, Chapter: "14",
			Text: "IDs of skills, or files of its own under their names; [] for none."},
		{Name: "resources", Type: members(), Required: true, Text: "IDs of resources; [] for none."},
		{Name: "prompts", Type: members(), Required: true, Text: "IDs of prompts; [] for none."},
	}}

// members is an array of IDs, or an object whose keys they are. An element may also be of
// the types.
func members(types ...Type) Type {
	return either(arrayOf(either(append([]Type{id}, types...)...)), mapOf(either(append([]Type{null}, types...)...)))
}

// SkillFile is an entry of the skills of a selection or an agent.
var SkillFile = &Object{Name: "SkillFile", Chapter: "14", Others: Unread, Text: "A skill in a file.", Fields: []Field{
	{Name: "file", Type: mjs, Required: true, Text: "The file, relative to the one that names it."},
}}

// PromptFile is an entry of agent.prompts.
var PromptFile = &Object{Name: "PromptFile", Chapter: "06", Others: Unread, Text: "A prompt in a file.",
	Fields: []Field{
		{Name: "file", Type: mjs, Required: true, Text: "The file, which exports content, relative to agent.mjs."},
	}}

var mjs = like(`\.mjs$`, "ends with .mjs")

// Agent is the agent export of a manifest. about is a prompt (decision "About an agent").
var Agent = &Object{Name: "Agent", Export: "agent", Chapter: "06", Others: Unread,
	Text: "A model with a task, and the tools, skills and prompts for it.", Fields: []Field{
		{Name: "name", Type: kebab, Required: true, Text: "The name, which is that of the folder."},
		{Name: "description", Type: text, Required: true, Text: "What the agent is for."},
		{Name: "version", Type: formatVersion(), Required: true, Text: formatText},
		{Name: "model", Type: like(`.+/.+`, "provider/model-name"), Required: true,
			Text: "The model, as OpenRouter names it."},
		{Name: "systemPrompt", Type: text, Required: true, Text: "Who the agent is and how it behaves."},
		{Name: "tools", Type: owned(ref("AgentTool")).atLeast(1), Required: true,
			Text: "Tools of the catalog by their IDs, with null, and tools of its own under their names."},
		{Name: "tests", Type: arrayOf(ref("AgentTest")).atLeast(3), Required: true, Chapter: "10",
			Text: "Questions of users, and the tools that answer them."},
		{Name: "maxRounds", Type: positive, Default: "10",
			Text: "How many rounds of calls a conversation has at most."},
		{Name: "maxTokens", Type: positive, Default: "4096", Text: "How many tokens an answer has at most."},
		{Name: "prompts", Type: owned(ref("PromptFile")), Default: "{}",
			Text: "Texts that explain: prompts of providers by ID, with null, and files of its own."},
		{Name: "skills", Type: mapOf(ref("SkillFile")).keyed(unslashed).atMost(4), Default: "{}",
			Text: "Its skills, in files of its own."},
		{Name: "resources", Type: mapOf(either(null, ref("Resource"), mapOf(anything))), Default: "{}",
			Text: "Resources of the catalog by ID, with null, and resources of its own under their names."},
		{Name: "sharedLists", Type: texts, Default: "[]", Text: "Names of the shared lists that its own tools use."},
		{Name: "inputSchema", Type: mapOf(anything), Text: "What the agent is given, as JSON Schema."},
		{Name: "selections", Type: texts, Default: "[]",
			Text: "IDs of the selections that are loaded with it, namespace/selection/name."},
		{Name: "elicitation", Type: ref("Elicitation"), Text: "What it may ask its user while it works."},
		{Name: "hash", Type: anything, Chapter: "06",
			Text: "The hash of its tools; fmcp-resolve agent rehash writes it."},
		{Name: "about", Type: ref("AgentAbout"), Loose: true, Chapter: "decision About an agent",
			Text: "The prompt `about`, written in the manifest."},
	}}

var unslashed = like(`^[^/]*$`, "without a slash")

// owned are things of the catalog by ID, with null, and others of the agent's own.
func owned(t Type) Type { return mapOf(either(null, t)) }

// AgentAbout is agent.about.
var AgentAbout = &Object{Name: "AgentAbout", Chapter: "12", Others: Unread, Text: "The prompt `about` of an agent.",
	Fields: []Field{
		{Name: "content", Type: text, Loose: true, Text: "The text."},
	}}

// AgentTool is a tool that an agent defines itself (decision "Tools of an agent's own").
var AgentTool = &Object{Name: "AgentTool", Chapter: "06", Others: Unread, Text: "A tool that an agent defines itself.",
	Fields: slices.Concat([]Field{
		{Name: "root", Type: like(`^https://.`, "starts with https://"), Wanted: true, Loose: true,
			Chapter: "decision Tools of an agent's own",
			Text:    "The URL that the path follows; without it the agent does not start."},
	}, optionalBut(Tool.Fields, "method", "path", "description"))}

// optionalBut are fields of which rules check only those that are required.
func optionalBut(list []Field, required ...string) []Field {
	list = slices.Clone(list)
	for i := range list {
		list[i].Required = slices.Contains(required, list[i].Name)
		list[i].Loose = !list[i].Required
	}
	return list
}

// AgentTest is an element of agent.tests.
var AgentTest = &Object{Name: "AgentTest", Chapter: "10", Others: Unread,
	Text: "A question of a user, and what answers it.", Fields: []Field{
		{Name: "_description", Type: text, Required: true, Text: "What the test shows."},
		{Name: "input", Type: text, Required: true, Text: "The question, as a user would ask it."},
		{Name: "expectedTools", Type: texts.atLeast(1), Required: true, Text: "IDs of the tools that must be called."},
		{Name: "expectedContent", Type: texts.atLeast(1), Loose: true,
			Text: "Texts that the answer must contain; case does not matter."},
	}}

// Elicitation is agent.elicitation.
var Elicitation = &Object{Name: "Elicitation", Chapter: "06", Others: Unread,
	Text: "What an agent may ask its user while it works.", Fields: []Field{
		{Name: "enabled", Type: boolean, Required: true, Text: "Whether it may ask."},
		{Name: "maxRounds", Type: positive, Required: true, Text: "How often it may ask in a conversation."},
		{Name: "requestedSchemas", Type: arrayOf(ref("ElicitationTemplate")), Default: "[]",
			Text: "Questions that are known in advance."},
	}}

// ElicitationTemplate is an element of agent.elicitation.requestedSchemas.
var ElicitationTemplate = &Object{Name: "ElicitationTemplate", Chapter: "06", Others: Unread,
	Text: "A question to a user.", Fields: []Field{
		{Name: "message", Type: text, Required: true, Text: "What the user is asked."},
		{Name: "requestedSchema", Type: ref("ElicitationSchema"), Required: true, Text: "What the answer looks like."},
	}}

// ElicitationSchema is the requestedSchema of a template.
var ElicitationSchema = &Object{Name: "ElicitationSchema", Chapter: "06", Others: Unread,
	Text: "The form that a user fills in, as JSON Schema.", Fields: []Field{
		{Name: "type", Type: words("object"), Required: true, Text: "Always object."},
		{Name: "properties", Type: mapOf(ref("ElicitationProperty")), Required: true, Text: "The fields of the form."},
		{Name: "required", Type: texts, Default: "[]", Text: "The fields that the user must fill in."},
	}}

// ElicitationProperty is a field of such a form.
var ElicitationProperty = &Object{Name: "ElicitationProperty", Chapter: "06", Others: Unread,
	Text: "A field of a form.", Fields: []Field{
		{Name: "type", Type: words("string", "number", "integer", "boolean"), Required: true,
			Text: "The type of the value."},
		{Name: "title", Type: anything, Text: "The label of the field."},
		{Name: "description", Type: anything, Text: "What the value means."},
		{Name: "enum", Type: anything, Text: "The values to choose from."},
		{Name: "default", Type: anything, Text: "The value that the field starts with."},
	}}
