// Package ids holds the rules for IDs (chapter 16).
package ids

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// Families are the rules of this package.
var Families = [][]engine.Rule{idRules}

// idRules are ID001–ID006, in chapter 16's wording and severities (decision "ID types").
// Which text is an ID is pkg/catalog's to say. The rules look at the IDs that
// files define by their namespace and name, and at those in registry.json. That
// what a selection, an agent, a prompt or a skill refers to is an ID, the rule of
// the place says (SEL003, AGT007, PRM007, PH002), so that one fault is one
// finding; fmcp-validate id and fmcp-resolve id report these codes themselves.
var idRules = []engine.Rule{
	idRule("ID001", "id-segments",
		"An ID has three segments with a slash between them: namespace/type/name.",
		"Fewer or more cannot be split into an owner, a type and a name.",
		"Write namespace/type/name: coingecko/tool/simplePrice."),
	idRule("ID002", "id-namespace",
		"The namespace of an ID matches ^[a-z][a-z0-9-]*$.",
		"It is the owner's name in every reference; two ways to write one would be two owners.",
		"Use lower-case letters, digits and hyphens, a letter first."),
	idRule("ID003", "id-type",
		"The type in an ID is tool, resource, prompt, list, skill, selection or agent; the namespace shared has lists only.",
		"The type says what is meant, and shared is where everybody looks for lists.",
		"Write one of the seven types; give what is no list another namespace."),
	idRule("ID004", "id-name",
		"The name in an ID is not empty: letters, digits and hyphens, a letter first.",
		"Nothing can refer to what has no name.",
		"Write a name: kebab-case for selections, agents, skills and prompts, camelCase for tools, resources and lists."),
	idRule("ID005", "id-short-form",
		"An ID is written in full; namespace/name without a type is no longer supported.",
		"The short form does not say whether a tool, a resource or a prompt is meant.",
		"Write the type: coingecko/prompt/price-guide."),
	idRule("ID006", "id-inferred",
		"No segment of an ID is left out: a selection names its namespace.",
		"Nothing is inferred from the context, such as the folder that a file is in: files are moved and copied.",
		"Write all of namespace/type/name."),
}

func idRule(code, name, summary, why, fix string) engine.Rule {
	return engine.Rule{
		Code: code, Name: name, Spec: record.SeverityError, Community: record.SeverityError, Since: "4.0.0", Chapter: "16",
		Summary: summary, Why: why, Fix: fix, From: engine.Spec42, Check: checkIDs,
		On: []record.Type{record.TypeSchema, record.TypeList, record.TypeAgent, record.TypeSelection, record.TypePrompt, record.TypeRegistry},
	}
}
