package exec

import (
	"bytes"
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// upstream is a TLS server on loopback, and a caller that trusts and may call
// it.
func upstream(t testing.TB, o fetch.Options, vars map[string]string, handler http.HandlerFunc) (root string,
	c *Caller) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // refused handshakes are wanted here
	server.StartTLS()
	t.Cleanup(server.Close)
	o.CAFile = filepath.Join(t.TempDir(), "ca.pem")
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(o.CAFile, cert, 0o600); err != nil {
		t.Fatal(err)
	}
	o.AllowHosts = append(o.AllowHosts, strings.TrimPrefix(server.URL, "https://"))
	client, err := fetch.NewClient(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	t.Cleanup(func() { checkFiles(t) })
	return server.URL, &Caller{Client: client, Env: env(vars)}
}

// expect checks an envelope's status, and its first message or its data.
func expect(t *testing.T, e *record.Envelope, status bool, want string) {
	t.Helper()
	got := ordjson.Text(e.Data)
	if !e.Status {
		got = strings.Join(e.Messages, "\n")
	}
	if form := leaks().In(e.AppendJSON(nil)); form != "" {
		t.Errorf("the envelope holds a server parameter, as %s", form)
	}
	if e.Status != status || !strings.Contains(got, want) {
		t.Errorf("status %v, %s; want %v, %s", e.Status, got, status, want)
	}
	if e.Status && len(e.Messages) > 0 || !e.Status && (!e.Data.Is(ordjson.Null) || len(e.Messages) == 0) {
		t.Errorf("the envelope is not that of chapter 04: %s", e.AppendJSON(nil))
	}
	if _, err := ordjson.Parse(string(e.AppendJSON(nil))); err != nil {
		t.Errorf("the envelope is not JSON: %v", err)
	}
}

func TestCallSendsTheRequest(t *testing.T) {
	var got string
	root, c := upstream(t, fetch.Options{}, map[string]string{"API_KEY": "canary-value"},
		func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			got = strings.Join([]string{r.Method, r.RequestURI, r.Header.Get("Content-Type"), r.Header.Get("X-Key"),
				r.Header.Get("User-Agent"), string(body)}, "\n")
			fmt.Fprint(w, `{"z":1,"a":12345678901234567890,"n":1.50}`)
		})
	tl := tool(t, data("POST", root, "/v/{{id}}", `"X-Key":"k {{API_KEY}}"`, user("id", "insert", "string()", ""),
		user("q", "query", "string()", ""),
		user("b", "body", "number()", `"default(7)"`), param("k", "query", "server", "{{API_KEY}}", "string()", "")))
	e := c.Call(context.Background(), tl, parse(t, `{"id":"a/b","q":"ä"}`), Options{Tag: ordjson.NewInt(5)})
	expect(t, e, true, `{"z":1,"a":12345678901234567890,"n":1.50}`)
	want := "POST\n/v/a%2Fb?q=%C3%A4&k=canary-value\napplication/json\nk canary-value\n" + fetch.UserAgent +
		"\n{\"b\":7}"
	if got != want {
		t.Errorf("the upstream got\n%s\nwant\n%s", got, want)
	}
	if ordjson.Text(e.Tag) != "5" || e.ID != "demo/tool/find" ||
		e.Request.URL != root+"/v/a%2Fb?q=%C3%A4&k=[REDACTED:API_KEY]" {
		t.Errorf("envelope %s", e.AppendJSON(nil))
	}
}

