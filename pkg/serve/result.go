package serve

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// appendResult makes the answer of an envelope. What it says is in it once: as
// structured content where the tool was listed with an outputSchema, else as
// one block (docs/decisions.md, "Structured content"). A tool with an
// outputSchema owes structured content for successes only, and clients check
// failures against the schema too.
func (k *call) appendResult(env *record.Envelope) []byte {
	told := messages(env)
	std := (&record.Envelope{Status: env.Status, Messages: told, Data: env.Data}).Standard()
	b := make([]byte, 0, len(std)+len(std)/4+256)
	b = framed(appendAnswer(b, k.id), k.frame, "content", "structuredContent", "isError")
	b = append(b, `"content":[`...)
	switch {
	case env.Status && k.tool.structured:
		b = appendBlock(b, "the answer is in structuredContent")
		b = append(b, `],"structuredContent":`...)
		b = append(b, std...)
	case env.Status && isPNG(k.tool, env):
		b = append(b, `{"type":"image","mimeType":"`+model.MIMEPNG+`","data":`...)
		b = append(ordjson.Append(b, env.Data), '}')
		if len(told) > 0 {
			b = appendBlock(append(b, ','), string((&record.Envelope{Status: true, Messages: told, Data: ordjson.NewNull()}).Standard()))
		}
		b = append(b, ']')
	case env.Status && len(told) == 0 && isText(k.tool, env):
		b = append(appendBlock(b, env.Data.Str()), ']')
	default:
		b = append(appendBlock(b, string(std)), ']')
	}
	if !env.Status {
		b = append(b, `,"isError":true`...)
	}
	b = append(b, '}')
	return append(b, answerEnd...)
}

func appendBlock(b []byte, text string) []byte {
	b = append(b, `{"type":"text","text":`...)
	return append(ordjson.AppendString(b, text), '}')
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
