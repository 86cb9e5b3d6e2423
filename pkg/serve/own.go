package serve

import (
	"context"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/words"
)

// OwnTool is a tool of the server itself, which finds, describes or calls those of
// the catalog.
type OwnTool struct {
	Name, Description string
	Input             ordjson.Value // JSON Schema of its arguments
	Reads, Destroys   bool          // as Tool has them: true of all that it can reach
	Less              string        // how to ask for less, where an answer is cut

	// Answer is given the arguments, an object, as the client sent them. Data of an
	// envelope whose ContentType is text is shown as it is.
	Answer func(ctx context.Context, s *Surface, args ordjson.Value) *record.Envelope
	// Target is in the place of Answer where a tool of the catalog answers: which one
	// the arguments ask for, and what it is given.
	Target func(s *Surface, args ordjson.Value) (*listing.Tool, ordjson.Value, error)
}

// Arguments is the JSON Schema of those of an OwnTool, made of what Argument returns.
func Arguments(required []string, list ...ordjson.Member) ordjson.Value {
	return listing.Typed("object").With("properties", ordjson.NewObject(list...)).
		With("required", ordjson.Strings(required))
}

// Argument is one of a type of JSON Schema, with more keywords for it.
func Argument(name, typ, about string, more ...ordjson.Member) ordjson.Member {
	return ordjson.Field(name, ordjson.NewObject(append([]ordjson.Member{
		ordjson.Field("type", ordjson.NewString(typ)),
		ordjson.Field("description", ordjson.NewString(about)),
	}, more...)...))
}

// tool makes the tool that is listed.
func (o *OwnTool) tool() *listing.Tool {
	hints := mcp.ToolAnnotation{Title: o.Name, ReadOnlyHint: &o.Reads, OpenWorldHint: new(true)}
	if !o.Reads {
		hints.DestructiveHint = &o.Destroys
	}
	b := listing.Reopened(listing.AppendJSON(nil, struct {
		Name        string             `json:"name"`
		Description string             `json:"description"`
		Annotations mcp.ToolAnnotation `json:"annotations"`
	}{o.Name, o.Description, hints}))
	b = append(b, `"inputSchema":`...)
	t := &listing.Tool{ID: o.Name, Name: o.Name, WireName: o.Name, Reads: o.Reads, Destroys: o.Destroys, Always: true}
	t.Define(append(ordjson.Append(b, o.Input), '}'))
	return t
}

// Find is the tool of the catalog that has an MCP name or a Spec-ID.
func (s *Surface) Find(name string) (*listing.Tool, error) {
	t := s.tools[name]
	if t == nil {
		t = s.tools[s.wireName(name)]
	}
	if t != nil && s.own[t.WireName] == nil {
		return t, nil
	}
	if s.hidden != nil {
		if p := s.hidden(name); p != nil {
			return nil, p
		}
	}
	var names []string
	for _, t := range s.tools {
		if s.own[t.WireName] == nil {
			names = append(names, t.WireName, t.ID)
		}
	}
	slices.Sort(names)
	return nil, &words.Problem{Code: CodeUnknownTool, Message: "there is no tool " +
		ordjson.Shown(ordjson.NewString(name)) + words.DidYouMean(name, names), Fix: searchFinds}
}

// searchFinds says where the tools are that are not listed.
const searchFinds = "search finds tools"

// Call calls a tool of the catalog for a tool of the server, as the client could
// itself.
func (s *Surface) Call(ctx context.Context, t *listing.Tool, args ordjson.Value) *record.Envelope {
	return Audited(ctx, t.ID, args, func() *record.Envelope { return s.caller.Call(ctx, t.ID, args) })
}
