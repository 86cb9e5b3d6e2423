// Fmcp-grade reports how good the schemas of a catalog are.
package main

import (
	"context"
	"slices"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/config"
	"github.com/flowmcp/fmcp/pkg/record"
	_ "github.com/flowmcp/fmcp/pkg/sandbox/worker" // makes the command its own worker
	"github.com/flowmcp/fmcp/pkg/stage"
)

var info = cli.Info{
	Name: "fmcp-grade",
	Short: "Reports for each schema whether it passes the deterministic rules, and its grade, or what is missing " +
		"for one.",
	Examples: []cli.Example{
		{Command: "fmcp-grade catalog/ -f text", What: "all schemas of a catalog"},
		{Command: "fmcp-scan catalog/ | fmcp-load | fmcp-validate --pass | fmcp-grade",
			What: "at the end of a pipeline"},
		{Command: "fmcp-grade catalog/ | jq -r 'select(.deterministic.status==\"FAIL\").id'",
			What: "the schemas that fail"},
	},
	Input:    "scan, load or diagnostic records: fmcp-scan catalog/ | fmcp-load | fmcp-validate --pass | fmcp-grade",
	Findings: "a schema fails",
}

type command struct {
	cli.StreamCommand
	cli.JudgeFlags
	cli.EndFlag
	Grading   string `group:"Grading" default:"baseline" enum:"baseline" placeholder:"NAME" help:"How scores become grades: baseline is chapter 20 (default: baseline)."`
	Timestamp string `group:"Grading" placeholder:"TIME" help:"Time that the reports carry, or now; without it none, so that equal input makes equal reports."`
	cli.Paths
}

func (c *command) Run(ctx context.Context, app *cli.App) (int, error) {
	source, err := c.Input(app, c.Paths.Paths)
	if err != nil {
		return cli.ExitUsage, err
	}
	file, err := c.Configure(&c.StreamCommand, c.Paths.Paths)
	if err != nil {
		return cli.ExitUsage, err
	}
	opts, err := c.Options(c.Paths.Paths...)
	if err != nil {
		return cli.ExitUsage, err
	}
	opts.Filter, opts.Keep = config.NewFilter(file, nil).Apply, true
	timestamp, err := cli.Timestamp(c.Timestamp)
	if err != nil {
		return cli.ExitUsage, err
	}
	return c.StreamCommand.Run(ctx, app, cli.Pipeline{
		Source: source,
		Steps: slices.Concat(c.Loading(app, record.KindDiagnostic), stage.Validate(opts),
			[]stage.Step{stage.Grade(timestamp)}),
		Whole: true,
		End:   c.End,
	})
}

func main() { cli.Main(info, &command{}) }
