// Package compatibility holds fmcp's own rules, for what catalogs write and the
// specification does not have, or the other way round.
package compatibility

import (
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// Families are the rules of this package.
var Families = [][]engine.Rule{compatRules, misspeltRules, keyRules}

// compatRules are our own codes for what the field writes and the
// specification does not have, or the other way round. docs/decisions.md says for each
// how it is read.
var compatRules = []engine.Rule{
	{
		Code: "CMP001", Name: "server-param-bare", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "Bare server parameters",
		Summary: "A server parameter is written {{SERVER_PARAM:KEY}}, not {{KEY}}.",
		Why:     "The bare form is read as a server parameter here; a reader that keeps to chapter 02 sends the braces as they stand.",
		Fix:     "Write {{SERVER_PARAM:KEY}}.",
		Check:   checkBareServerParam,
	},
	{
		Code: "CMP002", Name: "server-param-undeclared", Spec: record.SeverityError, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "Bare server parameters",
		Summary: "Every server parameter that a schema uses is declared in main.requiredServerParams.",
		Why:     "The declaration is how a user learns which keys to supply, and what is checked before a tool is offered.",
		Fix:     "Add the key to requiredServerParams; write {{USER_PARAM}} if the user gives the value.",
		Check:   checkUndeclaredServerParam,
	},
	{
		Code: "CMP019", Name: "server-param-name", Spec: record.SeverityError, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "05",
		Summary: "Each entry of main.requiredServerParams is a name that an environment variable can have.",
		Why:     "SERVER_PARAM: belongs into placeholders, and is left out here; any other text that is no name can never be set, and the tools are never offered.",
		Fix:     "Write the bare name: requiredServerParams: ['API_KEY'].",
		Check:   checkServerParamNames,
	},
	{
		Code: "CMP003", Name: "path-colon-key", Spec: record.SeverityError, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "Path placeholders",
		Summary: "Placeholders of a path are written {{key}}, not :key or {key}.",
		Why:     "A colon and braces may stand in a path on their own account; only the double braces say for certain what is meant.",
		Fix:     "Write {{key}}.",
		Check:   checkLegacyPath,
	},
	{
		Code: "CMP004", Name: "regex-option", Spec: record.SeverityError, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "Regex option",
		Summary: "z.options has no regex().",
		Why:     "Chapter 02 leaves regular expressions out because AI clients work poorly with them; one that cannot be applied here is not checked at all.",
		Fix:     "Use min(), max() or length(), and describe the form in the tool's description.",
		Check:   checkRegex,
	},
	{
		Code: "CMP005", Name: "schema-version", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "Missing version and hash",
		Summary: "main.schemaVersion is present, a version of three numbers.",
		Why:     "It is the version of the schema's content, which grades and snapshots refer to; a malformed one is an error.",
		Fix:     "Write schemaVersion: '1.0.0'.",
		From:    engine.Spec42,
		Check:   checkSchemaVersion,
	},
	{
		Code: "CMP006", Name: "schema-hash", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "Missing version and hash",
		Summary: "main.schemaHash is present and is the hash of main: 8 hex digits.",
		Why:     "It shows that the content is the one that was graded; one that does not match is an error.",
		Fix:     "Write the hash that the message names.",
		From:    engine.Spec42,
		Check:   checkSchemaHash,
	},
	{
		Code: "CMP007", Name: "enum-spaces", Spec: record.SeverityInfo, Community: record.SeverityInfo, Since: "fmcp 0.1", Chapter: "Spaces in enum",
		Summary: "The values of enum() have no spaces around their commas.",
		Why:     "The spaces are trimmed here; a reader that keeps to chapter 02 makes them part of the value.",
		Fix:     "Write enum(A,B).",
		Check:   func(p *engine.Pass) { p.ZProblems(zod.EnumSpaces) },
	},
	{
		Code: "CMP008", Name: "body-without-body", Spec: record.SeverityError, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "Body of GET",
		Summary: "Body parameters belong to POST and PUT.",
		Why:     "A GET or DELETE request has no body: the value would not be sent.",
		Fix:     "Write location: 'query', or method: 'POST'.",
		Check:   checkBodyMethod,
	},
	{
		Code: "CMP009", Name: "list-ref-legacy", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "List references",
		Summary: "A list reference has ref and filter.key, not name and filter.field.",
		Why:     "The old words are read here; other readers know the new ones only.",
		Fix:     "Rename name to ref and field to key.",
		Check:   checkLegacyRef,
	},
	{
		Code: "CMP010", Name: "schema-names", Spec: record.SeverityInfo, Community: record.SeverityInfo, Since: "fmcp 0.1", Chapter: "File names",
		Summary: "File and schema names are PascalCase or kebab-case.",
		Why:     "The file name is part of the schema's ID, so other styles make IDs that are hard to guess.",
		Fix:     "Rename the file to simple-price.mjs or SimplePrice.mjs, the schema to SimplePrice.",
		Check:   checkNames,
	},
	{
		Code: "CMP011", Name: "enum-values-option", Spec: record.SeverityError, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "02",
		Summary: "The values of an enum stand in enum(A,B), not in an option values(A,B).",
		Why:     "The option is read here; for a reader that keeps to chapter 02 the enum has no values at all.",
		Fix:     "Move the values into the primitive and remove the option.",
		Check:   func(p *engine.Pass) { p.ZProblems(zod.ValuesOption) },
	},
	{
		Code: "CMP012", Name: "z-notation", Spec: record.SeverityError, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "02",
		Summary: "Values in a z block have no quotes or brackets, and each option is a string of its own.",
		Why:     "What is meant is read here; a reader that keeps to chapter 02 makes the quotes part of the value and does not know the option.",
		Fix:     "Write enum(A,B), default(A), and one option in each string.",
		Check:   func(p *engine.Pass) { p.ZProblems(zod.Quoted, zod.JoinedOptions) },
	},
	{
		Code: "CMP013", Name: "z-without-effect", Spec: record.SeverityInfo, Community: record.SeverityInfo, Since: "fmcp 0.1", Chapter: "02",
		Summary: "Each option applies to its primitive, and each enum value stands there once.",
		Why:     "Chapter 02 ignores such an option, so what the author wants checked is not.",
		Fix:     "Remove the option or the repeated value.",
		Check:   func(p *engine.Pass) { p.ZProblems(zod.IgnoredOption, zod.RepeatedValue) },
	},
	{
		Code: "CMP021", Name: "description-field", Spec: record.SeverityInfo, Community: record.SeverityInfo, Since: "fmcp 0.1", Chapter: "Descriptions of parameters",
		Summary: "A parameter, its z block or an output has no description; no chapter names one.",
		Why:     "The text is read here: it is in the input schema, where a model sees it. Other readers may drop it or refuse the field.",
		Fix:     "Keep it, and say in the tool's description what every reader has to know.",
		Check:   checkDescriptionFields,
	},
	{
		Code: "CMP014", Name: "ignore-reason", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "09",
		Summary: "A fmcp-ignore comment names codes and says why their findings are no fault.",
		Why:     "Whoever reads the schema next must be able to judge whether the reason still holds; without one the comment takes nothing back.",
		Fix:     "Write // fmcp-ignore VAL107 and the reason behind it.",
	},
	{
		Code: "CMP015", Name: "ignore-code", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "09",
		Summary: "A fmcp-ignore comment names codes of rules that there are.",
		Why:     "A mistyped code takes nothing back, and looks as if it did.",
		Fix:     "Name the code that the finding shows.",
	},
	{
		Code: "CMP016", Name: "ignore-unused", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "09",
		Summary: "A fmcp-ignore comment takes back a finding of its own line, or, alone on a line, of the next line of code.",
		Why:     "One that is left behind hides the next fault in that place.",
		Fix:     "Remove the comment, or move it to the line that the finding names.",
	},
	{
		Code: "CMP017", Name: "ignore-reach", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "05",
		Summary: "A fmcp-ignore comment takes back findings of fmcp-validate only, none about forbidden code.",
		Why:     "A schema is a stranger's: what chapter 05 forbids is for the user to allow, not for the author.",
		Fix:     "Correct what is reported; a user who trusts the file can lower the finding in a file that --config names.",
	},
	{
		Code: "CMP040", Name: "resource-own-file", Spec: record.SeverityError, Community: record.SeverityError, Since: "fmcp 0.2", Chapter: "13",
		Summary: "The path of an http resource is no other resource's: no http resource with another url has it, and no file-based database.",
		Why:     "A file holds the download of one url. Of two that share it the second is refused when it is called (EXE079), and what is written to it is lost with the next download.",
		Fix:     "Write a path that begins with the namespace: path: 'tranco-ranking.db'.",
		From:    engine.Spec30, Catalog: true,
		Check: checkOwnFile,
	},
	{
		Code: "CMP018", Name: "agent-hash", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "fmcp 0.1", Chapter: "06",
		Summary: "agent.hash, where there is one, is the hash of the agent's tools as the catalog has them.",
		Why:     "A difference says that a tool has changed since somebody last looked whether the agent still works with it.",
		Fix:     "Review what changed in the tools, then write the new hash.",
		From:    engine.Spec30, On: []record.Type{record.TypeAgent}, Catalog: true, Check: checkAgentHash,
	},
	{
		Code: "CMP026", Name: "content-hash", Spec: record.SeverityError, Community: record.SeverityWarning, Since: "fmcp 0.2", Chapter: "Content hash",
		Summary: "The contentHash of registry.json, where there is one, is that of the files that it lists.",
		Why:     "It says that the files are those that were looked at; one that has changed since makes it wrong.",
		Fix:     "Look at what has changed, then write the hash that the message names.",
		On:      []record.Type{record.TypeRegistry}, Catalog: true,
		Check: checkContentHash,
	},
}

// checkRegex reports a regex() once: that it cannot be applied outweighs that
// it is there.
func checkRegex(p *engine.Pass) {
	p.EachParam(func(_ *engine.Tool, q *engine.Param) {
		for i, pr := range q.Problems {
			switch pr.Kind {
			case zod.BadRegex:
				p.Report(q.ProblemNode(pr), pr.Msg, pr.Fix)
			case zod.RegexOption:
				if i+1 == len(q.Problems) || q.Problems[i+1].Kind != zod.BadRegex {
					p.Report(q.ProblemNode(pr), pr.Msg, pr.Fix)
				}
			}
		}
	})
}

func checkSchemaVersion(p *engine.Pass) {
	v := p.Schema.Get("schemaVersion")
	switch {
	case !v.Exists():
		p.Expect(p.Schema.Node, "schemaVersion", p.MainFields(), "the version of the schema's content", "write schemaVersion: '1.0.0'")
	case !engine.IsSemver(v.Str()):
		p.ReportAs(record.SeverityError, p.Schema.At("schemaVersion"), engine.Found(v)+", expected a version such as '1.0.0'", "write schemaVersion: '1.0.0'")
	}
}

func checkSchemaHash(p *engine.Pass) {
	v, hash := p.Schema.Get("schemaHash"), p.Load.Hashes.Schema
	fix := "write schemaHash: '" + hash + "' when the schema is final"
	if hash == "" {
		fix = "write the first 8 hex digits of the SHA-256 of main"
	}
	switch {
	case !v.Exists():
		p.Expect(p.Schema.Node, "schemaHash", p.MainFields(), "the hash of main", fix)
	case !engine.IsHash8(v.Str()):
		p.ReportAs(record.SeverityError, p.Schema.At("schemaHash"), engine.Found(v)+", expected 8 hex digits", fix)
	case hash != "" && v.Str() != hash:
		p.ReportAs(record.SeverityError, p.Schema.At("schemaHash"), engine.Found(v)+", but the hash of main is "+engine.Quote(hash), fix)
	}
}

func checkBodyMethod(p *engine.Pass) {
	for i := range p.Tools {
		t := &p.Tools[i]
		method := t.Get("method").Str()
		if method != "GET" && method != "DELETE" {
			continue
		}
		for j := range t.Params {
			if q := &t.Params[j]; q.Location == "body" {
				p.Report(q.At("position").At("location"), "found a body parameter in a "+method+" tool, which has no body; expected query or insert",
					"write location: 'query', or method: 'POST' if the API takes a body")
			}
		}
	}
}

func checkLegacyRef(p *engine.Pass) {
	for _, r := range p.Refs {
		if r.Get("name").Is(ordjson.String) && !r.Get("ref").Exists() {
			p.Report(r.At("name"), "found name, expected ref", "rename name to ref")
		}
		if r.Filter.Get("field").Exists() && !r.Filter.Get("key").Exists() {
			p.Report(r.At("filter").At("field"), "found field, expected key", "rename field to key")
		}
	}
}
