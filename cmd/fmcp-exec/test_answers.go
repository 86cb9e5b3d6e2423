package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec/suite"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/stage"
)

// fitElsewhere says which flags do not go together with calls that other processes make.
func (c *testCommand) fitElsewhere(run *cli.StreamCommand) error {
	flag := "--answers"
	switch {
	case !c.Plan && c.Answers == "":
		return nil
	case c.Plan && c.Answers != "":
		return cli.Usagef("--plan makes requests, and --answers judges what they were answered: give one of them")
	case c.Plan:
		flag = "--plan"
	}
	for _, other := range []struct {
		given bool
		name  string
	}{
		{record.TestMode(c.Mode) == record.TestDryRun, "--mode dry-run"}, {c.Capture != "", "--capture"},
		{c.GenerateOutput, "--generate-output"}, {c.Record != "", "--record"}, {c.Replay != "", "--replay"},
		{c.InPlace, "--in-place"},
		{c.Plan && c.ModelCmd != "", "--model-command"},
		{c.Plan && (run.Writes("junit") || run.Writes("tap")), "junit or tap"},
	} {
		if other.given {
			return cli.Usagef("%s calls nothing itself, and %s has no meaning beside it: leave one of them out", flag,
				other.name)
		}
	}
	return nil
}

// requests writes the calls of the tests, which other processes make.
func (c *testCommand) requests(ctx context.Context, app *cli.App, run *cli.StreamCommand,
	plan *suite.Plan) (int, error) {
	list := plan.Requests(c.ReadOnly)
	if len(list) == 0 && !run.AllowEmpty {
		return cli.ExitFailure, errors.New("no test makes a call that another process can make; " +
			"--allow-empty accepts that")
	}
	run.AllowEmpty = true
	status, err := run.Run(ctx, app, cli.Pipeline{End: c.End, Source: func(_ context.Context,
		send func(stage.Batch) bool) error {
		for _, r := range list {
			if !send(stage.Batch{stage.New(r)}) {
				break
			}
		}
		return nil
	}})
	return c.orLeftOut(run, status, err)
}

// orLeftOut is the exit status where something that was to be tested may be left out;
// stderr says what.
func (c *testCommand) orLeftOut(run *cli.StreamCommand, status int, err error) (int, error) {
	if err == nil && status == cli.ExitOK && c.leftOut && run.FailOn.Fails(record.SeverityError) {
		return cli.ExitFindings, nil
	}
	return status, err
}

// readAnswers reads the envelopes of --answers.
func (c *testCommand) readAnswers(ctx context.Context, app *cli.App, run *cli.StreamCommand) (suite.Answers, error) {
	none := func(context.Context, func(stage.Batch) bool) error { return nil }
	source, err := run.And(app, none, "--answers", []string{c.Answers}, record.KindEnvelope,
		"what fmcp-exec answers to the requests of --plan")
	if err != nil {
		return nil, err
	}
	answers := suite.Answers{}
	status, err := run.Read(ctx, app, source, []stage.Step{stage.Decode(app.Name)}, func(it *stage.Item) {
		if record.KindIn(it.Line) != record.KindEnvelope || it.Rec != nil {
			return
		}
		v, _ := ordjson.Parse(string(it.Line)) // which Decode has checked
		answers.Add(v)
	})
	if err == nil && status != cli.ExitOK {
		err = fmt.Errorf("--answers %s: not all of it can be read", c.Answers)
	}
	return answers, err
}
