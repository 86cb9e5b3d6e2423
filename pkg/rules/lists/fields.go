package lists

import "github.com/flowmcp/fmcp/pkg/rules/engine"

// objects is the table of the fields of a shared list (chapter 03).
var objects = []engine.Objects{
	{In: ".meta.fields[]", Known: listFieldFields, Fields: []engine.Field{
		{Code: "LST005", Must: engine.Object,
			Fix: "write { key: 'alias', type: 'string', description: 'Canonical alias' }"},
		{Code: "LST005", Name: "key", Must: engine.Text, Fix: "write key: 'alias'"},
		{Code: "LST005", Name: "type", Must: engine.OneOf("string", "number", "boolean"),
			Fix: "write type: 'string', 'number' or 'boolean': the type of the values in the entries"},
		{Code: "LST005", Name: "description", Must: engine.Text, Fix: "write description: 'what the field holds'"},
		{Code: "LST005", Name: "optional", Must: engine.Bool.Optional(), Fix: "write optional: true, or leave it out"},
	}},
}
