package serve

import (
	"bytes"
	"encoding/json"
	"regexp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// idOf finds the id of a message of which only the first and the last bytes can
// be read, so that its sender gets the error and does not wait for an answer.
// Clients in Python and Go write the id before the params, those in TypeScript
// after them.
func idOf(start, end []byte) string {
	if id := idAhead(start); id != "" {
		return id
	}
	if found := lastID.FindSubmatch(end); found != nil {
		return string(found[1])
	}
	return noID
}

// lastID matches the end of a message whose last members are jsonrpc and id. An
// id alone could be one of the params of a message that was cut off.
var lastID = regexp.MustCompile(`"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*\}\s*$`)

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
