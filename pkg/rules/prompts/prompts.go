// Package prompts holds the rules for prompts and for the placeholders in
// content (chapters 02, 09, 12 and 18).
package prompts

import (
	_ "embed"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

//go:embed rules.txt
var text string

// Family are the rules of this package.
var Family = engine.Family{
	Text: text,
	Checks: map[string]func(*engine.Pass){
		"PH001":  checkPlaceholderEmpty,
		"PH002":  checkPlaceholderReference,
		"PH003":  checkPlaceholderInput,
		"PH004":  checkPlaceholderPlace,
		"PRM001": checkPromptName,
		"PRM002": func(p *engine.Pass) {
			for _, n := range prompts(p) {
				if n.Get("version").Str() != promptVersion {
					p.Expect(n.Node, "version", promptFields, engine.Quote(promptVersion), "write version: '"+promptVersion+"'")
				}
			}
		},
		"PRM003": checkPromptOwner,
		"PRM004": checkPromptTested,
		"PRM005": checkPromptModel,
		"PRM006": checkPromptTools,
		"PRM007": checkPromptReferences,
		"PRM008": checkPromptDepth,
		"PRM009": checkPromptPlaceholders,
		"PRM010": checkPromptContent,
		"PRM011": checkPromptContentFile,
		"PRM012": checkPromptContentExport,
		"PRM013": func(p *engine.Pass) {
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
