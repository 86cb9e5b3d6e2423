package report

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/grade/lifecycle"
	"github.com/flowmcp/fmcp/pkg/words"
)

// PlanText is a line for each task, which a shell can run: the command and, as a
// comment, what it is for and what it costs. The last line counts.
func PlanText(tasks []lifecycle.Task) string {
	var b strings.Builder
	var all lifecycle.Task
	keys := map[string]bool{}
	for _, t := range tasks {
		why := words.OneLine(t.ID + " needs " + t.Needs + ": " + t.Why + cost(t, " (", ")"))
		b.WriteString(clean(t.Command+"  # "+why) + "\n")
		all.Prompts, all.Calls = all.Prompts+t.Prompts, all.Calls+t.Calls
		for _, k := range t.Keys {
			if !keys[k] {
				keys[k], all.Keys = true, append(all.Keys, k)
			}
		}
	}
	b.WriteString("# " + words.Count(len(tasks), "task") + cost(all, ": ", "") + "\n")
	return b.String()
}

// cost is what a task costs between two texts, "" for nothing.
func cost(t lifecycle.Task, before, after string) string {
	var list []string
	for _, c := range []struct {
		n    int
		noun string
	}{{len(t.Keys), "key"}, {t.Prompts, "prompt"}, {t.Calls, "call"}} {
		if c.n > 0 {
			list = append(list, words.Count(c.n, c.noun))
		}
	}
	if list == nil {
		return ""
	}
	return before + strings.Join(list, ", ") + after
}
