package cli

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/flowmcp/fmcp/pkg/usage"
)

// Example is a command line and what it does.
type Example = usage.Example

// About is what a subcommand may say of itself in its help.
type About interface {
	Long() string // a paragraph after the short sentence
	Examples() []Example
}

// describe says what a command or a subcommand takes.
func (a *App) describe(node *kong.Node) *usage.Command {
	c := &usage.Command{Words: []string{a.Name}, Short: a.Short, Examples: a.Examples}
	if node.Type == kong.CommandNode {
		c.Words = append(c.Words, strings.Fields(commandPath(node))...)
		c.Short, c.Examples = node.Help, nil
		if about, ok := node.Target.Addr().Interface().(About); ok {
			c.Long, c.Examples = about.Long(), about.Examples()
		}
	}
	commands := listed(node)
	for _, sub := range commands {
		c.Commands = append(c.Commands, a.describe(sub))
	}
	if node.DefaultCmd != nil { // its flags and arguments need no name before them
		node = node.DefaultCmd
		c.Usage = append(c.Usage, a.usageLine("", node))
	} else if node.Type == kong.CommandNode && node.Leaf() {
		c.Usage = append(c.Usage, a.usageLine(commandPath(node), node))
	} else if len(commands) == 0 {
		c.Usage = append(c.Usage, a.usageLine("", node))
	}
	for _, sub := range leaves(commands) {
		c.Usage = append(c.Usage, a.usageLine(commandPath(sub), sub))
	}
	formats := a.formatsOf(node)
	for _, p := range node.Positional {
		value := valueOf(p, formats)
		value.Name = strings.ToUpper(p.Name)
		c.Args = append(c.Args, usage.Arg{Title: argument(p), Help: p.Help, Many: p.IsCumulative(), Value: value})
	}
	c.Groups = groups(node, a.formatsText(formats), formats)
	c.Exits = exits(a.findings(node))
	return c
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

// groups are the flags by group, in the order in which groups first appear,
// but General last; text is what FORMATS stands for in their help.
func groups(node *kong.Node, text string, formats []string) []usage.Group {
	var list []usage.Group
	for _, level := range slices.Backward(node.AllFlags(true)) {
		for _, f := range level {
			title := "Flags"
			if f.Group != nil {
				title = f.Group.Title
			}
			i := slices.IndexFunc(list, func(g usage.Group) bool { return g.Title == title })
			if i < 0 {
				i = len(list)
				list = append(list, usage.Group{Title: title})
			}
			list[i].Flags = append(list[i].Flags, usage.Flag{
				Name: f.Name, Short: f.Short, Title: flagTitle(f),
				Help:  strings.ReplaceAll(flagHelp(f), "FORMATS", text),
				Alone: f.IsBool() || f.IsCounter(), Many: f.IsCumulative(), Value: valueOf(f.Value, formats),
			})
		}
	}
	if i := slices.IndexFunc(list, func(g usage.Group) bool { return g.Title == "General" }); i >= 0 {
		general := list[i]
		list = append(slices.Delete(list, i, i+1), general)
	}
	return list
}

func flagTitle(f *kong.Flag) string {
	title := "    --" + f.Name
	if f.Short != 0 {
		title = fmt.Sprintf("-%c, --%s", f.Short, f.Name)
	}
	switch value := flagValue(f); {
	case value == "":
		return title
	case f.IsBool() || f.IsCounter():
		return title + "[=" + value + "]"
	default:
		return title + " " + value
	}
}

// flagValue is the name of what a flag takes, "" for nothing.
func flagValue(f *kong.Flag) string {
	if f.PlaceHolder != "" || f.IsBool() || f.IsCounter() {
		return f.PlaceHolder
	}
	return strings.ToUpper(f.Name)
}

// Chooser is the value of a flag or an argument that is one of a few words.
type Chooser interface{ Words() []string }

// valueOf says what a flag or an argument of a command takes. The words are those
// of the value's type or of the tag enum.
func valueOf(v *kong.Value, formats []string) usage.Value {
	value := usage.Value{Naming: v.Tag.Get("naming")}
	if v.Flag != nil {
		value.Name = flagValue(v.Flag)
	}
	target := v.Target
	if v.IsSlice() {
		target = reflect.New(target.Type().Elem()).Elem()
	}
	switch target := target.Addr().Interface().(type) {
	case *OutputSpec:
		value.Words = func() (words []string) {
			for _, format := range formats {
				words = append(words, format+"=")
			}
			return words
		}
	case Chooser:
		value.Words = target.Words
	default:
		switch {
		case value.Name == "FORMAT":
			value.Words = func() []string { return formats }
		case v.Enum != "":
			value.Words = v.EnumSlice
		}
	}
	return value
}

// exits are the exit statuses; findings is what 1 means, "" where the command
// has none.
func exits(findings string) [][2]string {
	rows := [][2]string{{fmt.Sprint(ExitOK), "clean"}}
	if findings != "" {
		rows = append(rows, [2]string{fmt.Sprint(ExitFindings), findings})
	}
	return append(rows,
		[2]string{fmt.Sprint(ExitUsage), "wrong usage or configuration"},
		[2]string{fmt.Sprint(ExitFailure), "failure: unreadable or empty input, any error record, I/O"})
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

// completeWords is how the script of a shell asks what the words after it may
// become: the first argument, so that no flag of those words is taken for ours.
const completeWords = "--complete"

// Shell is the value of --completion.
type Shell string

// Words implements Chooser.
func (*Shell) Words() []string { return usage.Shells() }

// UnmarshalText reads the name of a shell.
func (s *Shell) UnmarshalText(text []byte) error { return choose(s, string(text), s.Words()) }

// generated writes what is made of the flags of a command, where that is wanted;
// nothing that the command requires need be there.
func (a *App) generated(root *kong.Node, args []string) (done bool, code int, err error) {
	if len(args) > 0 && args[0] == completeWords {
		c := usage.Completer{Root: a.describe(root), Getenv: a.IO.Getenv}
		_, err = io.WriteString(a.IO.Stdout, c.Complete(args[1:]))
		return true, ExitOK, err
	}
	if name, given := earlyFlag(args, "--completion"); given {
		var shell Shell
		if err := shell.UnmarshalText([]byte(name)); err != nil {
			return true, ExitUsage, Usagef("--completion: %v", err)
		}
		_, err = io.WriteString(a.IO.Stdout, usage.Script(string(shell), a.Name))
		return true, ExitOK, err
	}
	if dir, given := earlyFlag(args, "--man"); given {
		if dir == "" {
			return true, ExitUsage, Usagef("--man: expected a folder to write the pages to")
		}
		release := usage.Release{Name: "fmcp " + Version(), Date: sourceDate()}
		return true, ExitOK, a.describe(root).WritePages(dir, release)
	}
	return false, ExitOK, nil
}

// earlyFlag is the value of a flag among arguments that are not parsed yet.
func earlyFlag(args []string, flag string) (value string, given bool) {
	for i, arg := range args {
		name, value, valued := strings.Cut(arg, "=")
		switch {
		case arg == "--":
			return "", false
		case name != flag:
		case !valued && i+1 < len(args):
			return args[i+1], true
		default:
			return value, true
		}
	}
	return "", false
}
