package serve

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// mcpGo is the engine over mcp-go. Its registry holds one stand-in tool and one
// resource: a call of it gives the frame of a result as the client's protocol version
// wants it, and arguments never pass through the library, where numbers would
// become floats.
type mcpGo struct{ server *server.MCPServer }

const (
	standIn    = "tool"
	standInURI = "flowmcp://resource"
)

func newEngine(o Options) engine {
	opts := []server.ServerOption{server.WithToolCapabilities(false)}
	if len(o.Resources) > 0 {
		opts = append(opts, server.WithResourceCapabilities(false, false))
	}
	if o.Instructions != "" {
		opts = append(opts, server.WithInstructions(o.Instructions))
	}
	s := server.NewMCPServer(o.Name, o.Version, opts...)
	s.AddTool(mcp.NewTool(standIn), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{}, nil
	})
	if len(o.Resources) > 0 {
		s.AddResource(mcp.NewResource(standInURI, standIn), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{}, nil
		})
	}
	return &mcpGo{server: s}
}

func (e *mcpGo) answer(ctx context.Context, method string, params ordjson.Value) (ordjson.Value, *rpcError) {
	b := append(make([]byte, 0, 256), `{"jsonrpc":"2.0","id":1,"method":`...)
	b = ordjson.AppendString(b, method)
	b = append(b, `,"params":`...)
	b = ordjson.Append(b, libraryParams(method, params))
	b = append(b, '}')
	switch r := e.server.HandleMessage(ctx, b).(type) {
	case mcp.JSONRPCResponse:
		v, err := valueOf(r.Result)
		if err != nil {
			return v, failure(rpcInternal, CodeCallFailed, "the result of %s could not be encoded: %v", method, err)
		}
		return v, nil
	case mcp.JSONRPCError:
		e := &rpcError{code: r.Error.Code, message: r.Error.Message}
		if r.Error.Data != nil {
			// A detail that cannot be encoded is left out, the error stays.
			e.data, _ = valueOf(r.Error.Data)
		}
		return ordjson.Value{}, e
	}
	return ordjson.Value{}, failure(rpcInternal, CodeCallFailed, "%s has no answer", method)
}

// libraryParams is what the library gets to see of params: all of them, but of
// the list and the calls, which are ours, only the protocol's own _meta.
func libraryParams(method string, params ordjson.Value) ordjson.Value {
	var list []ordjson.Member
	switch method {
	case methodToolsCall:
		list = append(list, ordjson.Field("name", ordjson.NewString(standIn)))
	case methodRead:
		list = append(list, ordjson.Field("uri", ordjson.NewString(standInURI)))
	case methodToolsList, methodResourcesList, methodTemplatesList:
	default:
		if !params.Exists() {
			return ordjson.NewObject()
		}
		return params
	}
	if meta := params.Get("_meta"); meta.Exists() {
		list = append(list, ordjson.Field("_meta", meta))
	}
	return ordjson.NewObject(list...)
}

// valueOf turns a value of the library into one of ours.
func valueOf(v any) (ordjson.Value, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return ordjson.Value{}, err
	}
	return ordjson.Parse(string(b))
}
