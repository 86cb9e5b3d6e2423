package serve

import (
	"maps"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/text"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Prompt is a prompt or a skill: MCP has one name for both (chapter 14, "MCP
// Registration").
type Prompt struct {
	ID   string // Spec-ID, which is its name (decision "MCP names of prompts")
	Type record.Type

	about      string // its description
	definition []byte // the object in prompts/list
	schema     []byte // of its arguments
}

// newPrompt describes a text.
func newPrompt(x *catalog.Index, t catalog.Delivered) Prompt {
	body := t.Body()
	_, typ := t.Head()
	return Prompt{ID: strings.Clone(body.ID), Type: typ, about: strings.Clone(body.Description),
		definition: appendJSON(nil, mcp.Prompt{Name: body.ID, Title: body.Name, Description: body.Description,
			Arguments: arguments(t.Asks())}),
		schema: ordjson.Append(nil, text.InputSchema(x, t))}
}

// inputs is the schema of its arguments.
func (p *Prompt) inputs() ordjson.Value {
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

// getPrompt finds the prompt that is asked for. Its delivery is work, since a skill
// may make calls of its own before it is delivered.
func (r *Request) getPrompt() (*work, *Error) {
	name, args := r.Params.Get("name"), r.Params.Get("arguments")
	if !name.Is(ordjson.String) {
		return nil, failure(mcp.INVALID_PARAMS, CodeBadParams,
			"expected params.name to be the name of a prompt, found %s", shown(name))
	}
	prompt, err := r.surface.prompt(name.Str())
	if err != nil {
		return nil, err
	}
	if args.Exists() && !args.Is(ordjson.Null) && !args.Is(ordjson.Object) {
		return nil, failure(mcp.INVALID_PARAMS, CodeBadArguments,
			"%s: expected params.arguments to be an object of texts by name, found %s", prompt.ID, args.Kind())
	}
	return &work{about: prompt.ID, do: func() ([]byte, *Error) { return r.deliver(prompt, args) }}, nil
}

// prompt finds a prompt by its name, or by the last part of it where only one has it:
// people type names of prompts, and clients write them with underscores (decision "MCP
// names of prompts").
func (s *Surface) prompt(name string) (*Prompt, *Error) {
	if p := s.prompts[name]; p != nil {
		return p, nil
	}
	if err := s.notServed(name); err != nil {
		return nil, err
	}
	ids := slices.Sorted(maps.Keys(s.prompts))
	last := "/" + strings.ReplaceAll(name, "_", "-")
	ends := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !strings.HasSuffix(id, last) })
	hint := words.DidYouMean(name, ids)
	switch len(ends) {
	case 0:
	case 1:
		return s.prompts[ends[0]], nil
	default:
		hint = " (did you mean " + words.QuoteList(ends) + "?)"
	}
	return nil, failure(mcp.INVALID_PARAMS, CodeUnknownPrompt, "there is no prompt %s%s; prompts/list has the "+
		"names of all", shown(ordjson.NewString(name)), hint)
}

// deliver makes the answer: the text, and in messages of their own the
// prompts that come beside it (chapter 12, "Composable Prompts"). What is wrong with
// the text stands in it, and on stderr.
func (r *Request) deliver(prompt *Prompt, args ordjson.Value) ([]byte, *Error) {
	if err := r.stopping(prompt.ID); err != nil {
		return nil, err
	}
	if !args.Is(ordjson.Object) {
		args = ordjson.NewObject()
	}
	in, err := r.inputs(prompt.ID, prompt.inputs, args)
	if err != nil || in.line != nil {
		return in.line, err
	}
	env := r.surface.caller.Deliver(r.ctx, prompt.ID, in.given)
	in.tell(prompt.ID, env)
	if env.Delivered == nil {
		return nil, refusal(env)
	}
	for _, m := range env.Messages {
		r.server.logf("warning: %s", report.Visible(m))
	}
	result := mcp.GetPromptResult{Result: r.result(), Description: prompt.about,
		Messages: []mcp.PromptMessage{said(env.Delivered.Text)}}
	for _, ref := range env.Delivered.References {
		result.Messages = append(result.Messages, said(ref.ID+": "+ref.Description+"\n\n"+ref.Text))
	}
	return r.fitting(appendAnswer(nil, r.ID, result))
}

// said is a message of the user.
func said(text string) mcp.PromptMessage {
	return mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(text))
}
