package main

import (
	"context"
	"fmt"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/stage"
)

type idCommand struct {
	ID string `arg:"" name:"SPEC-ID" help:"namespace/type/name, or namespace/schema for a file (chapter 16)."`
	cli.Paths
}

func (c *idCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	index, code, err := readIndex(ctx, app, c.Paths.Paths)
	if err != nil {
		return code, err
	}
	entries, err := index.Find(c.ID)
	if err != nil {
		return notFound(app, err), nil
	}
	for _, e := range entries {
		answer(app, e.Text(), e.JSON())
	}
	return code, nil
}

type refsCommand struct {
	List string `arg:"" name:"LIST" help:"Name of a shared list."`
	cli.Paths
}

func (c *refsCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	index, code, err := readIndex(ctx, app, c.Paths.Paths)
	if err != nil {
		return code, err
	}
	refs, err := index.Refs(c.List)
	if err != nil {
		return notFound(app, err), nil
	}
	if outer(app).Format == cli.FormatText {
		fmt.Fprint(app.IO.Stdout, index.RefsText(c.List, refs))
		return code, nil
	}
	for _, r := range refs {
		answer(app, "", r.JSON())
	}
	return code, nil
}

// notFound says that there is no answer: a finding, not a failure.
func notFound(app *cli.App, err error) int {
	fmt.Fprintf(app.IO.Stderr, "%s: %v\n", app.Name, err)
	return cli.ExitFindings
}

func outer(app *cli.App) *command { return app.Command.(*command) }

// answer writes an answer as text, or as a line of JSON.
func answer(app *cli.App, text string, json ordjson.Value) {
	if outer(app).Format == cli.FormatText {
		fmt.Fprint(app.IO.Stdout, text)
		return
	}
	fmt.Fprintln(app.IO.Stdout, ordjson.Text(json))
}

// readIndex indexes all that the input defines. What cannot be read is said on
// stderr, and makes the exit status a failure.
func readIndex(ctx context.Context, app *cli.App, paths []string) (*catalog.Index, int, error) {
	c := outer(app)
	source, err := c.Input(app, paths)
	if err != nil {
		return nil, cli.ExitUsage, err
	}
	index := &stage.Index{}
	failed, err := index.Read(ctx, c.Jobs, source, info.Name, app.IO.Stderr)
	switch {
	case err != nil:
		return nil, cli.ExitFailure, err
	case failed:
		return &index.Index, cli.ExitFailure, nil
	}
	return &index.Index, cli.ExitOK, nil
}
