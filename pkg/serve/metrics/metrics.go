// Package metrics counts what a server over HTTP does, for Prometheus. What
// becomes a label is one of a set that the catalog or this package bounds, never
// what a client sends.
package metrics

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve"
)

// Metrics are those of one server.
type Metrics struct {
	registry *prometheus.Registry

	calls   *prometheus.CounterVec
	seconds *prometheus.HistogramVec
	running prometheus.Gauge
	reloads *prometheus.CounterVec
	answers *prometheus.CounterVec
	refused *prometheus.CounterVec

	Streams  prometheus.Gauge // that are open: GET and subscriptions/listen
	Sessions prometheus.Gauge
}

// Reasons are those of Refused.
var Reasons = []string{"host", "origin", "token", "rate", "busy", "stopping"}

// New returns metrics that are all zero.
func New(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fmcp_calls_total",
			Help: "Calls of tools and prompts by Spec-ID, reads of resources, and how they came out."},
			[]string{"kind", "id", "outcome"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "fmcp_call_duration_seconds",
			Help:    "How long calls took, without the time that they waited for a slot.",
			Buckets: []float64{.005, .025, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}}, []string{"kind"}),
		running: prometheus.NewGauge(prometheus.GaugeOpts{Name: "fmcp_calls_in_flight", Help: "Calls that run now."}),
		reloads: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fmcp_catalog_reloads_total",
			Help: "Catalogs that were read again, and whether they are served."}, []string{"outcome"}),
		answers: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fmcp_http_responses_total",
			Help: "Responses of the MCP endpoint by status."}, []string{"code"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fmcp_http_refused_total",
			Help: "Requests that were refused before they were read, and why."}, []string{"reason"}),
		Streams: prometheus.NewGauge(prometheus.GaugeOpts{Name: "fmcp_http_streams",
			Help: "Streams that are open for notifications."}),
		Sessions: prometheus.NewGauge(prometheus.GaugeOpts{Name: "fmcp_http_sessions",
			Help: "Sessions of revisions up to 2025-11-25."}),
	}
	// What is not there yet cannot be seen to grow.
	for _, outcome := range []string{"ok", "error"} {
		m.reloads.WithLabelValues(outcome)
	}
	for _, reason := range Reasons {
		m.refused.WithLabelValues(reason)
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "fmcp_build_info", Help: "Always 1.",
		ConstLabels: prometheus.Labels{"version": version}})
	build.Set(1)
	m.registry.MustRegister(m.calls, m.seconds, m.running, m.reloads, m.answers, m.refused, m.Streams, m.Sessions,
		build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler shows the metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Answered counts a response.
func (m *Metrics) Answered(status int) { m.answers.WithLabelValues(strconv.Itoa(status)).Inc() }

// Refused counts a request that is refused, for one of Reasons.
func (m *Metrics) Refused(reason string) { m.refused.WithLabelValues(reason).Inc() }

// Reloaded counts a catalog that was read again.
func (m *Metrics) Reloaded(err error) {
	outcome := "ok"
	if err != nil {
		outcome = "error"
	}
	m.reloads.WithLabelValues(outcome).Inc()
}

// Caller counts the calls of another. Its Spec-IDs are those of the catalog;
// addresses of resources may hold parameters of clients, and are no label.
func (m *Metrics) Caller(next serve.Caller) serve.Caller { return &caller{next, m} }

type caller struct {
	next serve.Caller
	m    *Metrics
}

// Call implements serve.Caller.
func (c *caller) Call(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
	return c.m.measure(ctx, "tool", id, func() *record.Envelope { return c.next.Call(ctx, id, params) })
}

// Read implements serve.Caller.
func (c *caller) Read(ctx context.Context, uri string) *record.Envelope {
	return c.m.measure(ctx, "resource", "", func() *record.Envelope { return c.next.Read(ctx, uri) })
}

// Deliver implements serve.Caller.
func (c *caller) Deliver(ctx context.Context, id string, inputs ordjson.Value) *record.Envelope {
	return c.m.measure(ctx, "prompt", id, func() *record.Envelope { return c.next.Deliver(ctx, id, inputs) })
}

func (m *Metrics) measure(ctx context.Context, kind, id string, do func() *record.Envelope) *record.Envelope {
	m.running.Inc()
	start, outcome := time.Now(), "panic"
	defer func() {
		m.running.Dec()
		m.seconds.WithLabelValues(kind).Observe(time.Since(start).Seconds())
		m.calls.WithLabelValues(kind, id, outcome).Inc()
	}()
	env := do()
	switch {
	case env != nil && env.Status:
		outcome = "ok"
	case ctx.Err() != nil:
		outcome = "cancelled"
	default:
		outcome = "error"
	}
	return env
}