func TestCallRefusesParameters(t *testing.T) {
	root, c := upstream(t, fetch.Options{}, nil,
		func(http.ResponseWriter, *http.Request) { t.Error("a refused call was sent") })
	tl := tool(t, data("GET", root, "/", "", user("limit", "query", "number()", `"min(1)","max(10)","optional()"`),
		user("chain", "query", "enum(ethereum,polygon)", ""),
		param("module", "query", "fixed", "contract", "string()", ""),
		param("k", "query", "server", "{{API_KEY}}", "string()", "")))
	tests := []struct{ params, code, msg string }{
		{`{"chain":"polygon","limt":5}`, CodeUnknownParam, `did you mean "limit"?`},
		{`{"chain":"polygon","zzzzzz":5}`, CodeUnknownParam, `known are limit, chain`},
		{`{}`, CodeMissingParam, `required parameter "chain" is missing: give one of ethereum, polygon`},
		{`{"chain":"poligon"}`, CodeBadValue, `did you mean "polygon"?`},
		{`{"chain":"polygon","limit":11}`, CodeBadValue, `parameter "limit": expected at most 10`},
		{`{"chain":"polygon","limit":null}`, CodeBadValue, `leave an optional parameter out`},
		{`{"chain":"polygon","module":"x"}`, CodeHiddenParam, `"module" is set by the schema (fixed)`},
		{`{"chain":"polygon","k":"x"}`, CodeHiddenParam, `"k" is set by the schema (server)`},
		{`[]`, CodeBadValue, "must be a JSON object"},
		{`{"chain":"polygon"}`, CodeMissingServer, "API_KEY is not set"},
	}
	for _, tt := range tests {
		e := c.Call(context.Background(), tl, parse(t, tt.params), Options{})
		expect(t, e, false, tt.code+" find: ")
		expect(t, e, false, tt.msg)
	}
	e := c.Call(context.Background(), tl, parse(t, `{"limit":0,"x":1}`), Options{})
	if len(e.Messages) != 3 {
		t.Errorf("want all errors at once, got %q", e.Messages)
	}
	if e := c.Call(context.Background(), tl, ordjson.Value{}, Options{}); !strings.Contains(e.Messages[0],
		CodeMissingParam) {
		t.Errorf("no parameters at all: %q", e.Messages)
	}
}

func TestCallDryRun(t *testing.T) {
	root, c := upstream(t, fetch.Options{}, nil,
		func(http.ResponseWriter, *http.Request) { t.Error("a dry run was sent") })
	tl := tool(t, data("GET", root, "/", `"A":"{{API_KEY}}"`, user("q", "query", "string()", "")))
	e := c.Call(context.Background(), tl, parse(t, `{"q":"x"}`), Options{DryRun: true})
	expect(t, e, true, "null")
	if !e.DryRun || e.Request == nil || e.Request.Headers[0].Value != "[REDACTED:API_KEY]" || len(e.Warnings) != 1 {
		t.Errorf("envelope %s", e.AppendJSON(nil))
	}
	expect(t, c.Call(context.Background(), tl, parse(t, `{}`), Options{DryRun: true}), false, CodeMissingParam)
}

func TestCallHandlers(t *testing.T) {
	tl := tool(t, `{"name":"find","root":"https://api.com","path":"/","method":"GET","handlers":["preRequest",`+
		`"postRequest"]}`)
	_, c := upstream(t, fetch.Options{}, nil, nil)
	e := c.Call(context.Background(), tl, ordjson.Value{}, Options{})
	expect(t, e, false, "EXE050 find: the tool has handlers (preRequest, postRequest), and the catalog does not "+
		"carry their source")
}

func TestCallNeverPanics(t *testing.T) {
	tl := tool(t, data("GET", root, "/", ""))
	e := (&Caller{}).Call(context.Background(), tl, ordjson.Value{}, Options{}) // no client
	expect(t, e, false, CodeInternal)
	expect(t, Failure("x", ordjson.Value{}, io.ErrUnexpectedEOF), false, CodeInternal+" x: unexpected EOF")
}

// The content type is known where it says what data is, and nowhere else: what
// an upstream calls its answer may hold anything.
func TestContentType(t *testing.T) {
	for header, want := range map[string]string{"application/json": model.MIMEJSON,
		"text/plain; charset=utf-8": model.MIMEText, "TEXT/CSV": "text/csv", "text/s3cret": "", "": ""} {
		root, c := upstream(t, fetch.Options{}, nil, func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = []string{header}
			_, _ = io.WriteString(w, "[1]")
		})
		e := c.Call(context.Background(),
			tool(t, `{"name":"find","method":"GET","root":"`+root+`","path":"/","parameters":[]}`), ordjson.Value{},
			Options{})
		if !e.Status || e.ContentType != want {
			t.Errorf("%q: %v, %q, want %q", header, e.Status, e.ContentType, want)
		}
	}
}

