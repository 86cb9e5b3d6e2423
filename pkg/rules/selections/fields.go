package selections

import "github.com/flowmcp/fmcp/pkg/rules/engine"

// objects is the table of the fields of a selection (chapter 17).
var objects = []engine.Objects{
	{In: "", Known: engine.SelectionKeys, Fields: []engine.Field{
		{Code: "SEL001", Name: "whenToUse", Must: engine.Text,
			Fix: "say in a sentence when an agent should activate it: whenToUse: 'When the user wants to …'"},
		{Code: "SEL006", Name: "description", Must: engine.Text, Fix: "say in a sentence what the selection provides"},
	}},
}
