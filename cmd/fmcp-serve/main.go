// Fmcp-serve serves the tools of a catalog to MCP clients.
package main

import (
	"context"
	"time"

	"github.com/flowmcp/fmcp/pkg/cli"
)

var info = cli.Info{
	Name:  "fmcp-serve",
	Short: "Serves the tools of a resolved catalog to an MCP client over stdio.",
	Examples: []cli.Example{
		{Command: "fmcp-serve catalog.ndjson", What: "in an MCP client's configuration"},
		{Command: "claude mcp add tides -- fmcp-serve --env-file ~/.keys /srv/catalog.ndjson", What: "add it to Claude Code"},
		{Command: "fmcp-serve catalog/", What: "serve a folder of schemas, resolved at start"},
	},
	Input: "MCP messages",
}

type command struct {
	cli.Common
	cli.RuleFlags
	Name        string `group:"Server" default:"fmcp" placeholder:"NAME" help:"What the server calls itself (default: fmcp)."`
	MaxInFlight int    `group:"Server" default:"64" placeholder:"N" help:"Calls that run at the same time (default: 64)."`

	EnvFile        []string      `group:"Network" placeholder:"FILE" sep:"none" help:"File of KEY=value lines with server parameters; it wins over the environment. May be repeated."`
	AllowHost      []string      `group:"Network" placeholder:"HOST[:PORT]" sep:"none" help:"A host that may be called though it is not the schema's, or its address is private. May be repeated."`
	AllowPrivate   bool          `group:"Network" help:"Private and loopback addresses may be called."`
	CAFile         string        `group:"Network" name:"ca-file" placeholder:"FILE" help:"PEM file of certificate authorities to trust besides the system's."`
	Timeout        time.Duration `group:"Network" default:"45s" placeholder:"TIME" help:"For a whole call (default: 45s)."`
	ConnectTimeout time.Duration `group:"Network" default:"10s" placeholder:"TIME" help:"For name, connection and TLS, each (default: 10s)."`
	MaxResponse    cli.Size      `group:"Network" default:"10MiB" placeholder:"SIZE" help:"Largest answer that is read (default: 10MiB)."`

	Catalog string `arg:"" name:"CATALOG" help:"What fmcp-resolve wrote, or a folder."`
}

func (c *command) Run(ctx context.Context, app *cli.App) (int, error) {
	return c.serve(ctx, app)
}

func main() { cli.Main(info, &command{}) }
