package prompts

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// onContent are the files whose content holds placeholders.
var onContent = []record.Type{record.TypeSkill, record.TypePrompt, record.TypeContent}

// placeholderRules are PH001–PH004 (chapters 02, 09 and 18).
var placeholderRules = []engine.Rule{
	{
		Code: "PH001", Name: "placeholder-empty", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "02",
		Summary: "A placeholder in content names something behind its colon.",
		Why:     "It stands for nothing, and is delivered as an error text.",
		Fix:     "Write {{tool:name}}, {{input:key}}, or the text itself.",
		From:    engine.Spec30, On: onContent, Whole: true,
		Check: checkPlaceholderEmpty,
	},
	{
		Code: "PH002", Name: "placeholder-reference", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "18",
		Summary: "The references in a skill's content name tools, resources and prompts that exist; of names without namespace SKL005 and SKL020 speak, and of prompts PRM009.",
		Why:     "What cannot be resolved is delivered as an error text.",
		Fix:     "Correct the name, or add what it names to the catalog.",
		From:    engine.Spec30, On: []record.Type{record.TypeSkill}, Catalog: true,
		Check: checkPlaceholderReference,
	},
	{
		Code: "PH003", Name: "placeholder-input", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "02",
		Summary: "The key of {{input:key}} matches ^[a-zA-Z][a-zA-Z0-9]*$; in the parameters of prefill it is one of skill.input.",
		Why:     "The key becomes the name of an argument that a client asks for.",
		Fix:     "Use camelCase: {{input:contractAddress}}.",
		From:    engine.Spec30, On: onContent, Whole: true,
		Check: checkPlaceholderInput,
	},
	{
		Code: "PH004", Name: "placeholder-place", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "02",
		Summary: "References such as {{tool:name}} and {{input:key}} are written in the content of prompts and skills only, not in main.",
		Why:     "In main nothing resolves them: they would be sent as they stand.",
		Fix:     "Write {{USER_PARAM}} or {{SERVER_PARAM:KEY}} in main.",
		From:    engine.Spec30, Late: true,
		Check: checkPlaceholderPlace,
	},
}
