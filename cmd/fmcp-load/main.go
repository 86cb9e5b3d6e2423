// Fmcp-load reads what the files of a catalog export.
package main

import (
	"context"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/record"
	_ "github.com/flowmcp/fmcp/pkg/sandbox/worker" // makes the command its own worker
	"github.com/flowmcp/fmcp/pkg/stage"
)

var info = cli.Info{
	Name:  "fmcp-load",
	Short: "Reads the exported object of each scanned file, its hashes and the names of its handlers.",
	Examples: []cli.Example{
		{Command: "fmcp-scan catalog/ | fmcp-load > loaded.ndjson", What: "the second step of every pipeline"},
		{Command: "fmcp-load catalog/ | jq .data.namespace", What: "scan and load in one process"},
		{Command: "fmcp-load schema.mjs -f text", What: "what is in a file"},
	},
	Formats: cli.FindingFormats,
	Input:   "scan records: fmcp-scan catalog/ | fmcp-load",
}

type command struct {
	cli.StreamCommand
	cli.ShowFlags
	cli.Paths
}

func (c *command) Run(ctx context.Context, app *cli.App) (int, error) {
	source, err := c.Input(app, c.Paths.Paths)
	if err != nil {
		return cli.ExitUsage, err
	}
	return c.StreamCommand.Run(ctx, app, cli.Pipeline{
		Source: source,
		Steps:  append(stage.Loading(info.Name), c.Want(app, stage.IsMade(record.KindLoad))),
		End:    true,
		Show:   &c.ShowFlags,
	})
}

func main() { cli.Main(info, &command{}) }
