// Package skillmd holds our own rules for the frontmatter of SKILL.md: the fields
// of Agent Skills, and x-personal-mcp, by which the skill is indexed and
// published. Fields that nobody knows are allowed.
package skillmd

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
		"SKM001": checkFrontmatter,
		"SKM002": checkSkillMDName,
		"SKM003": checkReservedName,
		"SKM004": checkSkillMDDescription,
		"SKM005": checkDescriptionTags,
		"SKM006": checkSkillMDFolder,
		"SKM007": checkOptionalFields,
		"SKM008": checkExtension,
		"SKM009": checkSkillMDID,
		"SKM010": checkSkillMDVersion,
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
