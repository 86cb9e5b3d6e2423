// Package agents holds the rules for the manifests of agents (chapters 06 and
// 09).
package agents

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
		"AGT001": checkAgentName,
		"AGT004": checkAgentVersion,
		"AGT006": checkAgentTools,
		"AGT007": checkAgentToolReferences,
		"AGT008": checkAgentTests,
		"AGT011": checkAgentTestToolIDs,
		"AGT012": checkAgentTestVariety,
		"AGT013": checkAgentPrompts,
		"AGT014": checkAgentSkills,
		"AGT015": checkAgentResources,
		"AGT016": checkAgentFiles,
		"AGT017": checkAgentPromptExports,
		"AGT018": checkAgentSkillExports,
		"AGT019": checkAgentInlineTools,
		"AGT020": checkAgentReferenceNull,
		"AGT030": checkAgentSelections,
		"AGT032": checkAgentLists,
		"AGT036": checkAgentExpected,
	},
}
