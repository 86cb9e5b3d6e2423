// Package skills holds the rules for skills: their fields, how selections and
// agents list them, and what they refer to (chapters 09 and 14). DEP001–DEP004 say
// the same of what a skill requires, word for word, so that one fault is one
// finding.
package skills

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
		"SKL001": checkSkillExport,
		"SKL002": checkSkillName,
		"SKL003": checkSkillKey,
		"SKL004": checkSkillVersion,
		"SKL005": checkRequires(engine.TypeTool),
		"SKL006": checkRequires(engine.TypeResource),
		"SKL007": checkSkillDescription,
		"SKL008": checkSkillInputDeclared,
		"SKL009": checkSkillInputValues,
		"SKL010": checkSkillContent,
		"SKL011": func(p *engine.Pass) {
			p.ExpectText(p.Root, "output", skillFields, "name format and parts of the result: output: 'Markdown table with …'")
		},
		"SKL012": checkSkillInputKey,
		"SKL013": checkSkillInputType,
		"SKL014": func(p *engine.Pass) {
			for _, n := range skill(p).Inputs() {
				p.ExpectText(n, "description", inputFields, "say what the value means, with an example")
			}
		},
		"SKL015": func(p *engine.Pass) {
			for _, n := range skill(p).Inputs() {
				if !n.Get("required").Is(ordjson.Bool) {
					p.Expect(n, "required", inputFields, "true or false", "write required: true, or false where the skill works without the value")
				}
			}
		},
		"SKL016": checkRegisteredFile,
		"SKL017": checkRegisteredExists,
		"SKL018": checkSkillCount,
		"SKL020": checkListed(engine.TypeTool),
		"SKL021": checkListed(engine.TypeResource),
		"SKL022": checkSkillRegistered,
		"SKL023": checkSkillDepth,
		"SKL024": checkUsed(engine.TypeTool),
		"SKL025": checkUsed(engine.TypeResource),
	},
}
