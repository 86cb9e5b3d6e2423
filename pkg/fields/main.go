package fields

import "github.com/flowmcp/fmcp/pkg/model"

// Main and what is in it (chapters 01 and 03). prompts is known though no table lists it
// (decision "Known fields of main").
var Main = &Object{Name: "Main", Export: "main", Chapter: "01",
	Text: "A schema: the tools, resources and prompts of one provider.", Fields: []Field{
		{Name: "namespace", Type: kebab, Required: true,
			Text: "The provider's name, which every ID begins with."},
		{Name: "name", Type: text, Required: true,
			Text: "The name of the schema that people read, in PascalCase."},
		{Name: "description", Type: text, Required: true,
			Text: "What the schema does, in one or two sentences; a search for tools finds it by this text."},
		{Name: "version", Type: like(`^[34]\.\d+\.\d+$`, "4.x.y; 3.x.y is deprecated"), Required: true,
			Text: "The version of the FlowMCP specification that the schema is written for."},
		{Name: "schemaVersion", Type: semver, Wanted: true, From: Version3,
			Text: "The version of the schema's content, which its author raises."},
		{Name: "schemaHash", Type: like(`^[0-9a-f]{8}$`, "8 hex digits"), Wanted: true, From: Version3,
			Text: "The hash of main without this field; fmcp-validate says what it is."},
		{Name: "root", Type: like(`^(https://[^?#]*[^/?#])?$`, "starts with https://, without a slash at the end"),
			When: "where there are tools",
			Text: "The URL that the paths of all tools begin with; it may be empty where no tool sends a request."},
		{Name: "tools", Type: mapOf(ref("Tool")).keyed(camel).atMost(model.MaxTools), From: Version3,
			When: "where there are no resources or prompts",
			Text: "The tools, each under the name that it is called by."},
		{Name: "docs", Type: texts, Default: "[]", Text: "Addresses of the documentation of the API."},
		{Name: "termsOfService", Type: either(address, null), Default: "null", From: Version3,
			Text: "The address of the provider's terms of service, for information."},
		{Name: "termsOfServiceCheckedAt", Default: "null", From: Version3,
			Type: either(like(`^\d{4}-\d{2}-\d{2}$`, "YYYY-MM-DD"), null),
			Text: "The day on which somebody last read the terms of service."},
		{Name: "termsOfServiceLanguage", Default: "null", From: Version3,
			Type: either(like(`^([a-z]{2}|multi)$`, "two letters, or multi"), null),
			Text: "The language of the terms of service."},
		{Name: "dataLicense", Type: either(address, null), Default: "null", From: Version3,
			Text: "The address of the licence of the data."},
		{Name: "dataLicenseName", Type: either(str, null), Default: "null", From: Version3,
			Text: "The name of the licence of the data, such as CC-BY-4.0."},
		{Name: "tags", Type: texts, Default: "[]", Text: "Words to find the schema by."},
		{Name: "requiredServerParams", Type: texts, Default: "[]", Chapter: "02",
			Text: "Names of the keys that calls need; {{SERVER_PARAM:NAME}} is where one is placed."},
		{Name: "requiredLibraries", Type: texts, Default: "[]", Chapter: "05",
			Text: "The npm packages that the handlers use, which the user has to allow."},
		{Name: "headers", Type: headers, Default: "{}", Text: "Headers of every request."},
		{Name: "sharedLists", Type: arrayOf(ref("ListReference")), Default: "[]", Chapter: "03",
			Text: "The shared lists that enums and handlers use."},
		{Name: "resources", Type: mapOf(ref("Resource")).keyed(camel).atMost(2), Default: "{}", From: Version3,
			Chapter: "13",
			Text:    "Databases and documents, each under the name that it is called by."},
		{Name: "meta", Type: anything, From: Version3, Instead: "meta in each tool",
			Text: "Not read: what it says belongs in the tools."},
		{Name: "prompts", Type: mapOf(ref("ProviderPrompt")), Default: "{}", From: Version3, Chapter: "12",
			Text: "Prompts that teach the use of the tools."},
		{Name: "routes", Type: mapOf(ref("Tool")).keyed(camel).atMost(model.MaxTools), Instead: "tools",
			Text: "The tools, as versions 1 and 2 call them."},
		{Name: "skills", Type: anything, From: Version3, Until: Version3, Chapter: "14",
			Instead: "files in the folder skills of the namespace",
			Text:    "The skills, which version 4 has in files of their own."},
	}}

