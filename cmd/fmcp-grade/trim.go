package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/grade/trim"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
)

type trimCommand struct {
	runFlags
	Out     string `group:"Trim" required:"" placeholder:"DIR" help:"Folder that the copy is written to. Files that are there already must be the same, unless --force is given."`
	Cascade bool   `group:"Trim" help:"Also remove what refers to something removed: members of selections and agents, and whole skills and prompts."`
	Force   bool   `group:"Trim" help:"Replace files in --out that differ, and remove those that are left out."`
}

// Long is the paragraph of the help.
func (t *trimCommand) Long() string {
	return "A tool, a query, a skill or a prompt fails if none of its tests passes and at least one ran and failed. " +
		"The copy lacks it, its handlers, and the lists and keys that only it used; every other byte stays. " +
		"A schema of which nothing is left, or that cannot be loaded, is left out. What was not tested stays, and is " +
		"reported. The exit status is 1 if something in the copy still names what was removed, or if an agent or a " +
		"selection in it has too little left to be valid."
}

// Examples are those of the help.
func (t *trimCommand) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-exec test --end -c catalog/ | " +
			"fmcp-grade trim --require-end --runs - --out deploy/catalog catalog/",
			What: "deploy what passes its tests"},
		{Command: "fmcp-grade trim --runs runs.ndjson --out deploy/catalog catalog/ | jq -c 'select(.issue) | .issue'",
			What: "the sub-issues for what was removed"},
	}
}

// Formats are those of -f and -o.
func (t *trimCommand) Formats() []string { return cli.AnswerFormats }

// Findings is what exit status 1 means.
func (t *trimCommand) Findings() string {
	return "the copy names something that was removed, or has too little left to be valid"
}

// Run writes the copy.
func (t *trimCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	c := outer(app)
	source, err := t.source(c, app)
	if err != nil {
		return cli.ExitUsage, err
	}
	var loads []*record.Load
	var runs []grade.Run
	lost := false // something that may have been a run
	code, err := c.ReadRecords(ctx, app, source, func(rec record.Record) {
		switch rec := rec.(type) {
		case *record.Load:
			loads = append(loads, rec)
		case *record.Envelope:
			if run := grade.NewRun(rec); run != nil {
				runs = append(runs, *run)
			}
		case *record.Error:
			lost = lost || filepath.Ext(rec.Input) != ".mjs" // a module that cannot be loaded is left out
		}
	}, record.KindEnvelope)
	switch {
	case err != nil || lost:
		return code, err
	case len(loads) == 0:
		return cli.ExitFailure, cli.ErrEmptyInput
	case len(runs) == 0:
		return cli.ExitFailure, errors.New("the input has no test run, so nothing is known to fail: give what " +
			"fmcp-exec test prints as --runs")
	}
	plan, err := trim.New(loads, runs, trim.Options{Cascade: t.Cascade, Read: func(file string) ([]byte, error) {
		return walk.ReadFile(file, stage.MaxFile)
	}})
	if err != nil {
		return cli.ExitFailure, err
	}
	if err := plan.Write(ctx, t.Out, t.Force); err != nil {
		return cli.ExitFailure, err
	}
	if plan.Broken() && code == cli.ExitOK {
		code = cli.ExitFindings
	}
	return c.Answer(app, code, report.VisibleLines(plan.Text()), plan.Lines())
}
