// Package fetch sends requests under a network policy: which hosts and
// addresses may be called, how often, for how long and for how much; and it
// records and replays what they answer. It knows no tool and no catalog
// (chapter 05, "Trust Boundary"; README, "Trust and keys").
package fetch

import "fmt"

// The codes of requests that fail.
const (
	CodeBadValue       = "EXE012" // a value that leads to another path
	CodeBadRequest     = "EXE021" // no valid URL or header can be built
	CodeHostRefused    = "EXE030" // Scheme or host outside the network policy
	CodeAddressRefused = "EXE031" // the host's address is not a public one
	CodeRedirect       = "EXE032" // a redirect outside the policy, or too many
	CodeConnect        = "EXE033" // no connection: name, address, network
	CodeTLS            = "EXE034" // the server's certificate is not trusted
	CodeTimeout        = "EXE035" // no answer in time
	CodeCancelled      = "EXE036" // the caller gave up
	CodeTooLarge       = "EXE037" // the answer is larger than the limit
	CodeClientStatus   = "EXE040" // HTTP status 400 to 499
	CodeServerStatus   = "EXE041" // HTTP status 500 and above, or below 200
	CodeNoRecording    = "EXE067" // --replay has no answer to the request
	CodeRecording      = "EXE068" // a recording that cannot be read or written
)

// Error is why a request, or a call, failed. Its message holds no server
// parameter's value, except where it quotes the upstream; who shows it redacts
// it.
type Error struct {
	Code string
	Msg  string

	temporary bool // the same request may succeed when sent again
}

// Error returns code and message.
func (e *Error) Error() string { return e.Code + " " + e.Msg }

func fail(code, format string, args ...any) *Error {
	return &Error{Code: code, Msg: fmt.Sprintf(format, args...)}
}
