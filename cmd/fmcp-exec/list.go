package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/describe"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

type listCommand struct {
	cli.CatalogFlags
	Catalog string   `group:"List" short:"c" required:"" placeholder:"FILE" var:"FMCP_CATALOG" help:"The catalog: what fmcp-resolve wrote, or a folder."`
	Words   []string `arg:"" optional:"" name:"GLOB|WORD" help:"A glob over IDs and MCP names, such as 'coingecko/*' or '*price*', or words that are all in the name, description, tags or hints; without one, all."`
}

// Long is the paragraph of the help.
func (c *listCommand) Long() string {
	return "Lists, tools, resources with their queries, prompts, skills, selections and agents, one per line: type, " +
		"ID and description. " +
		"fmcp-exec describe says the rest of one of them."
}

// Examples are those of the help.
func (c *listCommand) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-exec list -c catalog.ndjson -f text", What: "all that a catalog has"},
		{Command: "fmcp-exec list -c catalog.ndjson bitcoin price", What: "what has both words"},
		{Command: "fmcp-exec list -c catalog.ndjson 'coingecko/tool/*' | jq -r .id",
			What: "the IDs of the tools of a namespace"},
	}
}

// Findings is what exit status 1 means.
func (c *listCommand) Findings() string { return "nothing matches" }

func (c *listCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	run := stream(app)
	catalog, err := readCatalog(ctx, app, &c.CatalogFlags, run, c.Catalog, "")
	if err != nil {
		return cli.ExitUsage, err
	}
	list, empty := describe.List{}, true
	defer func() { _ = list.Close() }() // nobody reads it any more
	for e := range describe.Entries(catalog.Index) {
		if empty = false; e.Matches(c.Words) {
			if err := list.Add(&e); err != nil {
				return cli.ExitFailure, err
			}
		}
	}
	switch {
	case empty && !run.AllowEmpty:
		return cli.ExitFailure, errors.New("the catalog has nothing to list; --allow-empty accepts that")
	case !empty && list.Empty():
		return app.NotFound(fmt.Errorf("nothing in %s matches %s%s", c.Catalog, strings.Join(c.Words, " "),
			c.near(catalog))), nil
	}
	return run.AnswerBy(app, cli.ExitOK, func(w io.Writer, format string) error {
		if format == cli.FormatText {
			return list.Text(w, app.IO.Width)
		}
		return list.JSON(w)
	})
}

// near suggests a namespace or a name for the first word that nothing has.
func (c *listCommand) near(catalog *exec.Catalog) string {
	var names []string
	seen, found := map[string]bool{}, make([]bool, len(c.Words))
	for e := range describe.Entries(catalog.Index) {
		for part := range strings.SplitSeq(e.ID, "/") {
			if part = strings.Clone(part); !seen[part] { // a copy: else it would hold the record in memory
				seen[part], names = true, append(names, part)
			}
		}
		for i := range c.Words {
			found[i] = found[i] || e.Matches(c.Words[i:i+1])
		}
	}
	if i := slices.Index(found, false); i >= 0 {
		return words.DidYouMean(c.Words[i], names)
	}
	return ""
}

type describeCommand struct {
	cli.CatalogFlags
	Catalog string `group:"Describe" short:"c" required:"" placeholder:"FILE" var:"FMCP_CATALOG" help:"The catalog: what fmcp-resolve wrote, or a folder."`
	ID      string `arg:"" name:"ID" help:"A Spec-ID, the ID of a query, namespace/resource/name/query, or an MCP name."`
}

// Long is the paragraph of the help.
func (c *describeCommand) Long() string {
	return "What it does, its parameters with types, values, defaults and examples, the keys that it needs, its " +
		"output, and a call to copy. fmcp-exec -c CATALOG ID --help says the same."
}

// Examples are those of the help.
func (c *describeCommand) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-exec describe -c catalog.ndjson coingecko/tool/simplePrice -f text", What: "by Spec-ID"},
		{Command: "fmcp-exec describe -c catalog.ndjson simple_price_coingecko | jq .inputSchema",
			What: "by MCP name: the schema of its input"},
	}
}

// Findings is what exit status 1 means.
func (c *describeCommand) Findings() string { return "the catalog has no such ID" }

func (c *describeCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	return describeID(ctx, app, stream(app), &c.CatalogFlags, c.Catalog, c.ID)
}

// describeID answers what there is to say of an ID.
func describeID(ctx context.Context, app *cli.App, run *cli.StreamCommand, flags *cli.CatalogFlags,
	path, id string) (int, error) {
	catalog, err := readCatalog(ctx, app, flags, run, path, "")
	if err != nil {
		return cli.ExitUsage, err
	}
	d, err := describe.Of(catalog, id, []string{app.Name, "-c", path})
	if err != nil {
		return app.NotFound(err), nil
	}
	return run.Answer(app, cli.ExitOK, d.Text(app.IO.Width), []ordjson.Value{d.JSON()})
}
