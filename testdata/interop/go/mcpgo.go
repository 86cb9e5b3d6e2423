package main

import (
	"context"
	"os"
	"strings"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// mcpGoClient is a client of the library whose types fmcp-serve uses.
type mcpGoClient struct {
	*mcpclient.Client
	modern bool
}

// user answers for the user.
type user struct{ heard *events }

func (u user) Elicit(_ context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	u.heard.asked = append(u.heard.asked, r.Params.Message)
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{
		Action: mcp.ElicitationResponseActionAccept, Content: map[string]any{"name": "Ada"}}}, nil
}

func connectMCPGo(ctx context.Context, modern bool, target []string, heard *events) (client, error) {
	var over transport.Interface
	if strings.HasPrefix(target[0], "http") {
		var options []transport.StreamableHTTPCOption
		if !modern {
			options = append(options, transport.WithContinuousListening())
		}
		stream, err := transport.NewStreamableHTTP(target[0], options...)
		if err != nil {
			return nil, err
		}
		over = stream
	} else {
		over = transport.NewStdio(target[0], os.Environ(), target[1:]...)
	}
	options := []mcpclient.ClientOption{mcpclient.WithElicitationHandler(user{heard})}
	if !modern {
		options = append(options, mcpclient.WithLegacyProtocolOnly())
	}
	c := mcpclient.NewClient(over, options...)
	if err := c.Start(ctx); err != nil {
		return nil, err
	}
	c.OnNotification(func(n mcp.JSONRPCNotification) {
		switch n.Method {
		case mcp.MethodNotificationToolsListChanged:
			heard.changed <- struct{}{}
		case "notifications/progress":
			if step, ok := n.Params.AdditionalFields["progress"].(float64); ok {
				heard.progress = append(heard.progress, step)
			}
		}
	})
	request := mcp.InitializeRequest{}
	request.Params.ProtocolVersion = mcp.ProtocolVersion20251125
	if modern {
		request.Params.ProtocolVersion = mcp.ProtocolVersion20260728
	}
	request.Params.ClientInfo = mcp.Implementation{Name: "interop", Version: "1.0.0"}
	if _, err := c.Initialize(ctx, request); err != nil {
		return nil, err
	}
	return mcpGoClient{c, modern}, nil
}

func (c mcpGoClient) tools(ctx context.Context) (map[string]string, error) {
	r, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	list := map[string]string{}
	for _, tool := range r.Tools {
		list[tool.Name] = tool.Description
	}
	return list, nil
}

func (c mcpGoClient) call(ctx context.Context, name string, args map[string]any) (a answer, err error) {
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = name, args
	request.Params.Meta = &mcp.Meta{ProgressToken: name}
	r, err := c.CallTool(ctx, request)
	if err != nil {
		return a, err
	}
	a.failed = r.IsError
	switch block := r.Content[0].(type) {
	case mcp.TextContent:
		a.text = block.Text
	case mcp.ImageContent:
		a.mime = block.MIMEType
	}
	return a, nil
}

func (c mcpGoClient) resources(ctx context.Context) (list []string, err error) {
	r, err := c.ListResources(ctx, mcp.ListResourcesRequest{})
	if err != nil {
		return nil, err
	}
	for _, one := range r.Resources {
		list = append(list, one.URI)
	}
	return list, nil
}

func (c mcpGoClient) templates(ctx context.Context) (list []string, err error) {
	r, err := c.ListResourceTemplates(ctx, mcp.ListResourceTemplatesRequest{})
	if err != nil {
		return nil, err
	}
	for _, one := range r.ResourceTemplates {
		list = append(list, one.URITemplate.Raw())
	}
	return list, nil
}

func (c mcpGoClient) read(ctx context.Context, uri string) (string, error) {
	request := mcp.ReadResourceRequest{}
	request.Params.URI = uri
	r, err := c.ReadResource(ctx, request)
	if err != nil {
		return "", err
	}
	return r.Contents[0].(mcp.TextResourceContents).Text, nil
}

func (c mcpGoClient) prompts(ctx context.Context) (list []string, err error) {
	r, err := c.ListPrompts(ctx, mcp.ListPromptsRequest{})
	if err != nil {
		return nil, err
	}
	for _, one := range r.Prompts {
		list = append(list, one.Name)
	}
	return list, nil
}

func (c mcpGoClient) get(ctx context.Context, name string, args map[string]string) (string, error) {
	request := mcp.GetPromptRequest{}
	request.Params.Name, request.Params.Arguments = name, args
	r, err := c.GetPrompt(ctx, request)
	if err != nil {
		return "", err
	}
	return r.Messages[0].Content.(mcp.TextContent).Text, nil
}

func (c mcpGoClient) complete(ctx context.Context, prompt, argument, value string) ([]string, error) {
	request := mcp.CompleteRequest{}
	request.Params.Ref = mcp.PromptReference{Type: "ref/prompt", Name: prompt}
	request.Params.Argument = mcp.CompleteArgument{Name: argument, Value: value}
	r, err := c.Complete(ctx, request)
	if err != nil {
		return nil, err
	}
	return r.Completion.Values, nil
}

func (c mcpGoClient) listen(ctx context.Context) error {
	if !c.modern {
		return nil
	}
	_, err := c.ListenAsync(ctx, mcp.SubscriptionFilter{ToolsListChanged: true}, nil)
	return err
}

func (c mcpGoClient) close() error { return c.Close() }
