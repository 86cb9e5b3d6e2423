package main

import (
	"context"
	"fmt"
	"io"

	"github.com/flowmcp/fmcp/cmd/internal/progress"
	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/stage"
)

// catalogMemory is what the heap should not grow beyond, in bytes, where the names of the
// catalog and the calls at a time leave room for that.
const catalogMemory = 32 << 20

// open reads the catalog and makes the caller of its tools.
func (c *callsCommand) open(ctx context.Context, app *cli.App, run *cli.StreamCommand) (*exec.Catalog, *exec.Caller,
	error) {
	caller, err := c.Caller(app, &c.CatalogFlags, c.Recording)
	if err != nil {
		return nil, nil, err
	}
	if err := c.Open(app, caller, &c.CallFlags, c.CacheFlags); err != nil {
		return nil, nil, err
	}
	caller.Trace = c.trace(app)
	if !c.DryRun && c.Replay == "" {
		caller.Client.Warm()
	}
	tools, err := readCatalog(ctx, app, &c.CatalogFlags, run, c.Catalog, c.Folder(c.Catalog))
	if err == nil {
		caller.Env.AskedBy(tools.Domains)
		err = c.CheckExposed(app, tools.HandlerSchemas)
	}
	return tools, caller, err
}

// readCatalog reads the tools of a resolved catalog, or of a folder; the data
// of its schemas is in folder.
func readCatalog(ctx context.Context, app *cli.App, flags *cli.CatalogFlags, run *cli.StreamCommand,
	path, folder string) (*exec.Catalog, error) {
	cli.CollectByHeap(app, catalogMemory)
	r, err := flags.OpenCatalog(ctx, app, path, run.Jobs)
	if err != nil {
		return nil, err
	}
	return readTools(app, r, run, path, folder)
}

func readTools(app *cli.App, r io.Reader, run *cli.StreamCommand, path, folder string) (*exec.Catalog, error) {
	if err := run.Spare([]string{path}); err != nil {
		return nil, err
	}
	tools, err := exec.ReadCatalog(r, catalog.ReadOptions{Name: path, MaxLine: int(run.MaxLine)})
	if err != nil {
		return nil, err
	}
	tools.Folder = folder
	return tools, app.Accept(&tools.Arrival, run.RequireEnd)
}

// call runs the calls: the one of the command line, or those of the stream.
func (c *callsCommand) call(ctx context.Context, app *cli.App, run *cli.StreamCommand, tools *exec.Catalog,
	caller *exec.Caller) (int, error) {
	source, err := c.source(app, run, tools)
	if err != nil {
		return cli.ExitUsage, err
	}
	var bar *progress.Bar
	var reading context.Context
	if c.ID == "" {
		reading = app.Drain(ctx, c.Drain)
		bar = c.progress(app).Start(app, "calls", -1)
		defer bar.Close()
	}
	answer := counted(bar, func(ctx context.Context, it *stage.Item) stage.Batch {
		req, ok := it.Rec.(*record.Request)
		if !ok {
			return stage.Batch{it}
		}
		e := c.answer(ctx, tools, caller, req)
		if e.Delivered != nil && run.Format == cli.FormatText { // which has the text alone
			for _, m := range e.Messages {
				fmt.Fprintf(app.IO.Stderr, "%s: %s\n", app.Name, report.Visible(m))
			}
		}
		return stage.Batch{stage.New(e)}
	})
	return run.Run(ctx, app, cli.Pipeline{
		Source: source,
		Steps: []stage.Step{stage.Decode(info.Name, record.KindRequest),
			run.Want(app, stage.IsOneOf(record.KindRequest)), answer},
		Unordered: c.Unordered,
		Reading:   reading,
		Catalog:   true,
		End:       c.End,
	})
}

// counted is a step that tells a bar what is done.
func counted(bar *progress.Bar, do func(context.Context, *stage.Item) stage.Batch) stage.Step {
	if bar == nil {
		return stage.Step{Do: do}
	}
	return stage.Step{
		Do: func(ctx context.Context, it *stage.Item) stage.Batch {
			defer bar.Add(1)
			return do(ctx, it)
		},
		// What is said at the end finds the line free.
		Finish: func(context.Context, func(stage.Batch) bool) error {
			bar.Close()
			return nil
		},
	}
}

func (c *callsCommand) answer(ctx context.Context, tools *exec.Catalog, caller *exec.Caller,
	req *record.Request) *record.Envelope {
	if isText(tools, req.ID) {
		return c.deliver(ctx, tools, caller, req)
	}
	if e := tools.ReadDocument(req.ID); e != nil {
		e.Tag = req.Tag
		return e
	}
	return caller.CallID(ctx, tools, req.ID, req.Params, exec.Options{Tag: req.Tag, DryRun: c.DryRun,
		Attempt: req.Attempt})
}

// source is the request of the command line, or stdin.
func (c *callsCommand) source(app *cli.App, run *cli.StreamCommand, tools *exec.Catalog) (stage.Source, error) {
	if c.ID == "" {
		if err := app.RequireInput(nil); err != nil {
			return nil, err
		}
		return stage.Lines(app.IO.Stdin, "stdin", app.Name, int(run.MaxLine), true, run.Tally()), nil
	}
	req := &record.Request{ID: c.ID}
	tool, params, err := c.find(tools)
	switch {
	case c.Params != "" && len(c.Words) > 0:
		return nil, cli.Usagef("give the parameters as --params or as KEY=VALUE, not both")
	case c.Params != "":
		if req.Params, err = ordjson.Parse(c.Params); err != nil {
			return nil, cli.Usagef("--params is not JSON: %v", err)
		}
	case (tool != nil || isText(tools, c.ID)) && err != nil:
		return nil, cli.Usagef("%v", err)
	default:
		req.Params = params
		if tool != nil {
			req.ID = tool.Record().ID
		}
	}
	return func(_ context.Context, send func(stage.Batch) bool) error {
		send(stage.Batch{stage.New(req)})
		return nil
	}, nil
}
