// Package ids holds ID001–ID006, in chapter 16's wording and severities (decision
// "ID types"). Which text is an ID is pkg/catalog's to say. The rules look at the
// IDs that files define by their namespace and name, and at those that
// registry.json and selections refer to. That what an agent, a prompt or a skill
// refers to is an ID, the rule of the place says (AGT007, PRM007, PH002), so that one
// fault is one finding; of underscores in it ID004 tells; fmcp-validate id and fmcp-resolve id report these codes
// themselves.
package ids

import (
	_ "embed"

	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

//go:embed rules.txt
var text string

// Family are the rules of this package.
var Family = engine.Family{
	Text: text,
	Checks: map[string]func(*engine.Pass){
		"ID001": checkIDs,
		"ID002": checkIDs,
		"ID003": checkIDs,
		"ID004": checkIDs,
		"ID005": checkIDs,
		"ID006": checkIDs,
	},
}
