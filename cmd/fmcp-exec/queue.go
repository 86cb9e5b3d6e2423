package main

import (
	"context"
	"fmt"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/queue"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/stage"
)

// queued says where requests are taken from, nil for stdin and the command line.
func (c *callsCommand) queued(app *cli.App, run *cli.StreamCommand) (*queue.Options, error) {
	switch {
	case c.From == "" && c.To == "" && !c.Setup:
		return nil, nil
	case c.From == "" || c.To == "":
		return nil, cli.Usagef("a queue has two ends: give --from nats://HOST/STREAM and --to nats://HOST/SUBJECT")
	}
	for _, other := range []struct {
		given bool
		name  string
	}{
		{c.ID != "", c.ID}, {c.Params != "", "--params"}, {c.DryRun, "--dry-run"}, {c.Unordered, "--unordered"},
		{c.End, "--end"}, {c.FailOn != "", "--fail-on"}, {run.AllowEmpty, "--allow-empty"},
		{len(run.Output) > 0, "--output"}, {run.Format != cli.FormatNDJSON && !app.IO.StdoutTTY, "--format"},
	} {
		if other.given {
			return nil, cli.Usagef("with --from, calls are made for the requests of a queue and answered there, until "+
				"a signal ends the work: leave %s out", other.name)
		}
	}
	o := &queue.Options{Name: info.Name, Setup: c.Setup}
	var err error
	if o.From, err = queue.ParseAddress(c.From, "STREAM"); err != nil {
		return nil, cli.Usagef("--from: %v", err)
	}
	if o.To, err = queue.ParseAddress(c.To, "SUBJECT"); err != nil {
		return nil, cli.Usagef("--to: %v", err)
	}
	return o, nil
}

// work answers requests of a queue until a signal ends it.
func (c *callsCommand) work(ctx context.Context, app *cli.App, run *cli.StreamCommand, o *queue.Options,
	tools *exec.Catalog, caller *exec.Caller) (int, error) {
	o.Getenv = app.IO.Getenv
	o.Note = func(text string) { fmt.Fprintf(app.IO.Stderr, "%s: %s\n", app.Name, text) }
	q, err := queue.Open(ctx, *o)
	if err != nil {
		return cli.ExitFailure, err
	}
	defer q.Close()
	decode := stage.Decode(info.Name, record.KindRequest)
	err = q.Work(ctx, app.Drain(ctx, c.Drain), run.Jobs, func(ctx context.Context, r *queue.Request) queue.Answer {
		it := decode.Do(ctx, &stage.Item{Line: r.Line})[0]
		switch rec := it.Rec.(type) {
		case *record.Request:
			rec.Attempt = max(rec.Attempt, 1) + r.Deliveries - 1
			return queue.Answer{Line: c.answer(ctx, tools, caller, rec).AppendJSON(nil)}
		case *record.Error:
			rec.Input = r.Name
			return queue.Answer{Reason: rec}
		}
		return queue.Answer{Reason: &record.Error{Stage: info.Name, Input: r.Name, Code: "LOD039",
			Message: fmt.Sprintf("found a record of kind %q, expected a request", record.KindIn(r.Line))}}
	})
	if err != nil {
		return cli.ExitFailure, err
	}
	return cli.ExitOK, nil
}
