// Fmcp-validate checks the files of a catalog against the specification.
package main

import (
	"context"
	"slices"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/rules"
	_ "github.com/flowmcp/fmcp/pkg/sandbox/worker" // makes the command its own worker
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/words"
)

var info = cli.Info{
	Name:     "fmcp-validate",
	Heaviest: true,
	Short: "Checks schemas against the rules of the FlowMCP specification and explains every mistake: where, what " +
		"was found, what was expected, how to fix it.",
	Examples: []cli.Example{
		{Command: "fmcp-validate catalog/", What: "scan, load and validate in one process"},
		{Command: "fmcp-scan catalog/ | fmcp-load | fmcp-validate --pass | fmcp-resolve --require-end > catalog.ndjson",
			What: "build a catalog of what is valid"},
		{Command: "fmcp-validate --stdin-filename catalog/providers/weather/forecast.mjs < unsaved.mjs",
			What: "check what an editor has not saved yet"},
		{Command: "fmcp-validate --explain VAL050", What: "what a rule wants and why"},
	},
	Formats: cli.FindingFormats,
	Input:   "scan or load records: fmcp-scan catalog/ | fmcp-load | fmcp-validate",
}

type command struct {
	cli.StreamCommand
	// No argument can be its name: a folder called files is a path.
	Files filesCommand `cmd:"" name:"\x00files" default:"withargs" help:"Validate files (what the command does without a subcommand)."`
	Agent agentCommand `cmd:"" help:"Print the list of chapter 06 about an agent: what passes, what is skipped, what fails."`
	ID    idCommand    `cmd:"" help:"Say whether a Spec-ID is valid, and whether a catalog defines it."`
	LSP   lspCommand   `cmd:"" name:"lsp" help:"Run as the language server of an editor: findings and fixes as you type (docs/editors.md)."`
}

// Run validates files; a subcommand, where one is given, runs in its place.
func (c *command) Run(ctx context.Context, app *cli.App) (int, error) {
	return c.Files.Run(ctx, app)
}

// outer has the flags that the subcommands share.
func outer(app *cli.App) *command { return app.Command.(*command) }

type filesCommand struct {
	cli.JudgeFlags
	cli.KnownFlags
	cli.ShowFlags
	NoIgnores    bool      `group:"Findings" help:"Ignore fmcp-ignore comments."`
	Pass         cli.OrAll `group:"Rules" placeholder:"all" help:"Pass on the records whose file has no error, after its findings; with =all every record, whatever was found."`
	CatalogRules string    `group:"Rules" default:"all" enum:"all,none,only" placeholder:"WHICH" help:"none leaves out the rules that need the whole catalog, for a part of one; only runs nothing else, on the parts put together (default: all; docs/scale.md)."`
	fixFlags
	cli.EndFlag
	StdinFilename string `group:"Stream" placeholder:"PATH" help:"Read one file from stdin, and check it as if it were the file at this path of its catalog."`
	Explain       string `group:"Rules" placeholder:"CODE" help:"Explain a rule, or all, and exit."`
	cli.Paths
}

func (f *filesCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	if f.Explain != "" {
		return cli.Explain(app, f.Explain)
	}
	c := outer(app)
	source, buffers, err := f.source(app)
	if err != nil {
		return cli.ExitUsage, err
	}
	paths := f.Paths.Paths
	if f.StdinFilename != "" {
		paths = []string{f.StdinFilename}
	}
	file, err := f.Configure(&c.StreamCommand, paths)
	if err != nil {
		return cli.ExitUsage, err
	}
	known, err := f.Known(file)
	if err != nil {
		return cli.ExitUsage, err
	}
	if f.WriteBaseline && f.CatalogRules == string(rules.NoCatalogRules) {
		return cli.ExitUsage, cli.Usagef("--write-baseline needs all findings, and --catalog-rules none leaves some " +
			"out: write the baseline with --catalog-rules only, of what the parts passed on")
	}
	opts, err := f.Options(paths...)
	if err != nil {
		return cli.ExitUsage, err
	}
	if f.Fix != "" || f.Diff || f.Out != "" {
		paths, code, done, err := f.fix(ctx, app, file, opts)
		if done || err != nil {
			return code, err
		}
		if source, err = c.Input(app, paths); err != nil {
			return cli.ExitUsage, err
		}
	}
	opts.Filter, opts.Round, opts.Ignores, opts.Pass = known.Apply, known.Round, !f.NoIgnores, f.Pass == cli.Usual
	if f.CatalogRules != "all" {
		opts.CatalogRules = rules.CatalogRules(f.CatalogRules)
	}
	opts.Keep, opts.Buffers = f.Pass == cli.All, buffers
	opts.File = func() { known.Files++ }
	code, err := c.StreamCommand.Run(ctx, app, cli.Pipeline{
		Source: source,
		Steps: slices.Concat([]stage.Step{stage.Scan(stage.ScanOptions{Buffers: buffers})}, c.Loading(app),
			stage.Validate(opts)),
		Known: known,
		Show:  &f.ShowFlags,
		End:   f.Pass != "" || f.End,
	})
	if err != nil {
		return code, err
	}
	return code, known.Save(app, code)
}

// source is what is checked; the buffers are those of a file that comes on stdin.
func (f *filesCommand) source(app *cli.App) (stage.Source, stage.Buffers, error) {
	switch paths := f.Paths.Paths; {
	case f.StdinFilename == "":
		source, err := outer(app).Input(app, paths)
		return source, nil, err
	case len(paths) > 0:
		return nil, nil, cli.Usagef("--stdin-filename reads one file from stdin: leave out %s", words.List(paths))
	}
	return outer(app).Buffer(app, f.StdinFilename)
}

func main() { cli.Main(info, &command{}) }
