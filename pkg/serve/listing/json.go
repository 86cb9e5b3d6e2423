package listing

import (
	"bytes"
	"encoding/json"
)

// AppendJSON appends a value of a type of the protocol, with <, > and & as they
// are. All of them can be encoded.
func AppendJSON(b []byte, v any) []byte {
	buf := bytes.NewBuffer(b)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// Reopened takes the end off an object, for further members.
func Reopened(b []byte) []byte {
	if b = b[:len(b)-1]; b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	return b
}
