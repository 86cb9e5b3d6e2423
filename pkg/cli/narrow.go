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
	Agent     string   `group:"Narrowing" placeholder:"NAME" help:"Only what this agent needs: its tools, resources, prompts and skills, those of its selections, and their lists and libraries."`
	Selection string   `group:"Narrowing" placeholder:"SPEC-ID" help:"Only what this selection needs."`
	Only      []string `group:"Narrowing" placeholder:"GLOB,..." help:"Only what has a matching ID, as in 'coingecko/*', and what that needs; @FILE reads one glob per line. May be repeated."`
	ReadOnly  bool     `group:"Narrowing" help:"Only tools and queries that change nothing."`
}

// Narrowing is what the flags ask for, with the globs of files in it.
func (f *NarrowFlags) Narrowing() (catalog.Narrowing, error) {
	n := catalog.Narrowing{Agent: f.Agent, Selection: f.Selection, ReadOnly: f.ReadOnly}
	for _, glob := range f.Only {
		name, isFile := strings.CutPrefix(glob, "@")
		if !isFile {
			n.Only = append(n.Only, glob)
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return n, Usagef("--only %s: %v", glob, words.Cause(err))
		}
		before := len(n.Only)
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				n.Only = append(n.Only, line)
			}
		}
		if len(n.Only) == before {
			return n, Usagef("--only %s: the file has no ID, expected one a line", glob)
		}
	}
	return n, nil
}
