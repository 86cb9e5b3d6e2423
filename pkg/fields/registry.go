package fields

// Registry is registry.json.
var Registry = &Object{Name: "Registry", Export: "registry", Chapter: "15", Others: Unread,
	Text: "The manifest of a catalog, registry.json.", Fields: []Field{
		{Name: "name", Type: text, Required: true, Text: "The name of the catalog, which is that of its folder."},
		{Name: "version", Type: semver, Required: true, Text: "The version of the catalog."},
		{Name: "description", Type: text, Required: true, Text: "What the catalog is for."},
		{Name: "schemaSpec", Type: semver, Required: true,
			Text: "The version of the FlowMCP specification that the catalog is written for."},
		{Name: "contentHash", Type: anything, Text: "The hash of all files; fmcp-resolve registry build writes it."},
		{Name: "shared", Type: arrayOf(ref("RegistryList")), Required: true, Text: "The shared lists; [] for none."},
		{Name: "schemas", Type: arrayOf(ref("RegistrySchema")), Required: true, Text: "The schemas; [] for none."},
		{Name: "agents", Type: arrayOf(ref("RegistryAgent")), Required: true, Text: "The agents; [] for none."},
		{Name: "selections", Type: arrayOf(ref("RegistrySelection")), Default: "[]", Text: "The selections."},
	}}

// RegistryEntry is an element of one of the arrays of registry.json.
var RegistryEntry = &Object{Name: "RegistryEntry", Chapter: "15", Text: "A file of a catalog.",
	Variants: []string{"RegistryList", "RegistrySchema", "RegistryAgent", "RegistrySelection"}}

var file = Field{Name: "file", Type: mjs, Required: true, Text: "The file, relative to registry.json."}

// RegistryList is an element of registry.shared.
var RegistryList = &Object{Name: "RegistryList", Chapter: "15", Others: Unread, Text: "A shared list of a catalog.",
	Fields: []Field{
		{Name: "name", Type: text, Required: true, Text: "The name that its meta has."}, file,
	}}

// RegistrySchema is an element of registry.schemas.
var RegistrySchema = &Object{Name: "RegistrySchema", Chapter: "15", Others: Unread, Text: "A schema of a catalog.",
	Fields: []Field{
		{Name: "namespace", Type: text, Required: true, Text: "The namespace of the schema."}, file,
		{Name: "name", Type: text, Required: true, Text: "The name of the schema."},
		{Name: "requiredServerParams", Type: texts, Required: true,
			Text: "The keys that the schema needs; [] for none."},
		{Name: "hasHandlers", Type: boolean, Required: true, Text: "Whether the schema exports handlers."},
		{Name: "sharedLists", Type: texts, Required: true, Text: "The shared lists that the schema uses; [] for none."},
	}}

// RegistryAgent is an element of registry.agents.
var RegistryAgent = &Object{Name: "RegistryAgent", Chapter: "15", Others: Unread, Text: "An agent of a catalog.",
	Fields: []Field{
		{Name: "name", Type: text, Required: true, Text: "The name of the agent's folder."},
		{Name: "description", Type: text, Required: true, Text: "What the agent is for."},
		{Name: "manifest", Type: like(`agent\.mjs$`, "ends with agent.mjs"), Required: true,
			Text: "The manifest of the agent, relative to registry.json."},
		{Name: "prompts", Type: anything, Text: "The prompts of the agent."},
		{Name: "skills", Type: anything, Text: "The skills of the agent."},
		{Name: "resources", Type: anything, Text: "The resources of the agent."},
	}}

// RegistrySelection is an element of registry.selections.
var RegistrySelection = &Object{Name: "RegistrySelection", Chapter: "15", Others: Unread,
	Text: "A selection of a catalog.", Fields: []Field{
		file,
		{Name: "namespace", Type: text, Text: "The namespace of the selection."},
		{Name: "name", Type: text, Text: "The name of the selection."},
		{Name: "description", Type: text, Text: "What the selection provides."},
	}}
