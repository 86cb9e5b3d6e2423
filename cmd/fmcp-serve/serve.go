package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/flowmcp/fmcp/cmd/internal/network"
	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/text"
	"github.com/flowmcp/fmcp/pkg/words"
)

// serve reads the catalog and answers on stdin and stdout until stdin ends, or
// over HTTP until it is stopped.
func (c *serveCommand) serve(ctx context.Context, app *cli.App) (int, error) {
	calls, err := c.Caller(app, &c.CatalogFlags, network.Recording{})
	if err != nil {
		return cli.ExitUsage, err
	}
	defer calls.Close()
	calls.Client.CountWaits()
	log, err := c.openAudit(app)
	if err != nil {
		return cli.ExitUsage, err
	}
	defer func() { _ = log.Close() }() // every line is written already
	if err := c.Open(app, calls, &c.CallFlags, c.CacheFlags); err != nil {
		return cli.ExitUsage, err
	}
	overHTTP, err := c.listen(ctx, app, c.CAFile)
	if err != nil {
		return cli.ExitUsage, err
	}
	options := serve.Options{MaxInFlight: c.MaxInFlight, MaxResult: int(c.MaxResult), Stderr: app.IO.Stderr,
		Audit: log, Reloads: true, Key: overHTTP.key()}
	tracer, err := c.tracer(ctx, app, calls, overHTTP, &options)
	if err != nil {
		return cli.ExitFailure, err
	}
	defer tracer.Close()
	r := &reloader{serveCommand: c, app: app, calls: calls, log: log, keys: map[string][]string{},
		count: overHTTP.reloaded,
		wrap:  func(caller serve.Caller) serve.Caller { return overHTTP.caller(tracer.Caller(caller)) }}
	if err := r.first(ctx); err != nil {
		return cli.ExitFailure, err
	}
	options.Redact = func(text string) string { return r.redactor.Load().Text(text) }
	r.server = serve.New(r.last.surface, options)
	watching, stop := context.WithCancel(ctx)
	defer stop()
	go r.run(watching)
	err = overHTTP.serve(ctx, app, r.server)
	if err != nil && !errors.Is(err, context.Cause(ctx)) {
		return cli.ExitFailure, err
	}
	return cli.ExitOK, nil
}

// note says something on stderr, of which a part may be untrusted.
func note(app *cli.App, text string) {
	fmt.Fprintf(app.IO.Stderr, "%s: %s\n", app.Name, report.Visible(text))
}

// ready reads what of the catalog is wanted; an agent goes through its steps, and
// is not served where one of them fails.
func (c *serveCommand) ready(ctx context.Context, app *cli.App, calls *exec.Caller) (*exec.Catalog, error) {
	if c.Agent != "" {
		r, err := c.activate(ctx, app, calls)
		if err != nil {
			return nil, err
		}
		return r.Catalog, startable(app, r)
	}
	return c.narrowed(ctx, app)
}

// read reads the catalog; a line that cannot be used is said on stderr, and the
// rest is served, but for one that is not a record. found are the errors in the
// files that a catalog was made of on the way.
func (c *served) read(ctx context.Context, app *cli.App) (index *catalog.Index, found []*record.Diagnostic,
	wanted catalog.Narrowing, err error) {
	if wanted, err = c.wanted(); err != nil {
		return nil, nil, wanted, err
	}
	r, err := c.OpenCatalog(ctx, app, c.Catalog, runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, nil, wanted, err
	}
	index, err = catalog.Read(copied(r), catalog.ReadOptions{Name: c.Catalog, Wrong: func(e *record.Error) error {
		if e.Code == catalog.CodeNotRecord {
			return e
		}
		note(app, e.Error())
		return nil
	}})
	if err != nil {
		return nil, nil, wanted, err
	}
	if c.scope = nil; !wanted.All() {
		c.scope = newScope(index, wanted)
	}
	return index, cli.Judged(r), wanted, app.Accept(&index.Arrival, c.RequireEnd)
}

// caller calls the tools of a catalog.
type caller struct {
	tools *exec.Catalog
	calls *exec.Caller
	room  *fetch.Room
}

// maxAnswers is how much memory, in bytes, answers take that wait for a client
// which does not read.
const maxAnswers = 32 << 20

// Read implements serve.Caller.
func (c *caller) Read(ctx context.Context, uri string) *record.Envelope {
	if e := c.tools.ReadDocument(uri); e != nil {
		return e
	}
	id, words, err := exec.SplitURI(uri)
	if err != nil {
		return exec.Failure(uri, ordjson.Value{}, err)
	}
	t, err := c.tools.AtAddress(id)
	if err != nil {
		return exec.Failure(id, ordjson.Value{}, err)
	}
	params, err := exec.ParamsFromText(t, words)
	if err != nil {
		return exec.Failure(id, ordjson.Value{}, err)
	}
	return c.calls.Call(c.room.For(ctx), t, params, exec.Options{})
}

// mark is that of serve.Contents.
func (c *caller) mark(uri string) string {
	if e := c.tools.ReadDocument(uri); e != nil {
		return record.Hash([]byte(e.Data.Str()))
	}
	id, _, _ := exec.SplitURI(uri)
	t, _ := c.tools.AtAddress(id)
	if q, ok := t.(*exec.Query); ok {
		return c.calls.Resources.Mark(q.Spec)
	}
	return ""
}

// Deliver implements serve.Caller.
func (c *caller) Deliver(ctx context.Context, id string, inputs ordjson.Value) *record.Envelope {
	rec, err := c.tools.Record(id)
	if err != nil {
		return exec.Failure(id, ordjson.Value{}, &words.Problem{Code: exec.CodeBadRecord, Message: err.Error()})
	}
	return text.Deliver(ctx, c.tools.Index, rec.(catalog.Delivered), inputs, text.Options{
		Strict: true,
		Run: func(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
			return serve.Audited(ctx, id, params, func() *record.Envelope {
				return c.calls.CallID(c.room.For(ctx), c.tools, id, params, exec.Options{})
			})
		},
	}).Envelope()
}

// Call implements serve.Caller.
func (c *caller) Call(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
	t, err := c.tools.Target(id)
	if err != nil {
		return exec.Failure(id, ordjson.Value{}, err)
	}
	return c.calls.Call(c.room.For(ctx), t, params, exec.Options{})
}
