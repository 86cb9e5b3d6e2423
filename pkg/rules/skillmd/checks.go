package skillmd

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// The checks that look at one frontmatter.

// frontmatter is the frontmatter; what is not a mapping, of which SKM001
// speaks, has no fields.
func frontmatter(p *engine.Pass) *model.Node { return p.Root.At("frontmatter") }

// extension is x-personal-mcp.
func extension(p *engine.Pass) *model.Node { return frontmatter(p).At(extensionField) }

func checkFrontmatter(p *engine.Pass) {
	switch v := p.Root.Get("frontmatter"); v.Kind() {
	case ordjson.Object:
	case ordjson.Null:
		p.ReportFile("found no frontmatter, expected YAML between two lines --- at the start of the file",
			"start the file with ---, name, description and x-personal-mcp, and ---")
	default:
		p.ReportFile(engine.Found(v)+" as frontmatter, expected a mapping",
			"write name: …, description: … and x-personal-mcp: … between the two lines ---")
	}
}

func checkReservedName(p *engine.Pass) {
	front := frontmatter(p)
	for _, word := range []string{"anthropic", "claude"} {
		if name := front.Get("name").Str(); strings.Contains(strings.ToLower(name), word) {
			p.Report(front.At("name"), "found "+engine.Quote(name)+", which contains the reserved word "+word,
				"name the skill and its folder after what it does")
		}
	}
}

func checkSkillMDDescription(p *engine.Pass) {
	p.TooLong(frontmatter(p).At("description"), "move the details below the frontmatter, or to when_to_use")
}

func checkDescriptionTags(p *engine.Pass) {
	front := frontmatter(p)
	if tag := xmlTag(front.Get("description").Str()); tag != "" {
		p.Report(front.At("description"), "found the XML tag "+engine.Quote(tag)+", expected plain text",
			"write it as a word")
	}
}

// xmlTag is the first XML tag of a text, "" if there is none. A comparison, as
// in a < b, is not a tag.
func xmlTag(text string) string {
	for {
		_, rest, ok := strings.Cut(text, "<")
		if !ok || rest == "" {
			return ""
		}
		if end := strings.IndexAny(rest, "<>"); end > 0 && rest[end] == '>' &&
			(engine.IsAlnum(rest[0]) || strings.IndexByte("/!?_", rest[0]) >= 0) {
			return "<" + rest[:end+1]
		}
		text = rest
	}
}

func checkSkillMDFolder(p *engine.Pass) {
	front := frontmatter(p)
	name, folder := engine.Trimmed(front.Get("name")), walk.Folder(p.Load.Src)
	if !engine.IsSkillName(name) || name == folder {
		return // SKM002 speaks about what is not a name
	}
	fix := "rename the folder to " + name
	if engine.IsSkillName(folder) {
		fix += ", or write name: " + folder
	}
	p.Report(front.At("name"), "found "+engine.Quote(name)+", expected "+engine.Quote(folder)+
		", the name of the skill's folder", fix)
}

func checkSkillMDID(p *engine.Pass) {
	at, name := extension(p).At("id"), engine.Trimmed(frontmatter(p).Get("name"))
	if id := engine.Trimmed(at.Value); engine.IsKebab(id) && engine.IsSkillName(name) && id != name {
		p.Report(at, "found "+engine.Quote(id)+", expected "+engine.Quote(name)+", the name of the skill",
			"write id: "+name)
	}
}

// isSemverTagged matches a semantic version, with a pre-release or build too.
func isSemverTagged(s string) bool {
	core, tail := s, "x"
	if i := strings.IndexAny(s, "-+"); i >= 0 {
		core, tail = s[:i], s[i+1:]
	}
	tagged := func(c byte) bool { return engine.IsAlnum(c) || c == '.' || c == '-' || c == '+' }
	if !engine.IsSemver(core) || !engine.Each(tail, tagged, tagged) {
		return false
	}
	for n := range strings.SplitSeq(core, ".") {
		if len(n) > 1 && n[0] == '0' {
			return false
		}
	}
	return true
}

func checkSkillMDTags(p *engine.Pass) {
	for _, n := range extension(p).At("tags").Items() {
		if tag := engine.Trimmed(n.Value); n.Is(ordjson.String) && !engine.IsKebab(tag) {
			// The model of the specification takes any string.
			p.ReportAs(record.SeverityWarning, n,
				"found "+engine.Quote(tag)+", expected lower-case letters, digits and hyphens, a letter first",
				kebabFix(tag))
		}
	}
}

// kebabFix proposes a name in kebab-case.
func kebabFix(s string) string {
	if name := engine.ToNamespace(s); name != "" {
		return "write " + name
	}
	return "write it in kebab-case"
}
