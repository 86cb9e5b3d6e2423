// Fmcp-serve serves the tools of a catalog to MCP clients.
package main

import (
	"cmp"
	"context"

	"github.com/flowmcp/fmcp/cmd/internal/network"
	"github.com/flowmcp/fmcp/pkg/cli"
	_ "github.com/flowmcp/fmcp/pkg/sandbox/worker" // makes the command its own worker
)

var info = cli.Info{
	Name:  "fmcp-serve",
	Short: "Serves the tools and resources of a resolved catalog to an MCP client over stdio.",
	Examples: []cli.Example{
		{Command: "fmcp-serve catalog.ndjson", What: "in an MCP client's configuration"},
		{Command: "claude mcp add tides -- fmcp-serve --env-file ~/.keys /srv/catalog.ndjson",
			What: "add it to Claude Code"},
		{Command: "fmcp-serve catalog/", What: "serve a folder of schemas, resolved at start"},
	},
	Input: "MCP messages",
}

type command struct {
	cli.Common
	cli.CatalogFlags
	cli.NarrowFlags
	network.Flags
	network.Resources
	Name          string `group:"Server" placeholder:"NAME" help:"Name of the server (default: the name of the catalog)."`
	OutputSchemas bool   `group:"Server" help:"List output schemas too, for tools that declare an output. Their answers are structured content only, which not every client shows its model."`
	RequireEnd    bool   `group:"Server" help:"Refuse a catalog without a correct end record: it may have been cut off."`
	MaxInFlight   int    `group:"Server" default:"64" placeholder:"N" help:"Calls that run at the same time (default: 64)."`

	Catalog string `arg:"" optional:"" name:"CATALOG" help:"What fmcp-resolve wrote, or a folder (default: $FMCP_CATALOG)."`
}

func (c *command) Run(ctx context.Context, app *cli.App) (int, error) {
	if c.Catalog = cmp.Or(c.Catalog, app.IO.Getenv("FMCP_CATALOG")); c.Catalog == "" {
		return cli.ExitUsage, cli.Usagef("nothing to serve: name a CATALOG, or set FMCP_CATALOG")
	}
	return c.serve(ctx, app)
}

func main() { cli.Main(info, &command{}) }
