package tests

import "github.com/flowmcp/fmcp/pkg/rules/engine"

// objects is the table of the fields of an agent's tests (chapter 10).
var objects = []engine.Objects{
	{In: ".tests[]", Known: engine.AgentTestFields, Fields: []engine.Field{
		{Code: "TST013", Name: "expectedContent", Must: engine.Texts.As("an array of texts that the answer must have"),
			Fix: "write expectedContent: [ 'text of the answer' ]"},
	}},
}
