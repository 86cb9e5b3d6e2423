// Package catalog holds the rules for registry.json, the manifest of a catalog
// (chapters 15 and 09).
package catalog

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
		"CAT001": checkRegistryExists,
		"CAT002": checkRegistryName,
		"CAT003": checkRegistryShared,
		"CAT004": checkRegistrySchemas,
		"CAT005": checkRegistryAgents,
		"CAT006": checkOrphans,
		"CAT010": checkRegistrySelections,
		"CAT012": checkEntries,
		"CAT013": checkListRegistry,
	},
}
