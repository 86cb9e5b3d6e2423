// Package tests holds the rules for the tests of tools, of resource queries and of
// agents (chapters 10 and 09). Of what an agent's tests hold, chapter 06 has rules
// of its own, word for word the same (AGT008–AGT012); TST009–TST012 point to them,
// so that one fault is one finding. A test that cannot be executed keeps no tool
// from working: a warning under community, and so is TST001 (decision "Number of
// tests").
package tests

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
		"RES022": checkQueryTestValue,
		"TST001": checkTestCount,
		"TST002": checkTestDescription,
		"TST003": checkTestRequired,
		"TST004": checkTestValue,
		"TST006": checkTestKeys,
		"TST007": checkTestVariety,
		"TST008": checkTestOptional,
		"TST014": checkTestDuplicates,
	},
}
