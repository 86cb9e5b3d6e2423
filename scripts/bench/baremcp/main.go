// Command baremcp is the baseline of fmcp-serve: the library's own stdio
// server with the tools of a resolved catalog, which answer nothing.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func main() {
	s := server.NewMCPServer("bare", "1", server.WithToolCapabilities(false))
	if err := addTools(s, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "baremcp:", err)
		os.Exit(1)
	}
	if err := server.ServeStdio(s); err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, "baremcp:", err)
		os.Exit(1)
	}
}

// addTools reads the catalog as a program without pkg/serve would.
func addTools(s *server.MCPServer, file string) error {
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
				WireName, Description string
				InputSchema           json.RawMessage
			}
		}
		if err := lines.Decode(&rec); err != nil {
			return err
		}
		if rec.Kind != "resolved" || rec.Type != "tool" {
			continue
		}
		tools = append(tools, server.ServerTool{
			Tool: mcp.NewToolWithRawSchema(rec.Data.WireName, rec.Data.Description, rec.Data.InputSchema),
			Handler: func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return mcp.NewToolResultText("{}"), nil
			},
		})
	}
	s.AddTools(tools...)
	return nil
}
