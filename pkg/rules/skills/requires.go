package skills

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// dependRules are DEP001–DEP004, what a skill requires (chapter 09). The rules
// for skills say the same, word for word (chapters 09 and 14), and report it, so
// that one fault is one finding.
var dependRules = []engine.Rule{
	dep("DEP001", record.SeverityError, "SKL005", "What a skill lists in requires.tools are tools of its schema."),
	dep("DEP002", record.SeverityError, "SKL006", "What a skill lists in requires.resources are resources of its schema."),
	dep("DEP003", record.SeverityWarning, "SKL020", "A skill lists the tools that its content refers to in requires.tools."),
	dep("DEP004", record.SeverityWarning, "SKL021", "A skill lists the resources that its content refers to in requires.resources."),
}

func dep(code string, severity record.Severity, replaced, summary string) engine.Rule {
	return engine.Rule{
		Code: code, Name: "see-" + replaced, Spec: severity, Community: severity, Since: "3.0.0", Chapter: "09", Summary: summary,
		Why: "Chapter 14 has the same rule as " + replaced + "; two findings would be about one fault.", Fix: "See " + replaced + ".", Replaced: replaced,
	}
}
