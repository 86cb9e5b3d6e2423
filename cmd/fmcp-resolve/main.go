// Fmcp-resolve makes a self-contained catalog of loaded files.
package main

import (
	"context"
	"io"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/page"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/resolve"
	"github.com/flowmcp/fmcp/pkg/rules"
	_ "github.com/flowmcp/fmcp/pkg/sandbox/worker" // makes the command its own worker
	"github.com/flowmcp/fmcp/pkg/stage"
)

var info = cli.Info{
	Name:  "fmcp-resolve",
	Short: "Makes one self-contained catalog of loaded schemas: lists filled in, input schemas, names for MCP clients.",
	Examples: []cli.Example{
		{Command: "fmcp-scan catalog/ | fmcp-load | fmcp-validate --pass | fmcp-resolve --require-end > catalog.ndjson",
			What: "build the catalog that fmcp-exec and fmcp-serve take"},
		{Command: "fmcp-resolve --libraries node_modules catalog/ > catalog.ndjson",
			What: "carry the packages that handlers need, so that the catalog runs without Node"},
		{Command: "fmcp-resolve -f html catalog/ > catalog.html",
			What: "make one page to browse and search, which needs no network"},
		{Command: "fmcp-resolve id tidewatch/tool/getTides catalog/", What: "where something is defined"},
		{Command: "fmcp-resolve refs seaAreas catalog/", What: "who uses a shared list"},
		{Command: "fmcp-resolve diff --breaking old.ndjson catalog/", What: "is any change breaking?"},
		{Command: "fmcp-resolve agent verify crypto-research catalog/", What: "have an agent's tools changed?"},
	},
	Formats: append(cli.FindingFormats, cli.FormatCatalog, page.Format),
	Others: "findings and errors only; catalog, for -o, is resolved records, written only if nothing had to be " +
		"left out, and html is the catalog as a page to browse",
	Input: "load records: fmcp-scan catalog/ | fmcp-load | fmcp-resolve",
}

type command struct {
	cli.StreamCommand
	// No argument can be its name: a folder called catalog is a path.
	Catalog  catalogCommand  `cmd:"" name:"\x00catalog" default:"withargs" help:"Make the catalog (what the command does without a subcommand)."`
	ID       idCommand       `cmd:"" help:"Answer in which file, and where in it, a Spec-ID is defined."`
	Refs     refsCommand     `cmd:"" help:"Answer who uses a shared list."`
	Diff     diffCommand     `cmd:"" help:"Show what changed between two catalogs, and which changes are breaking."`
	Graph    graphCommand    `cmd:"" help:"Show what uses what, from agents down to lists."`
	Stats    statsCommand    `cmd:"" help:"Count what a catalog has, and what was left out of it."`
	Merge    mergeCommand    `cmd:"" help:"Make one catalog of parts that several machines have made."`
	Agent    agentCommand    `cmd:"" help:"Verify the hash of an agent's tools, or write it."`
	Registry registryCommand `cmd:"" help:"Build the registry of a catalog, or check it."`
	SkillMD  skillMDCommand  `cmd:"" name:"skillmd" help:"Write bundles with a SKILL.md in a form that can be uploaded."`
}

// Run makes the catalog; a subcommand, where one is given, runs in its place.
func (c *command) Run(ctx context.Context, app *cli.App) (int, error) {
	return c.Catalog.Run(ctx, app)
}

type catalogCommand struct {
	ToolNames  string          `group:"Names" default:"snake" enum:"snake,spec" placeholder:"STYLE" help:"MCP names of tools: snake is get_tides_tidewatch, spec is getTides_tidewatch of chapter 16 (default: snake)."`
	Profile    cli.ProfileName `group:"Rules" placeholder:"NAME" help:"What to leave out: spec is strict, community keeps what public catalogs have (default: spec)."`
	MaxName    int             `group:"Names" default:"63" placeholder:"N" help:"Longest MCP name; a longer one ends in a hash. 40 for Cursor (default: 63)."`
	NoExamples bool            `group:"Names" help:"Leave the values of tests out of the input schemas, where models see them as examples."`
	Part       bool            `group:"Shards" help:"Write what a shard can know, for fmcp-resolve merge."`
	cli.NarrowFlags
	cli.LibraryFlags
	cli.ShowFlags
	cli.ArtefactFlags
	cli.Paths
}

func (o *catalogCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	c := outer(app)
	source, err := c.Input(app, o.Paths.Paths)
	if err != nil {
		return cli.ExitUsage, err
	}
	wanted, err := o.Narrowing()
	if err != nil {
		return cli.ExitUsage, err
	}
	var kinds []record.Kind // that are work, beside load records
	if !wanted.All() || c.Writes(page.Format) {
		kinds = []record.Kind{record.KindResolved}
	}
	packages, err := o.packages()
	if err != nil {
		return cli.ExitUsage, err
	}
	defer packages.Close()
	opts := resolve.Options{ToolNames: resolve.ToolNames(o.ToolNames), MaxName: o.MaxName, NoExamples: o.NoExamples,
		Community: rules.Profile(o.Profile) == rules.ProfileCommunity, Library: packages.Library,
		Version: cli.Version()}
	if o.Part {
		return o.part(ctx, app, source, opts)
	}
	resolving, err := stage.Resolve(opts, wanted)
	if err != nil {
		return cli.ExitUsage, cli.Usagef("--max-name: %v", err)
	}
	return c.resolve(ctx, app, source, &o.ShowFlags, &o.ArtefactFlags, append(c.Loading(app, kinds...), resolving))
}

// part writes a part of a catalog: all records are for who puts the parts together.
func (o *catalogCommand) part(ctx context.Context, app *cli.App, source stage.Source,
	opts resolve.Options,
) (int, error) {
	c := outer(app)
	if wanted, _ := o.Narrowing(); !wanted.All() || o.Severity != "" || len(o.Select)+len(o.Deselect) > 0 {
		return cli.ExitUsage, cli.Usagef("--part: fmcp-resolve merge takes the flags that say what is wanted and shown")
	}
	if !c.OnlyLines() || c.Writes(cli.FormatCatalog) {
		return cli.ExitUsage, cli.Usagef("--part: a part is records, for a file: fmcp-resolve --part > part.ndjson")
	}
	making, err := stage.Part(opts)
	if err != nil {
		return cli.ExitUsage, cli.Usagef("--max-name: %v", err)
	}
	return c.StreamCommand.Run(ctx, app, cli.Pipeline{
		Source: source, Steps: append(c.Loading(app), making), Whole: true, Heap: heap, End: true,
	})
}

// resolve runs the steps that make a catalog.
func (c *command) resolve(ctx context.Context, app *cli.App, source stage.Source, show *cli.ShowFlags,
	artefact *cli.ArtefactFlags, steps []stage.Step,
) (int, error) {
	if !c.OnlyLines() {
		steps = append(steps, stage.Decode(app.Name, record.KindResolved))
	}
	return c.StreamCommand.Run(ctx, app, cli.Pipeline{
		Source: source, Steps: steps, Whole: true, Heap: heap, Show: show, Artefact: artefact, End: true,
		Formats: cli.Openers{page.Format: func(w io.Writer) report.Reporter { return page.New(w) }},
	})
}

// heap is what the memory should not grow beyond, in bytes: schemas wait in a temporary
// file.
const heap = 64 << 20

func main() { cli.Main(info, &command{}) }
