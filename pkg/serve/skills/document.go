package skills

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/text"
)

// frontmatter is that of the SKILL.md of a FlowMCP skill. Hosts choose skills by
// the description, so that it says when to use the skill, where there is room.
func frontmatter(s *catalog.Skill) ordjson.Value {
	about := s.Description
	if both := strings.TrimSpace(about + " " + s.WhenToUse); utf8.RuneCountInString(both) <= maxDescription {
		about = both
	}
	return ordjson.NewObject(field("name", s.Name), field("description", about))
}

// document is the SKILL.md of a FlowMCP skill. The strings of JSON are strings of
// YAML.
func document(x *catalog.Index, s *catalog.Skill, front ordjson.Value) string {
	var b strings.Builder
	b.WriteString("---\n")
	for _, m := range front.Members() {
		b.WriteString(m.Key + ": " + ordjson.Text(m.Value) + "\n")
	}
	b.WriteString("---\n\n" + text.Document(x, s) + "\n")
	return b.String()
}

// escaped is a path in a URI.
func escaped(path string) string { return (&url.URL{Path: path}).EscapedPath() }
