package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

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
	palette Palette
	width   int
}

// About is what a subcommand may say of itself in its help.
type About interface {
	Long() string // a paragraph after the short sentence
	Examples() []Example
}

// help is what --help prints for a command or a subcommand.
func (a *App) help(node *kong.Node) []byte {
	width := a.IO.Width
	if width <= 0 {
		width = defaultWidth
	}
	h := &helpText{palette: a.Palette, width: min(max(width, minWidth), maxWidth)}
	short := a.Short
	if node.Type == kong.CommandNode {
		short = node.Help
	}
	h.wrap(short, 0, 0)
	about, _ := node.Target.Addr().Interface().(About)
	if about != nil && node.Type == kong.CommandNode {
		h.WriteByte('\n')
		h.wrap(about.Long(), 0, 0)
	}
	h.heading("Usage")
	commands := listed(node)
	if node.DefaultCmd != nil { // its flags and arguments need no name before them
		node = node.DefaultCmd
		h.WriteString("  " + a.usageLine("", node) + "\n")
	} else if node.Type == kong.CommandNode && node.Leaf() {
		h.WriteString("  " + a.usageLine(commandPath(node), node) + "\n")
	} else if len(commands) == 0 {
		h.WriteString("  " + a.usageLine("", node) + "\n")
	}
	for _, c := range leaves(commands) {
		h.WriteString("  " + a.usageLine(commandPath(c), c) + "\n")
	}
	if short == a.Short {
		h.examples(a.Examples)
	} else if about != nil {
		h.examples(about.Examples())
	}
	section(h, "Arguments", node.Positional,
		func(p *kong.Positional) [2]string { return [2]string{argument(p), p.Help} })
	section(h, "Commands", commands, func(c *kong.Node) [2]string { return [2]string{c.Name, c.Help} })
	h.flags(node, a.formatsText(a.formatsOf(node)))
	h.exits(a.findings(node))
	return []byte(h.String())
}

// listed are the subcommands that help names.
func listed(node *kong.Node) []*kong.Node {
	return slices.DeleteFunc(slices.Clone(node.Children),
		func(n *kong.Node) bool { return n.Hidden || n == node.DefaultCmd })
}

// leaves are the commands that can be run, in the place of those that only have
// commands below them.
func leaves(commands []*kong.Node) []*kong.Node {
	var list []*kong.Node
	for _, c := range commands {
		if below := listed(c); len(below) > 0 {
			list = append(list, leaves(below)...)
		} else {
			list = append(list, c)
		}
	}
	return list
}

// commandPath is the name of a subcommand with those of the commands above it:
// "resource import-gtfs".
func commandPath(node *kong.Node) string {
	if node.Parent == nil || node.Parent.Type != kong.CommandNode {
		return node.Name
	}
	return commandPath(node.Parent) + " " + node.Name
}

// usageLine is "fmcp-scan [PATH...] [flags]".
func (a *App) usageLine(command string, node *kong.Node) string {
	words := []string{a.Name}
	if command != "" {
		words = append(words, command)
	}
	for _, p := range node.Positional {
		words = append(words, argument(p))
	}
	return strings.Join(append(words, "[flags]"), " ")
}

// argument is PATH, or [PATH...] where it is optional and may be repeated.
func argument(p *kong.Positional) string {
	name := strings.ToUpper(p.Name)
	if p.IsCumulative() {
		name += "..."
	}
	if !p.Required {
		name = "[" + name + "]"
	}
	return name
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

// flags prints the flags by group, in the order in which groups first appear,
// but General last; formats is what FORMATS stands for in their help.
func (h *helpText) flags(node *kong.Node, formats string) {
	var order []string
	groups := map[string][][2]string{}
	for _, level := range slices.Backward(node.AllFlags(true)) {
		for _, f := range level {
			title := "Flags"
			if f.Group != nil {
				title = f.Group.Title
			}
			if groups[title] == nil {
				order = append(order, title)
			}
			groups[title] = append(groups[title],
				[2]string{flagNames(f), strings.ReplaceAll(flagHelp(f), "FORMATS", formats)})
		}
	}
	if i := slices.Index(order, "General"); i >= 0 {
		order = append(slices.Delete(order, i, i+1), "General")
	}
	for _, title := range order {
		h.heading(title)
		h.table(groups[title])
	}
}

func flagNames(f *kong.Flag) string {
	names := "    --" + f.Name
	if f.Short != 0 {
		names = fmt.Sprintf("-%c, --%s", f.Short, f.Name)
	}
	if f.IsBool() || f.IsCounter() {
		if f.PlaceHolder != "" {
			names += "[=" + f.PlaceHolder + "]"
		}
		return names
	}
	if f.PlaceHolder != "" {
		return names + " " + f.PlaceHolder
	}
	return names + " " + strings.ToUpper(f.Name)
}

// exits lists the exit statuses; findings is what 1 means, "" where the command
// has none.
func (h *helpText) exits(findings string) {
	h.heading("Exit status")
	rows := [][2]string{{fmt.Sprint(ExitOK), "clean"}}
	if findings != "" {
		rows = append(rows, [2]string{fmt.Sprint(ExitFindings), findings})
	}
	h.table(append(rows,
		[2]string{fmt.Sprint(ExitUsage), "wrong usage or configuration"},
		[2]string{fmt.Sprint(ExitFailure), "failure: unreadable or empty input, any error record, I/O"}))
}

// findings is what exit status 1 means; a subcommand may mean its own by it.
func (a *App) findings(node *kong.Node) string {
	if own, ok := node.Target.Addr().Interface().(interface{ Findings() string }); ok && node.Type == kong.CommandNode {
		return own.Findings()
	}
	for _, level := range node.AllFlags(true) {
		for _, f := range level {
			if a.Findings == "" && f.Name == "fail-on" {
				return "findings at or above --fail-on"
			}
		}
	}
	return a.Findings
}

// flagHelp is a flag's help with its default, where the help does not say it,
// and the variable of the environment that it may come from.
func flagHelp(f *kong.Flag) string {
	text := flagText(f)
	if name := f.Tag.Get("var"); name != "" {
		text = strings.TrimSuffix(text, ".") + " [$" + name + "]"
	}
	return text
}

func flagText(f *kong.Flag) string {
	if !f.HasDefault || f.Default == "" || f.IsBool() || strings.Contains(f.Help, "(default: ") {
		return f.Help
	}
	return strings.TrimSuffix(f.Help, ".") + " (default: " + f.Default + ")"
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
