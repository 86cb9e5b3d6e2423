package prompts

import (
	"strconv"

	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// objects is the table of the fields of a prompt (chapter 12).
var objects = []engine.Objects{
	{In: "prompt", Known: promptFields, Fields: []engine.Field{
		{Code: "PRM001", Name: "name", Must: engine.Kebab, Fix: "write name: 'price-comparison'"},
		{Code: "PRM002", Name: "version", Must: engine.Matching(strconv.Quote(promptVersion), isPromptVersion, nil),
			Fix: "write version: 'flowmcp-prompt/1.0.0'"},
		{Code: "PRM013", Name: "references", Must: engine.Strings,
			Fix: "write references: [], or references: [ 'namespace/prompt/name' ]"},
	}},
}

func isPromptVersion(s string) bool { return s == promptVersion }
