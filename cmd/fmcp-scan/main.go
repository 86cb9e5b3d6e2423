// Fmcp-scan finds and recognises the files of catalogs.
package main

import (
	"context"
	"time"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
)

var info = cli.Info{
	Name: "fmcp-scan",
	Short: "Finds the files of FlowMCP catalogs, says what each is, and looks for forbidden code in them without " +
		"running any.",
	Examples: []cli.Example{
		{Command: "fmcp-scan catalog/ | fmcp-load | fmcp-validate", What: "the start of every pipeline"},
		{Command: "fmcp-scan --watch catalog/ | fmcp-load | fmcp-validate -f text", What: "a live linter"},
		{Command: "git diff --name-only | fmcp-scan -", What: "scan the files that stdin names"},
	},
	Formats: cli.FindingFormats,
	Input:   "paths, one a line, with -",
}

type command struct {
	cli.StreamCommand
	cli.ShowFlags
	Watch    bool          `group:"Watching" help:"Keep running after all files: emit those that change, and a round record after each round."`
	Poll     time.Duration `group:"Watching" placeholder:"TIME" help:"How often to look for changes, such as 2s, if the system does not report them (default: it does)."`
	NoIgnore bool          `group:"Files" help:"Do not read .gitignore files; files that git tracks are always found."`
	Follow   bool          `group:"Files" help:"Follow links that lead out of the folder that is scanned."`
	Include  []string      `group:"Files" placeholder:"GLOB" sep:"none" help:"Only files, or folders, that match; may be repeated."`
	Exclude  []string      `group:"Files" placeholder:"GLOB" sep:"none" help:"No files or folders that match; may be repeated."`
	Shard    walk.Shard    `group:"Files" placeholder:"I/N" help:"Only the I-th of N parts: providers are divided; lists, agents and whatever else they share are in every part (docs/scale.md)."`
	Scan     string        `group:"Files" default:"tokens" enum:"tokens,raw" placeholder:"HOW" help:"Look for forbidden code in tokens, which is exact, or in the raw text, the letter of chapter 05 (default: tokens)."`
	Paths    []string      `arg:"" optional:"" name:"PATH" help:"Catalogs, folders or files, or - for paths on stdin; the current folder if none is given."`
}

// minPoll is the shortest --poll: to look more often would only take a
// processor from the commands after it in the pipe.
const minPoll = 10 * time.Millisecond

func (c *command) Run(ctx context.Context, app *cli.App) (int, error) {
	paths := c.Paths
	switch {
	case len(paths) == 0:
		paths = []string{"."}
	case len(paths) == 1 && paths[0] == "-":
		var err error
		if paths, err = cli.PathLines(app.IO.Stdin); err != nil {
			return cli.ExitFailure, err
		}
	}
	walk := walk.Options{NoIgnore: c.NoIgnore, Follow: c.Follow, Include: c.Include, Exclude: c.Exclude, Shard: c.Shard}
	scan := stage.ScanOptions{Raw: c.Scan == "raw", Read: true}
	switch {
	case c.Poll != 0 && c.Poll < minPoll:
		return cli.ExitUsage, cli.Usagef("--poll is %s, expected a time of at least %s, such as 2s", c.Poll, minPoll)
	case c.Watch:
		return c.watch(ctx, app, paths, walk, scan)
	case c.Poll > 0:
		return cli.ExitUsage, cli.Usagef("--poll says how --watch finds changes: give --watch too")
	}
	return c.StreamCommand.Run(ctx, app,
		cli.Pipeline{Source: c.Walk(paths, walk), Steps: []stage.Step{stage.Scan(scan)}, Show: &c.ShowFlags, End: true})
}

func main() { cli.Main(info, &command{}) }