func TestResponses(t *testing.T) {
	png := []byte("\x89PNG\r\n\x1a\n\x00")
	tests := []struct {
		name, output, contentType, body string
		code                            int
		status                          bool
		want                            string
		warnings                        int
	}{
		{"JSON", "", "application/json", `{"b":1,"a":2}`, 200, true, `{"b":1,"a":2}`, 0},
		{"JSON with another type", "", "text/plain", `[1]`, 200, true, `[1]`, 0},
		{"JSON with a byte order mark", "", "application/json", "\ufeff[1]", 200, true, `[1]`, 0},
		{"JSON in Latin-1", "", "application/json; charset=ISO-8859-1", "\"\xe4\"", 200, true, `"ä"`, 0},
		{"not JSON", "application/json", "text/html", "<html>Hello\n  there " + strings.Repeat("x", 5000), 200, false,
			"EXE042 find: expected JSON, got text/html", 0},
		{"not JSON, nothing declared", "", "text/html", "<html>", 200, false, "it starts: <html>", 0},
		{"plain text declared", "text/plain", "text/html", "<p>hi", 200, true, `"<p>hi"`, 0},
		{"plain text stays text", "text/plain", "text/plain", "123", 200, true, `"123"`, 0},
		{"plain text by its type", "", "text/plain; charset=utf-8", "hello", 200, true, `"hello"`, 1},
		{"csv by its type", "", "text/csv", "a,b", 200, true, `"a,b"`, 1},
		{"image declared", "image/png", "image/png", string(png), 200, true, `"iVBORw0KGgoA"`, 0},
		{"image by its type", "", "image/png", string(png), 200, true, `"iVBORw0KGgoA"`, 0},
		{"image that is none", "image/png", "application/json", `{}`, 200, true, `"e30="`, 1},
		{"empty", "", "application/json", "", 200, true, "null", 1},
		{"no content", "", "", "", 204, true, "null", 0},
		{"deviates", "application/json", "application/json", `{"a":"1"}`, 200, true, `{"a":"1"}`, 1},
		{"400", "", "application/json", `{"error":{"message":"bad id"}}`, 400, false, "EXE040 find: ", 0},
		{"400 says why", "", "application/json", `{"error":{"message":"bad id"}}`, 400, false,
			"answered 400 Bad Request: bad id; check the parameters", 0},
		{"401", "", "", "nope", 401, false, "check that API_KEY is valid", 0},
		{"404", "", "", "", 404, false, "answered 404 Not Found; ", 0},
		{"429", "", "", "slow down", 429, false, "retry after 7 s", 0},
		{"503", "", "", "", 503, false,
			"answered 503 Service Unavailable; the provider has a problem of its own: retry after 7 s", 0},
		{"500", "", "text/html", "<h1>Oops</h1>", 500, false, "EXE041 find: ", 0},
		{"500 as a page", "", "text/html",
			"<!doctype html>\n<html><head><title>\n Down &amp; out</title></head><body>x", 500, false,
			"answered 500 Internal Server Error: Down & out; ", 0},
		{"304", "", "", "", 304, false, "EXE040 find: ", 0},
		{"304 says why", "", "", "", 304, false, "answered 304 Not Modified; the request asks whether", 0},
		{"302 to nowhere", "", "", "", 302, false, "EXE032 find: ", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, c := upstream(t, fetch.Options{Retries: -1}, map[string]string{"API_KEY": "not-in-the-answer"},
				func(w http.ResponseWriter, _ *http.Request) {
					w.Header()["Content-Type"] = []string{tt.contentType}
					w.Header().Set("Retry-After", "7")
					w.WriteHeader(tt.code)
					if tt.code != 204 {
						io.WriteString(w, tt.body)
					}
				})
			d := `{"name":"find","method":"GET","root":"` + root +
				`","path":"/","serverParams":["API_KEY"],"parameters":[]`
			if tt.output != "" {
				d += `,"output":{"mimeType":"` + tt.output + `","schema":{"type":"` +
					map[string]string{"application/json": "object"}[tt.output] +
					`","properties":{"a":{"type":"number"}}}}`
			}
			e := c.Call(context.Background(), tool(t, d+"}"), ordjson.Value{}, Options{})
			expect(t, e, tt.status, tt.want)
			if len(e.Warnings) != tt.warnings {
				t.Errorf("warnings %q, want %d", e.Warnings, tt.warnings)
			}
			for _, m := range e.Messages {
				if len(m) > 500 || strings.Contains(m, "\n") {
					t.Errorf("message of %d bytes: %q", len(m), m)
				}
			}
		})
	}
}

