package agents

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// What becomes of a check in the list of an agent: it passed, there was nothing
// to check, or there are findings.
const (
	CheckPassed  = "pass"
	CheckSkipped = "skip"
	CheckFailed  = "fail"
)

// AgentCheck is a line of the list that chapter 06 prints about an agent.
type AgentCheck struct {
	Code   string
	Status string             // CheckPassed, CheckSkipped or CheckFailed
	Text   string             // what holds, or what there is not
	Found  *record.Diagnostic // of a check that failed
}

// AgentList is the list of chapter 06, "Validation Output Example": the AGT
// rules in order, then what the rules of other families find in the manifest.
type AgentList struct {
	ID     string
	Checks []AgentCheck
}

// ListAgent makes the list of a manifest from what was found in it. judge
// returns a finding as it is to be reported; nil is one that the user does not
// want to see: its check does not fail, and did not pass.
func ListAgent(load *record.Load, found []*record.Diagnostic,
	judge func(*record.Diagnostic) *record.Diagnostic) AgentList {
	v := &agentView{Agent: model.Agent{Node: model.Root(load.Data)}, found: map[string][]*record.Diagnostic{},
		failed: map[string][]AgentCheck{}}
	var others []AgentCheck
	for _, d := range found {
		v.found[d.Code] = append(v.found[d.Code], d)
		kept := judge(d)
		if kept == nil {
			continue
		}
		c := AgentCheck{Code: d.Code, Status: CheckFailed, Found: kept}
		v.failed[d.Code] = append(v.failed[d.Code], c)
		if !slices.ContainsFunc(agentLines, func(l agentLine) bool { return l.code == d.Code }) {
			others = append(others, c)
		}
	}
	list := AgentList{ID: load.ID}
	for _, line := range agentLines {
		list.Checks = append(list.Checks, v.checks(line)...)
	}
	list.Checks = append(list.Checks, others...)
	return list
}

// checks are the lines of one rule: one, or one for each of its findings.
func (v *agentView) checks(line agentLine) []AgentCheck {
	if failed := v.failed[line.code]; len(failed) > 0 {
		return failed
	}
	c := AgentCheck{Code: line.code, Status: CheckSkipped}
	switch {
	case len(v.found[line.code]) > 0:
		c.Text = "taken back by a comment or the configuration: " + v.found[line.code][0].Message
	case !v.Is(ordjson.Object):
		c.Text = "no agent is exported"
	default:
		var holds bool
		if c.Text, holds = line.say(v); holds {
			c.Status = CheckPassed
		}
	}
	return []AgentCheck{c}
}

// Count returns how many findings of a severity the list has.
func (l AgentList) Count(severity record.Severity) int {
	n := 0
	for _, c := range l.Checks {
		if c.Found != nil && c.Found.Severity == severity {
			n++
		}
	}
	return n
}
