package cli

import (
	"os"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/words"
)

// NarrowFlags say which part of a catalog is wanted. Who gives several wants what
// all of them ask for.
type NarrowFlags struct {
	Agent     string   `group:"Narrowing" placeholder:"NAME" naming:"agent" help:"Only what this agent needs: its tools, resources, prompts and skills, those of its selections, and their lists and libraries."`
	Selection string   `group:"Narrowing" placeholder:"SPEC-ID" naming:"selection" help:"Only what this selection needs."`
	Only      []string `group:"Narrowing" placeholder:"GLOB,..." help:"Only what has a matching ID, as in 'coingecko/*', and what that needs; @FILE reads one glob per line. May be repeated."`
	Deny      []string `group:"Narrowing" placeholder:"GLOB,..." help:"Leave out what has a matching ID, whatever else selects it; @FILE reads one glob per line. May be repeated."`
	ReadOnly  bool     `group:"Narrowing" help:"Only tools and queries that change nothing."`
}

// Narrowing is what the flags ask for, with the globs of files in it.
func (f *NarrowFlags) Narrowing() (catalog.Narrowing, error) {
	n := catalog.Narrowing{Agent: f.Agent, Selection: f.Selection, ReadOnly: f.ReadOnly}
	var err error
	if n.Only, err = globs("--only", f.Only); err != nil {
		return n, err
	}
	n.Deny, err = globs("--deny", f.Deny)
	return n, err
}

// globs are those of a flag, and of the files that it names.
func globs(flag string, list []string) (all []string, err error) {
	for _, glob := range list {
		name, isFile := strings.CutPrefix(glob, "@")
		if !isFile {
			all = append(all, glob)
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, Usagef("%s %s: %v", flag, glob, words.Cause(err))
		}
		before := len(all)
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				all = append(all, line)
			}
		}
		if len(all) == before {
			return nil, Usagef("%s %s: the file has no ID, expected one a line", flag, glob)
		}
	}
	return all, nil
}
