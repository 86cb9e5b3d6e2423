// Package schema holds the rules for main, its tools and their parameters
// (chapters 01, 02, 09, 11 and 19).
package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Families are the rules of this package.
var Families = [][]engine.Rule{mainRules, toolRules, parameterRules, metaRules, preloadRules}

// unknownInResources reports the unknown fields of resources (VAL003).
func unknownInResources(p *engine.Pass) {
	for i := range p.Resources {
		p.Unknown(p.Resources[i].Node, p.Resources[i].Fields())
	}
	p.EachQuery(func(q *engine.Query) { p.Unknown(q.Node, engine.QueryFields) })
}

// mainRules are VAL001–VAL026: the exports and the fields of main (chapters
// 01 and 09).
var mainRules = []engine.Rule{
	{
		Code: "VAL001", Name: "main-export", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "A schema exports main as a named export.",
		Why:     "Everything that is known about a schema is read from main; without it there is nothing to load.",
		Fix:     "Write `export const main = { … }`.",
		Whole:   true,
		Check:   checkMainExport,
	},
	{
		Code: "VAL002", Name: "main-object", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "main is an object.",
		Why:     "main is read field by field and hashed as an object; no other value has fields.",
		Fix:     "Export an object literal as main.",
		Whole:   true,
		Check:   checkMainObject,
	},
	{
		Code: "VAL003", Name: "unknown-field", Spec: record.SeverityError, Community: record.SeverityWarning, Since: "2.0.0", Chapter: "09",
		Summary: "main, its tools, resources, queries, parameters, outputs and list references have no fields that the specification does not know.",
		Why:     "A field that nobody reads is a mistyped one or a belief that does not hold; either way the author thinks it does something.",
		Fix:     "Correct the spelling, move the field to where it belongs, or remove it.",
		Late:    true,
		Check:   checkUnknownFields,
	},
	{
		Code: "VAL004", Name: "handlers-function", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "handlers, where it is exported, is a function.",
		Why:     "handlers is called with the shared lists and libraries; a plain object cannot get them.",
		Fix:     "Write `export const handlers = ( { sharedLists, libraries } ) => ( { … } )`.",
		Check:   checkHandlersFunction,
	},
	{
		Code: "VAL005", Name: "handlers-keys", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "2.0.0", Chapter: "09",
		Summary: "The keys of the object that handlers returns are names of tools (or resources), its stages preRequest, executeRequest and postRequest (of a query postRequest alone).",
		Why:     "A handler under any other name is never called.",
		Fix:     "Rename the key to the tool that it belongs to.",
		Check:   checkHandlerNames,
	},
	{
		Code: "VAL010", Name: "namespace-required", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "main.namespace is a string.",
		Why:     "The namespace groups the schemas of a provider and is part of every ID.",
		Fix:     "Name the provider in lower case: namespace: 'coingecko'.",
		Check: func(p *engine.Pass) {
			p.ExpectText(p.Schema.Node, "namespace", p.MainFields(), "add the provider's name in lower case: namespace: 'coingecko'")
		},
	},
	{
		Code: "VAL011", Name: "namespace-pattern", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "main.namespace matches ^[a-z][a-z0-9-]*$ (^[a-z]+$ in version 2).",
		Why:     "The namespace is the first part of IDs such as coingecko/tool/simplePrice, where other characters have a meaning.",
		Fix:     "Use lower-case letters, digits and hyphens.",
		Check:   checkNamespace,
	},
	{
		Code: "VAL012", Name: "name-required", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "main.name is a string.",
		Why:     "The name is what people see in lists of schemas.",
		Fix:     "Add a name in PascalCase: name: 'SimplePrice'.",
		Check: func(p *engine.Pass) {
			p.ExpectText(p.Schema.Node, "name", p.MainFields(), "add a name in PascalCase: name: 'SimplePrice'")
		},
	},
	{
		Code: "VAL013", Name: "description-required", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "main.description is a string.",
		Why:     "The description is what a search for tools finds the schema by.",
		Fix:     "Say in one or two sentences what the schema does.",
		Check: func(p *engine.Pass) {
			p.ExpectText(p.Schema.Node, "description", p.MainFields(), "say in one or two sentences what the schema does")
		},
	},
	{
		Code: "VAL014", Name: "version", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "main.version is a version of the specification, 4.x.y; 3.x.y is reported as deprecated.",
		Why:     "The version says by which rules the rest of the schema is to be read.",
		Fix:     "Write version: '4.0.0', after migrating an older schema.",
		Check:   checkVersion,
	},
	{
		Code: "VAL015", Name: "root", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "main.root is present where there are tools; it starts with https:// and does not end with a slash.",
		Why:     "A tool's URL is root + path: without https everybody on the way reads keys and answers, and a final slash doubles the one that every path starts with.",
		Fix:     "Write root: 'https://api.example.com'.",
		Check:   checkRoot,
	},
	{
		Code: "VAL016", Name: "tools-object", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "main.tools (or the deprecated main.routes) is an object of objects, empty only beside main.resources; main.skills does not exist since version 4.",
		Why:     "The keys of the object are the names of the tools; without any the schema offers nothing.",
		Fix:     "Write tools: { toolName: { … } }.",
		Check:   checkTools,
	},
	{
		Code: "VAL017", Name: "tools-and-routes", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "09",
		Summary: "main has tools or routes, never both.",
		Why:     "routes is the old name of tools: of two sets of tools one would be dropped in silence.",
		Fix:     "Move the entries of routes into tools and remove routes.",
		From:    engine.Spec30,
		Check: func(p *engine.Pass) {
			if p.Schema.Get("tools").Exists() && p.Schema.Get("routes").Exists() {
				p.Report(p.Schema.At("routes"), "found both tools and routes, expected tools alone", "move the entries of routes into tools and remove routes")
			}
		},
	},
	{
		Code: "VAL018", Name: "routes-deprecated", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "3.0.0", Chapter: "09",
		Summary: "main.routes is the deprecated name of main.tools.",
		Why:     "Support for the old name ends; readers of version 3.2 and later may refuse it.",
		Fix:     "Rename routes to tools.",
		From:    engine.Spec30,
		Check: func(p *engine.Pass) {
			if p.Schema.Get("routes").Exists() && !p.Schema.Get("tools").Exists() {
				p.Report(p.Schema.At("routes"), "routes is deprecated, expected tools", "rename routes to tools")
			}
		},
	},
	optionalStrings("VAL020", "docs", "docs-strings", "Documentation links are shown as they are.", "docs: ['https://docs.example.com']"),
	optionalStrings("VAL021", "tags", "tags-strings", "Tools are searched by tag.", "tags: ['defi']"),
	optionalStrings("VAL022", "requiredServerParams", "server-params-strings", "Each entry is the name of an environment variable that must be set before the tools are offered.", "requiredServerParams: ['API_KEY']"),
	{
		Code: "VAL023", Name: "headers-object", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "main.headers and the headers of a tool are plain objects of strings.",
		Why:     "Each key is sent as a header line with its value.",
		Fix:     "Write headers: { 'Accept': 'application/json' }.",
		Check:   checkHeaders,
	},
	{
		Code: "VAL024", Name: "shared-lists-array", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "main.sharedLists is an array of objects.",
		Why:     "Each entry names a list and the version that the schema was written for; a bare name has no version.",
		Fix:     "Write sharedLists: [ { ref: 'evmChains', version: '1.0.0' } ].",
		Check:   checkSharedListsArray,
	},
	optionalStrings("VAL025", "requiredLibraries", "libraries-strings", "Each entry is the name of an npm package that the handlers are given.", "requiredLibraries: ['ethers']"),
	{
		Code: "VAL026", Name: "libraries-allowed", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "05",
		Summary: "Each entry of main.requiredLibraries is on the allowlist.",
		Why:     "A library runs with everything the handlers get; only packages that somebody looked at are let in.",
		Fix:     "Use a library of the allowlist, or allow it in the configuration.",
		Check:   checkLibraries,
	},
}

