// Package exec calls the tools of a resolved catalog over HTTP: it checks the
// parameters, builds the request in one place, sends it under a network policy,
// reads the answer, and always returns an envelope. Server parameters enter the
// request last and are redacted from everything that leaves the package
// (chapters 02, 04 and 05; README, "Trust and keys").
package exec

import (
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The codes of failed calls. Each is a rule row in pkg/rules, which --explain
// prints.
const (
	CodeUnknownTool    = "EXE001"                 // no tool of that Spec-ID or MCP name
	CodeBadRecord      = "EXE002"                 // the tool's resolved record cannot be used
	CodeUnknownParam   = "EXE010"                 // a parameter that the tool does not have
	CodeMissingParam   = "EXE011"                 // a required parameter was not given
	CodeBadValue       = fetch.CodeBadValue       // a value that the z-block refuses
	CodeHiddenParam    = "EXE013"                 // a fixed or server parameter was given
	CodeMissingServer  = "EXE020"                 // a server parameter is not set
	CodeUnbound        = "EXE091"                 // a server parameter that is not bound to the domain
	CodeBadRequest     = fetch.CodeBadRequest     // no valid URL or header can be built
	CodeHostRefused    = fetch.CodeHostRefused    // scheme or host outside the network policy
	CodeAddressRefused = fetch.CodeAddressRefused // the host's address is not a public one
	CodeRedirect       = fetch.CodeRedirect       // a redirect outside the policy, or too many
	CodeConnect        = fetch.CodeConnect        // no connection: name, address, network
	CodeTLS            = fetch.CodeTLS            // the server's certificate is not trusted
	CodeTimeout        = fetch.CodeTimeout        // no answer in time
	CodeCancelled      = fetch.CodeCancelled      // the caller gave up
	CodeTooLarge       = fetch.CodeTooLarge       // the answer is larger than the limit
	CodeNotRepeated    = "EXE038"                 // a further attempt of a call that is not safe to repeat
	CodeClientStatus   = fetch.CodeClientStatus   // HTTP status 400 to 499
	CodeServerStatus   = fetch.CodeServerStatus   // HTTP status 500 and above, or below 200
	CodeNotJSON        = "EXE042"                 // a JSON tool was answered with something else
	CodeNotReadOnly    = "EXE043"                 // a handler of a read-only tool sends what may change something
	CodeHandlers       = "EXE050"                 // the handlers cannot be run: their source or a worker is missing
	CodeMovedSecret    = "EXE055"                 // a handler puts a server parameter where the schema does not
	CodeMembersFail    = "EXE059"                 // members of a selection or an agent whose tests fail
	CodeTestSkipped    = "EXE060"                 // a test was not run, for want of a server parameter
	CodeNoTests        = "EXE061"                 // a tool without tests
	CodeBadTest        = "EXE062"                 // a test that is not an object with _description and values
	CodeNoRecording    = fetch.CodeNoRecording    // --replay has no answer to the request
	CodeRecording      = fetch.CodeRecording      // a recording that cannot be read or written
	CodeBadAgentTest   = "EXE069"                 // a test of an agent that cannot come true
	CodeModel          = "EXE095"                 // a model command that gives no answer
	CodeAgentTest      = "EXE096"                 // a model called or answered something else than a test expects
	CodeNoAnswer       = "EXE097"                 // a test that nobody has answered
	CodePartly         = "EXE080"                 // the answer is not all there is; the call succeeded
	CodeNotMade        = "EXE088"                 // a database that is not made
	CodeUnknownQuery   = "EXE089"                 // no query of that name, or none named
	CodeInternal       = "EXE090"                 // a defect of this program
)

// fail is why a call failed. The message holds no server parameter's value, except
// where it quotes the upstream; who shows it redacts it.
func fail(code, format string, args ...any) *words.Problem {
	return words.Problemf(code, format, args...)
}
