// Package skillmd holds our own rules for the frontmatter of SKILL.md: the fields
// of Agent Skills, and x-personal-mcp, by which the skill is indexed and
// published. Unknown fields are allowed.
package skillmd

import (
	_ "embed"

	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

//go:embed rules.txt
var rows string

// Family are the rules of this package.
var Family = engine.Family{
	Text:    rows,
	Objects: objects,
	Checks: map[string]func(*engine.Pass){
		"SKM001": checkFrontmatter,
		"SKM003": checkReservedName,
		"SKM004": checkSkillMDDescription,
		"SKM005": checkDescriptionTags,
		"SKM006": checkSkillMDFolder,
		"SKM009": checkSkillMDID,
		"SKM011": checkSkillMDTags,
		"SKM012": checkCapabilities,
		"SKM013": checkPrimaryURI,
		"SKM014": checkDependsOn,
		"SKM015": checkDependency,
		"SKM016": checkDependencyCycle,
		"SKM017": checkReferences,
		"SKM018": checkReferencePath,
		"SKM019": checkReferenceFile,
	},
}
