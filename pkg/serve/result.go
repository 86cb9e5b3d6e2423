package serve

import (
	"bytes"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// appendResult appends the answer of an envelope. What it says is in it once: as
// structured content where the tool was listed with an outputSchema, else as
// one block (docs/decisions.md, "Structured content"). A tool with an
// outputSchema owes structured content for successes only, and clients check
// failures against the schema too.
func (r *Request) appendResult(tool *Tool, env *record.Envelope) []byte {
	texts := Messages(env)
	std := (&record.Envelope{Status: env.Status, Messages: texts, Data: env.Data}).Standard()
	b := appendStart(make([]byte, 0, len(std)+len(std)/4+256), r.ID)
	b = append(reopened(appendJSON(b, r.result())), `"content":[`...)
	switch {
	case env.Status && tool.structured:
		b = appendJSON(b, mcp.NewTextContent("the answer is in structuredContent"))
		b = append(b, `],"structuredContent":`...)
		return append(append(b, std...), "}}\n"...)
	case env.Status && isPNG(tool, env):
		b = appendJSON(b, mcp.NewImageContent(env.Data.Str(), model.MIMEPNG))
		if len(texts) > 0 {
			rest := (&record.Envelope{Status: true, Messages: texts, Data: ordjson.NewNull()}).Standard()
			b = appendJSON(append(b, ','), mcp.NewTextContent(string(rest)))
		}
	case env.Status && len(texts) == 0 && isText(tool, env):
		b = appendText(b, mcp.NewTextContent(""), env.Data.Str())
	default:
		b = appendText(b, mcp.NewTextContent(""), string(std))
	}
	if b = append(b, ']'); !env.Status {
		b = append(b, `,"isError":true`...)
	}
	return append(b, "}}\n"...)
}

// appendText appends a content whose text, the last of its members, may be long:
// encoding/json would hold three more copies of it.
func appendText(b []byte, content any, text string) []byte {
	b = bytes.TrimSuffix(appendJSON(b, content), []byte(`""}`))
	return append(ordjson.AppendString(b, text), '}')
}

// Messages are those of the envelope and its warnings: a model that does not
// see that an answer was cut takes it for whole (docs/decisions.md, "Messages
// of answers").
func Messages(env *record.Envelope) []string {
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
	text := t.mime == model.MIMEText || strings.HasPrefix(env.ContentType, "text/") || env.Query != nil &&
		env.Query.Source == string(model.Markdown)
	return text && strings.TrimSpace(env.Data.Str()) != ""
}
