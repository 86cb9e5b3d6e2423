package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/words"
)

type handlersCommand struct {
	cli.CatalogFlags
	Catalog string   `group:"Handlers" short:"c" required:"" placeholder:"FILE" var:"FMCP_CATALOG" help:"The catalog: what fmcp-resolve wrote, or a folder."`
	Schemas []string `arg:"" optional:"" name:"SCHEMA" help:"Schema-File-IDs, namespace/file; without one, all schemas that have handlers."`
}

// Long is the paragraph of the help.
func (c *handlersCommand) Long() string {
	return "The function handlers of each schema is called as before the first call of a tool: in the sandbox, with " +
		"the shared lists and the libraries that the catalog carries. " +
		"No handler is called, and nothing is sent. There is one line for each schema; the status is 1 where the " +
		"handlers of one cannot be made."
}

// Examples are those of the help.
func (c *handlersCommand) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-exec handlers -c catalog.ndjson -f text",
			What: "before a catalog is served: do all handlers run here?"},
		{Command: "fmcp-exec handlers -c catalog/ tidewatch/stations", What: "those of one schema, while you write it"},
	}
}

// made is how the handlers of a schema came out.
type made struct {
	catalog.File
	list []sandbox.Handler
	err  error
}

func (c *handlersCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	run := stream(app)
	tools, err := readCatalog(ctx, app, &c.CatalogFlags, run, c.Catalog, "")
	if err != nil {
		return cli.ExitUsage, err
	}
	all, err := c.chosen(tools.HandlerFiles())
	if err != nil {
		return cli.ExitUsage, err
	}
	if len(all) == 0 && !run.AllowEmpty {
		return cli.ExitFailure, errors.New("the catalog has no schema with handlers; --allow-empty accepts that")
	}
	pool := sandbox.NewPool(sandbox.Limits{Workers: run.Jobs})
	defer pool.Close()
	var wg sync.WaitGroup
	for i := range all {
		wg.Go(func() { all[i].list, all[i].err = tools.ListHandlers(ctx, pool, all[i].File) })
	}
	wg.Wait()
	if ctx.Err() != nil {
		return cli.ExitFailure, context.Cause(ctx)
	}
	status := cli.ExitOK
	if slices.ContainsFunc(all, func(m made) bool { return m.err != nil }) {
		status = cli.ExitFindings
	}
	return run.Answer(app, status, handlersText(all), handlersLines(all))
}

// chosen are the schemas that are asked for.
func (c *handlersCommand) chosen(files []catalog.File) ([]made, error) {
	var all []made
	var ids []string
	for _, f := range files {
		ids = append(ids, f.Schema)
		if len(c.Schemas) == 0 || slices.Contains(c.Schemas, f.Schema) {
			all = append(all, made{File: f})
		}
	}
	for _, id := range c.Schemas {
		if !slices.Contains(ids, id) {
			return nil, cli.Usagef("no schema with handlers has the ID %s%s", id, words.DidYouMean(id, ids))
		}
	}
	return all, nil
}

func handlersText(all []made) string {
	var b strings.Builder
	failed := 0
	for _, m := range all {
		if m.err != nil {
			failed++
			fmt.Fprintf(&b, "FAIL %s\n     %v\n", m.Schema, m.err)
			continue
		}
		fmt.Fprintf(&b, "ok   %s\n", m.Schema)
		for _, h := range m.list {
			fmt.Fprintf(&b, "     %s: %s\n", h.Name, strings.Join(h.Stages, ", "))
		}
	}
	fmt.Fprintf(&b, "schemas with handlers: %d, failed: %d\n", len(all), failed)
	return b.String()
}

func handlersLines(all []made) []ordjson.Value {
	var lines []ordjson.Value
	for _, m := range all {
		line := []ordjson.Member{ordjson.Field("id", ordjson.NewString(m.Schema)),
			ordjson.Field("ok", ordjson.NewBool(m.err == nil))}
		var handlers []ordjson.Member
		for _, h := range m.list {
			handlers = append(handlers, ordjson.Field(h.Name, ordjson.Strings(h.Stages)))
		}
		var e *words.Problem
		if errors.As(m.err, &e) {
			line = append(line, ordjson.Field("code", ordjson.NewString(e.Code)),
				ordjson.Field("message", ordjson.NewString(e.Message)))
		} else {
			line = append(line, ordjson.Field("handlers", ordjson.NewObject(handlers...)))
		}
		lines = append(lines, ordjson.NewObject(line...))
	}
	return lines
}
