package serve

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/fit"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// appendResult appends the answer of an envelope, as much of it as a model can take
// in. What it says is in it once: as structured content where the tool was listed
// with an outputSchema, else as one block (decision "Structured content"). A tool
// with an outputSchema owes structured content for successes only, and clients
// check failures against the schema too.
func (r *Request) appendResult(tool *listing.Tool, env *record.Envelope) []byte {
	std := &record.Envelope{Status: env.Status, Messages: Messages(env), Data: env.Data}
	b := append(listing.Reopened(listing.AppendJSON(appendStart(nil, r.ID), r.result())), `"content":[`...)
	if mime := imageType(tool, env); mime != "" && env.Status {
		if size := len(env.Data.Str()); size > maxImage {
			std.Messages = append(std.Messages, fmt.Sprintf("%s an image (%s) of %d bytes in base64 was left out: the "+
				"APIs of models take %d; ask for a smaller one", fit.CodeCut, mime, size, maxImage))
		} else {
			b = listing.AppendJSON(b, mcp.NewImageContent(env.Data.Str(), mime))
		}
		if std.Data = ordjson.NewNull(); len(std.Messages) == 0 {
			return append(b, "]}}\n"...)
		}
	}
	limit := r.server.opts.MaxResult
	if env.Status && len(std.Messages) == 0 && isText(tool, env) && len(env.Data.Str()) <= limit {
		return append(appendText(b, mcp.NewTextContent(""), env.Data.Str()), "]}}\n"...)
	}
	std = fit.Envelope(std, limit, func() string { return r.surface.advice(tool) })
	if env.Status && tool.Structured {
		b = listing.AppendJSON(b, mcp.NewTextContent("the answer is in structuredContent"))
		return append(append(append(b, `],"structuredContent":`...), std.Standard()...), "}}\n"...)
	}
	if b[len(b)-1] != '[' {
		b = append(b, ',')
	}
	b = append(appendText(b, mcp.NewTextContent(""), string(std.Standard())), ']')
	if !env.Status {
		b = append(b, `,"isError":true`...)
	}
	return append(b, "}}\n"...)
}

// advice says how to ask a tool for less.
func (s *Surface) advice(t *listing.Tool) string {
	if own := s.own[t.WireName]; own != nil && own.Less != "" {
		return own.Less
	}
	return fit.Advice(t.Definition().Get("inputSchema"))
}

// appendText appends a content whose text, the last of its members, may be long:
// encoding/json would hold three more copies of it.
func appendText(b []byte, content any, text string) []byte {
	b = bytes.TrimSuffix(listing.AppendJSON(b, content), []byte(`""}`))
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

// maxImage is how many bytes of base64 the APIs of models take: a longer image
// fails the whole conversation.
const maxImage = 5 << 20

// imageType is the media type of an answer that is an image, by its content; "" for
// others, and for what is no base64. The tool declares that it is one, or the
// upstream called it so.
func imageType(t *listing.Tool, env *record.Envelope) string {
	if t.MIME != model.MIMEPNG && !strings.HasPrefix(env.ContentType, "image/") {
		return ""
	}
	data, err := base64.StdEncoding.DecodeString(env.Data.Str())
	mime := http.DetectContentType(data)
	if err != nil || !slices.Contains(imageTypes, mime) {
		return ""
	}
	return mime
}

// imageTypes are those that the APIs of models take.
var imageTypes = []string{model.MIMEPNG, "image/jpeg", "image/gif", "image/webp"}

// isText reports whether an answer is a text or a document. Model APIs refuse
// an empty block.
func isText(t *listing.Tool, env *record.Envelope) bool {
	text := t.MIME == model.MIMEText || strings.HasPrefix(env.ContentType, "text/") || env.Query != nil &&
		env.Query.Source == string(model.Markdown)
	return text && strings.TrimSpace(env.Data.Str()) != ""
}
