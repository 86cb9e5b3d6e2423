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
		{Command: "fmcp-scan catalog/ | fmcp-load --require-end > loaded.ndjson",
			What: "the second step of every pipeline"},
		{Command: "fmcp-load catalog/ | jq .data.namespace", What: "scan and load in one process"},
		{Command: "fmcp-load schema.mjs -f text", What: "what is in a file"},
	},
	Formats: cli.FindingFormats,
	Input:   "scan records: fmcp-scan catalog/ | fmcp-load",
}

type command struct {
	cli.StreamCommand
	// No argument can be its name: a folder called files is a path.
	Files  filesCommand  `cmd:"" name:"\x00files" default:"withargs" help:"Load files (what the command does without a subcommand)."`
	New    newCommand    `cmd:"" help:"Write the first version of a file of a catalog."`
	Import importCommand `cmd:"" help:"Write schemas from an OpenAPI document."`
}

// Run loads files; a subcommand, where one is given, runs in its place.
func (c *command) Run(ctx context.Context, app *cli.App) (int, error) {
	return c.Files.Run(ctx, app)
}

// outer has the flags that the subcommands share.
func outer(app *cli.App) *command { return app.Command.(*command) }

type filesCommand struct {
	cli.ShowFlags
	cli.Paths
}

func (f *filesCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	c := outer(app)
	source, err := c.Input(app, f.Paths.Paths)
	if err != nil {
		return cli.ExitUsage, err
	}
	return c.StreamCommand.Run(ctx, app, cli.Pipeline{
		Source: source,
		Steps:  append(stage.Loading(info.Name), c.Want(app, stage.IsMade(record.KindLoad))),
		End:    true,
		Show:   &f.ShowFlags,
	})
}

func main() { cli.Main(info, &command{}) }
