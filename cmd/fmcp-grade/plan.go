package main

import (
	"context"
	"fmt"
	"iter"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/grade/lifecycle"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/stage"
)

type planCommand struct{ evidenceFlags }

// Long is the paragraph of the help.
func (p *planCommand) Long() string {
	return "Each task says why it is there, and has a command that does it. The cheapest come first: those with the " +
		"fewest keys to set, then the fewest prompts, then the fewest calls. As text, each task is a line that a " +
		"shell can run."
}

// Examples are those of the help.
func (p *planCommand) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-grade plan -f text --captures captures catalog/", What: "what is left to do"},
		{Command: "fmcp-grade plan catalog/ | jq -r 'select(.needs==\"tests\" and .keys==[]).command' | sh",
			What: "run the tests that need no key"},
	}
}

// Formats are those of -f and -o.
func (p *planCommand) Formats() []string { return cli.AnswerFormats }

// Run lists the tasks.
func (p *planCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	c := outer(app)
	run := commands(app)
	var tasks []lifecycle.Task
	judge, err := p.scored(func(_ context.Context, all iter.Seq[*grade.Evidence], _ func(record.Record) bool) error {
		for e := range all {
			tasks = append(tasks, lifecycle.Tasks(e, grade.Report(e), run)...)
		}
		return nil
	})
	if err != nil {
		return cli.ExitFailure, err
	}
	source, steps, err := p.stages(app, judge, nil)
	if err != nil {
		return cli.ExitUsage, err
	}
	cli.CollectByHeap(app, heap)
	code, err := c.Read(ctx, app, source, steps, func(it *stage.Item) {
		if d, ok := it.Rec.(*record.Diagnostic); ok { // of scores
			fmt.Fprintf(app.IO.Stderr, "%s: %s: %s (%s)\n", app.Name, d.Loc.Path, d.Message, d.Code)
		}
	})
	if err != nil {
		return code, err
	}
	lifecycle.Sort(tasks)
	lines := make([]ordjson.Value, len(tasks))
	for i, t := range tasks {
		lines[i] = t.JSON()
	}
	return c.Answer(app, code, report.PlanText(tasks), lines)
}

// staged adds to a report in which stage the schema is.
func staged(report func(*grade.Evidence) (*record.Grade, error), run lifecycle.Commands) func(*grade.Evidence) (
	*record.Grade, error) {
	return func(e *grade.Evidence) (*record.Grade, error) {
		g, err := report(e)
		if err == nil {
			g.Stage, g.Next = lifecycle.Of(e, g, run)
		}
		return g, err
	}
}

// commands are those that say how to go on: with the flags that were given for this
// run, since they decide what is known.
func commands(app *cli.App) (c lifecycle.Commands) {
	for _, g := range app.Given() {
		if g.Name == "captures" {
			c.Captures = g.Value
		}
		words := []string{"--" + g.Name, g.Value}
		if g.Bool {
			words = words[:1]
		}
		switch {
		case g.Group == "Rules":
			c.Rules = append(c.Rules, words...)
		case g.Name == "runs", g.Name == "captures":
			c.Runs = append(c.Runs, words...)
		case g.Group == evidenceGroup, g.Name == "grading":
			c.Given = append(c.Given, words...)
		}
	}
	return c
}
