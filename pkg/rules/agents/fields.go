package agents

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// objects is the table of the fields of a manifest (chapter 06).
var objects = []engine.Objects{
	{In: "", Of: fields.Agent, Fields: []engine.Field{
		{Code: "AGT001", Name: "name", Must: engine.Kebab, Fix: "write name: 'crypto-research'"},
		{Code: "AGT003", Name: "model", Must: engine.Matching("provider/model-name", isModel, nil),
			Propose: proposeModel,
			Fix:     "write model: 'anthropic/claude-sonnet-4-5-20250929'"},
		{Code: "AGT008", Name: "tests", Must: engine.Array.As("an array of at least 3 tests"), Fix: testsExample},
		{Code: "AGT002", Name: "description", Must: engine.Text, Fix: "say in a sentence what the agent is for"},
		{Code: "AGT005", Name: "systemPrompt", Must: engine.Text,
			Fix: "say who the agent is and how it behaves: systemPrompt: 'You are …'"},
		{Code: "AGT013", Name: "prompts", Must: engine.Object.UnlessMisspelt(),
			Fix: "write prompts: { 'about': { file: './prompts/about.mjs' } }"},
		{Code: "AGT014", Name: "skills", Must: engine.Object.UnlessMisspelt(),
			Fix: "write skills: { 'token-deep-dive': { file: './skills/token-deep-dive.mjs' } }"},
		{Code: "AGT015", Name: "resources", Must: engine.Object.UnlessMisspelt(),
			Fix: "write resources: { 'namespace/resource/name': null }"},
		{Code: "AGT030", Name: "selections",
			Must: engine.Array.UnlessMisspelt().As("an array of IDs of selections"),
			Fix:  "write selections: [ 'namespace/selection/name' ]"},
		{Code: "AGT032", Name: "sharedLists",
			Must: engine.Strings.UnlessMisspelt().As("an array of names of shared lists"),
			Fix:  "write sharedLists: [ 'evmChains' ]"},
		{Code: "AGT031", Name: "elicitation", Must: engine.Object.UnlessMisspelt(),
			Fix: "write elicitation: { enabled: true, maxRounds: 3 }"},
		{Code: "AGT035", Name: "maxRounds", Must: wholeNumber.UnlessMisspelt(),
			Fix: "write maxRounds: 10, or leave it out"},
		{Code: "AGT035", Name: "maxTokens", Must: wholeNumber.UnlessMisspelt(),
			Fix: "write maxTokens: 4096, or leave it out"},
		{Code: "AGT035", Name: "inputSchema", Must: engine.Object.UnlessMisspelt(),
			Fix: "write inputSchema: { type: 'object', properties: { … } }"},
	}},
	{In: ".elicitation", Of: fields.Elicitation, Fields: []engine.Field{
		{Code: "AGT031", Name: "maxRounds", Must: wholeNumber, Fix: "write maxRounds: 3"},
		{Code: "AGT034", Name: "enabled", Must: engine.Bool, Fix: "write enabled: true, or remove elicitation"},
		{Code: "AGT034", Name: "requestedSchemas", Must: engine.Array.UnlessMisspelt().As("an array of templates"),
			Fix: templateExample},
	}},
	{In: ".elicitation.requestedSchemas[]", Of: fields.ElicitationTemplate, Fields: []engine.Field{
		{Code: "AGT034", Must: engine.Object, Fix: templateExample},
		{Code: "AGT034", Name: "message", Must: engine.Text, Fix: "write what the user is asked: message: 'Please …'"},
		{Code: "AGT034", Name: "requestedSchema", Must: engine.Object, Fix: templateExample},
	}},
	{In: ".elicitation.requestedSchemas[].requestedSchema", Of: fields.ElicitationSchema,
		Fields: []engine.Field{
			{Code: "AGT034", Name: "type",
				Must: engine.WordOf(fields.ElicitationSchema, "type"), Fix: "write type: 'object'"},
			{Code: "AGT034", Name: "properties", Must: engine.Object, Fix: templateExample},
			{Code: "AGT034", Name: "required", Must: engine.Strings.UnlessMisspelt(),
				Fix: "write required: [ 'address' ]"},
		}},
	{In: ".elicitation.requestedSchemas[].requestedSchema.properties.*", Of: fields.ElicitationProperty,
		Fields: []engine.Field{
			{Code: "AGT034", Must: engine.Object, Fix: "write { type: 'string', title: 'Wallet Address' }"},
			{Code: "AGT034", Name: "type", Must: engine.WordOf(fields.ElicitationProperty, "type"),
				Fix: "ask for one plain value in each property: clients show neither arrays nor objects"},
		}},
	{In: ".tests[]", Of: fields.AgentTest, Fields: []engine.Field{
		{Code: "AGT010", Name: "expectedTools", Must: engine.Some.As("an array of IDs of tools, one at least"),
			Propose: proposeTools, Fix: "write expectedTools: [ 'namespace/tool/name' ]"},
		{Code: "AGT009", Name: "input", Must: engine.Text,
			Fix: "write the question as a user would ask it: input: 'What is …?'"},
	}},
	{In: "own tool", Of: fields.AgentTool, Fields: []engine.Field{
		{Code: "AGT019", Name: "method", Must: engine.Method,
			Fix: "write method: 'GET', or the method that the API documents"},
		{Code: "AGT033", Name: "root", Must: engine.Matching("a URL that starts with https://", isRoot, nil),
			Fix: "write root: 'https://api.example.com'"},
		{Code: "AGT019", Name: "path", Must: engine.Path, Fix: "write path: '/', or the path that follows main.root"},
		{Code: "AGT019", Name: "description", Must: engine.Text, Fix: "say in a sentence what the tool returns"},
	}},
}

var wholeNumber = engine.Whole.As("a whole number of at least 1")

const templateExample = "write { message: 'Please …', requestedSchema: { type: 'object', properties: { address: " +
	"{ type: 'string' } }, required: [ 'address' ] } }"

const testsExample = "write tests: [ { _description: '…', input: '…', expectedTools: [ 'namespace/tool/name' ] }, … ]"

func isRoot(s string) bool { return len(s) > len("https://") && strings.HasPrefix(s, "https://") }

func isModel(s string) bool {
	provider, name, ok := strings.Cut(s, "/")
	return ok && strings.TrimSpace(provider) != "" && strings.TrimSpace(name) != ""
}

func proposeModel(_ *engine.Pass, agent *model.Node) string {
	if text := agent.Get("model").Str(); text != "" && !strings.Contains(text, "/") {
		return "put the provider before it: model: 'provider/" + text + "'"
	}
	return ""
}

func proposeTools(_ *engine.Pass, test *model.Node) string {
	if id := test.Get("expectedTools").Str(); id != "" {
		return "write expectedTools: [ '" + id + "' ]"
	}
	return ""
}
