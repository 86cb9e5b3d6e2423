package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// message is a request, a notification, which has no ID, or the answer to a request
// of ours, which has no method (JSON-RPC 2.0).
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// maxMessage is how many bytes a message may have: a module of the largest size, with
// every character escaped.
const maxMessage = 8 << 20

var errTooLong = errors.New("a message is longer than 8 MiB, and is not read")

// readMessage reads a message with its header. The error is errTooLong or a
// *json.SyntaxError where the next message can be read all the same.
func readMessage(r *bufio.Reader) (m message, err error) {
	size, err := readHeader(r)
	if err != nil {
		return m, err
	}
	if size > maxMessage {
		if _, err := io.CopyN(io.Discard, r, size); err != nil {
			return m, err
		}
		return m, errTooLong
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(r, body); err != nil {
		return m, err
	}
	return m, json.Unmarshal(body, &m)
}

// readHeader reads the header of a message, whose length it returns.
func readHeader(r *bufio.Reader) (int64, error) {
	size := int64(-1)
	for first := true; ; first = false {
		line, err := r.ReadSlice('\n') // no longer than the buffer
		switch {
		case first && len(line) == 0 && err != nil:
			return 0, err
		case err != nil || len(bytes.TrimSpace(line)) > 0 && !bytes.Contains(line, []byte(":")):
			return 0, fmt.Errorf("found %.40q, expected a header of the Language Server Protocol: an editor starts "+
				"this command", line)
		}
		name, value, _ := strings.Cut(strings.TrimSpace(string(line)), ":")
		switch {
		case strings.EqualFold(name, "Content-Length"):
			if size, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64); err != nil || size < 0 {
				return 0, fmt.Errorf("found Content-Length %q, expected a number of bytes", value)
			}
		case name == "" && size >= 0:
			return size, nil
		case name == "":
			return 0, errors.New("found a header without Content-Length")
		}
	}
}

// The errors of JSON-RPC and LSP.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeNoMethod       = -32601
	codeInvalidParams  = -32602
	codeNotInitialized = -32002
	codeFailed         = -32803
)

// failure is the error of an answer.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (f *failure) Error() string { return f.Message }

type success struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
}

type refusal struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   *failure        `json:"error"`
}

// notice is a notification, or with an ID a request, of ours.
type notice struct {
	Version string `json:"jsonrpc"`
	ID      string `json:"id,omitempty"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

// writeMessage writes a message with its header.
func writeMessage(w io.Writer, m any) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}
