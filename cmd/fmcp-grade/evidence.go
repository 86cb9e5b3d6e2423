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
	scoreFlags
	Grades []string `group:"Evidence" placeholder:"PATH" sep:"none" help:"Grades of an earlier run: a file of grade records, or a folder of reports. As long as a file is the same, its score still counts; otherwise the grade is stale. May be repeated; grade records in the input count too."`
}

// runFlags say what has been tested, and how that came out.
type runFlags struct {
	Runs     []string `group:"Evidence" placeholder:"FILE" sep:"none" help:"Test runs, as fmcp-exec test prints them; - is stdin. May be repeated; such envelopes in the input count too."`
	Captures []string `group:"Evidence" placeholder:"DIR" sep:"none" help:"Folder of answers that fmcp-exec test --capture has kept; of each test, the last one counts. May be repeated."`
	cli.Paths
}

// evidenceGroup are the flags that say what is known beside the schemas.
const evidenceGroup = "Evidence"

// heap is what memory should not grow beyond: of 10,000 schemas 65 MB are in use, and
// the process is to stay below 200 MB.
const heap = 140 << 20

// join runs the pipeline p with the stages over the input, and in the end judges what is
// known of each schema.
func (e *evidenceFlags) join(ctx context.Context, app *cli.App, p cli.Pipeline, judge stage.Judge,
	earlier *earlierGrades) (int, error) {
	judge, err := e.scored(judge)
	if err != nil {
		return cli.ExitFailure, err
	}
	if p.Source, p.Steps, err = e.stages(app, judge, earlier); err != nil {
		return cli.ExitUsage, err
	}
	p.Whole, p.Heap = true, heap
	return outer(app).StreamCommand.Run(ctx, app, p)
}

// stages are the input, and what judges it. Earlier takes the grades of earlier runs,
// which are work for the command then; nil where they alone are none.
func (e *evidenceFlags) stages(app *cli.App, judge stage.Judge, earlier *earlierGrades) (stage.Source, []stage.Step,
	error) {
	c := outer(app)
	source, err := e.source(c, app)
	if err != nil {
		return nil, nil, err
	}
	if source, err = grades(app, source, e.Grades); err != nil {
		return nil, nil, err
	}
	file, err := e.Configure(&c.StreamCommand, e.Paths.Paths)
	if err != nil {
		return nil, nil, err
	}
	opts, err := e.Options(e.Paths.Paths...)
	if err != nil {
		return nil, nil, err
	}
	opts.Filter, opts.Keep = config.NewFilter(file, nil).Apply, true
	work := []record.Kind{record.KindLoad, record.KindDiagnostic, record.KindEnvelope}
	steps := stage.Loading(app.Name, record.KindDiagnostic, record.KindEnvelope, record.KindGrade)
	if earlier != nil {
		work = append(work, record.KindGrade)
		steps = append(steps, stage.Step{InOrder: earlier.take})
	}
	steps = append(steps, c.Want(app, stage.IsOneOf(work...)))
	return source, slices.Concat(steps, stage.Validate(opts), stage.Join(judge)), nil
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
	return c.And(app, captures(source, r.Captures), "--runs", r.Runs, record.KindEnvelope, "what fmcp-exec test prints")
}
