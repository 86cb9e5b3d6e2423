// Fmcp-validate holds the files of a catalog against the specification.
package main

import (
	"context"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/stage"
)

var info = cli.Info{
	Name:  "fmcp-validate",
	Short: "Holds schemas against the rules of the FlowMCP specification and explains every mistake: where, what was found, what was expected, how to mend it.",
	Examples: []cli.Example{
		{Command: "fmcp-validate catalog/", What: "scan, load and validate in one process"},
		{Command: "fmcp-scan catalog/ | fmcp-load | fmcp-validate --pass | fmcp-resolve > catalog.ndjson", What: "build a catalog of what is right"},
		{Command: "fmcp-validate --explain VAL050", What: "what a rule wants and why"},
	},
	Input: "scan or load records: fmcp-scan catalog/ | fmcp-load | fmcp-validate",
}

type command struct {
	cli.StreamCommand
	cli.RuleFlags
	Pass    bool   `group:"Rules" help:"Pass on the records whose file has no error, behind its findings."`
	Explain string `group:"Rules" placeholder:"CODE" help:"Explain a rule, or all, and exit."`
	cli.Paths
}

func (c *command) Run(ctx context.Context, app *cli.App) (int, error) {
	if c.Explain != "" {
		return cli.Explain(app, c.Explain)
	}
	source, err := c.Input(app, c.Paths.Paths)
	if err != nil {
		return cli.ExitUsage, err
	}
	opts, err := c.Options()
	if err != nil {
		return cli.ExitUsage, err
	}
	opts.Pass = c.Pass
	return c.StreamCommand.Run(ctx, app, cli.Pipeline{
		Source: source,
		Steps:  append(stage.Loading(info.Name), stage.Validate(opts)),
	})
}

func main() { cli.Main(info, &command{}) }
