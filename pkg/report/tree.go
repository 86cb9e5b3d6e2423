package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// sections are the parts of the tree of chapter 17, "Output Format Example".
var sections = []struct {
	typ   record.Type
	title string
}{
	{record.TypeTool, "Tools"}, {record.TypeResource, "Resources"}, {record.TypeSkill, "Skills"},
	{record.TypePrompt, "Prompts"}, {record.TypeSelection, "Selections"}, {record.TypeAgent, "Tests of the agent"},
}

// noteText keeps the tests of a skill or a prompt, which the tree names one by one.
func (t *text) noteText(e *record.Envelope) {
	_, rest, _ := strings.Cut(e.ID, "/")
	typ, _, _ := strings.Cut(rest, "/")
	if typ != string(record.TypeSkill) && typ != string(record.TypePrompt) || e.Test.Index < 0 {
		return
	}
	if t.texts == nil {
		t.texts = map[string][]*record.Test{}
	}
	t.texts[e.ID] = append(t.texts[e.ID], e.Test)
}

// members writes what the tests of the members of a selection or an agent come to.
func (t *text) members(e *record.Envelope) {
	noun, check := "Agent", "all member IDs resolvable"
	if strings.Contains(e.ID, "/"+string(record.TypeSelection)+"/") {
		noun, check = "Selection", "SEL003: all member IDs resolvable"
	}
	mark := t.mark(record.TestPassed)
	if missing := e.Test.Missing; missing != nil {
		check = strings.Replace(check, "all member IDs resolvable", "not found: "+words.List(missing), 1)
		mark = t.mark(record.TestFailed)
	}
	t.println("┌─ " + noun + ": " + t.pal.Bold(clean(e.ID)))
	var used [][]record.TestMember
	var titles []string
	count := map[record.TestOutcome]int{}
	for _, s := range sections {
		var members []record.TestMember
		for _, m := range e.Test.Members {
			if m.Type == s.typ {
				members = append(members, m)
				count[m.Outcome]++
			}
		}
		if members != nil {
			used, titles = append(used, members), append(titles, fmt.Sprintf("%s (%d)", s.title, len(members)))
		}
	}
	if used == nil {
		t.println("│  └─ " + clean(check) + "  " + mark)
	} else {
		t.println("│  ├─ " + clean(check) + "  " + mark)
	}
	for i, members := range used {
		t.println("│  │")
		turn, stem := branch(i, len(used))
		t.println("│  " + turn + titles[i])
		t.section("│  "+stem+" ", members)
	}
	t.println("│")
	told := fmt.Sprintf("%d/%d Members PASS", count[record.TestPassed], len(e.Test.Members))
	for _, o := range []record.TestOutcome{record.TestChecked, record.TestSkipped} {
		if n := count[o]; n > 0 {
			told += fmt.Sprintf(", %d %s", n, o)
		}
	}
	t.println("└─ " + noun + " Aggregate: " + told)
}

// branch is how the i-th of n parts begins, and what stands before its own parts.
func branch(i, n int) (turn, stem string) {
	if i == n-1 {
		return "└─ ", "   "
	}
	return "├─ ", "│  "
}

// section writes members of one type.
func (t *text) section(stem string, members []record.TestMember) {
	width := 0
	for _, m := range members {
		width = max(width, utf8.RuneCountInString(clean(m.ID)))
	}
	for i, m := range members {
		turn, below := branch(i, len(members))
		tests := t.texts[m.ID]
		if tests == nil {
			t.println(stem + turn + fmt.Sprintf("%-*s", width, clean(m.ID)) + "  " + t.ran(m))
			continue
		}
		t.println(stem + turn + clean(m.ID))
		longest := 0
		for _, test := range tests {
			longest = max(longest, utf8.RuneCountInString(clean(test.Description)))
		}
		for k, test := range tests {
			turn, _ := branch(k, len(tests))
			t.println(stem + below + turn + fmt.Sprintf("%-*s", longest, clean(test.Description)) + "  " +
				t.mark(test.Outcome))
		}
	}
}

// ran is how many tests of a member passed of those that were run.
func (t *text) ran(m record.TestMember) string {
	switch n := m.Tests - m.Skipped - m.Checked; {
	case m.Outcome == record.TestPassed:
		return t.pal.Good(fmt.Sprintf("%d/%d PASS", m.Passed, n))
	case m.Outcome == record.TestFailed:
		return t.pal.Severity(record.SeverityError, fmt.Sprintf("%d/%d FAIL", m.Passed, n))
	case m.Outcome == record.TestChecked:
		return words.Count(m.Checked, "test") + " checked"
	}
	return t.mark(record.TestSkipped)
}

func (t *text) mark(o record.TestOutcome) string {
	switch o {
	case record.TestPassed:
		return t.pal.Good("✓")
	case record.TestFailed:
		return t.pal.Severity(record.SeverityError, "✗")
	}
	return t.pal.Severity(record.SeverityInfo, string(o))
}
