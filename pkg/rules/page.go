package rules

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// Families are the families that have rules, in order.
func Families() []string {
	var list []string
	for _, r := range All() {
		list = append(list, r.Family())
	}
	return slices.Compact(list)
}

// Examples returns the bad examples of a rule and the first good one, which is
// empty if there is none.
func Examples(list []Fixture) (bad []Fixture, good Fixture) {
	for _, f := range list {
		switch {
		case strings.HasPrefix(f.Name, "bad"):
			bad = append(bad, f)
		case strings.HasPrefix(f.Name, "good") && good.Name == "":
			good = f
		}
	}
	return bad, good
}

// Excerpt shows files of an example: the lines in which they differ from
// others, numbered, or all of them where there is no difference.
func Excerpt(r *engine.Rule, files, others []FixtureFile) string {
	var b strings.Builder
	writeFiles(&b, r, files, others)
	return b.String()
}

// Markdown is a text of a rule as markdown: what is between backticks is code
// there too, anything else means itself.
func Markdown(text string) string {
	parts := strings.Split(text, "`")
	if len(parts)%2 == 0 { // one has no partner
		return strings.ReplaceAll(markdownText.Replace(text), "`", "\\`")
	}
	for i := 0; i < len(parts); i += 2 {
		parts[i] = markdownText.Replace(parts[i])
	}
	return strings.Join(parts, "`")
}

var markdownText = strings.NewReplacer(
	`\`, `\\`, `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `<`, `\<`, `>`, `\>`, `|`, `\|`, `#`, `\#`, `~`, `\~`,
)
