package main

import (
	"context"
	"fmt"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/resolve"
	"github.com/flowmcp/fmcp/pkg/stage"
)

type mergeCommand struct {
	cli.NarrowFlags
	cli.ShowFlags
	cli.ArtefactFlags
	Files []string `arg:"" name:"FILE" help:"Parts that fmcp-resolve --part wrote, and findings of fmcp-validate."`
}

// Long is the paragraph of the help.
func (m *mergeCommand) Long() string {
	return "The catalog is the one that a single fmcp-resolve over all files would have made, byte for byte; so are " +
		"the findings. No source is read. The names, profile and options are those of the parts, which must " +
		"agree. A file with a finding of severity error is left out. docs/scale.md has the whole recipe."
}

// Examples are those of the help.
func (m *mergeCommand) Examples() []cli.Example {
	return []cli.Example{{Command: "fmcp-resolve merge part-*.ndjson findings.ndjson > catalog.ndjson",
		What: "make one catalog of what several machines have made"}}
}

// Formats are those of -f and -o.
func (m *mergeCommand) Formats() []string { return info.Formats }

func (m *mergeCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	c := outer(app)
	source, err := c.Streams(app, m.Files)
	if err != nil {
		return cli.ExitUsage, err
	}
	wanted, err := m.Narrowing()
	if err != nil {
		return cli.ExitUsage, err
	}
	merging, err := stage.Resolve(resolve.Options{Merge: true, Version: cli.Version()}, wanted)
	if err != nil {
		return cli.ExitFailure, err
	}
	check := stage.Step{Finish: func(context.Context, func(stage.Batch) bool) error { return c.checkParts() }}
	return c.resolve(ctx, app, source, &m.ShowFlags, &m.ArtefactFlags,
		append(stage.Loading(app.Name), check, merging))
}

// checkParts says which input is not one that merge takes, or not whole: a part that was
// cut off lacks schemas, and findings that were leave one in that is wrong.
func (c *command) checkParts() error {
	for _, in := range c.Tally().Inputs() {
		part, findings := in.Kinds[record.KindPart] > 0, in.Kinds[record.KindDiagnostic]+in.Kinds[record.KindError] > 0
		other := in.Kinds[record.KindLoad]+in.Kinds[record.KindResolved] > 0
		if !part && (other || !findings && len(in.Kinds) > 0) {
			return fmt.Errorf("%s: found %s, expected a part or findings: write it with fmcp-resolve --part, where "+
				"the load records are (%s)", in.Name, in.Text(), catalog.CodeParts)
		}
		if err := in.NotWhole(); err != nil {
			return fmt.Errorf("%w: write it again, findings with fmcp-validate --end (%s)", err, catalog.CodeParts)
		}
	}
	return nil
}
