package serve

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// startRead starts the read that m asks for. It is a call like others: it may
// take its time, and can be cancelled.
func (c *session) startRead(m message) *rpcError {
	uri := m.params.Get("uri")
	if !uri.Is(ordjson.String) {
		return failure(mcp.INVALID_PARAMS, CodeBadParams,
			"expected params.uri to be an address of resources/list, found %s", shown(uri))
	}
	address, _, _ := strings.Cut(uri.Str(), "?")
	if _, ok := c.uris[address]; !ok {
		return c.unknownResource(uri, address)
	}
	k := c.newCall(m)
	k.uri = uri.Str()
	c.enqueue(k)
	return nil
}

// unknownResource is the error of a read of no resource. What changes something
// is a tool alone.
func (c *session) unknownResource(uri ordjson.Value, address string) *rpcError {
	hint := words.DidYouMean(address, slices.Sorted(maps.Keys(c.uris)))
	if wire := c.wireName(strings.TrimPrefix(address, model.URIScheme)); wire != "" {
		hint = ` (did you mean the tool "` + wire + `"?)`
	}
	return failure(mcp.RESOURCE_NOT_FOUND, CodeUnknownResource,
		"there is no resource %s%s; resources/list and resources/templates/list have the addresses of all", shown(uri),
		hint)
}

// read reads and makes the answer.
func (k *call) read() ([]byte, *rpcError) {
	env := k.session.caller.Read(k.ctx, k.uri)
	k.session.logWarnings(k.uri, env)
	if !env.Status {
		return nil, refusal(env)
	}
	content := mcp.TextResourceContents{URI: k.uri, MIMEType: model.MIMEJSON}
	text := env.Data.Str()
	if env.Data.Is(ordjson.String) {
		address, _, _ := strings.Cut(k.uri, "?")
		content.MIMEType = cmp.Or(k.session.uris[address], model.MIMEMarkdown)
	} else {
		text = ordjson.Text(env.Data)
	}
	b := reopened(appendJSON(appendStart(nil, k.id), k.session.cacheable(k.message)))
	b = appendText(append(b, `"contents":[`...), content, text)
	if texts := messages(env); len(texts) > 0 {
		// A document stays as it is; what is to be said of it is beside it.
		content.MIMEType, content.Text = model.MIMEText, strings.Join(texts, "\n")
		b = appendJSON(append(b, ','), content)
	}
	return k.fitting(append(b, "]}}\n"...))
}

// refusal is the error of an envelope with nothing that could be answered.
func refusal(env *record.Envelope) *rpcError {
	text := strings.Join(env.Messages, "; ")
	code, _, _ := strings.Cut(text, " ")
	return failure(mcp.INVALID_PARAMS, code, "%s", text)
}

// fitting is an answer that clients accept.
func (k *call) fitting(b []byte) ([]byte, *rpcError) {
	if limit := k.session.opts.maxAnswer; len(b) > limit {
		return nil, failure(mcp.INTERNAL_ERROR, CodeAnswerTooLong,
			"the answer takes %d bytes, more than the limit of %d that clients accept; ask for less", len(b), limit)
	}
	return b, nil
}
