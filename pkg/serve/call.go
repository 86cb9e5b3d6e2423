package serve

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// callTool finds the tool that is called, or says that there is none.
func (r *Request) callTool() (*work, *Error) {
	name := r.Params.Get("name")
	if !name.Is(ordjson.String) {
		return nil, failure(mcp.INVALID_PARAMS, CodeBadParams,
			"expected params.name to be the name of a tool, found %s", ordjson.Shown(name))
	}
	tool, ok := r.surface.tools[name.Str()]
	if !ok {
		return nil, r.surface.unknownTool(name.Str())
	}
	return &work{about: tool.ID, do: func() ([]byte, *Error) { return r.call(tool) }}, nil
}

// call calls a tool and makes the line of the answer, which may be that of another
// tool.
func (r *Request) call(tool *listing.Tool) ([]byte, *Error) {
	tool, args, env := r.called(tool)
	if env == nil {
		in, err := r.inputs(tool.WireName, func() ordjson.Value { return tool.Definition().Get("inputSchema") }, args)
		if err != nil || in.line != nil {
			return in.line, err
		}
		if tool.ID == r.work.about {
			env = r.surface.caller.Call(r.ctx, tool.ID, in.given)
		} else { // a tool of the server has it called
			env = r.surface.Call(r.ctx, tool, in.given)
		}
		in.tell(tool.WireName, env)
	}
	if env == nil {
		r.server.logf("%s: the call of %s gave no envelope", CodeCallFailed, tool.ID)
		return nil, failure(mcp.INTERNAL_ERROR, CodeCallFailed, "the call of %s gave no result", tool.WireName)
	}
	if !r.open() {
		return nil, nil
	}
	b := r.appendResult(tool, env)
	if r.server.logWarnings(tool.ID, env); !env.Status {
		r.failed = failedBy(env)
		r.server.logFailed(tool.ID, strings.Join(env.Messages, "; "))
	}
	return b, nil
}

// called is the tool of the catalog that is called, and with which arguments, or an
// answer without such a call.
func (r *Request) called(tool *listing.Tool) (*listing.Tool, ordjson.Value, *record.Envelope) {
	own := r.surface.own[tool.WireName]
	args, env := argumentsOf(tool, r.Params.Get("arguments"))
	switch {
	case r.ctx.Err() != nil:
		return tool, args, Refused(CodeStopping, "%s was not called: %v", tool.WireName, context.Cause(r.ctx))
	case env != nil || own == nil:
		return tool, args, env
	case own.Target == nil:
		return tool, args, own.Answer(r.ctx, r.surface, args)
	}
	target, args, err := own.Target(r.surface, args)
	if err != nil {
		return tool, args, &record.Envelope{Messages: []string{err.Error()}, Data: ordjson.NewNull()}
	}
	unlisted := *target
	unlisted.Structured = false // the client has seen no outputSchema
	args, env = argumentsOf(target, args)
	return &unlisted, args, env
}

// argumentsOf are those of a call, or why there is none.
func argumentsOf(tool *listing.Tool, args ordjson.Value) (ordjson.Value, *record.Envelope) {
	switch args.Kind() {
	case ordjson.Missing, ordjson.Null:
		return ordjson.NewObject(), nil
	case ordjson.Object:
		return args, nil
	}
	return args, Refused(CodeBadArguments,
		"%s: expected arguments to be an object of parameters by name, found %s; give {} if there are none",
		tool.WireName, args.Kind())
}

// Refused is the envelope of a call that was not made.
func Refused(code, format string, args ...any) *record.Envelope {
	return &record.Envelope{Messages: []string{code + " " + fmt.Sprintf(format, args...)}, Data: ordjson.NewNull()}
}
