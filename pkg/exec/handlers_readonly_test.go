package exec

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
)

// TestReadOnlyHandlers: the handlers of a tool with meta.isReadOnly send GET and
// HEAD, and the method that main declares.
func TestReadOnlyHandlers(t *testing.T) {
	fetches := func(method string) string {
		return `{ executeRequest: async ({ struct }) => ({ response: (await fetch(struct.url, { method: '` + method +
			`' })).status }) }`
	}
	pre := `{ preRequest: async ({ struct, payload }) => ({ struct: { ...struct, method: 'DELETE' }, payload }) }`
	const reads, writes = `{"isReadOnly":true}`, `{"isReadOnly":false}`
	for _, tt := range []struct {
		method, meta, handlers string
		status                 bool
		want, sent             string
	}{
		{"GET", reads, fetches("GET"), true, "200", "GET"},
		{"GET", reads, fetches("head"), true, "200", "HEAD"},
		{"GET", reads, fetches("DELETE"), false,
			"EXE043 find: executeRequest: TypeError: the handler sends DELETE", ""},
		{"GET", reads, fetches("post"), false,
			"EXE043 find: executeRequest: TypeError: the handler sends POST", ""},
		{"GET", reads, pre, false, "EXE043 find: the handler sends DELETE", ""},
		{"POST", reads, fetches("POST"), true, "200", "POST"},
		{"POST", reads, fetches("PUT"), false, "whose method is POST, has meta.isReadOnly: true", ""},
		{"GET", writes, fetches("DELETE"), true, "200", "DELETE"},
		{"GET", "", fetches("DELETE"), true, "200", "DELETE"},
		{"GET", "", pre, true, "{}", "DELETE"},
		{"GET", "", fetches("TRACE"), false,
			`EXE021 find: executeRequest: TypeError: the handler wants method "TRACE"`, ""},
	} {
		sent := ""
		root, c := upstream(t, fetch.Options{}, nil, func(w http.ResponseWriter, r *http.Request) {
			sent = r.Method
			fmt.Fprint(w, `{}`)
		})
		stage, _, _ := strings.Cut(tt.handlers[2:], ":")
		script := handledTool(t, root, "export const handlers = () => ({ find: "+tt.handlers+" })", c, stage).Script
		d := data(tt.method, root, "/v", "")
		if tt.meta != "" {
			d = strings.Replace(d, `"name":"find"`, `"name":"find","meta":`+tt.meta, 1)
		}
		tl := tool(t, d)
		tl.Handlers, tl.Script = []string{stage}, script
		expect(t, c.Call(t.Context(), tl, parse(t, `{}`), Options{}), tt.status, tt.want)
		if sent != tt.sent {
			t.Errorf("%s %s %s: sent %q, want %q", tt.method, tt.meta, tt.handlers, sent, tt.sent)
		}
	}
}
