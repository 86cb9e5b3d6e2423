package engine

import (
	"strconv"
	"strings"
)

// HomeURI is where the source and the documentation are.
const HomeURI = "https://github.com/flowmcp/fmcp"

// Family is the family of the rule: the letters of its code.
func (r *Rule) Family() string { return strings.TrimRight(r.Code, "0123456789") }

// Page is the page of the rule under docs/rules, with the anchor of the rule.
func (r *Rule) Page() string {
	return strings.ToLower(r.Family()) + ".md#" + strings.ToLower(r.Code)
}

// HelpURI is where the rule is explained.
func (r *Rule) HelpURI() string { return HomeURI + "/blob/main/docs/rules/" + r.Page() }

// Reference is what the rule follows: "chapter 09", or "decision "Path
// placeholders"", a heading of docs/decisions.md.
func (r *Rule) Reference() string {
	switch {
	case isDigit(r.Chapter[0]):
		return "chapter " + r.Chapter
	case r.Chapter == SkillMDChapter || r.Chapter == OwnCode:
		return r.Chapter
	}
	return "decision " + strconv.Quote(r.Chapter)
}

// ReferenceURI is where that can be read, "" for what is fmcp's own.
func (r *Rule) ReferenceURI() string {
	switch name := chapters[r.Chapter]; {
	case name != "":
		return chapterURI + r.Chapter + "-" + name + ".md"
	case r.Chapter == SkillMDChapter || r.Chapter == OwnCode:
		return ""
	}
	return HomeURI + "/blob/main/docs/" + Decision(r.Chapter)
}

// Decision is a heading of docs/decisions.md as pages of docs link to it.
func Decision(heading string) string {
	return "decisions.md#" + strings.NewReplacer(" ", "-", "'", "", ".", "", ",", "").Replace(strings.ToLower(heading))
}

// ReferenceLink is Reference as markdown, a link where there is a page.
func (r *Rule) ReferenceLink() string {
	if uri := r.ReferenceURI(); uri != "" {
		return "[" + r.Reference() + "](" + uri + ")"
	}
	return r.Reference()
}

// What a rule may follow in the place of a chapter or a decision: the text about
// SKILL.md, or nothing but how fmcp works.
const (
	SkillMDChapter = "skill-md-frontmatter"
	OwnCode        = "own code"
)

// chapterURI is where the chapters of version 4.2.0 are, and chapters their
// names.
const chapterURI = "https://github.com/FlowMCP/flowmcp-spec/blob/a44e4121342acc205cb467de1672ebc009aecd03/spec/v4.2.0/"

var chapters = map[string]string{
	"00": "overview", "01": "schema-format", "02": "parameters", "03": "shared-lists", "04": "output-schema",
	"05": "security",
	"06": "agents", "07": "tasks", "08": "migration", "09": "validation-rules", "10": "tests", "11": "preload",
	"12": "prompt-architecture", "13": "resources", "14": "skills", "15": "catalog", "16": "id-schema",
	"17": "selections",
	"18": "prefill", "19": "mcp-integration", "20": "validation-strategy", "21": "schema-lifecycle",
	"22": "scoring-protocol",
}
