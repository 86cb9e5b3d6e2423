package main

import (
	"context"
	"os"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sdkClient is a client of the official SDK.
type sdkClient struct{ *mcp.ClientSession }

func connectSDK(ctx context.Context, modern bool, target []string, heard *events) (client, error) {
	c := mcp.NewClient(&mcp.Implementation{Name: "interop", Version: "1.0.0"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			heard.asked = append(heard.asked, r.Params.Message)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
		},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { heard.changed <- struct{}{} },
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			heard.progress = append(heard.progress, r.Params.Progress)
		},
	})
	var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: target[0]}
	if !strings.HasPrefix(target[0], "http") {
		cmd := exec.Command(target[0], target[1:]...)
		cmd.Env = os.Environ()
		transport = &mcp.CommandTransport{Command: cmd}
	}
	version := "2025-11-25"
	if modern {
		version = "2026-07-28"
	}
	s, err := c.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	return sdkClient{s}, err
}

func (c sdkClient) tools(ctx context.Context) (map[string]string, error) {
	list := map[string]string{}
	for tool, err := range c.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		list[tool.Name] = tool.Description
	}
	return list, nil
}

func (c sdkClient) call(ctx context.Context, name string, args map[string]any) (a answer, err error) {
	params := &mcp.CallToolParams{Name: name, Arguments: args}
	params.SetProgressToken(name)
	r, err := c.CallTool(ctx, params)
	if err != nil {
		return a, err
	}
	a.failed = r.IsError
	switch block := r.Content[0].(type) {
	case *mcp.TextContent:
		a.text = block.Text
	case *mcp.ImageContent:
		a.mime = block.MIMEType
	}
	return a, nil
}

func (c sdkClient) resources(ctx context.Context) (list []string, err error) {
	for r, err := range c.Resources(ctx, nil) {
		if err != nil {
			return nil, err
		}
		list = append(list, r.URI)
	}
	return list, nil
}

func (c sdkClient) templates(ctx context.Context) (list []string, err error) {
	for r, err := range c.ResourceTemplates(ctx, nil) {
		if err != nil {
			return nil, err
		}
		list = append(list, r.URITemplate)
	}
	return list, nil
}

func (c sdkClient) read(ctx context.Context, uri string) (string, error) {
	r, err := c.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return "", err
	}
	return r.Contents[0].Text, nil
}

func (c sdkClient) prompts(ctx context.Context) (list []string, err error) {
	for p, err := range c.Prompts(ctx, nil) {
		if err != nil {
			return nil, err
		}
		list = append(list, p.Name)
	}
	return list, nil
}

func (c sdkClient) get(ctx context.Context, name string, args map[string]string) (string, error) {
	r, err := c.GetPrompt(ctx, &mcp.GetPromptParams{Name: name, Arguments: args})
	if err != nil {
		return "", err
	}
	return r.Messages[0].Content.(*mcp.TextContent).Text, nil
}

func (c sdkClient) complete(ctx context.Context, prompt, argument, value string) ([]string, error) {
	r, err := c.Complete(ctx, &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: prompt},
		Argument: mcp.CompleteParamsArgument{Name: argument, Value: value}})
	if err != nil {
		return nil, err
	}
	return r.Completion.Values, nil
}

// listen: the SDK does it by itself.
func (c sdkClient) listen(context.Context) error { return nil }

func (c sdkClient) close() error { return c.Close() }
