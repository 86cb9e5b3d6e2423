// Command baremcp is the baseline of fmcp-serve: the library's own server, on
// stdio or at an address, with the tools of a resolved catalog. They answer nothing
// without an authority, and what a GET returns with one.
//
//	baremcp CATALOG [CA-FILE [ADDR]]
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func main() {
	if err := run(os.Args[1:]); err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, "baremcp:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	s := server.NewMCPServer("bare", "1", server.WithToolCapabilities(false))
	ask := func(string) (string, error) { return "{}", nil }
	if len(args) > 1 {
		pem, err := os.ReadFile(args[1])
		if err != nil {
			return err
		}
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(pem)
		client := http.Client{Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 16,
		}}
		ask = func(url string) (string, error) { return get(&client, url) }
	}
	if err := addTools(s, args[0], ask); err != nil {
		return err
	}
	if len(args) > 2 {
		return server.NewStreamableHTTPServer(s).Start(args[2])
	}
	return server.ServeStdio(s, server.WithWorkerPoolSize(16))
}

func get(client *http.Client, url string) (string, error) {
	res, err := client.Get(url)
	if err != nil {
		return "", err
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	return string(text), err
}

// addTools reads the catalog as a program without pkg/serve would.
func addTools(s *server.MCPServer, file string, ask func(url string) (string, error)) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	var tools []server.ServerTool
	lines := json.NewDecoder(bufio.NewReader(f))
	for lines.More() {
		var rec struct {
			Kind, Type string
			Data       struct {
				WireName, Description, Root, Path string
				InputSchema                       json.RawMessage
			}
		}
		if err := lines.Decode(&rec); err != nil {
			return err
		}
		if rec.Kind != "resolved" || rec.Type != "tool" {
			continue
		}
		url := rec.Data.Root + rec.Data.Path
		tools = append(tools, server.ServerTool{
			Tool: mcp.NewToolWithRawSchema(rec.Data.WireName, rec.Data.Description, rec.Data.InputSchema),
			Handler: func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				text, err := ask(fmt.Sprintf("%s?n=%v", url, r.GetArguments()["n"]))
				return mcp.NewToolResultText(text), err
			},
		})
	}
	s.AddTools(tools...)
	return nil
}
