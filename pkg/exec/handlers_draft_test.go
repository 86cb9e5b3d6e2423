package exec

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// TestHandlersFixTheRequest: what is wrong with a request counts only where no
// handler fixes it; what a handler cannot fix is which host is the schema's.
func TestHandlersFixTheRequest(t *testing.T) {
	pre := func(expr string) string {
		return "() => ({ find: { preRequest: ({ struct, payload }) => { " + expr + "; return { struct, payload } } } })"
	}
	run := func(body string) string {
		return "() => ({ find: { executeRequest: async ({ struct, payload }) => { " + body + " } } })"
	}
	const fix = "struct.url = struct.url.replace('{{chain}}', payload.q)"
	tests := []struct {
		name, root, path, headers string
		stage, source             string
		status                    bool
		want, sent                string
	}{
		{"placeholder fixed", "ROOT", "/{{chain}}/x", "", "preRequest", pre(fix), true, "true",
			"GET /north/x?q=north"},
		{"placeholder left", "ROOT", "/{{chain}}/x", "", "preRequest", pre(""), false,
			"EXE021 find: path /{{chain}}/x has the placeholder {{chain}}", ""},
		{"placeholder in the root fixed", "ROOT/{{chain}}", "/x", "", "preRequest", pre(fix), true, "true",
			"GET /north/x?q=north"},
		{"placeholder in the root left", "ROOT/{{chain}}", "/x", "", "postRequest", "() => ({ find: {} })", false,
			"EXE021 find: root holds {{chain}}", ""},
		{"placeholder in the host", "https://{{chain}}.com", "/x", "", "preRequest",
			pre("struct.url = 'https://north.com/x'"), false,
			"EXE030 find: the handler makes a URL, and which host is the schema's own is not known: root holds " +
				"{{chain}}", ""},
		{"no root", "", "/x", "", "preRequest", pre("struct.url = 'https://evil.com/x'"), false,
			"EXE030 find: the handler makes a URL, and which host is the schema's own is not known", ""},
		{"no root, nothing fixed", "", "/x", "", "preRequest", pre(""), false,
			`EXE021 find: root "" does not start with https://`, ""},
		{"no root, and no request", "local://x", "/x", "", "executeRequest", run("return { response: [payload.q] }"),
			true, `["north"]`, ""},
		{"no root, and a request", "local://x", "/x", "", "executeRequest",
			run("return { response: (await fetch('https://evil.com')).status }"), false, "EXE030 ", ""},
		{"path without slash", "ROOT", ".evil.com/x", "", "preRequest",
			pre("struct.url = struct.url.replace('.evil.com', '')"), true, "true", "GET /x?q=north"},
		{"path without slash left", "ROOT", ".evil.com/x", "", "preRequest", pre(""), false, "EXE021 ", ""},
		{"empty parameter in the path", "ROOT", "/{{id}}/x", "", "preRequest",
			pre("struct.url = struct.url.replace('//x', '/some/x')"), true, "true", "GET /some/x?q=north"},
		{"empty parameter in the path left", "ROOT", "/{{id}}/x", "", "preRequest", pre(""), false,
			`EXE012 find: parameter "id" is in the path`, ""},
		{"parameter given by the handler", "ROOT", "/{{id}}/x", "", "preRequest", pre("payload.id = 'a b'"), true,
			"true", "GET /a%20b/x?q=north"},
		{"header fixed", "ROOT", "/x", `"X-A":"{{nope}}"`, "preRequest", pre("struct.headers = { 'X-A': 'b' }"), true,
			"true", "GET /x?q=north b"},
		{"header left", "ROOT", "/x", `"X-A":"{{nope}}"`, "preRequest", pre(""), false,
			"EXE021 find: header X-A holds {{nope}}", ""},
		{"fetch of what is not fixed", "ROOT", "/{{chain}}/x", "", "executeRequest",
			run("return { response: (await fetch(struct.url)).status }"), false,
			"EXE021 find: executeRequest: TypeError: path /{{chain}}/x has", ""},
		{"fetch of what is fixed", "ROOT", "/{{chain}}/x", "", "executeRequest",
			run(fix + "; return { response: (await fetch(struct.url)).status }"), true, "200", "GET /north/x?q=north"},
		{"executeRequest that is not there", "ROOT", "/{{chain}}/x", "", "executeRequest", "() => ({})", false,
			"EXE021 ", ""},
		{"executeRequest sees what preRequest changed", "ROOT", "/x", "", "preRequest executeRequest",
			"() => ({ find: { preRequest: ({ struct, payload }) => ({ struct, payload: { ...payload, q: 'n 1' } }), " +
				"executeRequest: async ({ struct, payload }) => ({ response: [struct.url === payload.url, payload.q, " +
				"new URL(struct.url).search] }) } })",
			true, `[true,"n 1","?q=n%201"]`, ""},
		{"body", "ROOT", "/x", "", "preRequest",
			pre("struct.method = 'POST'; struct.body = { a: [1, 'ä'], b: { c: null } }"), true, "true",
			`POST /x?q=north application/json {"a":[1,"ä"],"b":{"c":null}}`},
		{"body as text", "ROOT", "/x", `"Content-Type":"text/xml"`, "preRequest",
			pre("struct.method = 'PUT'; struct.body = '<a/>'"), true, "true", "PUT /x?q=north text/xml <a/>"},
		{"body taken away", "ROOT", "/x", "", "preRequest", pre("struct.method = 'POST'; struct.body = null"), true,
			"true", "POST /x?q=north"},
		{"body of a GET", "ROOT", "/x", "", "preRequest", pre("struct.body = { a: 1 }"), true, "true",
			"GET /x?q=north"},
		{"postRequest sees the request", "ROOT", "/x", "", "preRequest postRequest",
			"() => ({ find: { preRequest: ({ struct, payload }) => { struct.headers['X-A'] = 'c'; return { struct, " +
				"payload } }, postRequest: ({ struct, payload, response }) => ({ response: [struct.headers['X-A'], " +
				"payload.headers['X-A'], struct.data === response || struct.data.ok] }) } })",
			true, `["c","c",true]`, "GET /x?q=north c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got string
			root, c := upstream(t, fetch.Options{}, nil, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got = strings.Join(strings.Fields(strings.Join([]string{r.Method, r.RequestURI, r.Header.Get("X-A"),
					r.Header.Get("Content-Type"), string(body)}, " ")), " ")
				fmt.Fprint(w, `{"ok":true}`)
			})
			tl := tool(t, data("GET", strings.ReplaceAll(tt.root, "ROOT", root), tt.path, tt.headers,
				user("id", "insert", "string()", `"optional()"`), user("q", "query", "string()", "")))
			if !strings.Contains(tt.path, "{{id}}") {
				tl = tool(t, data("GET", strings.ReplaceAll(tt.root, "ROOT", root), tt.path, tt.headers,
					user("q", "query", "string()", "")))
			}
			source := "export const handlers = " + tt.source
			tl.Handlers, tl.Script = strings.Fields(tt.stage),
				&sandbox.Script{Key: source, Path: "a/b.mjs", Source: source}
			c.Sandbox = sandbox.NewPool(sandbox.Limits{Workers: 1})
			t.Cleanup(c.Sandbox.Close)
			e := c.Call(t.Context(), tl, parse(t, `{"q":"north"}`), Options{})
			expect(t, e, tt.status, tt.want)
			if warned := strings.Join(e.Warnings, ""); strings.Contains(warned,
				"it was not sent") != (tt.name == "body of a GET") {
				t.Errorf("warnings %s", warned)
			}
			if got != tt.sent {
				t.Errorf("the upstream got %q, want %q", got, tt.sent)
			}
		})
	}
}

