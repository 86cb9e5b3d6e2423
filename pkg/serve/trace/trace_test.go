package trace

import (
	"context"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve"
)

const (
	traceID = "0af7651916cd43dd8448eb211c80319c"
	parent  = "00-" + traceID + "-b7ad6b7169203331-01"
)

// collected is a collector on a loopback address.
type collected struct {
	mu    sync.Mutex
	spans []*spans.Span
	text  string // of all that came
}

func collect(t *testing.T) (*collected, string) {
	c := &collected{}
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var got collector.ExportTraceServiceRequest
		if err != nil || proto.Unmarshal(body, &got) != nil || r.URL.Path != "/v1/traces" {
			t.Error("not a batch of spans:", r.URL, err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, of := range got.ResourceSpans {
			for _, scope := range of.ScopeSpans {
				c.spans = append(c.spans, scope.Spans...)
			}
		}
		c.text += got.String() + r.Header.Get("Api-Key")
	}))
	t.Cleanup(s.Close)
	return c, s.URL
}

// api calls an API, and fails where the arguments say so.
type api struct {
	client *http.Client
	url    string
}

func (a *api) Call(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, a.url+"/path?key=secret-1234", nil)
	if err != nil {
		return nil
	}
	res, err := a.client.Do(r)
	if err != nil {
		return nil
	}
	res.Body.Close()
	if params.Is(ordjson.Null) {
		return &record.Envelope{ID: id, Messages: []string{"EXE031 secret-1234 is wrong"}}
	}
	return &record.Envelope{ID: id, Status: true}
}

func (a *api) Read(context.Context, string) *record.Envelope { return &record.Envelope{Status: true} }

func (a *api) Deliver(context.Context, string, ordjson.Value) *record.Envelope { return nil }

// tracer is one that sends to a collector.
func tracer(t *testing.T, url string, upstream bool) *Tracer {
	t.Helper()
	for name, value := range map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": url,
		"OTEL_EXPORTER_OTLP_HEADERS": "api-key=of-the-collector", "OTEL_RESOURCE_ATTRIBUTES": "team=tides"} {
		t.Setenv(name, value)
	}
	getenv := func(name string) string {
		return map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": url}[name]
	}
	tr, err := New(t.Context(), Options{Name: "fmcp-serve", Version: "1.2.3", Upstream: upstream, Getenv: getenv,
		Warn: func(text string) { t.Error(text) }})
	if err != nil || tr == nil {
		t.Fatal(tr, err)
	}
	return tr
}

// Calls and what they ask of APIs are in the trace that the message names. A
// span shows nothing of what may be secret, and the API hears of it only where
// that is wanted.
func TestSpans(t *testing.T) {
	for _, upstream := range []bool{false, true} {
		got, url := collect(t)
		heard := ""
		up := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			heard = r.Header.Get("Traceparent")
		}))
		t.Cleanup(up.Close)
		tr := tracer(t, url, upstream)
		a := &api{&http.Client{Transport: tr.Transport(http.DefaultTransport)}, up.URL}
		m, bad := serve.Parse(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"traceparent":"` +
			parent + `"}}}`)
		if bad != nil {
			t.Fatal(bad)
		}
		header := http.Header{"Traceparent": {strings.Replace(parent, "0af7", "0000", 1)}}
		ctx := tr.Message(tr.Request(t.Context(), &http.Request{Header: header}), m)
		c := tr.Caller(a)
		c.Call(ctx, "demo/tool/good", ordjson.NewObject())
		if want := upstream; (heard != "") != want || want && !strings.Contains(heard, traceID) {
			t.Errorf("the API heard %q", heard)
		}
		c.Call(ctx, "demo/tool/bad", ordjson.NewNull())
		c.Read(ctx, "flowmcp://demo/resource/book?section=secret-1234")
		c.Deliver(ctx, "demo/prompt/hello", ordjson.NewObject())
		tr.Close()

		var names []string
		for _, s := range got.spans {
			names = append(names, s.Name+" "+s.Status.GetCode().String())
			if id := hex.EncodeToString(s.TraceId); id != traceID {
				t.Errorf("%s is of the trace %s", s.Name, id)
			}
		}
		slices.Sort(names)
		want := []string{"GET STATUS_CODE_UNSET", "GET STATUS_CODE_UNSET",
			"prompts/get demo/prompt/hello STATUS_CODE_ERROR",
			"resources/read flowmcp://demo/resource/book STATUS_CODE_UNSET",
			"tools/call demo/tool/bad STATUS_CODE_ERROR", "tools/call demo/tool/good STATUS_CODE_UNSET"}
		if !slices.Equal(names, want) {
			t.Errorf("%q\nwant %q", names, want)
		}
		for _, text := range []string{"EXE031", "of-the-collector", "tides", "1.2.3"} {
			if !strings.Contains(got.text, text) {
				t.Errorf("no %s in %s", text, got.text)
			}
		}
		if strings.Contains(got.text, "secret") || strings.Contains(got.text, "/path") {
			t.Errorf("a secret was sent: %s", got.text)
		}
	}
}

