package listing

import (
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/text"
)

// Prompt is a prompt or a skill: MCP has one name for both (chapter 14, "MCP
// Registration").
type Prompt struct {
	ID   string // Spec-ID, which is its name (decision "MCP names of prompts")
	Type record.Type

	About  string // its description
	Listed []byte // the object in prompts/list

	schema []byte // of its arguments
}

// newPrompt describes a text.
func newPrompt(x *catalog.Index, t catalog.Delivered) Prompt {
	body := t.Body()
	_, typ := t.Head()
	return Prompt{ID: strings.Clone(body.ID), Type: typ, About: strings.Clone(body.Description),
		Listed: AppendJSON(nil, mcp.Prompt{Name: body.ID, Title: body.Name, Description: body.Description,
			Arguments: arguments(t.Asks())}),
		schema: ordjson.Append(nil, text.InputSchema(x, t))}
}

// Inputs is the schema of its arguments.
func (p *Prompt) Inputs() ordjson.Value {
	v, _ := ordjson.Parse(string(p.schema)) // it was made here, and is JSON
	return v
}

// arguments are inputs as MCP has them: it knows no types, so that the description
// says what a value is where it is not any text.
func arguments(inputs []catalog.Input) []mcp.PromptArgument {
	properties := catalog.InputSchema(inputs).Get("properties")
	var list []mcp.PromptArgument
	for _, in := range inputs {
		about := in.Description
		if in.Type != model.InputString {
			kind, _ := text.Kind(properties.Get(in.Key), 0)
			about = strings.TrimSpace(about + " (" + kind + ")")
		}
		list = append(list, mcp.PromptArgument{Name: in.Key, Description: about, Required: in.Required})
	}
	return list
}
