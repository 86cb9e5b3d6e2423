package main

import (
	"context"
	"errors"
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
	var text string
	var lines []ordjson.Value
	for _, e := range entries {
		text += e.Text()
		lines = append(lines, e.JSON())
	}
	return answer(app, code, text, lines)
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
	var lines []ordjson.Value
	for _, r := range refs {
		lines = append(lines, r.JSON())
	}
	return answer(app, code, index.RefsText(c.List, refs), lines)
}

// notFound says that there is no answer: a finding, not a failure.
func notFound(app *cli.App, err error) int {
	fmt.Fprintf(app.IO.Stderr, "%s: %v\n", app.Name, err)
	return cli.ExitFindings
}

func outer(app *cli.App) *command { return app.Command.(*command) }

// answer writes an answer to all outputs, as text or as lines of JSON, and
// returns code where that went well.
func answer(app *cli.App, code int, text string, lines []ordjson.Value) (int, error) {
	outs, err := outer(app).Open(app)
	if err != nil {
		return cli.ExitFailure, err
	}
	defer outs.Abort()
	var json []byte
	for _, line := range lines {
		json = append(ordjson.Append(json, line), '\n')
	}
	for _, out := range outs.All {
		b := json
		if out.Format == cli.FormatText {
			b = []byte(text)
		}
		if _, err := out.Write(b); err != nil {
			return cli.ExitFailure, err
		}
	}
	return code, outs.Commit()
}

// readIndex indexes all that the input defines. What cannot be read is said on
// stderr, and makes the exit status a failure.
func readIndex(ctx context.Context, app *cli.App, paths []string) (*catalog.Index, int, error) {
	c := outer(app)
	source, err := c.Input(app, paths)
	if err != nil {
		return nil, cli.ExitUsage, err
	}
	read := 0
	index := &stage.Index{}
	failed, err := index.Read(ctx, c.Jobs, func(ctx context.Context, send func(stage.Batch) bool) error {
		return source(ctx, func(b stage.Batch) bool { read++; return send(b) })
	}, info.Name, app.IO.Stderr)
	switch {
	case err != nil:
		return nil, cli.ExitFailure, err
	case read == 0 && !c.AllowEmpty:
		return nil, cli.ExitFailure, errors.New(cli.EmptyInput)
	case failed:
		return &index.Index, cli.ExitFailure, nil
	}
	return &index.Index, cli.ExitOK, nil
}
