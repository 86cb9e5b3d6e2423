package schema

import (
	"strconv"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// toolRules are VAL030–VAL037: the fields of a tool (chapters 01 and 09).
var toolRules = []engine.Rule{
	{
		Code: "VAL007", Name: "see-VAL031", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "08",
		Summary: "A schema has at most 8 tools.",
		Why:     "Chapter 08 quotes the message of an older validator by this code.",
		Fix:     "See VAL031.", Replaced: "VAL031",
	},
	{
		Code: "VAL030", Name: "tool-name", Spec: record.SeverityError, Community: record.SeverityWarning, Since: "2.0.0", Chapter: "09",
		Summary: "The name of a tool matches ^[a-z][a-zA-Z0-9]*$.",
		Why:     "The name is part of the tool's ID and of the name that MCP clients call it by.",
		Fix:     "Use camelCase: getContractAbi.",
		Check:   checkToolName,
	},
	{
		Code: "VAL031", Name: "tool-count", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "A schema has at most 8 tools.",
		Why:     "Small schemas load, review and fail one by one; a large API is easier to use in parts.",
		Fix:     "Split the schema into several files of the same namespace.",
		Check: func(p *engine.Pass) {
			const most = 8
			key := p.Schema.ToolsKey()
			if n := p.Schema.Get(key).Len(); n > most && p.Schema.Get(key).Is(ordjson.Object) {
				p.Report(p.Schema.At(key), "found "+strconv.Itoa(n)+" tools, expected at most "+strconv.Itoa(most),
					"split the schema into "+strconv.Itoa((n+most-1)/most)+" files of the same namespace")
			}
		},
	},
	{
		Code: "VAL032", Name: "tool-method", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "tool.method is GET, POST, PUT or DELETE.",
		Why:     "The method decides how the request is sent and whether it may have a body.",
		Fix:     "Write method: 'GET'.",
		Check:   checkMethod,
	},
	{
		Code: "VAL033", Name: "tool-path", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "tool.path is a string that starts with a slash.",
		Why:     "The URL is root + path; without the slash the path would become part of the host.",
		Fix:     "Write path: '/v1/items', and put the rest of the URL into main.root.",
		Check:   checkPath,
	},
	{
		Code: "VAL034", Name: "tool-description", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "tool.description is a string.",
		Why:     "The description is all that an AI client knows when it chooses a tool.",
		Fix:     "Say what the tool returns and for what input.",
		Check: func(p *engine.Pass) {
			for _, t := range p.Tools {
				p.ToolDescription(t.Node)
			}
		},
	},
	{
		Code: "VAL035", Name: "tool-parameters", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "tool.parameters is an array, empty for a tool without input.",
		Why:     "The order of parameters is the order in the URL, so they are an array and not an object.",
		Fix:     "Write parameters: [ … ], or parameters: [].",
		Check: func(p *engine.Pass) {
			for _, t := range p.Tools {
				if !t.Get("parameters").Is(ordjson.Array) {
					p.Expect(t.Node, "parameters", engine.ToolFields, "an array", "write parameters: [ { position: { … }, z: { … } } ], or parameters: [] for no input")
				}
			}
		},
	},
	{
		Code: "VAL036", Name: "tool-output", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "3.0.0", Chapter: "09",
		Summary: "A tool says in output what its answer looks like.",
		Why:     "Without it an AI client has to guess the fields of the answer.",
		Fix:     "Add output: { mimeType: 'application/json', schema: { type: 'object', properties: { … } } }.",
		From:    engine.Spec30,
		Check: func(p *engine.Pass) {
			for _, t := range p.Tools {
				if !t.Get("output").Exists() {
					p.Expect(t.Node, "output", engine.ToolFields, "a description of the answer", "add output: { mimeType: 'application/json', schema: { type: 'object', properties: { … } } }")
				}
			}
		},
	},
	{
		Code: "VAL037", Name: "tool-async", Spec: record.SeverityInfo, Community: record.SeverityInfo, Since: "3.0.0", Chapter: "09",
		Summary: "tool.async is reserved and has no effect.",
		Why:     "Whoever writes it expects a tool that runs in the background; it does not.",
		Fix:     "Remove the field.",
		From:    engine.Spec30,
		Check: func(p *engine.Pass) {
			for _, t := range p.Tools {
				if t.Get("async").Exists() {
					p.Report(t.At("async"), "async is a reserved field and has no effect", "remove it")
				}
			}
		},
	},
}

func checkToolName(p *engine.Pass) {
	for _, t := range p.Tools {
		p.CamelKey(t.Node, "tool", "getContractAbi")
	}
}

func checkMethod(p *engine.Pass) {
	for _, t := range p.Tools {
		p.ToolMethod(t.Node)
	}
}

func checkPath(p *engine.Pass) {
	for _, t := range p.Tools {
		p.ToolPath(t.Node)
	}
}
