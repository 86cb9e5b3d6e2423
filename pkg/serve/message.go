package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// Error is the error of a JSON-RPC answer.
type Error = mcp.JSONRPCErrorDetails

// failure is an error that carries a code of ours.
func failure(rpc int, code, format string, args ...any) *Error {
	return &Error{Code: rpc, Message: fmt.Sprintf(format, args...), Data: errorData{Code: code}}
}

type errorData struct {
	Code string `json:"code"`
	URI  string `json:"uri,omitempty"` // of a resource that is unknown
}

// Message is what a client sends: a request; a notification, which has no ID; or
// the answer to a request of ours, which has no method.
type Message struct {
	ID     string // as sent, a JSON text: large integers stay what they are
	Method mcp.MCPMethod
	Params ordjson.Value // object or Missing

	key      string        // equal for ids that are the same value
	size     int           // of the message, in bytes
	revision string        // of the protocol, see readRevision
	whole    ordjson.Value // of an answer
}

// NoID stands for the id of a message that has none that could be read: the
// answer is an error without an id.
const NoID = "none"

// Parse reads one message. With an error, the message has the ID to answer with;
// none, and nothing is answered.
func Parse(text string) (Message, *Error) {
	m := Message{ID: NoID, size: len(text)}
	v, err := ordjson.Parse(text)
	if err != nil {
		m.ID = idOf([]byte(text), []byte(text[max(0, len(text)-1024):]))
		return m, failure(mcp.PARSE_ERROR, CodeNotJSON, "not JSON: %v; send one JSON-RPC message a line, in UTF-8", err)
	}
	switch {
	case v.Is(ordjson.Array):
		return m, failure(mcp.INVALID_REQUEST, CodeBatch,
			"found a batch of %d messages; MCP has no batches, send one message a line", v.Len())
	case !v.Is(ordjson.Object):
		return m, failure(mcp.INVALID_REQUEST, CodeNotRequest, "expected a JSON-RPC message, an object; found %s",
			v.Kind())
	}
	id, method := v.Get("id"), v.Get("method")
	if id.Is(ordjson.String) || id.Is(ordjson.Number) {
		m.ID, m.key = idText(text, id), idKey(id)
	}
	switch {
	case v.Get("jsonrpc").Str() != "2.0":
		return m, failure(mcp.INVALID_REQUEST, CodeNotRequest, `expected "jsonrpc":"2.0", found %s`,
			ordjson.Shown(v.Get("jsonrpc")))
	case !method.Exists() && (v.Get("result").Exists() || v.Get("error").Exists()):
		m.whole = v
		return m, nil
	case !method.Is(ordjson.String) || method.Str() == "":
		return m, failure(mcp.INVALID_REQUEST, CodeNotRequest,
			`expected "method" to be a string such as "tools/list", found %s`, ordjson.Shown(method))
	case id.Exists() && m.key == "":
		return m, failure(mcp.INVALID_REQUEST, CodeNotRequest,
			`expected "id" to be a string or a number, found %s; leave it out for a notification`, ordjson.Shown(id))
	}
	if !id.Exists() {
		m.ID = ""
	}
	m.Method, m.Params = mcp.MCPMethod(method.Str()), v.Get("params")
	if m.Params.Exists() && !m.Params.Is(ordjson.Object) {
		return m, failure(mcp.INVALID_PARAMS, CodeBadParams, `expected "params" to be an object, found %s`,
			m.Params.Kind())
	}
	return m, nil
}

// idText returns the text of an id as it is in the message.
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

// idOf finds the id of a message of which only the first and the last bytes can
// be read, so that its sender gets the error and does not wait for an answer.
// Clients in Python and Go write the id before the params, those in TypeScript
// after them.
func idOf(start, end []byte) string {
	if id := idAhead(start); id != "" {
		return id
	}
	if found := lastID().FindSubmatch(end); found != nil {
		return string(found[1])
	}
	return NoID
}

// lastID matches the end of a message whose last members are jsonrpc and id. An
// id alone could be one of the params of a message that was cut off.
var lastID = lazy.Regexp(`"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*\}\s*$`)

// idAhead reads the members of an object until it comes to its id, or to what is
// not JSON.
func idAhead(text []byte) string {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return ""
	}
	for {
		key, err := d.Token()
		if err != nil || key == json.Delim('}') {
			return ""
		}
		if key != "id" {
			var skipped json.RawMessage
			if d.Decode(&skipped) != nil {
				return ""
			}
			continue
		}
		switch id, _ := d.Token(); id := id.(type) {
		case json.Number:
			return id.String()
		case string:
			return ordjson.Text(ordjson.NewString(id))
		}
		return ""
	}
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

// read reads params into a type of the protocol.
func (m *Message) read(params any) *Error {
	if !m.Params.Exists() {
		return nil
	}
	err := json.Unmarshal(ordjson.Append(nil, m.Params), params)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return failure(mcp.INVALID_PARAMS, CodeBadParams, "expected params.%s to be %s, found %s", wrong.Field,
			kindOf(wrong.Type), wrong.Value)
	}
	return nil
}

// kindOf says what a type is written as.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "an array"
	}
	return "an object"
}

// appendAnswer appends the line of an answer.
func appendAnswer(b []byte, id string, result any) []byte {
	return append(listing.AppendJSON(appendStart(b, id), result), "}\n"...)
}

// appendStart appends an answer up to its result.
func appendStart(b []byte, id string) []byte {
	return append(appendID(b, id), `,"result":`...)
}

// appendError appends the line of an error.
func appendError(b []byte, id string, e *Error) []byte {
	b = append(appendID(b, id), `,"error":`...)
	return append(listing.AppendJSON(b, e), "}\n"...)
}

// appendID appends a message up to its id. The types of the library would round
// the id.
func appendID(b []byte, id string) []byte {
	b = append(b, `{"jsonrpc":"2.0"`...)
	if id == NoID {
		return b
	}
	return append(append(b, `,"id":`...), id...)
}
