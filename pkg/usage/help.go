package usage

import (
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Widths of help, in columns: where there is no terminal, and the most that
// reads well.
const (
	defaultWidth = 80
	minWidth     = 40
	maxWidth     = 100
)

// helpText is help under construction.
type helpText struct {
	strings.Builder
	palette report.Palette
	width   int
}

// Help is what --help prints on a terminal of so many columns, or none.
func (c *Command) Help(palette report.Palette, width int) string {
	if width <= 0 {
		width = defaultWidth
	}
	h := &helpText{palette: palette, width: min(max(width, minWidth), maxWidth)}
	h.wrap(c.Short, 0, 0)
	if c.Long != "" {
		h.WriteByte('\n')
		h.wrap(c.Long, 0, 0)
	}
	h.heading("Usage")
	for _, line := range c.Usage {
		h.WriteString("  " + line + "\n")
	}
	h.examples(c.Examples)
	section(h, "Arguments", c.Args, func(a Arg) [2]string { return [2]string{a.Title, a.Help} })
	section(h, "Commands", c.Commands, func(sub *Command) [2]string {
		return [2]string{sub.Words[len(sub.Words)-1], sub.Short}
	})
	for _, g := range c.Groups {
		section(h, g.Title, g.Flags, func(f Flag) [2]string { return [2]string{f.Title, f.Help} })
	}
	h.heading("Exit status")
	h.table(c.Exits)
	return h.String()
}

func (h *helpText) heading(s string) {
	h.WriteString("\n" + h.palette.Bold(s+":") + "\n")
}

func (h *helpText) examples(list []Example) {
	if len(list) == 0 {
		return
	}
	h.heading("Examples")
	for _, e := range list {
		h.WriteString("  ")
		h.wrap("# "+e.What, 2, 4)
		h.WriteString("  $ " + h.palette.Path(e.Command) + "\n")
	}
}

// columnMax is the widest first column of a table; a longer cell gets a line
// of its own.
const columnMax = 26

// section is a heading and a table, or nothing where the table has no rows.
func section[T any](h *helpText, title string, items []T, row func(T) [2]string) {
	if len(items) == 0 {
		return
	}
	h.heading(title)
	var rows [][2]string
	for _, item := range items {
		rows = append(rows, row(item))
	}
	h.table(rows)
}

func (h *helpText) table(rows [][2]string) {
	column := 0
	for _, r := range rows {
		if n := utf8.RuneCountInString(r[0]); n <= columnMax {
			column = max(column, n)
		}
	}
	indent := 2 + column + 2
	for _, r := range rows {
		h.WriteString("  " + r[0])
		if r[1] == "" {
			h.WriteByte('\n')
			continue
		}
		if n := utf8.RuneCountInString(r[0]); n > column {
			h.WriteString("\n" + strings.Repeat(" ", indent))
		} else {
			h.WriteString(strings.Repeat(" ", column-n+2))
		}
		h.wrap(strings.TrimSuffix(r[1], "."), indent, indent) // one style, however the tag is written
	}
}

// wrap writes words from column at on, further lines indented, and ends the
// line.
func (h *helpText) wrap(text string, at, indent int) {
	h.WriteString(report.Wrap(words.OneLine(text), h.width, at, indent) + "\n")
}
