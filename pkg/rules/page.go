package rules

import (
	"slices"
	"strings"
)

// HomeURI is where the source and the documentation are.
const HomeURI = "https://github.com/flowmcp/fmcp"

// Family is the family of the rule: the letters of its code.
func (r *Rule) Family() string { return strings.TrimRight(r.Code, "0123456789") }

// Families are the families that have rules, in order.
func Families() []string {
	var list []string
	for _, r := range registry {
		list = append(list, r.Family())
	}
	return slices.Compact(list)
}

// Page is the page of the rule under docs/rules, with the anchor of the rule.
func (r *Rule) Page() string {
	return strings.ToLower(r.Family()) + ".md#" + strings.ToLower(r.Code)
}

// HelpURI is where the rule is explained.
func (r *Rule) HelpURI() string { return HomeURI + "/blob/main/docs/rules/" + r.Page() }

// Reference is what the rule follows: "chapter 09" or "READINGS 16".
func (r *Rule) Reference() string { return chapter(r.Chapter) }

// Examples returns the bad examples of a rule and the first good one, which is
// empty where there is none.
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
func Excerpt(r *Rule, files, others []FixtureFile) string {
	var b strings.Builder
	writeFiles(&b, r, files, others)
	return b.String()
}

// Markdown is a text of a rule as markdown: what stands between backticks is
// code there too, anything else means itself.
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
