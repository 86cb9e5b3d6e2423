package main

import (
	"context"
	"fmt"
	"os"
	"syscall"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/watch"
)

// watch goes on until a signal, or until its output is closed.
func (c *command) watch(ctx context.Context, app *cli.App, paths []string, walk walk.Options,
	scan stage.ScanOptions) (int, error) {
	switch c.Format {
	case cli.FormatText, cli.FormatNDJSON, "github": // a line at a time
	default:
		return cli.ExitUsage, cli.Usagef("--format: --watch has no end, and %s is written at the end", c.Format)
	}
	if len(c.Output) > 0 {
		return cli.ExitUsage, cli.Usagef("--output: --watch has no end at which a file could be written; send stdout " +
			"to the file")
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if f, ok := app.IO.Stdout.(*os.File); ok {
		gone := watch.ReaderGone(f)
		go func() {
			select {
			case <-gone:
				cancel(syscall.EPIPE)
			case <-ctx.Done():
			}
		}()
	}
	trigger := watch.New(paths, c.Poll, func(err error) {
		fmt.Fprintf(app.IO.Stderr, "%s: the system does not report changes: %v; looking for them every %s "+
			"(--poll sets how often)\n", app.Name, err, watch.DefaultPoll)
	})
	c.Named(paths)
	source, steps := stage.Watching(paths, walk, scan, trigger)
	return c.StreamCommand.Run(ctx, app, cli.Pipeline{Source: source, Steps: steps, Show: &c.ShowFlags})
}
