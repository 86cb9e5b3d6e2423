package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/flowmcp/fmcp/cmd/internal/network"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/ndjson"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/serve"
)

// serve reads the catalog and answers on stdin and stdout until stdin ends.
func (c *command) serve(ctx context.Context, app *cli.App) (int, error) {
	calls, err := c.Caller(app, network.Recording{})
	if err != nil {
		return cli.ExitUsage, err
	}
	defer calls.Close()
	libraries := &exec.Libraries{}
	tools, err := c.read(ctx, app, libraries)
	if err != nil {
		return cli.ExitFailure, err
	}
	if err := c.CheckExposed(app, tools.HandlerSchemas()); err != nil {
		return cli.ExitUsage, err
	}
	have := func(key string) bool { _, ok := calls.Env.Lookup(key); return ok }
	shown, hidden := serve.Visible(tools.Tools, have)
	if note := serve.HiddenNote(hidden, have); note != "" {
		fmt.Fprintf(app.IO.Stderr, "%s: %s\n", app.Name, report.Visible(note))
	}
	server, err := serve.New(shown, &caller{tools: tools, libraries: libraries, calls: calls}, serve.Options{
		Name: cmp.Or(c.Name, tools.Name, app.Name), Version: cli.Version(), Instructions: tools.Description,
		MaxInFlight: c.MaxInFlight, Stderr: app.IO.Stderr,
	})
	if err != nil {
		return cli.ExitFailure, fmt.Errorf("%s: %w", c.Catalog, err)
	}
	if err := server.Serve(ctx, app.IO.Stdin, app.IO.Stdout); err != nil && !errors.Is(err, context.Cause(ctx)) {
		return cli.ExitFailure, err
	}
	return cli.ExitOK, nil
}

// read reads the tools of the catalog; what cannot be served is said on
// stderr, and the rest is served.
func (c *command) read(ctx context.Context, app *cli.App, libraries *exec.Libraries) (*serve.Catalog, error) {
	r, err := c.OpenCatalog(ctx, app, c.Catalog, runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	tools := &serve.Catalog{OutputSchemas: c.OutputSchemas, Library: libraries.Add}
	lines := ndjson.NewReader(r, ndjson.DefaultMaxLine)
	for {
		line, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			return tools, nil
		case err != nil:
			return nil, err
		case line.TooLong:
			fmt.Fprintf(app.IO.Stderr, "%s: %s:%d: line of %d bytes was left out (LOD021)\n", app.Name, c.Catalog, line.Num, line.Size)
			continue
		}
		if rec := tools.Add(string(line.Bytes)); rec != nil {
			rec.Input = fmt.Sprintf("%s:%d", c.Catalog, line.Num)
			fmt.Fprintf(app.IO.Stderr, "%s: %s\n", app.Name, report.Visible(rec.Error()))
		}
	}
}

// caller calls the tools of a catalog, each of which it parses once.
type caller struct {
	tools     *serve.Catalog
	libraries *exec.Libraries
	calls     *exec.Caller
	ready     sync.Map // id to *exec.Tool
}

// Call implements serve.Caller.
func (c *caller) Call(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
	t, err := c.tool(id)
	if err != nil {
		return exec.Failure(id, ordjson.Value{}, err)
	}
	return c.calls.Call(ctx, t, params, exec.Options{})
}

func (c *caller) tool(id string) (*exec.Tool, error) {
	if t, ok := c.ready.Load(id); ok {
		return t.(*exec.Tool), nil
	}
	rec, ok := c.tools.Record(id)
	if !ok {
		return nil, fmt.Errorf("the catalog has no tool %s", id)
	}
	t, err := exec.NewTool(rec)
	if err != nil {
		return nil, err
	}
	if len(t.Handlers) > 0 {
		if handlers, ok := c.tools.Handlers(rec); ok {
			t.Script = exec.NewScript(handlers, c.libraries)
		}
	}
	c.ready.Store(id, t)
	return t, nil
}
