package main

import (
	"context"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/trace"
)

// traceFlags are those of traces, which the OTEL_ variables of the environment
// turn on (docs/serve.md, "Traces").
type traceFlags struct {
	TraceUpstream bool `group:"Server" help:"Tell the APIs which trace a request belongs to (traceparent), if traces are sent (OTEL_EXPORTER_OTLP_ENDPOINT)."`
}

// tracer makes what sends traces, nil where none are asked for, and has requests
// and calls of APIs traced.
func (f *traceFlags) tracer(ctx context.Context, app *cli.App, calls *exec.Caller, h *httpServer,
	o *serve.Options) (*trace.Tracer, error) {
	t, err := trace.New(ctx, trace.Options{Name: app.Name, Version: cli.Version(), Upstream: f.TraceUpstream,
		Getenv: app.IO.Getenv, Warn: func(text string) { note(app, text) }})
	if t == nil {
		return nil, err
	}
	o.Context = t.Message
	calls.Client.Wrap(t.Transport)
	if h != nil {
		h.options.Context = t.Request
	}
	return t, nil
}