var address = like(`^https?://`, "a URL")

// Tool is one entry of main.tools. async is known though no table lists it (decision
// "Known fields of main").
var Tool = &Object{Name: "Tool", Chapter: "01", Text: "A request that an AI client can have made, as a tool.",
	Fields: []Field{
		{Name: "method", Type: words(model.Methods...), Required: true,
			Text: "The HTTP method; GET and DELETE send no body."},
		{Name: "path", Type: like(`^/`, "starts with /"), Required: true,
			Text: "What follows root; {{key}} is where the insert parameter key is placed."},
		{Name: "description", Type: text, Required: true,
			Text: "What the tool returns and when to use it; the AI client chooses by this text."},
		{Name: "parameters", Type: arrayOf(ref("Parameter")), Required: true, Chapter: "02",
			Text: "The values that the request sends, whether the caller, the server or the schema gives them."},
		{Name: "output", Type: ref("Output"), Wanted: true, Chapter: "04", Text: "What the answer looks like."},
		{Name: "preload", Type: ref("Preload"), Chapter: "11", Text: "Lets answers that seldom change be kept."},
		{Name: "tests", Type: arrayOf(ref("Test")).atLeast(3), Required: true, Chapter: "10",
			Text: "Calls that work, with real values."},
		{Name: "headers", Type: headers, Default: "{}",
			Text: "Headers of the tool's requests, which win over those of main."},
		{Name: "meta", Type: ref("ToolMeta"), Required: true, From: Version3, Chapter: "19",
			Text: "What an AI client should know before it calls the tool."},
		{Name: "async", Type: anything, Instead: "nothing", Text: "Reserved, without effect."},
	}}

// ToolMeta is tool.meta.
var ToolMeta = &Object{Name: "ToolMeta", Chapter: "19", Text: "What an AI client should know before it calls a tool.",
	Fields: []Field{
		{Name: "isReadOnly", Type: boolean, Required: true,
			Text: "The tool changes nothing; it may be called without asking the user."},
		{Name: "isConcurrencySafe", Type: boolean, Required: true, Text: "Several calls may run at the same time."},
		{Name: "isDestructive", Type: boolean, Required: true, Text: "A call can change what cannot be restored."},
		{Name: "searchHint", Type: text, Required: true, Text: "Words that somebody would search for."},
		{Name: "aliases", Type: texts, Required: true, Text: "Other names to find the tool by; [] for none."},
		{Name: "alwaysLoad", Type: boolean, Required: true,
			Text: "Clients that load tools on demand have this one from the start."},
	}}

// Preload is tool.preload.
var Preload = &Object{Name: "Preload", Chapter: "11", Others: Unread,
	Text: "For how long answers of a tool may be kept.",
	Fields: []Field{
		{Name: "enabled", Type: boolean, Required: true, Text: "Whether answers are kept."},
		{Name: "ttl", Type: positive, Required: true, Text: "For how many seconds: 86400 is a day."},
		{Name: "description", Type: str, Loose: true, Text: "What is kept, and how large it is."},
	}}

// Parameter is an element of tool.parameters. The descriptions here and in z no table
// lists (decision "Descriptions of parameters").
var Parameter = &Object{Name: "Parameter", Chapter: "02", Text: "One value that a request sends.", Fields: []Field{
	{Name: "position", Type: ref("Position"), Required: true, Text: "Where in the request the value goes."},
	{Name: "z", Type: ref("Z"), Required: true, Text: "What the value may be."},
	description,
}}

var description = Field{Name: "description", Type: str, Loose: true, Text: "What the value means, for the AI client."}

