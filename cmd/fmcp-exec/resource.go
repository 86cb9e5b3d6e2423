package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/cmd/internal/network"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

type createCommand struct {
	cli.CatalogFlags
	network.Resources
	Catalog string `group:"Resources" short:"c" required:"" placeholder:"FILE" var:"FMCP_CATALOG" help:"The catalog: what fmcp-resolve wrote, or a folder."`
	Yes     bool   `group:"Resources" short:"y" help:"Do not ask."`

	ID string `arg:"" name:"SPEC-ID" naming:"resource" help:"The resource, namespace/resource/name."`
}

// Long is the paragraph of the help.
func (c *createCommand) Long() string {
	return "getSchema is run in an empty database: what it creates there is made, and so are the tables that its " +
		"rows describe, by a column sql that begins with CREATE, or by table_name, column and type. " +
		"The database is .flowmcp/resources/NAME in the current folder; one that is there is never overwritten."
}

// Run makes the database (chapter 13, "CLI: Database Creation").
func (c *createCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	store, err := c.Store(app)
	if err != nil {
		return cli.ExitUsage, err
	}
	defer store.Close()
	tools, err := readCatalog(ctx, app, &c.CatalogFlags, stream(app), c.Catalog, c.Folder(c.Catalog))
	if err != nil {
		return cli.ExitUsage, err
	}
	queries, err := tools.Queries(c.ID)
	if err != nil {
		return cli.ExitUsage, cli.Usagef("%v", err)
	}
	spec, getSchema := queries[0].Spec, ""
	for _, q := range queries {
		if q.Name == "getSchema" {
			getSchema = q.SQL
		}
	}
	place, err := store.Place(spec)
	if err != nil {
		return cli.ExitFailure, err
	}
	if getSchema == "" {
		return cli.ExitFailure, &words.Problem{Code: exec.CodeNotMade, Message: c.ID +
			" has no query getSchema to make its tables from: add one (chapter 13)"}
	}
	if ok, err := c.confirm(app, place); !ok {
		return cli.ExitUsage, err
	}
	tables, err := store.Create(ctx, spec, getSchema)
	if err != nil {
		return cli.ExitFailure, err
	}
	if len(tables) == 0 {
		fmt.Fprintf(app.IO.Stderr, "%s: getSchema describes no tables: the database is empty, make them by runSql\n",
			app.Name)
	}
	return stream(app).Answer(app, cli.ExitOK,
		fmt.Sprintf("made %s with %s: %s\n", place, words.Count(len(tables), "table"), strings.Join(tables, ", ")),
		[]ordjson.Value{ordjson.NewObject(
			ordjson.Field("id", ordjson.NewString(c.ID)),
			ordjson.Field("path", ordjson.NewString(place)),
			ordjson.Field("tables", ordjson.Strings(tables)),
		)})
}

// confirm asks on a terminal; without one, -y is the answer.
func (c *createCommand) confirm(app *cli.App, place string) (bool, error) {
	if c.Yes {
		return true, nil
	}
	if !app.IO.StdinTTY {
		return false, cli.Usagef("a database is made only if you say so, and stdin is not a terminal: give -y "+
			"to make %s", place)
	}
	fmt.Fprintf(app.IO.Stderr, "Create database %s? [y/N] ", place)
	answer, _ := bufio.NewReader(app.IO.Stdin).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, nil
	}
	return false, cli.Usagef("nothing was made")
}
