package serve

// The codes of what can go wrong while serving. A JSON-RPC error carries its
// code as data.code, an envelope at the start of its message.
const (
	CodeFrameTooLong    = "MCP001" // a line is longer than the limit
	CodeNotJSON         = "MCP002" // a line is not JSON
	CodeNotRequest      = "MCP003" // JSON, but no JSON-RPC 2.0 message
	CodeBatch           = "MCP004" // a JSON-RPC batch
	CodeBadParams       = "MCP005" // params of a wrong form
	CodeUnknownTool     = "MCP006" // no tool of that name
	CodeBadArguments    = "MCP007" // arguments that are not an object
	CodeAnswerTooLong   = "MCP008" // an answer that no client would accept
	CodeStopping        = "MCP009" // a call that the end of the server cut off
	CodeCallFailed      = "MCP010" // a fault of ours during a call
	CodeNotOffered      = "MCP011" // a method that this server does not offer
	CodeUnknownResource = "MCP012" // no resource of that URI
	CodeUnknownPrompt   = "MCP013" // no prompt of that name
	CodeNotAudited      = "MCP017" // a call that was not made, since it cannot be written down
	CodeOutOfScope      = "MCP018" // something of the catalog that the server was told to leave out
	CodeNotGiven        = "MCP019" // what a user was asked for and did not give
	CodeNameTaken       = "MCP021" // two tools with one MCP name
	CodeRefused         = "MCP023" // a resource that is not served, since its database has no seal
	CodeNotReady        = "MCP024" // an agent that does not start
	CodeManyTools       = "MCP025" // a list that is too long for most models
	CodeNotReloaded     = "MCP026" // a catalog that has changed and cannot be served
)
