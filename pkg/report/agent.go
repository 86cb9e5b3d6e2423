package report

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/agents"
	"github.com/flowmcp/fmcp/pkg/words"
)

// checkIndent is where the text of a check begins.
const checkIndent = "                  "

// AgentText is the list of an agent as chapter 06 prints it, "Validation Output
// Example": of a check that failed, the place and the fix come below it.
func AgentText(list agents.AgentList) string {
	var b strings.Builder
	for _, c := range list.Checks {
		text := c.Text
		if d := c.Found; d != nil {
			text = d.Message
			if d.Severity != record.SeverityError {
				text = d.Severity.String() + ": " + text
			}
		}
		b.WriteString("  " + c.Code + "  " + c.Status + "    " + clean(text) + "\n")
		if d := c.Found; d != nil {
			b.WriteString(checkIndent + location(&d.Loc) + ": fix: " + clean(d.Fix) + "\n")
		}
	}
	errors := list.Count(record.SeverityError)
	verdict := "Agent is valid"
	if errors > 0 {
		verdict = "Agent is invalid: it cannot be activated"
	}
	b.WriteString("\n  " + words.Count(errors, "error") + ", " +
		words.Count(list.Count(record.SeverityWarning), "warning") + "\n  " + verdict + "\n")
	return b.String()
}

// AgentLines is the list as lines of NDJSON: one for each check, which of a
// failed one has the fields of the diagnostic record, and the verdict. Each
// begins with the ID of the agent.
func AgentLines(list agents.AgentList) []ordjson.Value {
	var lines []ordjson.Value
	for _, c := range list.Checks {
		f := []ordjson.Member{field("id", ordjson.NewString(list.ID)), field("code", ordjson.NewString(c.Code)),
			field("status", ordjson.NewString(c.Status))}
		if c.Found == nil {
			f = append(f, field("message", ordjson.NewString(c.Text)))
		} else {
			f = append(f, diagnosticFields(c.Found)...)
		}
		lines = append(lines, ordjson.NewObject(f...))
	}
	errors := list.Count(record.SeverityError)
	return append(lines, ordjson.NewObject(
		field("id", ordjson.NewString(list.ID)), field("valid", ordjson.NewBool(errors == 0)),
		field("errors", ordjson.NewInt(errors)), field("warnings", ordjson.NewInt(list.Count(record.SeverityWarning)))))
}

// diagnosticFields are the fields of a diagnostic record that the line has not
// got already.
func diagnosticFields(d *record.Diagnostic) []ordjson.Member {
	v, err := ordjson.Parse(string(d.AppendJSON(nil)))
	if err != nil {
		panic("a diagnostic record is no JSON: " + err.Error())
	}
	var fields []ordjson.Member
	for _, m := range v.Members() {
		if !slices.Contains([]string{"v", "kind", "code", "subject"}, m.Key) {
			fields = append(fields, m)
		}
	}
	return fields
}
