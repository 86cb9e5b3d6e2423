// Fmcp-exec calls the tools of a catalog.
package main

import (
	"context"
	"time"

	"github.com/flowmcp/fmcp/pkg/cli"
)

var info = cli.Info{
	Name:  "fmcp-exec",
	Short: "Calls tools of a resolved catalog over HTTP and answers with the standard envelope.",
	Examples: []cli.Example{
		{Command: "fmcp-exec -c catalog.ndjson coingecko/tool/simplePrice ids=bitcoin vs_currencies=usd", What: "one call"},
		{Command: "fmcp-exec -c catalog.ndjson --dry-run coingecko/tool/simplePrice ids=bitcoin", What: "show the request, send nothing"},
		{Command: "fmcp-exec -c catalog.ndjson -j 16 < requests.ndjson", What: "a stream of request records, answered in order"},
	},
	Input:    `request records: echo '{"v":1,"kind":"request","id":"ns/tool/name","params":{}}' | fmcp-exec -c catalog.ndjson`,
	Findings: "a call failed: an envelope has status false",
}

type command struct {
	cli.Common
	cli.StreamFlags
	cli.OutputFlags
	cli.RuleFlags
	Catalog   string `group:"Call" short:"c" required:"" placeholder:"FILE" help:"The catalog: what fmcp-resolve wrote, or a folder."`
	Params    string `group:"Call" placeholder:"JSON" help:"Parameters as a JSON object, in the place of KEY=VALUE."`
	DryRun    bool   `group:"Call" help:"Show the request with its secrets redacted, send nothing."`
	Unordered bool   `group:"Call" help:"Answer each request of a stream as soon as it is done."`

	EnvFile        []string      `group:"Network" placeholder:"FILE" sep:"none" help:"File of KEY=value lines with server parameters; it wins over the environment. May be repeated."`
	AllowHost      []string      `group:"Network" placeholder:"HOST[:PORT]" sep:"none" help:"A host that may be called though it is not the schema's, or its address is private. May be repeated."`
	AllowPrivate   bool          `group:"Network" help:"Private and loopback addresses may be called."`
	CAFile         string        `group:"Network" name:"ca-file" placeholder:"FILE" help:"PEM file of certificate authorities to trust besides the system's."`
	Timeout        time.Duration `group:"Network" default:"45s" placeholder:"TIME" help:"For a whole call (default: 45s)."`
	ConnectTimeout time.Duration `group:"Network" default:"10s" placeholder:"TIME" help:"For name, connection and TLS, each (default: 10s)."`
	MaxResponse    cli.Size      `group:"Network" default:"10MiB" placeholder:"SIZE" help:"Largest answer that is read (default: 10MiB)."`

	ID    string   `arg:"" optional:"" name:"SPEC-ID" help:"The tool, namespace/tool/name; without one, request records are read from stdin."`
	Words []string `arg:"" optional:"" name:"KEY=VALUE" help:"Parameters of the call."`
}

func (c *command) Run(ctx context.Context, app *cli.App) (int, error) {
	tools, caller, err := c.open(ctx, app)
	if err != nil {
		return cli.ExitUsage, err
	}
	defer caller.Client.Close()
	return c.call(ctx, app, tools, caller)
}

func main() { cli.Main(info, &command{}) }
