package main

import (
	"context"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/compare"
	"github.com/flowmcp/fmcp/pkg/survey"
)

type diffCommand struct {
	cli.CatalogFlags
	Breaking bool   `group:"Diff" help:"Exit with status 1 if any change is breaking."`
	Old      string `arg:"" name:"OLD" help:"The catalog as it was: what fmcp-resolve wrote, or a folder."`
	New      string `arg:"" name:"NEW" help:"The catalog as it is."`
}

// Long is the paragraph of the help.
func (d *diffCommand) Long() string {
	return "A change is breaking if it can fail somebody who uses the old catalog: a call that was accepted is " +
		"refused, an agent names a tool that is gone, a client does not find a tool by its MCP name, a key is " +
		"missing. docs/catalogs.md lists which changes are breaking, and why. In a folder, everything that can be " +
		"resolved is compared."
}

// Examples are those of the help.
func (d *diffCommand) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-resolve diff -f text old.ndjson catalog/", What: "what changed since the last release"},
		{Command: "fmcp-resolve diff --breaking -f markdown main/catalog catalog",
			What: "the text of a pull request; fails on breaking changes"},
	}
}

// Findings is what exit status 1 means.
func (d *diffCommand) Findings() string { return "with --breaking, a change is breaking" }

// Formats are those of -f and -o.
func (d *diffCommand) Formats() []string { return append(cli.AnswerFormats, cli.FormatMarkdown) }

func (d *diffCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	before, _, err := index(ctx, app, &d.CatalogFlags, d.Old)
	if err != nil {
		return cli.ExitFailure, err
	}
	after, _, err := index(ctx, app, &d.CatalogFlags, d.New)
	if err != nil {
		return cli.ExitFailure, err
	}
	changes, err := compare.Catalogs(before, after)
	if err != nil {
		return cli.ExitFailure, err
	}
	code := cli.ExitOK
	if d.Breaking && compare.Breaking(changes) > 0 {
		code = cli.ExitFindings
	}
	return outer(app).AnswerIn(app, code, compare.JSON(changes), map[string]string{
		cli.FormatText: compare.Text(changes), cli.FormatMarkdown: compare.Markdown(changes)})
}

// catalogArgument is a catalog, or a part of one.
type catalogArgument struct {
	cli.CatalogFlags
	cli.NarrowFlags
	Path string `arg:"" name:"CATALOG" help:"What fmcp-resolve wrote, or a folder."`
}

// read is index of the part that is wanted.
func (c *catalogArgument) read(ctx context.Context, app *cli.App) (*catalog.Index, []survey.LeftOut, error) {
	wanted, err := c.Narrowing()
	if err != nil {
		return nil, nil, err
	}
	x, leftOut, err := index(ctx, app, &c.CatalogFlags, c.Path)
	if err != nil {
		return nil, nil, err
	}
	x, err = x.Narrow(wanted)
	return x, leftOut, err
}

// index reads a catalog: a file, or folders of which all is taken that can be
// resolved, and what of them is left out.
func index(ctx context.Context, app *cli.App, flags *cli.CatalogFlags, path string) (*catalog.Index,
	[]survey.LeftOut, error) {
	c := outer(app)
	r, leftOut, err := flags.OpenSources(ctx, app, path, c.Jobs)
	if err != nil {
		return nil, nil, err
	}
	x, err := catalog.Read(r, catalog.ReadOptions{Name: path, MaxLine: int(c.MaxLine)})
	if err != nil {
		return nil, nil, err
	}
	return x, leftOut, app.Accept(&x.Arrival, c.RequireEnd)
}
