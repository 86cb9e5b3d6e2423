package lifecycle

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/text"
)

// Commands write the commands that give what is missing, so that they can be copied.
type Commands struct {
	Rules    []string // flags by which files are judged, such as --profile community
	Runs     []string // flags that name test runs, such as --runs FILE
	Given    []string // flags that name what else is known, and how it is graded
	Captures string   // where answers of tests are kept; "" for ./captures
}

// step is one thing that is needed.
func step(needs, command string) []record.GradeStep {
	return []record.GradeStep{{Needs: needs, Command: command}}
}

func (c Commands) validate(path string) string {
	return c.line("fmcp-validate", path)
}

// test keeps the answers, so that the last run of each test counts.
func (c Commands) test(path string) string {
	return c.line("fmcp-exec test --mode validate", path, "--capture", cmp.Or(c.Captures, "captures"))
}

// promptsOf judges nothing: no rules are asked.
func promptsOf(path string) string {
	return Commands{}.line("fmcp-grade prompts --out prompts", path)
}

// grade takes what is known again.
func (c Commands) grade(path string) string {
	return c.line("fmcp-grade", path, slices.Concat(c.Runs, c.Given)...)
}

// trim copies a catalog, since others in it may name what is removed. It judges
// nothing: no rules are asked.
func (c Commands) trim(root string) string {
	runs := c.Runs
	if runs == nil { // they came in the input
		runs = []string{"--captures", "captures"}
	}
	return Commands{}.line("fmcp-grade trim --out trimmed", root, runs...)
}

// line is a command over a file, with the flags that it is to have beside those of
// the rules.
func (c Commands) line(command, path string, flags ...string) string {
	return command + " " + text.ShellLine(append(slices.Concat(flags, c.Rules), argument(path)))
}

// argument keeps a path from being read as a flag.
func argument(path string) string {
	if strings.HasPrefix(path, "-") {
		return "./" + path
	}
	return path
}

// move moves a file to a folder.
func move(path, folder string) string {
	path, folder = argument(path), argument(folder)
	return text.ShellLine([]string{"mkdir", "-p", folder}) + " && " + text.ShellLine([]string{"mv", path, folder})
}

// register renews the registry of a catalog.
func register(root string) string {
	return "fmcp-resolve registry build --write " + text.ShellLine([]string{argument(root)})
}

// inFolder reports whether a file is directly or deeper in a folder of that path,
// wherever that is.
func inFolder(path, folder string) bool {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	const sep = string(filepath.Separator)
	return strings.Contains(filepath.Dir(path)+sep, sep+folder+sep)
}
