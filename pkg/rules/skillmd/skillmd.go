// Package skillmd holds the rules for the frontmatter of SKILL.md.
package skillmd

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// Families are the rules of this package.
var Families = [][]engine.Rule{skillMDRules}

// skillMDRules are SKM001–SKM019, our own codes for the frontmatter of
// SKILL.md: the fields of Agent Skills, and x-personal-mcp, by which the skill
// is indexed and published. Fields that nobody knows are allowed.
var skillMDRules = []engine.Rule{
	skm("SKM001", "skillmd-frontmatter", engine.Rule{
		Summary: "A SKILL.md starts with a frontmatter: YAML between two lines ---, a mapping.",
		Why:     "Name and description are all that a client reads before it decides to load the skill.",
		Fix:     "Start the file with ---, name, description and x-personal-mcp, and ---.",
		Check:   checkFrontmatter,
	}),
	skm("SKM002", "skillmd-name", engine.Rule{
		Summary: "name is 1 to 64 lower-case letters, digits and hyphens, a letter first.",
		Why:     "The name is part of the skill's URI; other characters, XML tags above all, are refused where the skill is uploaded.",
		Fix:     "Write name: harbor-report, the name of the skill's folder.",
		Check:   checkSkillMDName,
	}),
	skm("SKM003", "skillmd-name-reserved", engine.Rule{
		Summary: "name contains neither anthropic nor claude.",
		Why:     "The words are reserved: a skill of such a name is refused where it is uploaded.",
		Fix:     "Name the skill after what it does.",
		Check:   checkReservedName,
	}),
	skm("SKM004", "skillmd-description", engine.Rule{
		Summary: "description is a string of 1 to 1024 characters.",
		Why:     "It is what an AI agent chooses the skill by.",
		Fix:     "Say what the skill does and when to use it.",
		Check:   checkSkillMDDescription,
	}),
	skm("SKM005", "skillmd-description-tags", engine.Rule{
		Summary: "description has no XML tags.",
		Why:     "It is put into a prompt, where a tag could pass for a part of the prompt itself; it is refused where the skill is uploaded.",
		Fix:     "Write the tag as a word.",
		Check:   checkDescriptionTags,
	}),
	skm("SKM006", "skillmd-folder", engine.Rule{
		Summary: "name is the name of the folder that SKILL.md is in.",
		Why:     "The folder is the skill's place and the name its URI: where they differ, one of the two leads nowhere.",
		Fix:     "Rename the folder, or correct name.",
		Check:   checkSkillMDFolder,
	}),
	skm("SKM007", "skillmd-fields", engine.Rule{
		Summary: "The optional fields of Agent Skills have their types: strings, lists of strings, booleans, and metadata a mapping to strings.",
		Why:     "A reader that expects another type refuses the skill, or reads something else than was meant.",
		Fix:     "Write the value as the message says; numbers that are text stand in quotes.",
		Check:   checkOptionalFields,
	}),
	skm("SKM008", "skillmd-extension", engine.Rule{
		Summary: "The frontmatter has x-personal-mcp, a mapping.",
		Why:     "It is what the skill is indexed and published by.",
		Fix:     "Add x-personal-mcp with id, version and capabilities.",
		Check:   checkExtension,
	}),
	skm("SKM009", "skillmd-id", engine.Rule{
		Summary: "x-personal-mcp.id is lower-case letters, digits and hyphens, a letter first, and the same as name.",
		Why:     "URIs and the ids of other skills' depends_on are made of it.",
		Fix:     "Write the name of the skill.",
		Check:   checkSkillMDID,
	}),
	skm("SKM010", "skillmd-version", engine.Rule{
		Summary: "x-personal-mcp.version is a semantic version, as a string.",
		Why:     "It is published as the version of the skill's resources; 1.0 without quotes is a number.",
		Fix:     "Write version: 1.0.0.",
		Check:   checkSkillMDVersion,
	}),
	skm("SKM011", "skillmd-tags", engine.Rule{
		Summary: "x-personal-mcp.tags, where present, is a list of kebab-case labels.",
		Why:     "Skills are searched by their tags; one that is written in two ways is found by half.",
		Fix:     "Write tags: [tides, harbor-report].",
		Check:   checkSkillMDTags,
	}),
	skm("SKM012", "skillmd-capabilities", engine.Rule{
		Summary: "x-personal-mcp.capabilities is a list of URIs, one at least.",
		Why:     "They are what the skill publishes; each is registered under its URI.",
		Fix:     "List the URIs, resource://skills/NAME/document first.",
		Check:   checkCapabilities,
	}),
	skm("SKM013", "skillmd-primary-uri", engine.Rule{
		Summary: "capabilities contains resource://skills/ID/document, ID being the skill's own.",
		Why:     "That is where clients read the skill itself.",
		Fix:     "Add the URI that the message names.",
		Check:   checkPrimaryURI,
	}),
	skm("SKM014", "skillmd-depends-on", engine.Rule{
		Summary: "x-personal-mcp.depends_on, where present, is a list of skill ids.",
		Why:     "An id of another form can belong to no skill.",
		Fix:     "Write depends_on: [harbor-report].",
		Check:   checkDependsOn,
	}),
	skm("SKM015", "skillmd-dependency", engine.Rule{
		Summary: "Each id of depends_on is a skill beside this one.",
		Why:     "The skill asks for another that cannot be loaded.",
		Fix:     "Correct the id, or remove it.",
		Catalog: true, Check: checkDependency,
	}),
	skm("SKM016", "skillmd-cycle", engine.Rule{
		Summary: "No skill depends on itself, not by way of others either.",
		Why:     "A reader that loads dependencies first never gets to an end.",
		Fix:     "Remove one of the dependencies of the cycle.",
		Catalog: true, Check: checkDependencyCycle,
	}),
	skm("SKM017", "skillmd-references", engine.Rule{
		Summary: "x-personal-mcp.references, where present, maps kebab-case ids to entries with path and, where wanted, mime_type and title.",
		Why:     "Each entry is published as a resource under its id.",
		Fix:     "Write references: { tides: { path: references/tides.md } }.",
		Check:   checkReferences,
	}),
	skm("SKM018", "skillmd-reference-path", engine.Rule{
		Summary: "The path of a reference is a markdown file under references/ of the skill's own folder: relative, without ..",
		Why:     "A path that leads out of the skill would publish a file that was not meant to be.",
		Fix:     "Move the file under references/ and write its path from the skill's folder.",
		Check:   checkReferencePath,
	}),
	skm("SKM019", "skillmd-reference-file", engine.Rule{
		Summary: "The file of each reference exists.",
		Why:     "Its resource cannot be read.",
		Fix:     "Add the file, or remove the reference.",
		Catalog: true, Check: checkReferenceFile,
	}),
}

// skm fills in what all rules about SKILL.md have in common.
func skm(code, name string, r engine.Rule) engine.Rule {
	r.Code, r.Name, r.Since, r.Chapter = code, name, "fmcp 0.1", engine.SkillMDChapter
	r.Spec, r.Community, r.On = record.SeverityError, record.SeverityError, []record.Type{record.TypeSkillMD}
	return r
}
