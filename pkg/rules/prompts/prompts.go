// Package prompts holds the rules for prompts and for the placeholders in
// content (chapters 12, 14 and 18).
package prompts

import (
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// Families are the rules of this package.
var Families = [][]engine.Rule{promptRules, placeholderRules}

// onPrompts are the files that define prompts: schemas those of a namespace in
// main.prompts, files of their own those of an agent (chapter 12).
var onPrompts = []record.Type{record.TypeSchema, record.TypePrompt}

// promptRules are PRM001–PRM013 (chapters 09 and 12).
var promptRules = []engine.Rule{
	{
		Code: "PRM001", Name: "prompt-name", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "12",
		Summary: "A prompt is an object whose name matches ^[a-z][a-z0-9-]*$.",
		Why:     "The name is part of the prompt's ID, and the name of the file with its content.",
		Fix:     "Use lower-case letters, digits and hyphens: 'price-comparison'.",
		From:    engine.Spec30, On: onPrompts, Whole: true,
		Check: checkPromptName,
	},
	{
		Code: "PRM002", Name: "prompt-version", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "12",
		Summary: "prompt.version is 'flowmcp-prompt/1.0.0'.",
		Why:     "The version says by which rules the prompt is read.",
		Fix:     "Write version: 'flowmcp-prompt/1.0.0'.",
		From:    engine.Spec30, On: onPrompts,
		Check: func(p *engine.Pass) {
			for _, n := range prompts(p) {
				if n.Get("version").Str() != promptVersion {
					p.Expect(n.Node, "version", promptFields, engine.Quote(promptVersion), "write version: '"+promptVersion+"'")
				}
			}
		},
	},
	{
		Code: "PRM003", Name: "prompt-owner", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "12",
		Summary: "A prompt has either namespace or agent, and not both.",
		Why:     "A provider's prompt and an agent's follow different rules; this field says which.",
		Fix:     "Write namespace in main.prompts of a schema, agent in a file of an agent.",
		From:    engine.Spec30, On: onPrompts,
		Check: checkPromptOwner,
	},
	{
		Code: "PRM004", Name: "prompt-tested-with", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "12",
		Summary: "testedWith is required of an agent's prompt and forbidden in a provider's.",
		Why:     "An agent's prompt is written for one model; a provider's must work with any.",
		Fix:     "Write testedWith: 'anthropic/claude-sonnet-4-5-20250929', or remove it from a provider's prompt.",
		From:    engine.Spec30, On: onPrompts,
		Check: checkPromptTested,
	},
	{
		Code: "PRM005", Name: "prompt-model", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "12",
		Summary: "testedWith is an OpenRouter model ID: organization/model.",
		Why:     "A model's name alone does not say whose it is.",
		Fix:     "Write 'anthropic/claude-sonnet-4-5-20250929', or 'openai/gpt-4o'.",
		From:    engine.Spec30, On: onPrompts,
		Check: checkPromptModel,
	},
	{
		Code: "PRM006", Name: "prompt-depends-on", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "12",
		Summary: "dependsOn is an array of tools that the catalog has: names in a provider's prompt, IDs in an agent's.",
		Why:     "The prompt tells the AI agent to call a tool that does not exist.",
		Fix:     "Correct the name, or remove the entry.",
		From:    engine.Spec30, On: onPrompts, Catalog: true,
		Check: checkPromptTools,
	},
	{
		Code: "PRM007", Name: "prompt-references", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "12",
		Summary: "Each entry of references is the ID of a prompt that the catalog has; a provider's prompt refers to its own namespace only.",
		Why:     "The referenced prompt is loaded beside this one, and cannot be.",
		Fix:     "Write namespace/prompt/name.",
		From:    engine.Spec30, On: onPrompts, Catalog: true,
		Check: checkPromptReferences,
	},
	{
		Code: "PRM008", Name: "prompt-depth", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "12",
		Summary: "A prompt that another refers to has no references itself.",
		Why:     "Chains may have no end, and each level adds its whole text to the context of the AI agent.",
		Fix:     "Refer to the prompts that are needed directly.",
		From:    engine.Spec30, On: onPrompts, Catalog: true,
		Check: checkPromptDepth,
	},
	{
		Code: "PRM009", Name: "prompt-placeholders", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "12",
		Summary: "The references in a prompt's content name tools, resources, prompts and skills that exist; a provider's prompt refers to its own namespace only.",
		Why:     "What cannot be resolved is delivered as an error text.",
		Fix:     "Write {{tool:name}}, or {{tool:namespace/name}} for another namespace.",
		From:    engine.Spec30, On: []record.Type{record.TypePrompt, record.TypeContent}, Catalog: true, Whole: true,
		Check: checkPromptPlaceholders,
	},
	{
		Code: "PRM010", Name: "prompt-content", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "12",
		Summary: "An agent's prompt has content, a string that is not empty; a provider's has none.",
		Why:     "An agent's prompt is one file; of a provider's, main holds the description and a file of its own the text.",
		Fix:     "Write content in an agent's prompt, contentFile in a provider's.",
		From:    engine.Spec30, On: onPrompts,
		Check: checkPromptContent,
	},
	{
		Code: "PRM011", Name: "prompt-content-file", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "12",
		Summary: "A provider's prompt has contentFile, a relative path that ends with .mjs; an agent's has none.",
		Why:     "The text is loaded from that module.",
		Fix:     "Write contentFile: './prompts/price-comparison.mjs'.",
		From:    engine.Spec30, On: onPrompts,
		Check: checkPromptContentFile,
	},
	{
		Code: "PRM012", Name: "prompt-content-export", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "12",
		Summary: "A content file exists and exports content, a string that is not empty.",
		Why:     "The export is all that is read of the file; prompt would make it an agent's.",
		Fix:     "Write export const content = `…`.",
		From:    engine.Spec30, On: []record.Type{record.TypeSchema, record.TypePrompt, record.TypeContent}, Catalog: true, Whole: true,
		Check: checkPromptContentExport,
	},
	{
		Code: "PRM013", Name: "prompt-references-array", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "12",
		Summary: "references is an array of strings, empty where there are none.",
		Why:     "That there are none is said, and not merely left out.",
		Fix:     "Write references: [].",
		From:    engine.Spec30, On: onPrompts,
		Check: func(p *engine.Pass) {
			const example = "write references: [], or references: [ 'namespace/prompt/name' ]"
			for _, n := range prompts(p) {
				if n.Get("references").Is(ordjson.Array) {
					p.ArrayOfStrings(n.At("references"), example)
					continue
				}
				p.Expect(n.Node, "references", promptFields, "an array of strings", example)
			}
		},
	},
}
