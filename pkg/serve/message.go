package serve

import (
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// The error codes of JSON-RPC 2.0.
const (
	rpcParseError     = -32700
	rpcInvalidRequest = -32600
	rpcNoMethod       = -32601
	rpcInvalidParams  = -32602
	rpcInternal       = -32603
)

// rpcError is the error of a JSON-RPC answer.
type rpcError struct {
	code    int
	message string
	data    ordjson.Value // Missing where there is none
}

// failure is an error that carries a code of ours.
func failure(rpc int, code, format string, args ...any) *rpcError {
	return &rpcError{
		code:    rpc,
		message: fmt.Sprintf(format, args...),
		data:    ordjson.NewObject(ordjson.Field("code", ordjson.NewString(code))),
	}
}

// message is a request, or, where id is empty, a notification. A message that
// needs no look at all, the answer to a request, has no method.
type message struct {
	id     string // as sent, a JSON text: large integers stay what they are
	key    string // equal for ids that are the same value
	method string
	params ordjson.Value // object or Missing
}

// noID is the id of the answer to what has none that could be read.
const noID = "null"

// parseMessage reads one line. With an error, the message holds the id to
// answer with.
func parseMessage(text string) (message, *rpcError) {
	m := message{id: noID}
	v, err := ordjson.Parse(text)
	if err != nil {
		return m, failure(rpcParseError, CodeNotJSON, "not JSON: %v; send one JSON-RPC message a line, in UTF-8", err)
	}
	switch {
	case v.Is(ordjson.Array):
		return m, failure(rpcInvalidRequest, CodeBatch, "found a batch of %d messages; MCP has no batches, send one message a line", v.Len())
	case !v.Is(ordjson.Object):
		return m, failure(rpcInvalidRequest, CodeNotRequest, "expected a JSON-RPC message, an object; found %s", v.Kind())
	}
	id, method := v.Get("id"), v.Get("method")
	if id.Is(ordjson.String) || id.Is(ordjson.Number) {
		m.id, m.key = idText(text, id), idKey(id)
	}
	switch {
	case v.Get("jsonrpc").Str() != "2.0":
		return m, failure(rpcInvalidRequest, CodeNotRequest, `expected "jsonrpc":"2.0", found %s`, shown(v.Get("jsonrpc")))
	case !method.Exists() && (v.Get("result").Exists() || v.Get("error").Exists()):
		return m, nil
	case !method.Is(ordjson.String) || method.Str() == "":
		return m, failure(rpcInvalidRequest, CodeNotRequest, `expected "method" to be a string such as "tools/list", found %s`, shown(method))
	case id.Exists() && m.key == "":
		return m, failure(rpcInvalidRequest, CodeNotRequest, `expected "id" to be a string or a number, found %s; leave it out for a notification`, shown(id))
	}
	if !id.Exists() {
		m.id = ""
	}
	m.method, m.params = method.Str(), v.Get("params")
	if m.params.Exists() && !m.params.Is(ordjson.Object) {
		return m, failure(rpcInvalidParams, CodeBadParams, `expected "params" to be an object, found %s`, m.params.Kind())
	}
	return m, nil
}

// shown is a value as an error message shows it, cut where it is long.
func shown(v ordjson.Value) string {
	if !v.Exists() {
		return "none"
	}
	if text := ordjson.Text(v); len(text) <= 60 {
		return text
	}
	return "a long " + v.Kind().String()
}

// idText returns the text of an id as it stands in the message.
func idText(text string, id ordjson.Value) string {
	if id.Is(ordjson.Number) {
		return id.NumberText()
	}
	start := id.Pos()
	end := start + 1
	for text[end] != '"' {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	return text[start : end+1]
}

func idKey(id ordjson.Value) string {
	switch id.Kind() {
	case ordjson.String:
		return "s" + id.Str()
	case ordjson.Number:
		return "n" + id.NumberText()
	}
	return ""
}

// appendAnswer appends the start of an answer; its result and the end of the
// line, answerEnd, follow.
func appendAnswer(b []byte, id string) []byte {
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	return append(b, `,"result":`...)
}

const answerEnd = "}\n"

// appendError appends the line of an error, with its newline.
func appendError(b []byte, id string, e *rpcError) []byte {
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	b = append(b, `,"error":{"code":`...)
	b = fmt.Appendf(b, "%d", e.code)
	b = append(b, `,"message":`...)
	b = ordjson.AppendString(b, strings.ToValidUTF8(e.message, "\uFFFD"))
	if e.data.Exists() {
		b = append(b, `,"data":`...)
		b = ordjson.Append(b, e.data)
	}
	return append(b, "}}\n"...)
}
