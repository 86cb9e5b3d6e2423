package compare

import (
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Breaking is how many of the changes break something.
func Breaking(changes []Change) int {
	n := 0
	for _, c := range changes {
		if c.Breaking {
			n++
		}
	}
	return n
}

// what is a change in words.
func (c *Change) what() string {
	said := c.Says
	if c.At != "" {
		said += ": " + words.Clip(c.At, words.Shown)
	}
	short := func(v ordjson.Value) string { return words.Brief(ordjson.Text(v)) }
	switch {
	case c.Old.Exists() && c.New.Exists():
		return said + ", " + short(c.Old) + " is now " + short(c.New)
	case c.Old.Exists():
		return said + ", was " + short(c.Old)
	case c.New.Exists():
		return said + ", now " + short(c.New)
	}
	return said
}

// total counts changes.
func total(changes []Change) string {
	if len(changes) == 0 {
		return "no changes"
	}
	return fmt.Sprintf("%s, %d breaking", words.Count(len(changes), "change"), Breaking(changes))
}

// Text is a line for each change, and the counts.
func Text(changes []Change) string {
	var b strings.Builder
	for _, c := range changes {
		mark := "         "
		if c.Breaking {
			mark = "breaking "
		}
		fmt.Fprintln(&b, report.Visible(mark+c.ID+"  "+c.what()))
	}
	fmt.Fprintln(&b, total(changes))
	return b.String()
}

// JSON is an object for each change.
func JSON(changes []Change) []ordjson.Value {
	var lines []ordjson.Value
	for _, c := range changes {
		line := []ordjson.Member{
			ordjson.Field("id", ordjson.NewString(c.ID)), ordjson.Field("type", ordjson.NewString(string(c.Type))),
			ordjson.Field("change", ordjson.NewString(c.Name)), ordjson.Field("breaking", ordjson.NewBool(c.Breaking)),
		}
		if c.At != "" {
			line = append(line, ordjson.Field("at", ordjson.NewString(c.At)))
		}
		if c.Old.Exists() {
			line = append(line, ordjson.Field("old", c.Old))
		}
		if c.New.Exists() {
			line = append(line, ordjson.Field("new", c.New))
		}
		lines = append(lines, ordjson.NewObject(line...))
	}
	return lines
}

// Markdown is a table of what breaks something, with the reasons, and a list of the
// rest, for a pull request.
func Markdown(changes []Change) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n", total(changes))
	breaking := changes[:Breaking(changes)]
	if len(breaking) > 0 {
		b.WriteString("\n| breaking | what | why |\n|---|---|---|\n")
	}
	for _, c := range breaking {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", escaped(c.ID), escaped(c.what()), escaped(c.Why))
	}
	if len(breaking) < len(changes) {
		b.WriteString("\n")
	}
	for _, c := range changes[len(breaking):] {
		fmt.Fprintf(&b, "- %s: %s\n", escaped(c.ID), escaped(c.what()))
	}
	return b.String()
}

func escaped(s string) string { return rules.Markdown(report.Visible(s)) }
