package metrics

import (
	"context"
	"errors"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// answers answers every call with itself.
type answers struct{ env *record.Envelope }

func (a answers) Call(context.Context, string, ordjson.Value) *record.Envelope    { return a.env }
func (a answers) Read(context.Context, string) *record.Envelope                   { return a.env }
func (a answers) Deliver(context.Context, string, ordjson.Value) *record.Envelope { return a.env }

// shown is what Prometheus is told.
func shown(m *Metrics) string {
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	return w.Body.String()
}

func TestOutcomes(t *testing.T) {
	m := New("1.2.3")
	ended, end := context.WithCancel(t.Context())
	end()
	ok, failed := m.Caller(answers{&record.Envelope{Status: true}}), m.Caller(answers{&record.Envelope{}})
	ok.Call(t.Context(), "a/tool/b", ordjson.NewObject())
	ok.Call(ended, "a/tool/b", ordjson.NewObject()) // was answered all the same
	failed.Call(t.Context(), "a/tool/b", ordjson.NewObject())
	failed.Call(ended, "a/tool/b", ordjson.NewObject())
	ok.Read(t.Context(), "flowmcp://a/resource/c?q=secret")
	m.Caller(answers{}).Deliver(t.Context(), "a/prompt/d", ordjson.NewObject())
	m.Reloaded(errors.New("broken"))
	text := shown(m)
	for _, line := range []string{
		`fmcp_calls_total{id="a/tool/b",kind="tool",outcome="ok"} 2`,
		`fmcp_calls_total{id="a/tool/b",kind="tool",outcome="error"} 1`,
		`fmcp_calls_total{id="a/tool/b",kind="tool",outcome="cancelled"} 1`,
		`fmcp_calls_total{id="",kind="resource",outcome="ok"} 1`,
		`fmcp_calls_total{id="a/prompt/d",kind="prompt",outcome="error"} 1`,
		`fmcp_call_duration_seconds_count{kind="tool"} 4`,
		`fmcp_calls_in_flight 0`,
		`fmcp_catalog_reloads_total{outcome="error"} 1`,
		`fmcp_catalog_reloads_total{outcome="ok"} 0`,
		`fmcp_http_refused_total{reason="busy"} 0`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no %s", line)
		}
	}
	if strings.Contains(text, "secret") {
		t.Error("what a client sent is shown")
	}
}

// The alerts that we ship ask for metrics that there are.
func TestAlerts(t *testing.T) {
	alerts, err := os.ReadFile("../../../scripts/deploy/prometheus/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	m := New("1.2.3")
	m.Caller(answers{&record.Envelope{Status: true}}).Call(t.Context(), "a/tool/b", ordjson.NewObject())
	text := shown(m)
	names := regexp.MustCompile(`\bfmcp_[a-z_]+`).FindAllString(string(alerts), -1)
	if len(names) < 10 {
		t.Fatalf("only %d metrics are named", len(names))
	}
	for _, name := range names {
		if !regexp.MustCompile(`(?m)^` + name + `[{ ]`).MatchString(text) {
			t.Errorf("there is no metric %s", name)
		}
	}
	for _, reason := range regexp.MustCompile(`reason="(\w+)"`).FindAllStringSubmatch(string(alerts), -1) {
		if !slices.Contains(Reasons, reason[1]) {
			t.Errorf("there is no reason %s", reason[1])
		}
	}
}
