// Package selections holds the rules for selections: what one says about itself
// and what it gathers (chapters 09, 14 and 17).
package selections

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
		"SEL001": checkWhenToUse,
		"SEL002": checkSelectionMembers,
		"SEL003": checkSelectionReferences,
		"SEL004": checkInlineSkills,
		"SEL005": checkSelectionVersion,
		"SEL007": checkSelectionArrays,
		"VAL110": checkSlashRule,
	},
}
