package exec

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// BenchmarkHandlerCall measures what a warm handler adds to a call: tools with
// and without one are called in turn, of one upstream. "added-ns" is the mean
// difference, which may be 300,000.
func BenchmarkHandlerCall(b *testing.B) {
	root, c := upstream(b, fetch.Options{}, nil, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"items":[{"id":1,"name":"one"},{"id":2,"name":"two"},{"id":3,"name":"three"}]}`)
	})
	c.Sandbox = sandbox.NewPool(sandbox.Limits{})
	b.Cleanup(c.Sandbox.Close)
	plain := tool(b, data("GET", root, "/v", "", user("q", "query", "string()", "")))
	params := parse(b, `{"q":"north"}`)
	for stage, source := range map[string]string{
		"preRequest":  "({ struct, payload }) => ({ struct, payload: { ...payload, q: 'south' } })",
		"postRequest": "({ response }) => ({ response: response.items.map((i) => i.name) })",
	} {
		b.Run(stage, func(b *testing.B) {
			handled := tool(b, data("GET", root, "/v", "", user("q", "query", "string()", "")))
			source := "export const handlers = () => ({ find: { " + stage + ": async " + source + " } })"
			handled.Handlers, handled.Script = []string{stage}, &sandbox.Script{Key: source, Source: source}
			call := func(t *Tool) time.Duration {
				start := time.Now()
				if e := c.Call(b.Context(), t, params, Options{}); !e.Status {
					b.Fatal(e.Messages)
				}
				return time.Since(start)
			}
			call(handled)
			var without, with time.Duration
			for b.Loop() {
				without += call(plain)
				with += call(handled)
			}
			b.ReportMetric(float64(without.Nanoseconds())/float64(b.N), "plain-ns")
			b.ReportMetric(float64((with-without).Nanoseconds())/float64(b.N), "added-ns")
		})
	}
}
