package serve

import (
	"maps"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/words"
)

// getPrompt finds the prompt that is asked for. Its delivery is work, since a skill
// may make calls of its own before it is delivered.
func (r *Request) getPrompt() (*work, *Error) {
	name, args := r.Params.Get("name"), r.Params.Get("arguments")
	if !name.Is(ordjson.String) {
		return nil, failure(mcp.INVALID_PARAMS, CodeBadParams,
			"expected params.name to be the name of a prompt, found %s", ordjson.Shown(name))
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
func (s *Surface) prompt(name string) (*listing.Prompt, *Error) {
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
		"names of all", ordjson.Shown(ordjson.NewString(name)), hint)
}

// deliver makes the answer: the text, and in messages of their own the
// prompts that come beside it (chapter 12, "Composable Prompts"). What is wrong with
// the text stands in it, and on stderr.
func (r *Request) deliver(prompt *listing.Prompt, args ordjson.Value) ([]byte, *Error) {
	if err := r.stopping(prompt.ID); err != nil {
		return nil, err
	}
	if !args.Is(ordjson.Object) {
		args = ordjson.NewObject()
	}
	in, err := r.inputs(prompt.ID, prompt.Inputs, args)
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
	result := mcp.GetPromptResult{Result: r.result(), Description: prompt.About,
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
