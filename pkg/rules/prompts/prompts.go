// Package prompts holds the rules for prompts and for the placeholders in
// content (chapters 02, 09, 12 and 18).
package prompts

import (
	_ "embed"

	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

//go:embed rules.txt
var text string

// Family are the rules of this package.
var Family = engine.Family{
	Text:    text,
	Objects: objects,
	Checks: map[string]func(*engine.Pass){
		"PH001":  checkPlaceholderEmpty,
		"PH002":  checkPlaceholderReference,
		"PH003":  checkPlaceholderInput,
		"PH004":  checkPlaceholderPlace,
		"PH005":  checkFormerPlaceholders,
		"PRM001": checkPromptName,
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
		"PRM014": checkPromptDescription,
		"PRM015": checkPromptAgent,
		"PRM016": checkPromptUnlisted,
	},
}
