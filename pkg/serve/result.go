package serve

import (
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// callResult is a result of the protocol in the order of its fields. The
// library's own encoder sorts them, and escapes the <, > and & of all texts.
type callResult mcp.CallToolResult

// result makes the result of an envelope. What it says is in it once: as
// structured content where the tool was listed with an outputSchema, else as
// one block (docs/decisions.md, "Structured content"). A tool with an
// outputSchema owes structured content for successes only, and clients check
// failures against the schema too.
func (k *call) result(env *record.Envelope) callResult {
	told := messages(env)
	std := (&record.Envelope{Status: env.Status, Messages: told, Data: env.Data}).Standard()
	r := callResult{Result: k.session.result(k.message), IsError: !env.Status}
	switch {
	case env.Status && k.tool.structured:
		r.Content = []mcp.Content{mcp.NewTextContent("the answer is in structuredContent")}
		r.StructuredContent = json.RawMessage(std)
	case env.Status && isPNG(k.tool, env):
		r.Content = []mcp.Content{mcp.NewImageContent(env.Data.Str(), model.MIMEPNG)}
		if len(told) > 0 {
			rest := (&record.Envelope{Status: true, Messages: told, Data: ordjson.NewNull()}).Standard()
			r.Content = append(r.Content, mcp.NewTextContent(string(rest)))
		}
	case env.Status && len(told) == 0 && isText(k.tool, env):
		r.Content = []mcp.Content{mcp.NewTextContent(env.Data.Str())}
	default:
		r.Content = []mcp.Content{mcp.NewTextContent(string(std))}
	}
	return r
}

// messages are those of the envelope and its warnings: a model that does not
// see that an answer was cut takes it for whole (docs/decisions.md, "Messages
// of answers").
func messages(env *record.Envelope) []string {
	list := env.Messages[:len(env.Messages):len(env.Messages)]
	for _, w := range env.Warnings {
		list = append(list, "warning: "+w)
	}
	return list
}

// pngStart is how the base64 of every PNG starts.
const pngStart = "iVBORw0KGgo"

// isPNG reports whether an answer is a PNG, whatever its tool declares.
func isPNG(t *Tool, env *record.Envelope) bool {
	return (t.mime == model.MIMEPNG || env.ContentType == model.MIMEPNG) && strings.HasPrefix(env.Data.Str(), pngStart)
}

// isText reports whether an answer is a text or a document. Model APIs refuse
// an empty block.
func isText(t *Tool, env *record.Envelope) bool {
	text := t.mime == model.MIMEText || strings.HasPrefix(env.ContentType, "text/") || env.Query != nil && env.Query.Source == string(model.Markdown)
	return text && strings.TrimSpace(env.Data.Str()) != ""
}
