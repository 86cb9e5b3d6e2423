// Fmcp-exec calls the tools of a catalog.
package main

import (
	"context"
	"time"

	"github.com/flowmcp/fmcp/cmd/internal/network"
	"github.com/flowmcp/fmcp/cmd/internal/progress"
	"github.com/flowmcp/fmcp/pkg/cli"
	_ "github.com/flowmcp/fmcp/pkg/sandbox/worker" // makes the command its own worker
)

var info = cli.Info{
	Name: "fmcp-exec",
	Short: "Calls tools of a resolved catalog over HTTP, queries its resources, delivers its prompts and skills, " +
		"and answers with the standard envelope.",
	Examples: []cli.Example{
		{Command: "fmcp-exec -c catalog.ndjson coingecko/tool/simplePrice ids=bitcoin vs_currencies=usd",
			What: "one call"},
		{Command: "fmcp-exec -c catalog.ndjson --dry-run coingecko/tool/simplePrice ids=bitcoin",
			What: "show the request, send nothing"},
		{Command: "fmcp-exec -c catalog.ndjson tokens/resource/tokenLookup query=bySymbol symbol=USDC",
			What: "a query of a resource"},
		{Command: "fmcp-exec -c catalog.ndjson -f text etherscan/skill/contract-audit address=0x0",
			What: "the text of a skill, with its placeholders filled in"},
		{Command: "fmcp-exec -c catalog.ndjson -j 16 < requests.ndjson",
			What: "a stream of request records, answered in order"},
		{Command: "fmcp-exec -c catalog.ndjson --from nats://queue/REQUESTS --to nats://queue/answers --setup",
			What: "a worker of a queue, one of several"},
	},
	Input:    `request records: echo '{"id":"ns/tool/name","params":{}}' | fmcp-exec -c catalog.ndjson`,
	Named:    "a tool: fmcp-exec -c catalog.ndjson ns/tool/name KEY=VALUE (fmcp-exec list catalog.ndjson has them)",
	Jobs:     8,
	Others:   "tests only",
	Findings: "a call failed: an envelope has status false; a skipped test is not a failure",
}

type command struct {
	cli.Common
	cli.StreamFlags
	cli.OutputFlags
	progress.Flags
	// No argument can be its name: a tool may be called calls.
	Calls    callsCommand    `cmd:"" name:"\x00calls" default:"withargs" help:"Call tools (what the command does without a subcommand)."`
	Test     testCommand     `cmd:"" help:"Run the tests of schemas."`
	List     listCommand     `cmd:"" help:"List what a catalog has: lists, tools, resources, prompts, skills, selections, agents."`
	Describe describeCommand `cmd:"" help:"Say what a tool does, what it takes, which keys it needs, and how to call it."`
	Keys     keysCommand     `cmd:"" help:"List the keys that a catalog asks for: for which tools, set or missing, and where from."`
	Handlers handlersCommand `cmd:"" help:"Create the handlers of schemas and list them, without calling any."`
	Cache    cacheCommand    `cmd:"" help:"List the answers in the cache, or remove them."`
	Fetch    fetchCommand    `cmd:"" help:"Get a catalog from the network or a folder: its registry, then all that it lists, or nothing."`
	Resource resourceCommand `cmd:"" help:"Make the databases of resources."`
}

// Run calls tools; a subcommand, where one is given, runs in its place.
func (c *command) Run(ctx context.Context, app *cli.App) (int, error) {
	return c.Calls.Run(ctx, app)
}

// stream has the flags that the subcommands share.
func stream(app *cli.App) *cli.StreamCommand {
	c := app.Command.(*command)
	return &cli.StreamCommand{Common: c.Common, StreamFlags: c.StreamFlags, OutputFlags: c.OutputFlags}
}

func progressOf(app *cli.App) progress.Flags { return app.Command.(*command).Flags }

type callsCommand struct {
	cli.CatalogFlags
	cli.FailFlag
	cli.EndFlag
	network.Flags
	network.Recording
	network.Resources
	Catalog   string        `group:"Call" short:"c" required:"" placeholder:"FILE" var:"FMCP_CATALOG" help:"The catalog: what fmcp-resolve wrote, or a folder."`
	Params    string        `group:"Call" placeholder:"JSON" help:"Parameters as a JSON object, in the place of KEY=VALUE."`
	DryRun    bool          `group:"Call" help:"Send nothing: show the request with its secrets redacted, the statement of a query, or the text of a skill without the answers to its prefill."`
	Drain     time.Duration `group:"Call" default:"30s" placeholder:"TIME" help:"How long after SIGTERM the requests of a stream that were read already are still answered; after SIGINT there is no limit until a second signal (default: 30s)."`
	Unordered bool          `group:"Call" help:"Answer each request of a stream as soon as it is done."`
	From      string        `group:"Queue" placeholder:"URL" help:"Take requests from this stream of a NATS JetStream: nats://HOST/STREAM. Several processes share the work."`
	To        string        `group:"Queue" placeholder:"URL" help:"Publish envelopes there: nats://HOST/SUBJECT. What cannot be read or is delivered too often goes to SUBJECT.poison."`
	Setup     bool          `group:"Queue" help:"Make the streams and the consumer that are missing."`
	verboseFlag

	ID    string   `arg:"" optional:"" name:"SPEC-ID" naming:"tool resource prompt skill" help:"A tool, resource, prompt or skill, as namespace/tool/name; without one, request records are read from stdin."`
	Words []string `arg:"" optional:"" name:"KEY=VALUE" help:"Parameters of a tool, or inputs of a prompt or skill; for a resource, query=NAME names the query."`
}

func (c *callsCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	run := stream(app)
	run.FailFlag = c.FailFlag
	queued, err := c.queued(app, run)
	if err != nil {
		return cli.ExitUsage, err
	}
	tools, caller, err := c.open(ctx, app, run)
	if err != nil {
		return cli.ExitUsage, err
	}
	defer caller.Close()
	if queued != nil {
		return c.work(ctx, app, run, queued, tools, caller)
	}
	return c.call(ctx, app, run, tools, caller)
}

// WantsHelp implements cli.Helper.
func (c *callsCommand) WantsHelp() bool { return c.ID != "" && c.Catalog != "" }

// Help says what fmcp-exec describe does, as text.
func (c *callsCommand) Help(ctx context.Context, app *cli.App) (int, error) {
	run := stream(app)
	run.Format = cli.FormatText
	return describeID(ctx, app, run, &c.CatalogFlags, c.Catalog, c.ID)
}

func main() { cli.Main(info, &command{}) }
