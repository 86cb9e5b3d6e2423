// Package skills holds the rules for skills: their fields, how selections and
// agents list them, and what they refer to (chapters 09 and 14). DEP001–DEP004 say
// the same of what a skill requires, word for word, so that one fault is one
// finding.
package skills

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
		"SKL001": checkSkillExport,
		"SKL003": checkSkillKey,
		"SKL004": checkSkillVersion,
		"SKL005": checkRequires(engine.TypeTool),
		"SKL006": checkRequires(engine.TypeResource),
		"SKL007": checkSkillDescription,
		"SKL008": checkSkillInputDeclared,
		"SKL009": checkSkillInputValues,
		"SKL010": checkSkillContent,
		"SKL016": checkRegisteredFile,
		"SKL017": checkRegisteredExists,
		"SKL018": checkSkillCount,
		"SKL020": checkListed(engine.TypeTool),
		"SKL021": checkListed(engine.TypeResource),
		"SKL022": checkSkillRegistered,
		"SKL023": checkSkillDepth,
		"SKL024": checkUsed(engine.TypeTool),
		"SKL025": checkUsed(engine.TypeResource),
		"SKL028": checkSkillTypeFolder,
		"SKL029": checkPrefillTools,
		"SKL030": checkPrefillParams,
		"SKL031": checkPrefillReads,
		"SKL032": checkOneShot,
	},
}
