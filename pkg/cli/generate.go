package cli

import (
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/flowmcp/fmcp/pkg/usage"
)

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
