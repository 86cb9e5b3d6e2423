// Package commands holds the rows of the codes that commands report themselves:
// no rule finds what they are about.
package commands

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// Families are the rules of this package.
var Families = [][]engine.Rule{loadRules, callRules, serveRules, feedRules}

// loadRules are the codes for what happens before there is anything to check:
// walking, reading, the stream itself. Other stages report them; here are
// their rows.
var loadRules = []engine.Rule{
	lod("LOD001", "file-unreadable", "Every file of the tree can be read.", "A file that cannot be read is missing from all that follows.", "Give the file read permission, or leave it out with --exclude."),
	lod("LOD002", "file-encoding", "Files are UTF-8, and so are their names.", "JavaScript sources are; other bytes would be read as other characters than their author saw. Records cannot hold such a name.", "Save the file as UTF-8, or rename it."),
	lod("LOD003", "syntax", "A module is valid JavaScript.", "A module with a syntax error cannot be loaded by anybody.", "Correct the syntax at the place named."),
	lod("LOD004", "evaluation", "An export that is not literal can be evaluated in the sandbox.", "Nothing is known about a schema whose main cannot be had.", "Write the export as a literal: objects, arrays, strings, numbers."),
	lod("LOD005", "file-changed", "A file stays the same until all of it is read: when it is loaded after the scan, and when it is resolved if it has handlers.", "What the scan found out about it, its safety above all, does not hold for other content.", "Scan again when nobody is writing to the tree."),
	lodAs(record.SeverityInfo, "LOD006", "not-a-file", "Only regular files are read.", "Reading a pipe or a device may never end.", "Leave it out with --exclude."),
	lodAs(record.SeverityWarning, "LOD007", "broken-link", "Symbolic links lead to files and do not run in circles.", "A file behind such a link cannot be reached.", "Mend or remove the link."),
	{
		Code: "LOD010", Name: "not-literal", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "01",
		Summary: "main is a literal that is read without running code.",
		Why:     "Only then can it be hashed and checked without trust in its author; this one was evaluated in the sandbox.",
		Fix:     "Write out the value at the place named.",
	},
	{
		Code: "LOD011", Name: "handlers-unread", Spec: record.SeverityInfo, Community: record.SeverityInfo, Since: "fmcp 0.1", Chapter: "01",
		Summary: "The names in the object that handlers returns can be read without running it.",
		Why:     "Rules that ask which tools have handlers take it that these may have any.",
		Fix:     "Return an object literal from handlers.",
	},
	lod("LOD012", "scan-unclear", "What is code in a module, and what is text, can be told without a doubt.", "Where a slash may divide or start a regular expression, the scan for forbidden code reads the rest both ways; code that has dozens of them hides what it does.", "Write each regular expression as a const of its own, const pattern = /…/, and use its name."),
	lod("LOD020", "not-a-record", "Every line of the stream is a record: a JSON object with v and kind, and with what records of its kind cannot do without.", "A line that cannot be read is lost, and with it what it would have said.", "Look at the command that wrote the line."),
	lod("LOD021", "line-too-long", "A line of the stream is no longer than --max-line.", "The limit is what keeps memory bounded; the line was skipped whole.", "Raise --max-line, or make the record smaller."),
	lod("LOD022", "record-version", "Records are of a version that this command knows.", "A newer record may mean something else by the same words.", "Use the same release of fmcp for all commands of a pipe."),
	lod("LOD023", "empty-input", "There is input: records, or a tree with files of a catalog.", "An empty stream mostly means that a command before this one failed, and modules that are no part of a catalog that the export of a schema is misspelt.", "Look at the command before, or at the exports of the modules; allow it with --allow-empty."),
	lod("LOD039", "foreign-input", "Among the input is something that the command works on.", "Records of other kinds pass and files of other types are left alone, so that nothing would be done and all look well.", "Give the command what it works on, which the message names, or allow it with --allow-empty."),
	lodAs(record.SeverityWarning, "LOD040", "not-whole", "A stream closes with an end record, which counts what came before it.", "A stream that was cut, since the command before was ended or a disk is full, looks like a shorter one. With --require-end this is a failure.", "Make the stream again; a filter such as jq that leaves records out makes another stream, for which nobody can vouch."),
	lod("LOD041", "no-member", "The members of selections and agents are in the input, and tools and resources in the catalog.", "The selection or agent has less than it says. Where the member itself was left out, or a file could not be read, this is a warning: the cause has its own finding.", "Correct the ID, or what keeps the member out of the catalog."),
	lodAs(record.SeverityInfo, "LOD042", "unjudged", "What is referred to is in files that can be read.", "Whether a file that cannot be read defines it nobody knows; who refers to it is not blamed.", "Correct the file, which has its own finding, and validate again."),
	lodAs(record.SeverityWarning, "LOD030", "wire-name-collision", "Every tool has an MCP name of its own.", "A client calls tools by name; of two equal ones it could reach one. Both get a suffix.", "Rename one of the tools named."),
	lod("LOD031", "duplicate-id", "Every tool of a catalog has an ID of its own.", "An ID that two tools have names neither.", "Rename one of the tools, or one of the namespaces."),
	lod("LOD032", "catalogs-collide", "Tools and resources of different catalogs have different IDs.", "Catalogs that are served together share the IDs: a call could reach one only, so the second is left out.", "Serve the catalogs apart, or rename one namespace."),
	{
		Code: "LOD033", Name: "list-value", Spec: record.SeverityError, Community: record.SeverityError, Since: "fmcp 0.1", Chapter: engine.OwnCode,
		Summary: "The values of a list that an enum takes have no commas, and no quotes or spaces at their ends.",
		Why:     "The value cannot stand inside enum(), where a comma ends it.",
		Fix:     "Use another field of the list.",
		Check:   func(p *engine.Pass) { p.ListProblems("LOD033") },
	},
	lod("LOD034", "not-callable", "A tool has what it takes to make a request: method, path, root, parameters and a place for each.", "A tool that cannot be called is left out of the catalog.", "Correct what fmcp-validate reports about the tool."),
	{
		Code: "LOD035", Name: "body-dropped", Spec: record.SeverityError, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "Body of GET",
		Summary: "Body parameters belong to POST and PUT.",
		Why:     "A GET or DELETE request has no body: the tool is left out of the catalog, or, under --profile community, called without the parameter.",
		Fix:     "See CMP008, which names the place when the schema is validated.",
	},
	lodAs(record.SeverityWarning, "LOD036", "key-twice", "User parameters of one key have one type.", "The input schema has each key once, so callers see the first of the two only.", "Rename one of the keys, or give both the same z block."),
	lod("LOD038", "no-group", "The file of a selection or an agent exports its object.", "There is nothing to make a record of.", "Write export const selection = { … } or export const agent = { … }."),
	lod("LOD037", "unknown-id", "An ID that is asked for is defined by the input.", "There is nothing to answer with.", "Correct the ID; fmcp-resolve lists those that there are."),
	lodAs(record.SeverityWarning, "LOD047", "link-out", "Symbolic links stay below the folder that is scanned.", "A catalog is the work of somebody else; a link in it could have any file of this machine read, and its text shown in a finding. Such a link is not followed.", "Put the file itself there, or, where you trust the link, give fmcp-scan --follow."),
	lod("LOD048", "scan-unread", "fmcp-scan can read all of a module.", "Of what stands after the place named nobody has looked for forbidden code.", "Correct the syntax at the place named."),
}

func lod(code, name, summary, why, fix string) engine.Rule {
	return lodAs(record.SeverityError, code, name, summary, why, fix)
}

func lodAs(sev record.Severity, code, name, summary, why, fix string) engine.Rule {
	return engine.Rule{Code: code, Name: name, Spec: sev, Community: sev, Since: "fmcp 0.1", Chapter: engine.OwnCode, Summary: summary, Why: why, Fix: fix}
}
