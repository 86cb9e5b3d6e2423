package main

import (
	"context"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

type idCommand struct {
	ID string `arg:"" name:"SPEC-ID" help:"namespace/type/name, or namespace/schema for a file (chapter 16)."`
	cli.Paths
}

// Formats are those of -f and -o.
func (i *idCommand) Formats() []string { return cli.AnswerFormats }

func (i *idCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	c := outer(app)
	index, code, err := c.ReadIndex(ctx, app, i.Paths.Paths)
	if err != nil {
		return code, err
	}
	entries, err := index.Find(i.ID)
	if err != nil {
		return app.NotFound(err), nil
	}
	var text string
	var lines []ordjson.Value
	for _, e := range entries {
		text += e.Text()
		lines = append(lines, e.JSON())
	}
	return c.Answer(app, code, text, lines)
}

type refsCommand struct {
	List string `arg:"" name:"LIST" help:"Name of a shared list."`
	cli.Paths
}

// Formats are those of -f and -o.
func (r *refsCommand) Formats() []string { return cli.AnswerFormats }

func (r *refsCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	c := outer(app)
	index, code, err := c.ReadIndex(ctx, app, r.Paths.Paths)
	if err != nil {
		return code, err
	}
	refs, err := index.Refs(r.List)
	if err != nil {
		return app.NotFound(err), nil
	}
	var lines []ordjson.Value
	for _, ref := range refs {
		lines = append(lines, ref.JSON())
	}
	return c.Answer(app, code, index.RefsText(r.List, refs), lines)
}

// outer has the flags that the subcommands share.
func outer(app *cli.App) *command { return app.Command.(*command) }
