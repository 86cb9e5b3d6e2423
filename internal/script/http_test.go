//go:build unix

package script

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/internal/await"
	"github.com/flowmcp/fmcp/pkg/atomicfile"
)

var listening = regexp.MustCompile(`(?m)^fmcp-serve: listening on (https?://\S+)$`)

// startHTTP starts fmcp-serve with the catalog of the scripts on a free port of a
// loopback address, and returns the URL of its endpoint.
func startHTTP(t *testing.T, dir string, flags ...string) (p *process, url string) {
	t.Helper()
	p = start(t, dir, append([]string{"fmcp-serve", "--http", "127.0.0.1:0", "api.ndjson"}, flags...)...)
	await.Until(t, "fmcp-serve to listen", func() bool {
		m := listening.FindStringSubmatch(p.stderr.String())
		if m != nil {
			url = m[1]
		}
		return m != nil
	})
	return p, url
}

const callByHTTP = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s,"_meta":` +
	`{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`

// callTool calls a tool by one message that stands alone.
func callTool(t *testing.T, c *http.Client, url, tool, arguments, token string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url,
		strings.NewReader(fmt.Sprintf(callByHTTP, tool, arguments)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Mcp-Protocol-Version": {"2026-07-28"},
		"Mcp-Method": {"tools/call"}, "Mcp-Name": {tool}, "Authorization": {"Bearer " + token}}
	got, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, string(body)
}

// A client of the protocol library in both eras. The key of the catalog is the
// server's.
func TestServeHTTP(t *testing.T) {
	dir, u, flags := apiFolder(t)
	p, url := startHTTP(t, dir, flags...)
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			over, err := transport.NewStreamableHTTP(url)
			if err != nil {
				t.Fatal(err)
			}
			c := client.NewClient(over)
			defer c.Close()
			ctx := t.Context()
			if err := c.Start(ctx); err != nil {
				t.Fatal(err)
			}
			var hello mcp.InitializeRequest
			hello.Params.ProtocolVersion = revision
			hello.Params.ClientInfo = mcp.Implementation{Name: "test", Version: "1"}
			if got, err := c.Initialize(ctx, hello); err != nil || got.ProtocolVersion != revision {
				t.Fatalf("%+v, %v", got, err)
			}
			tools, err := c.ListTools(ctx, mcp.ListToolsRequest{})
			if err != nil || len(tools.Tools) == 0 {
				t.Fatalf("%+v, %v", tools, err)
			}
			var call mcp.CallToolRequest
			call.Params.Name, call.Params.Arguments = "echo_api", map[string]any{"id": "a"}
			result, err := c.CallTool(ctx, call)
			if err != nil || result.IsError {
				t.Fatalf("%+v, %v", result, err)
			}
			if text := fmt.Sprint(result.Content); !strings.Contains(text, "REDACTED:PARCELBIRD_TOKEN") {
				t.Errorf("called without the server's key: %s", text)
			}
		})
	}
	before := u.calls.Load()
	p.signal(syscall.SIGTERM)
	if status := p.wait(); status != 128+int(syscall.SIGTERM) || u.calls.Load() != before {
		t.Errorf("status %d, stderr %s", status, p.stderr.String())
	}
}

// HTTPS, a token, and a drain that takes longer than a client of stdio would
// wait.
func TestServeHTTPS(t *testing.T) {
	dir, u, flags := apiFolder(t)
	cert, ca, err := selfSigned()
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	const token = "0123456789abcdef0123456789abcdef"
	for name, text := range map[string][]byte{"tokens": []byte(token + "\n"), "cert.pem": ca,
		"key.pem": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, url := startHTTP(t, dir, append(flags, "--token-file", "tokens", "--tls-cert", "cert.pem", "--tls-key",
		"key.pem")...)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	c := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
	if status, body := callTool(t, c, url, "echo_api", `{"id":"a"}`, "wrong"); status != http.StatusUnauthorized {
		t.Errorf("%d %s", status, body)
	}
	type answer struct {
		status int
		body   string
	}
	got := make(chan answer, 1)
	go func() {
		status, body := callTool(t, c, url, "wait_api", "{}", token)
		got <- answer{status, body}
	}()
	select {
	case <-u.entered:
	case a := <-got:
		t.Fatalf("the call did not reach the upstream: %+v", a)
	}
	p.signal(syscall.SIGTERM)
	ready := strings.TrimSuffix(url, "/mcp") + "/readyz"
	await.Until(t, "the drain to begin", func() bool { return statusOf(t, c, ready) == http.StatusServiceUnavailable })
	close(u.release)
	if a := <-got; a.status != http.StatusOK || !strings.Contains(a.body, `\"status\":true`) ||
		strings.Contains(a.body, token) {
		t.Errorf("%+v", a)
	}
	if status := p.wait(); status != 128+int(syscall.SIGTERM) || strings.Contains(p.stderr.String(), token) {
		t.Errorf("status %d, stderr %s", status, p.stderr.String())
	}
}

func statusOf(t *testing.T, c *http.Client, url string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close()
	return got.StatusCode
}

// A catalog that changes is served anew; one that is broken is not, and both are
// counted.
func TestServeHTTPReloads(t *testing.T) {
	dir, _, flags := apiFolder(t)
	p, url := startHTTP(t, dir, append(flags, "--poll", "10ms")...)
	file := filepath.Join(dir, "api.ndjson")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	counted := func(line string) func() bool {
		return func() bool {
			got, err := http.Get(strings.TrimSuffix(url, "/mcp") + "/metrics")
			if err != nil {
				t.Fatal(err)
			}
			defer got.Body.Close()
			metrics, err := io.ReadAll(got.Body)
			return err == nil && strings.Contains(string(metrics), line+"\n")
		}
	}
	for _, step := range []struct{ text, want string }{
		{"no catalog\n", `fmcp_catalog_reloads_total{outcome="error"} 1`},
		{strings.Replace(string(text), "echo_api", "parrot_api", 1), `fmcp_catalog_reloads_total{outcome="ok"} 1`},
	} {
		if err := atomicfile.WriteFile(file, []byte(step.text)); err != nil {
			t.Fatal(err)
		}
		await.Until(t, step.want, counted(step.want))
	}
	if status, body := callTool(t, http.DefaultClient, url, "parrot_api", `{"id":"a"}`, ""); status != http.StatusOK ||
		!strings.Contains(body, `\"status\":true`) {
		t.Errorf("%d %s", status, body)
	}
	p.signal(syscall.SIGTERM)
	p.wait()
}
