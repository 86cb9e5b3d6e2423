// Package selections holds the rules for selections (chapter 17).
package selections

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// Families are the rules of this package.
var Families = [][]engine.Rule{selectionRules, slashRules}

// selectionRules are SEL001–SEL004: what a selection says about itself and what
// it gathers (chapters 17 and 09).
var selectionRules = []engine.Rule{
	selection("SEL001", "selection-when-to-use", checkWhenToUse,
		"A selection file exports selection, an object whose whenToUse is a string that is not empty.",
		"An agent decides by it when to activate the selection.",
		"Say in a sentence when an agent should activate it: whenToUse: 'When the user wants to …'."),
	selection("SEL002", "selection-members", checkSelectionMembers,
		"A selection has at least one tool, skill, resource or prompt.",
		"A selection without members gives an agent nothing.",
		"List the IDs of what belongs together: tools: [ 'etherscan-io/tool/getSmartContractAbi' ]."),
	selectionCatalog("SEL003", "selection-references", record.SeverityError, checkSelectionReferences,
		"Each member of a selection is the ID of a tool, skill, resource or prompt, as its field says, that the catalog defines.",
		"A selection with a reference that cannot be resolved does not load, and no agent that names it starts.",
		"Write the full ID, or correct its namespace or name."),
	selectionCatalog("SEL004", "selection-inline-skills", record.SeverityInfo, checkInlineSkills,
		"A skill that is written out in a selection is held against the rules for skills, which report under their own codes.",
		"An inline skill is in no file of its own, so the report says that it was looked at, and with what result.",
		"Nothing to do but to mend what the rules for skills found."),
}

func selection(code, name string, check func(*engine.Pass), summary, why, fix string) engine.Rule {
	return engine.Rule{
		Code: code, Name: name, Spec: record.SeverityError, Community: record.SeverityError, Since: "4.2.0", Chapter: "17",
		Summary: summary, Why: why, Fix: fix, From: engine.Spec42, On: []record.Type{record.TypeSelection}, Whole: code == "SEL001", Check: check,
	}
}

// selectionCatalog is selection for a rule that looks at other files.
func selectionCatalog(code, name string, severity record.Severity, check func(*engine.Pass), summary, why, fix string) engine.Rule {
	r := selection(code, name, check, summary, why, fix)
	r.Spec, r.Community, r.Catalog = severity, severity, true
	return r
}
