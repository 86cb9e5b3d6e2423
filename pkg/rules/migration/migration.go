// Package migration holds the steps that take a file of an older version to the next one
// (chapter 08), where no other rule has a finding about what the step changes. What their
// edits are is pkg/migrate.
package migration

import (
	_ "embed"

	"github.com/flowmcp/fmcp/pkg/migrate"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

//go:embed rules.txt
var text string

// Family are the rules of this package. MIG001 to MIG009 are the steps of version 1,
// MIG010 to MIG039 those of later ones.
var Family = engine.Family{
	Text: text,
	Checks: map[string]func(*engine.Pass){
		"MIG001": engine.OfOld(migrate.Fields),
		"MIG002": engine.OfOld(migrate.Namespace),
		"MIG003": engine.OfOld(migrate.Blocks),
		"MIG004": engine.OfOld(migrate.Computed),
		"MIG005": engine.OfOld(migrate.Handlers),
		"MIG006": engine.OfOld(migrate.Imports),
	},
}
