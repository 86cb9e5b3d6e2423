package activate

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Text is a report for people: a line for each step, and below it what it has to
// say more.
func (r *Report) Text() string {
	var b strings.Builder
	for _, s := range r.Steps {
		fmt.Fprintf(&b, "%2d  %-4s  %-18s  %s\n", s.Number, s.Status, s.Name, s.Text)
		for _, line := range s.Lines {
			b.WriteString("          " + line + "\n")
		}
	}
	return b.String() + "\n" + r.Verdict() + "\n"
}

// Verdict is the last line of a report: the first failure is named by its step.
func (r *Report) Verdict() string {
	head := "Agent " + words.Quote(r.Name)
	if s := r.Failed(); s != nil {
		return head + fmt.Sprintf(" does not start: step %d, %s: %s", s.Number, s.Name, s.Text)
	}
	return head + " is ready"
}

// Lines are a report as NDJSON: a line for each step, and the verdict.
func (r *Report) Lines() []ordjson.Value {
	text := func(key, s string) ordjson.Member { return ordjson.Field(key, ordjson.NewString(s)) }
	agent := text("id", cmp.Or(r.ID, r.Name))
	var lines []ordjson.Value
	for _, s := range r.Steps {
		members := []ordjson.Member{agent, ordjson.Field("step", ordjson.NewInt(s.Number)), text("name", s.Name),
			text("status", string(s.Status)), text("message", s.Text)}
		if s.Lines != nil {
			members = append(members, ordjson.Field("details", ordjson.Strings(s.Lines)))
		}
		lines = append(lines, ordjson.NewObject(members...))
	}
	verdict := []ordjson.Member{agent, ordjson.Field("ready", ordjson.NewBool(r.Failed() == nil))}
	if s := r.Failed(); s != nil {
		verdict = append(verdict, ordjson.Field("failed", ordjson.NewInt(s.Number)))
	}
	return append(lines, ordjson.NewObject(verdict...))
}