// optionalStrings is the row of an optional field that is an array of strings.
func optionalStrings(code, field, name, why, example string) engine.Rule {
	fix := "write " + example
	return engine.Rule{
		Code: code, Name: name, Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "main." + field + ", where it is present, is an array of strings.",
		Why:     why,
		Fix:     engine.Sentence(fix),
		Check: func(p *engine.Pass) {
			if p.Schema.Get(field).Exists() {
				p.ArrayOfStrings(p.Schema.At(field), fix)
			}
		},
	}
}

func checkMainExport(p *engine.Pass) {
	if p.Load.Data.Is(ordjson.Object) || p.Exports("main") {
		return
	}
	fix := "write export const main = { namespace: …, tools: … }"
	switch {
	case len(p.Load.Exports) == 0:
		p.ReportFile("found no exports, expected a named export main", fix)
		return
	case p.Exports("schema"):
		fix = "schema is the format of version 1: migrate it, so that what is inside becomes export const main = { … }"
	case p.Exports("default"):
		fix = "a default export is not read: write export const main = { … }"
	default:
		for _, e := range p.Load.Exports {
			if near, ok := words.Closest(e, []string{"main"}); ok {
				fix = "did you mean " + strconv.Quote(near) + "? rename the export " + e
			}
		}
	}
	p.ReportFile("found the exports "+strings.Join(p.Load.Exports, ", ")+", expected a named export main", fix)
}

func checkMainObject(p *engine.Pass) {
	if p.Exports("main") && !p.Load.Data.Is(ordjson.Object) {
		p.Report(p.Schema.Node, engine.Found(p.Load.Data)+", expected an object", "write export const main = { namespace: …, tools: … }")
	}
}

func checkUnknownFields(p *engine.Pass) {
	p.Unknown(p.Schema.Node, p.MainFields())
	for _, t := range p.Tools {
		p.Unknown(t.Node, engine.ToolFields)
		unknownIn(p, t.Node, "meta", engine.MetaFields)
	}
	unknownInResources(p)
	p.EachCallable(func(t *engine.Tool) {
		for _, q := range t.Params {
			p.Unknown(q.Node, engine.ParameterFields)
			unknownIn(p, q.Node, "position", engine.PositionFields)
			unknownIn(p, q.Node, "z", engine.ZFields)
		}
		unknownIn(p, t.Node, "output", engine.OutputFields)
	})
	for _, r := range p.Refs {
		p.Unknown(r.Node, engine.RefFields)
		unknownIn(p, r.Node, "filter", engine.FilterFields)
	}
}

// unknownIn is unknown for the object n.field, which is looked at only where a
// field is wrong: the common case makes no node.
func unknownIn(p *engine.Pass, n *model.Node, field string, known []string) {
	for _, m := range n.Get(field).Members() {
		if !slices.Contains(known, m.Key) {
			p.Unknown(n.At(field), known)
			return
		}
	}
}
