// Package fetch sends requests under a network policy: which hosts and
// addresses may be called, how often, for how long and for how much; and it
// records and replays what they answer. It knows no tool and no catalog
// (chapter 05, "Trust Boundary"; README, "Trust and keys").
package fetch

import "github.com/flowmcp/fmcp/pkg/words"

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
	CodeClientStatus   = "EXE040" // HTTP status 400 to 499; 304, or no file
	CodeServerStatus   = "EXE041" // HTTP status 500 and above, or below 200
	CodeNoRecording    = "EXE067" // --replay has no answer to the request
	CodeRecording      = "EXE068" // a recording that cannot be read or written
)

// temporary is a problem that the same request may not meet when sent again.
type temporary struct{ *words.Problem }

func (t temporary) Unwrap() error { return t.Problem }

// fail is why a request failed. The message holds no server parameter's value,
// except where it quotes the upstream; who shows it redacts it.
func fail(code, format string, args ...any) *words.Problem {
	return words.Problemf(code, format, args...)
}