// Position is parameter.position.
var Position = &Object{Name: "Position", Chapter: "02", Text: "Where in a request a value goes.", Fields: []Field{
	{Name: "key", Type: text, Required: true, Text: "The name of the parameter, as the API has it."},
	{Name: "value", Type: usually("{{USER_PARAM}}", "{{SERVER_PARAM:…}}"), Required: true,
		Text: "{{USER_PARAM}} for what the caller gives, {{SERVER_PARAM:NAME}} for a key, or a fixed value."},
	{Name: "location", Type: words(string(model.Insert), string(model.Query), string(model.Body)), Required: true,
		Text: "insert is the place {{key}} of the path, query comes after the ?, and body is JSON."},
}}

// Z is parameter.z.
var Z = &Object{Name: "Z", Chapter: "02", Text: "What a value may be.", Fields: []Field{
	{Name: "primitive", Required: true,
		Type: words("string()", "number()", "boolean()", "enum(…)", "array()", "object()"),
		Text: "The type of the value; enum(A,B) lists its values, enum({{list:field}}) has those of a shared list."},
	{Name: "options", Required: true,
		Type: arrayOf(usually("optional()", "default(…)", "min(…)", "max(…)", "length(…)")),
		Text: "Its limits, such as min(1), max(100) and length(42), and optional() or default(value)."},
	description,
}}

// Output is the output of a tool or a query. No table lists its description (decision
// "Descriptions of parameters").
var Output = &Object{Name: "Output", Chapter: "04", Text: "What an answer looks like.", Fields: []Field{
	{Name: "mimeType", Type: words(model.MIMETypes...), Required: true,
		Text: "JSON, an image as base64, or a text of any kind."},
	{Name: "schema", Type: ref("OutputSchema"), Required: true, Text: "The parts of the answer."},
	{Name: "description", Type: str, Loose: true, Text: "What the answer means."},
}}

// OutputSchema is output.schema, and each schema in it.
var OutputSchema = &Object{Name: "OutputSchema", Chapter: "04",
	Text: "A part of an answer, in a subset of JSON Schema, at most four levels deep.", Fields: []Field{
		{Name: "type", Type: words(model.OutputTypes...), Required: true, Text: "The type of the value."},
		{Name: "properties", Type: mapOf(ref("OutputSchema")),
			Text: "The fields of an object, with type object only."},
		{Name: "items", Type: ref("OutputSchema"),
			Text: "The elements of an array, with type array only."},
		{Name: "description", Type: str, Text: "What the value means."},
		{Name: "nullable", Type: boolean, Default: "false", Text: "The value may be null."},
		{Name: "enum", Type: arrayOf(anything).atLeast(1), Text: "The values that there are."},
		{Name: "format", Type: usually("base64", "date-time", "uri"), Text: "The form of a text."},
	}}

// Test is an element of the tests of a tool or a query.
var Test = &Object{Name: "Test", Chapter: "10", Others: Free,
	Text: "A call that works: a value for each parameter that the caller gives, under its key.", Fields: []Field{
		{Name: "_description", Type: text, Required: true, Text: "What the test shows."},
	}}

// ListReference is an element of main.sharedLists; name is how the field names a list
// (decision "List references").
var ListReference = &Object{Name: "ListReference", Chapter: "03", Text: "A shared list that a schema uses.",
	Fields: []Field{
		{Name: "ref", Type: camel, Required: true, Text: "The name of the list."},
		{Name: "version", Type: semver, Required: true,
			Text: "The version of the list that the schema is written for."},
		{Name: "filter", Type: ref("ListFilter"), Text: "Which entries are used; all without it."},
		{Name: "name", Type: text, Instead: "ref", For: "ref", Text: "The name of the list, as older schemas have it."},
	}}

// ListFilter is the filter of such a reference.
var ListFilter = &Object{Name: "ListFilter", Chapter: "03",
	Text: "Which entries of a list are used, by exactly one of exists, value and in.", Fields: []Field{
		{Name: "key", Type: text, Required: true, Text: "The field of the entries that decides."},
		{Name: "exists", Type: boolean, Text: "true for the entries that have the field."},
		{Name: "value", Type: anything, Text: "The value that the field must have."},
		{Name: "in", Type: arrayOf(anything), Text: "The values, one of which the field must have."},
		{Name: "field", Type: text, Instead: "key", For: "key",
			Text: "The field of the entries that decides, as older schemas have it."},
	}}
