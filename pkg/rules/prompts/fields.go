package prompts

import (
	"strconv"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// objects is the table of the fields of a prompt (chapter 12).
var objects = []engine.Objects{
	{In: "prompt", Of: fields.Prompt, Fields: []engine.Field{
		{Code: "PRM004", Name: "testedWith", Must: engine.Text, When: ofAgent,
			Fix: "write testedWith: 'organization/model', the model that the prompt was tried with"},
		{Code: "PRM006", Name: "dependsOn", Must: engine.Strings.As("an array of tools"),
			Fix: "write dependsOn: [ 'toolName' ], or dependsOn: [] for none"},
		{Code: "PRM010", Name: "content", Must: engine.Text, When: withContent,
			Fix: "write the instructions into const content = `…` above the export, and content into the prompt"},
		{Code: "PRM011", Name: "contentFile",
			Must: engine.Matching("a relative path that ends with .mjs", isContentFile, nil),
			When: withFile, Propose: proposeFile},
		{Code: "PRM001", Name: "name", Must: engine.Kebab, Fix: "write name: 'price-comparison'"},
		{Code: "PRM002", Name: "version", Must: engine.Matching(strconv.Quote(promptVersion), isPromptVersion, nil),
			Lacking: engine.Lacks(ordjson.NewString(promptVersion)),
			Fix:     "write version: 'flowmcp-prompt/1.0.0'"},
		{Code: "PRM014", Name: "description", Must: engine.Text, Fix: "say in a sentence what the prompt teaches"},
		{Code: "PRM013", Name: "references", Must: engine.Strings, Lacking: engine.Lacks(ordjson.NewArray()),
			Fix: "write references: [], or references: [ 'namespace/prompt/name' ]"},
	}},
}

func isPromptVersion(s string) bool { return s == promptVersion }

func ofAgent(p *engine.Pass, n *model.Node) bool { return ownerOf(p, n) == "agent" }

// withContent reports whether a prompt has its text inside: an agent's, but for
// one that has a file, of which PRM011 speaks.
func withContent(p *engine.Pass, n *model.Node) bool {
	return ofAgent(p, n) && (n.Get("content").Exists() || !n.Get("contentFile").Exists())
}

// withFile reports whether a prompt has its text in a file: a provider's, but for
// one that has it inside, of which PRM010 speaks.
func withFile(p *engine.Pass, n *model.Node) bool {
	return ownerOf(p, n) == "namespace" && (n.Get("contentFile").Exists() || !n.Get("content").Exists())
}

func proposeFile(_ *engine.Pass, n *model.Node) string {
	return "write contentFile: './prompts/" + promptFile(model.Prompt{Node: n}) + "'"
}