// A request without _meta is of the trace of its headers; one without either
// begins a trace.
func TestTraceOfHeaders(t *testing.T) {
	got, url := collect(t)
	tr := tracer(t, url, false)
	m, bad := serve.Parse(`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`)
	if bad != nil {
		t.Fatal(bad)
	}
	c := tr.Caller(&api{})
	c.Read(tr.Message(tr.Request(t.Context(), &http.Request{Header: http.Header{"Traceparent": {parent}}}), m), "a://b")
	c.Read(tr.Message(tr.Request(t.Context(), &http.Request{}), m), "a://c")
	tr.Close()
	if len(got.spans) != 2 || hex.EncodeToString(got.spans[0].TraceId) != traceID ||
		hex.EncodeToString(got.spans[1].TraceId) == traceID {
		t.Errorf("%v", got.spans)
	}
}

func TestWhenTracesAreSent(t *testing.T) {
	for name, tt := range map[string]struct {
		env    map[string]string
		want   bool
		warned string
	}{
		"unset":    {nil, false, ""},
		"named":    {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}, true, ""},
		"traces":   {map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:1"}, true, ""},
		"exporter": {map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, true, ""},
		"none": {map[string]string{"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "x"},
			false, ""},
		"disabled": {map[string]string{"OTEL_SDK_DISABLED": "True", "OTEL_TRACES_EXPORTER": "otlp"}, false, ""},
		"console": {map[string]string{"OTEL_TRACES_EXPORTER": "console"}, false,
			`is "console", expected otlp or none`},
		"gRPC": {map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, false,
			`OTEL_EXPORTER_OTLP_PROTOCOL is "grpc", expected http/protobuf`},
	} {
		warned := ""
		got := wanted(Options{Getenv: func(name string) string { return tt.env[name] },
			Warn: func(text string) { warned += text }})
		if got != tt.want || !strings.Contains(warned, tt.warned) || tt.warned == "" && warned != "" {
			t.Errorf("%s: %v, warned %q", name, got, warned)
		}
	}
}

// What is wrong with a variable is said by its kind: the value may be a secret.
func TestBrokenVariables(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization: Bearer secret-1234,key=secret%zz")
	t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "secret-1234")
	var warned []string
	tr, err := New(t.Context(), Options{Name: "fmcp-serve", Warn: func(text string) { warned = append(warned, text) },
		Getenv: func(name string) string {
			return map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}[name]
		}})
	if err != nil || tr == nil {
		t.Fatal(tr, err)
	}
	if text := strings.Join(warned, "\n"); strings.Contains(text, "secret") ||
		!strings.Contains(text, "parse headers") || !strings.Contains(text, "parse duration") {
		t.Errorf("warned %q", text)
	}
}

// That no collector answers is said once.
func TestFaults(t *testing.T) {
	var warned []string
	f := &faults{warn: func(text string) { warned = append(warned, text) }}
	for _, err := range []error{io.EOF, io.EOF, io.ErrClosedPipe} {
		f.Handle(err)
	}
	if len(warned) != 2 {
		t.Errorf("%q", warned)
	}
}
