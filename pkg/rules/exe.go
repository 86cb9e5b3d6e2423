package rules

import "github.com/flowmcp/fmcp/pkg/record"

// callRules are the codes for calls that fail. fmcp-exec and fmcp-serve report
// them in the messages of an envelope; here are their rows.
var callRules = []Rule{
	lod("EXE001", "call-unknown-tool", "The tool of a call is in the catalog.", "Nothing can be called under a name that nothing has.", "Use the Spec-ID or the MCP name of a tool; the message names the nearest."),
	lod("EXE002", "bad-tool-record", "A tool's resolved record has a usable method, parameters and locations.", "A request cannot be derived from it.", "Resolve the catalog anew, and mend what fmcp-validate reports."),
	lod("EXE010", "unknown-parameter", "A call gives only parameters that the tool has.", "A misspelt optional parameter would be lost silently.", "Use a key of the input schema."),
	lod("EXE011", "missing-parameter", "A call gives every required parameter.", "The upstream would answer something else, or an error.", "Give the parameter."),
	lod("EXE012", "bad-value", "Values meet primitive and options, and stay inside their path segment.", "A bad value costs a call, or reaches another path.", "Send a value that the message allows."),
	lod("EXE013", "hidden-parameter", "Fixed and server parameters are not accepted from the caller.", "They belong to the schema and to the operator (chapter 02).", "Leave it out."),
	lod("EXE020", "missing-server-parameter", "Server parameters that a request needs are set.", "The upstream would refuse the call.", "Export the variable, or put KEY=value into a file named by --env-file."),
	lod("EXE021", "unbuildable-request", "Root, path, headers and values make a valid https request.", "A wrong URL or header could reach another host.", "Mend root, path or placeholder in the schema, or the server parameter's value."),
	lod("EXE030", "host-refused", "Calls go by https to the schema's own host.", "A stranger's schema must not choose other hosts.", "Add --allow-host HOST[:PORT] if you trust it."),
	lod("EXE031", "address-refused", "The addresses of a host are public ones.", "Private and metadata addresses expose the operator's network.", "Add --allow-host, or --allow-private."),
	lod("EXE032", "redirect-refused", "Redirects stay inside the policy, carry no key to another host, and are at most five.", "A redirect could carry a request or a key elsewhere.", "Use the final URL as root, or add --allow-host or --max-redirects."),
	lod("EXE033", "connection-failed", "The host can be found and reached.", "Without a connection there is no answer.", "Check the network and main.root, and try again."),
	lod("EXE034", "tls-failed", "The certificate of the host is trusted.", "Anyone could read the keys otherwise.", "Name an authority of your own by --ca-file."),
	lod("EXE035", "timeout", "The answer is whole within the time limit.", "A call must not hang its caller.", "Try again, ask for less, or raise --timeout, --connect-timeout or --host-rate, as the message says."),
	lod("EXE036", "cancelled", "The caller waits for the answer.", "The client gave up or was stopped.", "Call again."),
	lod("EXE037", "answer-too-large", "The answer stays under the size limit.", "Memory is bounded.", "Ask for less, or raise --max-response."),
	lod("EXE040", "upstream-refused", "The upstream answers with a status below 400.", "A status from 400 to 499 means that the request was not accepted.", "Follow the message: the parameters, the key, or wait."),
	lod("EXE041", "upstream-failed", "The upstream answers with a status below 500.", "The provider has a problem of its own.", "Try again later."),
	lod("EXE042", "answer-not-json", "A JSON tool is answered with JSON.", "application/json is the default of chapter 04.", "Declare output.mimeType, or mend the schema."),
	lod("EXE050", "handlers-not-run", "The handlers of a tool can be run: the catalog carries their source, and a worker process can be started.", "Without them the tool would return something else than its author means.", "Resolve the catalog anew, with the schema's file at hand."),
	lod("EXE051", "handler-failed", "A handler returns, it does not throw.", "There is nothing to go on with.", "Mend the handler at the line that the message names."),
	lod("EXE052", "handler-too-slow", "A handler ends within its time and makes at most 100 fetches.", "A call must not hang its caller.", "Do less in the handler; look for a loop or a promise that nothing settles."),
	lod("EXE053", "handler-too-large", "A handler stays under the limits of memory and stack.", "Memory is bounded.", "Ask the upstream for less, or keep less of it."),
	lodAs(record.SeverityInfo, "EXE060", "test-skipped", "The server parameters of a tested tool are set.", "Without its key the test cannot be run; that says nothing about the tool.", "Export the variable, or put KEY=value into a file named by --env-file."),
	lodAs(record.SeverityInfo, "EXE061", "no-tests", "A tool has tests.", "Nothing shows that it works (TST001).", "Write three tests that differ."),
	lod("EXE062", "bad-test", "A test is an object with _description and the values of a call.", "Nobody learns from it what it shows, or it cannot be run (chapter 10).", "Write { _description: 'what this test shows', key: value }."),
	lod("EXE070", "resource-missing", "The file of a resource is where its origin says, and can be read.", "There is nothing to answer from.", "Put the file there, or correct origin and name."),
	lod("EXE071", "database-damaged", "The file of a database is a whole SQLite database.", "What is read from a damaged one may be wrong.", "Replace the file: from its source, or from NAME.db.bak."),
	lod("EXE072", "statement-refused", "A statement does what the mode of its resource allows: one SELECT, or anything where it is file-based.", "Databases that are only read never change (chapter 13).", "Send one statement that begins with SELECT or WITH."),
	lod("EXE073", "statement-failed", "A statement is SQL that fits the database and its placeholders.", "SQLite does not accept it.", "Follow the message; describeTables lists tables and columns."),
	lod("EXE074", "query-too-slow", "A query ends within its time limit.", "A call must not hang its caller.", "Ask for less, or use a column that has an index."),
	lod("EXE075", "resource-path-refused", "The name or path of a resource is that of a regular file in the folder of its origin.", "A stranger's schema must not choose other files of the machine.", "Write the name of a file without folders, and put the file itself there, not a link that leads out."),
	lod("EXE085", "rows-too-large", "Rows, values and what SQLite needs to make them stay under the limits of memory.", "Memory is bounded.", "Ask for fewer rows or columns."),
	lod("EXE086", "database-busy", "A database is free for a query within its time.", "Another process or query holds it.", "Try again when the other is done."),
	lod("EXE087", "change-not-stored", "A change of a file-based database can be written.", "The disk is full or broken, or the backup before the first change failed. Nothing was changed.", "Make room, check the permissions of file and folder, and send the statement again."),
	lod("EXE090", "internal", "fmcp itself works.", "This is a defect in fmcp.", "Report it with the id of the tool."),
}
