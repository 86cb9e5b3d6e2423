package main

import (
	"context"
	"slices"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/config"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/stage"
)

// evidenceFlags say what is known of schemas. All subcommands have them.
type evidenceFlags struct {
	cli.JudgeFlags
	runFlags
}

// runFlags say what has been tested, and how that came out.
type runFlags struct {
	Runs []string `group:"Evidence" placeholder:"FILE" sep:"none" help:"Test runs, as fmcp-exec test prints them; - is stdin. May be repeated; such envelopes in the input count too."`
	scoreFlags
	cli.Paths
}

// heap is what memory should not grow beyond: of 10,000 schemas 50 MB are in use, and
// the process is to stay below 200 MB.
const heap = 110 << 20

// join runs the pipeline p with the stages over the input, and in the end judges what is
// known of each schema. More are kinds of records that are work for the command too.
func (e *evidenceFlags) join(ctx context.Context, app *cli.App, p cli.Pipeline, judge stage.Judge,
	more ...record.Kind) (int, error) {
	c := outer(app)
	source, err := e.source(c, app)
	if err != nil {
		return cli.ExitUsage, err
	}
	file, err := e.Configure(&c.StreamCommand, e.Paths.Paths)
	if err != nil {
		return cli.ExitUsage, err
	}
	opts, err := e.Options(e.Paths.Paths...)
	if err != nil {
		return cli.ExitUsage, err
	}
	opts.Filter, opts.Keep = config.NewFilter(file, nil).Apply, true
	if judge, err = e.scored(judge); err != nil {
		return cli.ExitFailure, err
	}
	kinds := append(more, record.KindDiagnostic, record.KindEnvelope)
	p.Source, p.Whole, p.Heap = source, true, heap
	p.Steps = slices.Concat(c.Loading(app, kinds...), stage.Validate(opts), stage.Join(judge))
	return c.StreamCommand.Run(ctx, app, p)
}

// source is the input, and after it the test runs.
func (r *runFlags) source(c *command, app *cli.App) (stage.Source, error) {
	paths := r.Paths.Paths
	if len(paths) == 0 && slices.Contains(r.Runs, "-") {
		return nil, cli.Usagef("--runs -: stdin has the schemas already; name their paths, or pipe both in together")
	}
	source, err := c.Input(app, paths)
	if err != nil {
		return nil, err
	}
	return c.And(app, source, "--runs", r.Runs, record.KindEnvelope, "what fmcp-exec test prints")
}
