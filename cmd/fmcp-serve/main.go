// Fmcp-serve serves the tools, resources, prompts and skills of a catalog to MCP
// clients.
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
	Short: "Serves the tools, resources, prompts and skills of a resolved catalog to MCP clients, over stdio or HTTP.",
	Examples: []cli.Example{
		{Command: "fmcp-serve catalog.ndjson", What: "in an MCP client's configuration"},
		{Command: "fmcp-serve config claude-code catalog.ndjson --env-file ~/.keys --write",
			What: "add it to Claude Code"},
		{Command: "fmcp-serve --http 127.0.0.1:8080 catalog/", What: "serve a folder of schemas over HTTP"},
	},
	Input: "MCP messages",
}

type command struct {
	cli.Common
	// No argument can be its name: a folder called serve is a catalog.
	Serve  serveCommand  `cmd:"" name:"\x00serve" default:"withargs" help:"Serve a catalog (what the command does without a subcommand)."`
	Doctor doctorCommand `cmd:"" help:"Say what would be served and what clients cannot use; with --agent, whether the agent would start."`
	Config configCommand `cmd:"" help:"Print, or write, what an MCP client needs to start this server."`
	Bundle bundleCommand `cmd:"" help:"Write a bundle that MCP clients install with a click."`
}

// Run serves a catalog; a subcommand, where one is given, runs in its place.
func (c *command) Run(ctx context.Context, app *cli.App) (int, error) { return c.Serve.Run(ctx, app) }

// served are the flags that say what is served, and by what means.
type served struct {
	cli.CatalogFlags
	cli.NarrowFlags
	network.Flags
	network.Resources
	answerFlags
	RequireEnd bool `group:"Server" help:"Refuse a catalog without a correct end record: it may have been cut off."`

	scope *scope // of the catalog that was read last; nil for all of it

	Catalog string `arg:"" optional:"" name:"CATALOG" help:"What fmcp-resolve wrote, or a folder (default: $FMCP_CATALOG)."`
}

// named says which catalog is meant.
func (c *served) named(app *cli.App) error {
	if c.Catalog = cmp.Or(c.Catalog, app.IO.Getenv("FMCP_CATALOG")); c.Catalog == "" {
		return cli.Usagef("nothing to serve: name a CATALOG, or set FMCP_CATALOG")
	}
	return nil
}

type serveCommand struct {
	served
	modeFlags
	httpFlags
	auditFlags
	traceFlags
	reloadFlags
	Name        string `group:"Server" placeholder:"NAME" help:"Name of the server (default: the name of the catalog)."`
	MaxInFlight int    `group:"Server" default:"64" placeholder:"N" help:"Calls that run at the same time (default: 64)."`
}

func (c *serveCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	if err := cmp.Or(c.named(app), c.reloadFlags.check()); err != nil {
		return cli.ExitUsage, err
	}
	if err := c.modeFlags.check(); err != nil {
		return cli.ExitUsage, err
	}
	return c.serve(ctx, app)
}

func main() { cli.Main(info, &command{}) }
