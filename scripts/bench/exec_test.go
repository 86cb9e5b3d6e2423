package bench

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	inFlight = 16
	requests = 20000 // of each client in a run
	answer   = `{"id":"bitcoin","symbol":"btc","prices":[45000.25,44000.5,43000.75],"url":"https://example.com/a/b"}`
)

// upstream is a TLS server on loopback, the file of its authority, and a
// catalog of 2,000 tools and the one that calls it, its last.
func upstream(b *testing.B, http2 bool, wait time.Duration) (server *httptest.Server, ca, catalog string) {
	b.Helper()
	body := []byte("[" + strings.Repeat(answer+",", 9) + answer + "]")
	server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(wait)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	}))
	server.EnableHTTP2 = http2
	server.StartTLS()
	b.Cleanup(server.Close)
	ca = filepath.Join(b.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}),
		0o600); err != nil {
		b.Fatal(err)
	}
	catalog = catalog2000(b)
	f, err := os.OpenFile(catalog, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	_, err = io.WriteString(f, `{"v":1,"kind":"resolved","type":"tool","id":"bench/tool/get","data":{"name":"get",`+
		`"wireName":"get_bench","method":"GET","root":"`+server.URL+
		`","path":"/get","headers":{},"serverParams":[],"inputSchema":{"type":"object"},`+
		`"parameters":[{"key":"n","location":"query","source":"user",`+
		`"value":"{{USER_PARAM}}","primitive":"number()","options":[]}]}}`+"\n")
	if err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return server, ca, catalog
}

func execCommand(server *httptest.Server, ca, catalog string, args ...string) *exec.Cmd {
	return exec.Command(command("fmcp-exec"),
		append([]string{"-c", catalog, "--ca-file", ca, "--allow-host", strings.TrimPrefix(server.URL, "https://")},
			args...)...)
}

// BenchmarkExec is fmcp-exec beside other clients of a TLS server on loopback.
// throughput-x-bare: its requests a second over those of net/http's client
// alone, both with 16 in flight. Where the server answers at once, that compares
// what the clients compute, of which the bare one does nothing: it throws every
// answer away; where the server takes 5 ms, what they let wait.
// throughput-x-json: the same over a client that reads every answer with
// encoding/json and writes it as a line.
// cold-x-curl: how many times longer than curl it takes for one call from a
// cold start, out of a catalog of 2,000 tools.
func BenchmarkExec(b *testing.B) {
	for _, s := range []struct {
		name  string
		http2 bool
		wait  time.Duration
	}{{"http1", false, 0}, {"http2", true, 0}, {"http1-5ms", false, 5 * time.Millisecond}} {
		b.Run(s.name, func(b *testing.B) {
			server, ca, catalog := upstream(b, s.http2, s.wait)
			b.Run("throughput", func(b *testing.B) { throughput(b, server, ca, catalog) })
			b.Run("cold", func(b *testing.B) { cold(b, server, ca, catalog) })
		})
	}
}

func throughput(b *testing.B, server *httptest.Server, ca, catalog string) {
	bare := build(b, "./barehttp")
	var text bytes.Buffer
	for n := range requests {
		fmt.Fprintf(&text, `{"v":1,"kind":"request","id":"bench/tool/get","params":{"n":%d}}`+"\n", n)
	}
	input, output := filepath.Join(b.TempDir(), "requests.ndjson"), filepath.Join(b.TempDir(), "envelopes.ndjson")
	if err := os.WriteFile(input, text.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	client := func(mode string) time.Duration {
		return pipe(b, exec.Command(bare, mode, ca, strconv.Itoa(inFlight), strconv.Itoa(requests),
			server.URL+"/get?n="))
	}
	var ours, discard, json time.Duration
	for b.Loop() {
		discard += client("discard")
		json += client("json")
		ours += stream(b, execCommand(server, ca, catalog, "-j", strconv.Itoa(inFlight)), input, output)
	}
	rate := func(d time.Duration) float64 { return requests * float64(b.N) / d.Seconds() }
	b.ReportMetric(rate(discard), "bare-req/s")
	b.ReportMetric(rate(json), "json-req/s")
	b.ReportMetric(rate(ours), "fmcp-req/s")
	b.ReportMetric(rate(ours)/rate(discard), "throughput-x-bare")
	b.ReportMetric(rate(ours)/rate(json), "throughput-x-json")
}

// stream runs a command from file to file, and checks that all calls succeeded.
func stream(b *testing.B, c *exec.Cmd, input, output string) time.Duration {
	b.Helper()
	in, err := os.Open(input)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	out, err := os.Create(output)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	c.Stdin, c.Stdout = in, out
	took := pipe(b, c)
	text, err := os.ReadFile(output)
	if err != nil {
		b.Fatal(err)
	}
	if n := bytes.Count(text, []byte(`"status":true`)); n != requests {
		b.Fatalf("%d of %d calls succeeded", n, requests)
	}
	return took
}

func cold(b *testing.B, server *httptest.Server, ca, catalog string) {
	const runs = 20 // of each, in turn
	var ours, theirs time.Duration
	for b.Loop() {
		for range runs {
			theirs += pipe(b, exec.Command("curl", "-s", "-o", "/dev/null", "--fail", "--cacert", ca,
				server.URL+"/get?n=7"))
			c := execCommand(server, ca, catalog, "bench/tool/get", "n=7")
			var out bytes.Buffer
			c.Stdout = &out
			ours += pipe(b, c)
			if !bytes.Contains(out.Bytes(), []byte(`"status":true`)) {
				b.Fatalf("the call failed: %s", out.Bytes())
			}
		}
	}
	ms(b, theirs/runs, "curl-ms/op")
	ms(b, ours/runs, "fmcp-ms/op")
	b.ReportMetric(ours.Seconds()/theirs.Seconds(), "cold-x-curl")
}
