package selections

import (
	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// objects is the table of the fields of a selection (chapter 17).
var objects = []engine.Objects{
	{In: "", Of: fields.Selection, Fields: []engine.Field{
		{Code: "SEL001", Name: "whenToUse", Must: engine.Text,
			Fix: "say in a sentence when an agent should activate it: whenToUse: 'When the user wants to …'"},
		{Code: "SEL008", Name: "name", Must: engine.Kebab, When: isName, Fix: "write name: 'contract-analysis'"},
		{Code: "SEL006", Name: "description", Must: engine.Text, Fix: "say in a sentence what the selection provides"},
	}},
}

// isName reports whether the name may be in an ID at all, of which ID004 speaks.
func isName(_ *engine.Pass, selection *model.Node) bool {
	return catalog.ID{Namespace: "n", Type: "selection", Name: selection.Get("name").Str()}.Check() == nil
}