func TestStandsFor(t *testing.T) {
	for _, tt := range []struct {
		own, host string
		want      bool
	}{
		{"a.com:443", "a.com:443", true}, {"a.com:443", "a.com:444", false}, {"a.com:443", "b.com:443", false},
		{"--chain--.a.com:443", "eth-mainnet.a.com:443", true}, {"rpc.--chain--.a.com:443", "rpc.test.a.com:443", true},
		{"--chain--.a.com:443", "--chain--.a.com:443", true}, {"--chain--.a.com:443", "x.y.a.com:443", false},
		{"--chain--.a.com:443", ".a.com:443", false},
		{"--chain--.a.com:443", "a.com:443", false}, {"--chain--.a.com:443", "x.a.com:8443", false},
		{"--chain--.a.com:443", "x.evil.com:443", false},
		{"----.a.com:443", "x.a.com:443", false}, {"x--y.a.com:443", "z.a.com:443", false},
		{"--a--.--b--.--c--.--d--:443", "10.0.0.1:443", false},
		{"--a--.--b--.amazonaws.com:443", "api.eu.amazonaws.com:443", true},
		{"--a--.--b--.amazonaws.com:443", "evil.s3.amazonaws.com:443", false},
	} {
		if got := standsFor(tt.own, tt.host); got != tt.want {
			t.Errorf("%s stands for %s: %t", tt.own, tt.host, got)
		}
	}
}
