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
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/ndjson"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/serve"
)

// serve reads the catalog and answers on stdin and stdout until stdin ends.
func (c *command) serve(ctx context.Context, app *cli.App) (int, error) {
	calls, err := c.Caller(app, &c.CatalogFlags, network.Recording{})
	if err != nil {
		return cli.ExitUsage, err
	}
	defer calls.Close()
	if err := c.Open(app, calls, &c.CallFlags, c.CacheFlags); err != nil {
		return cli.ExitUsage, err
	}
	libraries := &exec.Libraries{}
	tools, err := c.read(ctx, app, libraries)
	if err != nil {
		return cli.ExitFailure, err
	}
	if err := c.CheckExposed(app, tools.HandlerSchemas); err != nil {
		return cli.ExitUsage, err
	}
	calls.Env.AskedBy(tools.Domains)
	have := func(domain, key string) bool { _, ok := calls.Env.For(domain).Lookup(key); return ok }
	shown, hidden := serve.Visible(tools.Tools, have)
	if text := serve.HiddenNote(hidden, have); text != "" {
		note(app, text)
	}
	for _, text := range reasons(calls.Env, hidden) {
		note(app, text)
	}
	caller := &caller{tools: tools, libraries: libraries, calls: calls, folder: c.Folder(c.Catalog), room: fetch.NewRoom(maxAnswers)}
	shown, readable := caller.answerable(shown, tools.Resources, func(text string) { note(app, text) })
	server, err := serve.New(shown, caller, serve.Options{
		Name: cmp.Or(c.Name, tools.Name, app.Name), Version: cli.Version(), Instructions: tools.Instructions(shown, hidden, have),
		MaxInFlight: c.MaxInFlight, Stderr: app.IO.Stderr, Resources: readable,
	})
	if err != nil {
		return cli.ExitFailure, fmt.Errorf("%s: %w", c.Catalog, err)
	}
	if err := server.Serve(ctx, app.IO.Stdin, app.IO.Stdout); err != nil && !errors.Is(err, context.Cause(ctx)) {
		return cli.ExitFailure, err
	}
	return cli.ExitOK, nil
}

// note says something on stderr, of which a part may be a stranger's.
func note(app *cli.App, text string) {
	fmt.Fprintf(app.IO.Stderr, "%s: %s\n", app.Name, report.Visible(text))
}

// read reads the tools of the catalog; what cannot be served is said on
// stderr, and the rest is served.
func (c *command) read(ctx context.Context, app *cli.App, libraries *exec.Libraries) (*serve.Catalog, error) {
	r, err := c.OpenCatalog(ctx, app, c.Catalog, runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	came := record.Arrival{Name: c.Catalog}
	tools := &serve.Catalog{OutputSchemas: c.OutputSchemas, Library: libraries.Add}
	lines := ndjson.NewReader(r, ndjson.DefaultMaxLine)
	for {
		line, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			if err := app.Accept(&came, c.RequireEnd); err != nil {
				return nil, err
			}
			if len(tools.Tools)+len(tools.Resources) == 0 {
				return nil, fmt.Errorf("%s has no tool and no resource to serve", c.Catalog)
			}
			return tools, nil
		case err != nil:
			return nil, err
		case line.TooLong:
			fmt.Fprintf(app.IO.Stderr, "%s: %s:%d: line of %d bytes was left out (LOD021)\n", app.Name, c.Catalog, line.Num, line.Size)
			continue
		}
		if !came.Take(record.KindIn(line.Bytes), line.Bytes) {
			continue
		}
		rec := tools.Add(string(line.Bytes))
		if rec == nil {
			continue
		}
		rec.Input = fmt.Sprintf("%s:%d", c.Catalog, line.Num)
		if rec.Code == serve.CodeNotRecord {
			return nil, rec
		}
		note(app, rec.Error())
	}
}

// caller calls the tools of a catalog, each of which it parses once.
type caller struct {
	tools     *serve.Catalog
	libraries *exec.Libraries
	calls     *exec.Caller
	folder    string   // that the paths of the catalog are relative to
	ready     sync.Map // id to *exec.Tool
	room      *fetch.Room
	mu        sync.Mutex
}

// maxAnswers is how much memory, in bytes, answers take that wait for a client
// which does not read.
const maxAnswers = 32 << 20

// Read implements serve.Caller.
func (c *caller) Read(ctx context.Context, uri string) *record.Envelope {
	id, words, err := exec.SplitURI(uri)
	if err != nil {
		return exec.Failure(uri, ordjson.Value{}, err)
	}
	t, err := c.tool(id)
	if err != nil {
		return exec.Failure(id, ordjson.Value{}, err)
	}
	params, err := exec.ParamsFromText(t, words)
	if err != nil {
		return exec.Failure(id, ordjson.Value{}, err)
	}
	return c.calls.Call(c.room.For(ctx), t, params, exec.Options{})
}

// Call implements serve.Caller.
func (c *caller) Call(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
	t, err := c.tool(id)
	if err != nil {
		return exec.Failure(id, ordjson.Value{}, err)
	}
	return c.calls.Call(c.room.For(ctx), t, params, exec.Options{})
}

func (c *caller) tool(id string) (*exec.Tool, error) {
	if t, ok := c.ready.Load(id); ok {
		return t.(*exec.Tool), nil
	}
	rec, ok := c.tools.Record(id)
	if !ok {
		return nil, fmt.Errorf("the catalog has no tool %s", id)
	}
	if rec.Type == record.TypeResource {
		return c.query(rec, id)
	}
	t, err := exec.NewTool(rec)
	if err != nil {
		return nil, err
	}
	c.addScript(t, rec)
	c.ready.Store(id, t)
	return t, nil
}

func (c *caller) addScript(t *exec.Tool, rec *record.Resolved) {
	if len(t.Handlers) == 0 {
		return
	}
	if handlers, ok := c.tools.Handlers(rec); ok {
		t.Script = exec.NewScript(handlers, c.libraries)
	}
}

// query finds a query of a resource, whose record it parses once: all of its
// queries share what is open. By the ID of the resource itself, what its address
// stands for is meant.
func (c *caller) query(rec *record.Resolved, id string) (*exec.Tool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t, ok := c.ready.Load(id); ok {
		return t.(*exec.Tool), nil
	}
	list, err := exec.NewQueries(rec, c.folder)
	if err != nil {
		return nil, err
	}
	for _, t := range list {
		c.addScript(t, rec)
		c.ready.Store(t.ID, t)
	}
	if t := exec.AtAddress(list); t != nil {
		c.ready.Store(rec.ID, t)
	}
	if t, ok := c.ready.Load(id); ok {
		return t.(*exec.Tool), nil
	}
	return nil, fmt.Errorf("the catalog has no query %s", id)
}
