package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/words"
)

// What the flag library says, up to its own suggestions: they compare
// prefixes only, and ours cover values too.
var (
	unknownFlag   = lazy.Regexp(`^unknown flag (-\S+?)(, did you mean .*)?$`)
	unexpectedArg = lazy.Regexp(`^unexpected argument (.*?)(, did you mean .*)?$`)
	flagTooEarly  = lazy.Regexp(`^flag (-\S+) applies to the default command .*, not "(.*)"$`)
	notInEnum     = lazy.Regexp(`^(\S+) must be one of (.*) but got "(.*)"$`)
)

// usageOf makes a UsageError of what the flag library reports.
func usageOf(err error) error {
	msg := err.Error()
	var parse *kong.ParseError
	var flags, commands []string
	if errors.As(err, &parse) && parse.Context != nil {
		flags, commands = namesOf(parse.Context)
	}
	if m := unknownFlag().FindStringSubmatch(msg); m != nil {
		name, _, _ := strings.Cut(m[1], "=")
		return Usagef("unknown flag %s%s", name, nearFlag(name, flags))
	}
	if m := unexpectedArg().FindStringSubmatch(msg); m != nil {
		return Usagef("unexpected argument %q%s", m[1], words.DidYouMean(m[1], commands))
	}
	if m := flagTooEarly().FindStringSubmatch(msg); m != nil {
		return Usagef("%s comes before the subcommand %s: write %s first", m[1], m[2], m[2])
	}
	if m := notInEnum().FindStringSubmatch(msg); m != nil {
		allowed := strings.Split(strings.ReplaceAll(m[2], `"`, ""), ",")
		flag, _, _ := strings.Cut(m[1], "=")
		return Usagef("%s: %q is not one of %s%s", flag, m[3],
			strings.Join(allowed, ", "), words.DidYouMean(m[3], allowed))
	}
	return Usagef("%s", strings.ReplaceAll(msg, "\n", " "))
}

// nearFlag is the "did you mean" of a flag: one that is spelt like it, or else
// one that is the same but for its last word. --cache-dir is nearer to --cache
// than to --cache-size.
func nearFlag(name string, flags []string) string {
	near, ok := words.Closest(name, flags)
	if dash := strings.LastIndexByte(name, '-'); slices.Contains(flags, name[:dash]) &&
		!(ok && strings.HasPrefix(near, name[:min(dash+2, len(name))])) {
		near, ok = name[:dash], true
	}
	if i := slices.IndexFunc(flags, func(f string) bool { return strings.HasPrefix(f, name+"-") }); !ok && i >= 0 {
		near, ok = flags[i], true
	}
	if !ok {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", near)
}

// mistyped is what is wrong with a first argument that comes close to the name
// of a subcommand and is nothing that a command without one takes: no file, and
// no ID or MCP name, which have a / or a _ in them.
func mistyped(root *kong.Node, args []string) error {
	if root.DefaultCmd == nil || len(args) == 0 || strings.ContainsAny(args[0], "/_.*") ||
		strings.HasPrefix(args[0], "-") {
		return nil
	}
	var commands []string
	for _, c := range listed(root) {
		commands = append(commands, c.Name)
	}
	near, ok := words.Closest(args[0], commands)
	if !ok || near == args[0] {
		return nil
	}
	if _, err := os.Lstat(args[0]); err == nil {
		return nil
	}
	return Usagef("%q is not a command (did you mean %q?), and there is no file of that name", args[0], near)
}

// namesOf lists the flags that could have been given, with their dashes, and
// the subcommands.
func namesOf(ctx *kong.Context) (flags, commands []string) {
	node := ctx.Selected()
	if node == nil {
		node = ctx.Model.Node
	}
	for _, c := range listed(node) {
		commands = append(commands, c.Name)
	}
	if node.DefaultCmd != nil { // its flags need no name before them
		node = node.DefaultCmd
	}
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			flags = append(flags, "--"+f.Name)
		}
	}
	return flags, commands
}

// helpColor is the value of --color where parsing stopped at --help.
func helpColor(err error) string {
	var parse *kong.ParseError
	if !errors.As(err, &parse) || parse.Context == nil {
		return ""
	}
	for _, path := range parse.Context.Path {
		if path.Flag != nil && path.Flag.Name == "color" {
			if mode, ok := parse.Context.FlagValue(path.Flag).(ColorMode); ok {
				return string(mode)
			}
		}
	}
	return ""
}
