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
}

// newPrompt describes a text.
func newPrompt(t catalog.Delivered) Prompt {
	body := t.Body()
	_, typ := t.Head()
	return Prompt{ID: strings.Clone(body.ID), Type: typ, about: strings.Clone(body.Description),
		definition: appendJSON(nil, mcp.Prompt{Name: body.ID, Title: body.Name, Description: body.Description,
			Arguments: arguments(t.Asks())})}
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

// startGet starts the delivery that m asks for. It is a call like others: a skill may
// make calls of its own before it is delivered.
func (c *session) startGet(m message) *rpcError {
	name, args := m.params.Get("name"), m.params.Get("arguments")
	if !name.Is(ordjson.String) {
		return failure(mcp.INVALID_PARAMS, CodeBadParams, "expected params.name to be the name of a prompt, found %s",
			shown(name))
	}
	prompt, ok := c.prompts[name.Str()]
	if !ok {
		return c.unknownPrompt(name.Str())
	}
	if args.Exists() && !args.Is(ordjson.Null) && !args.Is(ordjson.Object) {
		return failure(mcp.INVALID_PARAMS, CodeBadArguments,
			"%s: expected params.arguments to be an object of texts by name, found %s", prompt.ID, args.Kind())
	}
	k := c.newCall(m)
	k.prompt = prompt
	c.enqueue(k)
	return nil
}

// unknownPrompt is the error of a delivery of no prompt. The last part of its name
// leads to it too.
func (c *session) unknownPrompt(name string) *rpcError {
	ids := slices.Sorted(maps.Keys(c.prompts))
	hint := words.DidYouMean(name, ids)
	if i := slices.IndexFunc(ids, func(id string) bool { return strings.HasSuffix(id, "/"+name) }); i >= 0 {
		hint = " (did you mean " + words.Quote(ids[i]) + "?)"
	}
	return failure(mcp.INVALID_PARAMS, CodeUnknownPrompt, "there is no prompt %s%s; prompts/list has the names of all",
		shown(ordjson.NewString(name)), hint)
}

// get delivers and makes the answer: the text, and in messages of their own the
// prompts that come beside it (chapter 12, "Composable Prompts"). What is wrong with
// the text stands in it, and on stderr.
func (k *call) get() ([]byte, *rpcError) {
	env := k.session.caller.Deliver(k.ctx, k.prompt.ID, k.params.Get("arguments"))
	if env.Delivered == nil {
		return nil, refusal(env)
	}
	for _, m := range env.Messages {
		k.session.logf("warning: %s", report.Visible(m))
	}
	result := mcp.GetPromptResult{Result: k.session.result(k.message), Description: k.prompt.about,
		Messages: []mcp.PromptMessage{said(env.Delivered.Text)}}
	for _, r := range env.Delivered.References {
		result.Messages = append(result.Messages, said(r.ID+": "+r.Description+"\n\n"+r.Text))
	}
	return k.fitting(appendAnswer(nil, k.id, result))
}

// said is a message of the user.
func said(text string) mcp.PromptMessage {
	return mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(text))
}