// TestNoTLS: a server that speaks plain HTTP is asked once.
func TestNoTLS(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	_, c := upstream(t, fetch.Options{AllowHosts: []string{strings.TrimPrefix(server.URL, "http://")}}, nil, nil)
	e := c.Call(context.Background(), tool(t, data("GET", "https"+strings.TrimPrefix(server.URL, "http"), "/", "")),
		ordjson.Value{}, Options{})
	expect(t, e, false, "EXE034 find: 127.0.0.1")
	if len(e.Warnings) > 0 {
		t.Errorf("tried again: %q", e.Warnings)
	}
}

func TestLimits(t *testing.T) {
	get := func(c *Caller, root, path string) *record.Envelope {
		t.Helper()
		return c.Call(t.Context(), tool(t, data("GET", root, path, "")), ordjson.Value{}, Options{})
	}
	t.Run("size", func(t *testing.T) {
		root, c := upstream(t, fetch.Options{MaxResponse: 1000}, nil, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/chunked" {
				w.(http.Flusher).Flush()
			}
			w.Write(bytes.Repeat([]byte(" "), 1001))
		})
		for _, path := range []string{"/", "/chunked"} {
			expect(t, get(c, root, path), false, CodeTooLarge)
		}
	})
	t.Run("time", func(t *testing.T) {
		root, c := upstream(t, fetch.Options{Timeout: 50 * time.Millisecond}, nil,
			func(w http.ResponseWriter, r *http.Request) {
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			})
		expect(t, get(c, root, "/"), false, CodeTimeout)
	})
	t.Run("cancel", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		root, c := upstream(t, fetch.Options{}, nil, func(_ http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done()
		})
		expect(t, c.Call(ctx, tool(t, data("GET", root, "/", "")), ordjson.Value{}, Options{}), false, CodeCancelled)
	})
	t.Run("certificate", func(t *testing.T) {
		root, c := upstream(t, fetch.Options{}, nil,
			func(http.ResponseWriter, *http.Request) { t.Error("untrusted call was sent") })
		untrusting, err := fetch.NewClient(fetch.Options{AllowHosts: []string{strings.TrimPrefix(root, "https://")}})
		if err != nil {
			t.Fatal(err)
		}
		c.Client = untrusting
		expect(t, get(c, root, "/"), false, CodeTLS)
		expect(t, get(c, root, "/"), false, "--ca-file")
	})
	t.Run("address", func(t *testing.T) {
		root, c := upstream(t, fetch.Options{}, nil,
			func(http.ResponseWriter, *http.Request) { t.Error("call to loopback was sent") })
		c.Client, _ = fetch.NewClient(fetch.Options{})
		expect(t, get(c, root, "/"), false, CodeAddressRefused)
	})
	t.Run("no server listens", func(t *testing.T) {
		server := httptest.NewTLSServer(nil)
		server.Close()
		client, err := fetch.NewClient(fetch.Options{AllowPrivate: true})
		if err != nil {
			t.Fatal(err)
		}
		c := &Caller{Client: client, Env: env(nil)}
		expect(t, get(c, server.URL, "/"), false, CodeConnect)
	})
}

func TestCAFileErrors(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{empty, empty + ".missing"} {
		if _, err := fetch.NewClient(fetch.Options{CAFile: name}); err == nil ||
			!strings.Contains(err.Error(), "--ca-file") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := fetch.NewClient(fetch.Options{AllowHosts: []string{"https://x"}}); err == nil {
		t.Error("a URL is taken as --allow-host")
	}
}
