// Package trace sends traces of calls to a collector by OpenTelemetry. It is on
// where the environment says so, by the variables that OpenTelemetry defines for
// all programs, and costs nothing where it does not.
package trace

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve"
)

// Tracer makes spans and sends them.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	upstream bool
}

// Options of a Tracer.
type Options struct {
	Name, Version string
	Upstream      bool // the APIs that are called get traceparent
	Getenv        func(string) string
	Warn          func(text string)
}

// propagator reads and writes traceparent and tracestate (W3C Trace Context).
var propagator = propagation.TraceContext{}

// flushTime is how long the spans that are left may take at the end.
const flushTime = time.Second

// New returns a Tracer, or nil where none is asked for.
func New(ctx context.Context, o Options) (*Tracer, error) {
	if !wanted(o) {
		return nil, nil
	}
	problems := &faults{warn: o.Warn}
	otel.SetErrorHandler(problems)
	otel.SetLogger(logr.New(problems))
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("traces cannot be sent: %w", err)
	}
	from, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithAttributes(
		attribute.String("service.name", o.Name), attribute.String("service.version", o.Version)),
		resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("traces cannot be sent: %w", err)
	}
	t := &Tracer{provider: sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(from)),
		upstream: o.Upstream}
	t.tracer = t.provider.Tracer("github.com/flowmcp/fmcp/pkg/serve")
	return t, nil
}

// wanted looks at the variables of OpenTelemetry that say whether traces are
// sent, and how. Without any of them nothing is.
func wanted(o Options) bool {
	kind := o.Getenv("OTEL_TRACES_EXPORTER")
	named := o.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT")+o.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
	if strings.EqualFold(o.Getenv("OTEL_SDK_DISABLED"), "true") || kind == "none" || kind == "" && !named {
		return false
	}
	if kind != "" && kind != "otlp" {
		o.Warn(fmt.Sprintf("no traces are sent: OTEL_TRACES_EXPORTER is %q, expected otlp or none", kind))
		return false
	}
	name := "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"
	if o.Getenv(name) == "" {
		name = "OTEL_EXPORTER_OTLP_PROTOCOL"
	}
	if protocol := o.Getenv(name); protocol != "" && protocol != "http/protobuf" {
		o.Warn(fmt.Sprintf("no traces are sent: %s is %q, expected http/protobuf; collectors take it at port 4318",
			name, protocol))
		return false
	}
	return true
}

// faults says what keeps traces from being sent, once until something else does.
// It implements otel.ErrorHandler and logr.LogSink.
type faults struct {
	logr.LogSink // what faults does not have is not called
	warn         func(string)

	mu   sync.Mutex
	last string
}

func (f *faults) say(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if text != f.last {
		f.last = text
		f.warn("traces: " + text)
	}
}

// Handle is told that spans could not be sent.
func (f *faults) Handle(err error) { f.say(err.Error()) }

// Error is told what is wrong with a variable. Only its kind is said, since err and
// values have its text, which may be a secret.
func (f *faults) Error(_ error, kind string, _ ...any) {
	f.say("what an OTEL_ variable says cannot be used: " + kind)
}

// Init, Enabled and Info are for what goes well.
func (f *faults) Init(logr.RuntimeInfo)    {}
func (f *faults) Enabled(int) bool         { return false }
func (f *faults) Info(int, string, ...any) {}

// Close sends what is left.
func (t *Tracer) Close() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		otel.Handle(err)
	}
}

// Request is ctx with the trace that the headers of a request name.
func (t *Tracer) Request(ctx context.Context, r *http.Request) context.Context {
	return propagator.Extract(ctx, propagation.HeaderCarrier(r.Header))
}

// Message is ctx with the trace that a message names, which is closer to the
// client than that of a request.
func (t *Tracer) Message(ctx context.Context, m serve.Message) context.Context {
	meta := m.Params.Get("_meta")
	if !meta.Get("traceparent").Is(ordjson.String) {
		return ctx
	}
	return propagator.Extract(ctx, propagation.MapCarrier{
		"traceparent": meta.Get("traceparent").Str(), "tracestate": meta.Get("tracestate").Str()})
}

// Caller has a span for each call of another; it is that one where t is nil.
func (t *Tracer) Caller(next serve.Caller) serve.Caller {
	if t == nil {
		return next
	}
	return &caller{next, t}
}

type caller struct {
	next serve.Caller
	t    *Tracer
}

// Call implements serve.Caller.
func (c *caller) Call(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
	return c.t.span(ctx, "tools/call", "gen_ai.tool.name", id, func(ctx context.Context) *record.Envelope {
		return c.next.Call(ctx, id, params)
	})
}

// Read implements serve.Caller. The parameters of an address are the client's
// affair.
func (c *caller) Read(ctx context.Context, uri string) *record.Envelope {
	address, _, _ := strings.Cut(uri, "?")
	return c.t.span(ctx, "resources/read", "mcp.resource.uri", address, func(ctx context.Context) *record.Envelope {
		return c.next.Read(ctx, uri)
	})
}

// Deliver implements serve.Caller.
func (c *caller) Deliver(ctx context.Context, id string, inputs ordjson.Value) *record.Envelope {
	return c.t.span(ctx, "prompts/get", "gen_ai.prompt.name", id, func(ctx context.Context) *record.Envelope {
		return c.next.Deliver(ctx, id, inputs)
	})
}

// span is around a call. Of one that fails it has the code, and never the text,
// which may show what the client sent.
func (t *Tracer) span(ctx context.Context, method, key, about string,
	do func(context.Context) *record.Envelope) *record.Envelope {
	ctx, span := t.tracer.Start(ctx, method+" "+about, trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("mcp.method.name", method), attribute.String(key, about)))
	defer span.End()
	env := do(ctx)
	switch {
	case env != nil && env.Status:
	case env != nil && len(env.Messages) > 0:
		code, _, _ := strings.Cut(env.Messages[0], " ")
		span.SetStatus(codes.Error, code)
		span.SetAttributes(attribute.String("error.type", code))
	default:
		span.SetStatus(codes.Error, "")
	}
	return env
}

// Transport has a span for each request to an API, and passes the trace on where
// that is asked for. A span has the host alone: paths and queries may hold keys.
func (t *Tracer) Transport(next http.RoundTripper) http.RoundTripper { return &transport{next, t} }

type transport struct {
	next http.RoundTripper
	t    *Tracer
}

// RoundTrip implements http.RoundTripper.
func (c *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, span := c.t.tracer.Start(r.Context(), r.Method, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(attribute.String("http.request.method", r.Method),
			attribute.String("server.address", r.URL.Hostname())))
	defer span.End()
	if c.t.upstream {
		r = r.Clone(ctx)
		propagator.Inject(ctx, propagation.HeaderCarrier(r.Header))
	}
	res, err := c.next.RoundTrip(r)
	if err != nil {
		span.SetStatus(codes.Error, "no answer")
		return nil, err
	}
	span.SetAttributes(attribute.Int("http.response.status_code", res.StatusCode))
	if res.StatusCode >= http.StatusBadRequest {
		span.SetStatus(codes.Error, "")
	}
	return res, nil
}
