package commands

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// serveRules are the codes for what goes wrong between fmcp-serve and a client:
// data.code of a JSON-RPC error, or the start of a message.
var serveRules = []engine.Rule{
	lodAs(record.SeverityError, "MCP001", "frame-too-long", "A message is no longer than the frame limit.", "It would have to be held in memory whole.", "Send less in one message."),
	lodAs(record.SeverityError, "MCP002", "not-json", "A line is JSON in UTF-8.", "It can neither be read nor matched to an id.", "Send one JSON-RPC message a line."),
	lodAs(record.SeverityError, "MCP003", "not-a-request", "A message is a JSON-RPC 2.0 message.", "It cannot be answered by its id.", "Give jsonrpc, method, and an id that is a string or a number."),
	lodAs(record.SeverityError, "MCP004", "batch", "Messages come one by one.", "MCP has no batches.", "Send one message a line."),
	lodAs(record.SeverityError, "MCP005", "bad-params", "params, the name of a tool and a cursor have their form.", "The request means nothing.", "Follow the form that the message names."),
	lodAs(record.SeverityError, "MCP006", "unknown-tool", "The tool of a call is listed.", "There is nothing to call, or it is hidden for want of keys (MCP022).", "Take a name from tools/list."),
	lodAs(record.SeverityError, "MCP007", "bad-arguments", "arguments is an object.", "Parameters go by name.", "Give an object, {} for no arguments."),
	lodAs(record.SeverityError, "MCP008", "answer-too-long", "An answer is no longer than 10 MiB.", "Clients die of longer lines.", "Narrow the call: a filter, a limit, a page."),
	lodAs(record.SeverityError, "MCP009", "stopping", "Calls are made while the server runs.", "The client or the system has ended it.", "Call again after a restart."),
	lodAs(record.SeverityError, "MCP010", "call-failed", "fmcp itself works.", "This is a defect in fmcp.", "Report it with what the server said on stderr."),
	lodAs(record.SeverityError, "MCP011", "not-offered", "A client asks for what the server offers.", "The tools of a server do not change, so that a subscription would wait for ever.", "Do not subscribe."),
	lodAs(record.SeverityError, "MCP012", "unknown-resource", "The address of a read is listed.", "There is nothing to read there.", "Take an address from resources/list, or fill in one of resources/templates/list."),
	lodAs(record.SeverityError, "MCP020", "not-servable", "A tool record can be served, and its Spec-ID occurs once.", "One tool that cannot makes clients reject the whole list.", "Run fmcp-resolve again."),
	lodAs(record.SeverityError, "MCP021", "name-taken", "Every tool has an MCP name of its own.", "A call could mean either.", "Run fmcp-resolve again."),
	lodAs(record.SeverityWarning, "MCP022", "tools-hidden", "The server parameters of the tools are set.", "Tools without them could only fail, and are not listed.", "Write the keys into an env file; fmcp-exec keys lists them, and --template makes the file."),
	lodAs(record.SeverityWarning, "MCP023", "resource-refused", "The database of a sqlite-gtfs resource is there and has its seal when the server starts.", "Its tools could only fail, and are not listed (chapter 13, Seal Requirement).", "Follow the code in the message, make the database by fmcp-exec resource import-gtfs, and start the server anew."),
}
