package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Text groups grades: of 1,000 schemas most lack the same, or fail for the same
// reason.

// noGrade stands for a grade for which something is missing.
const noGrade = "no grade"

// gradeOrder is the order in which grades are shown: what needs work comes first.
var gradeOrder = append(slices.Clone(record.Grades), noGrade)

// shownIDs is how many schemas of a group are named.
const shownIDs = 12

// graded is what is shown of a grade.
type graded struct {
	id, grade, stage string
	score            string
	warnings         int
	reasons          []reason // for its grade
	notes            []reason // what else there is to know
}

// reason is one that several schemas may share.
type reason struct {
	text   string
	detail string // shown where only one schema has it
}

// gradeOf takes from a grade what is shown, in texts that are clean.
func gradeOf(r *record.Grade) graded {
	g := graded{id: clean(r.SchemaID), grade: cmp.Or(clean(r.Grade), noGrade), stage: clean(r.Stage),
		warnings: len(r.Warnings)}
	if r.Score != nil {
		g.score = strconv.FormatFloat(*r.Score, 'f', -1, 64)
	}
	details := map[string][]string{}
	for _, e := range r.Errors {
		name := e.Code
		if rule, ok := rules.Lookup(e.Code); ok {
			name += " " + rule.Name
		}
		details[name] = append(details[name], e.Message)
	}
	for _, name := range slices.Sorted(maps.Keys(details)) {
		messages := details[name]
		detail := messages[0]
		if more := len(messages) - 1; more > 0 {
			detail += "; and " + strconv.Itoa(more) + " more"
		}
		g.because(&g.reasons, name, detail)
	}
	for _, m := range r.Missing {
		g.because(&g.reasons, m, "")
	}
	if s := r.Grading; s != nil {
		g.grading(s, r.Grade)
	}
	for _, f := range r.Failing {
		g.because(&g.notes, "its tests fail: "+f.ID, f.Why)
	}
	for _, s := range r.Stale {
		g.because(&g.notes, "stale: "+s.String(), "")
	}
	for _, n := range r.Next {
		g.because(&g.notes, "next: "+n.Needs, n.Command)
	}
	return g
}

func (g *graded) because(list *[]reason, text, detail string) {
	*list = append(*list, reason{clean(text), clean(detail)})
}

// grading adds what a grade of the Grading-Spec does not show by itself.
func (g *graded) grading(s *record.Grading, grade string) {
	if s.Veto != "" {
		g.because(&g.reasons, "veto: "+s.Veto, "")
	}
	if s.Raw != "" && s.Raw != grade {
		g.because(&g.reasons, "band "+s.Raw+", of which a schema that is graded by itself gets "+s.Max, "")
	}
	if len(s.Stale) > 0 {
		g.because(&g.notes, "stale: "+strings.Join(s.Stale, ", "), "")
	}
	if s.NoEntry != "" {
		g.because(&g.notes, "no entry: "+s.NoEntry, "")
	}
}

// showGrades writes the grades that have come, and forgets them.
func (t *text) showGrades() {
	if len(t.grades) == 0 {
		return
	}
	byGrade, stages := map[string][]graded{}, map[string]int{}
	warnings, warned := 0, 0
	for _, g := range t.grades {
		byGrade[g.grade] = append(byGrade[g.grade], g)
		if warnings += g.warnings; g.warnings > 0 {
			warned++
		}
		if g.stage != "" {
			stages[strings.TrimPrefix(g.stage, "stage:")]++
		}
	}
	t.gradeTotals(byGrade, stages)
	if warnings > 0 {
		t.println(t.pal.Dim(words.Count(warnings, "warning") + " in " + words.Count(warned, "schema")))
	}
	cut := false
	for _, letter := range letters(byGrade) {
		t.println()
		t.println(t.letter(letter, letter))
		cut = t.gradeGroup(byGrade[letter], func(g graded) []reason { return g.reasons }) || cut
	}
	noted := slices.DeleteFunc(slices.Clone(t.grades), func(g graded) bool { return len(g.notes) == 0 })
	if len(noted) > 0 {
		t.println()
		cut = t.gradeGroup(noted, func(g graded) []reason { return g.notes }) || cut
	}
	if cut {
		t.println(t.pal.Dim("-f ndjson has all that was left out here"))
	}
	t.grades = nil
}

// gradeTotals writes how many schemas have which grade, and are in which stage.
func (t *text) gradeTotals(byGrade map[string][]graded, stages map[string]int) {
	var parts []string
	for _, letter := range letters(byGrade) {
		parts = append(parts, t.letter(letter, strconv.Itoa(len(byGrade[letter]))+" "+letter))
	}
	t.println(t.pal.Bold(words.Count(len(t.grades), "schema")+":"), strings.Join(parts, ", "))
	if len(stages) > 0 {
		parts = nil
		for _, s := range slices.Sorted(maps.Keys(stages)) {
			parts = append(parts, strconv.Itoa(stages[s])+" "+s)
		}
		t.println(t.pal.Dim("stages: " + strings.Join(parts, ", ")))
	}
}

// letters are the grades that there are, in the order in which they are shown.
func letters(byGrade map[string][]graded) []string {
	return slices.SortedFunc(maps.Keys(byGrade), func(a, b string) int {
		return cmp.Or(cmp.Compare(slices.Index(gradeOrder, a), slices.Index(gradeOrder, b)), cmp.Compare(a, b))
	})
}

// letter colours what is about a grade.
func (t *text) letter(grade, s string) string {
	switch grade {
	case "A", "B":
		return t.pal.Good(s)
	case "F", record.GradeRejected:
		return t.pal.Severity(record.SeverityError, s)
	}
	return t.pal.Severity(record.SeverityWarning, s)
}

// gradeGroup writes each reason once, with those that share it, the most common first, and
// reports whether something was left out. Those without one are named alone.
func (t *text) gradeGroup(list []graded, of func(graded) []reason) (cut bool) {
	shared := map[string][]graded{}
	detail := map[string]string{}
	for _, g := range list {
		reasons := of(g)
		if len(reasons) == 0 {
			reasons = []reason{{}}
		}
		for _, r := range reasons {
			shared[r.text] = append(shared[r.text], g)
			detail[r.text] = r.detail
		}
	}
	texts := slices.SortedFunc(maps.Keys(shared), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(shared[b]), len(shared[a])), cmp.Compare(a, b))
	})
	for _, text := range texts {
		if t.reason(text, detail[text], shared[text]) {
			cut = true
		}
	}
	return cut
}

// reason writes a reason and the schemas that have it, and reports whether some were
// left out.
func (t *text) reason(text, detail string, who []graded) (cut bool) {
	var names []string
	for _, g := range who[:min(len(who), shownIDs)] {
		names = append(names, strings.TrimSpace(g.id+" "+g.score))
	}
	line := strings.Join(names, ", ")
	if more := len(who) - len(names); more > 0 {
		line += fmt.Sprintf(" and %d more", more)
		cut = true
	}
	switch {
	case text == "":
		t.println("  " + Wrap(line, t.opts.Width, 2, 2))
	case len(who) == 1:
		t.println("  "+Wrap(text, t.opts.Width, 2, 4), "("+t.pal.Bold(line)+")")
		if detail != "" {
			t.println("      " + Wrap(detail, t.opts.Width, 6, 6))
		}
	default:
		t.println("  "+Wrap(text, t.opts.Width, 2, 4)+",", words.Count(len(who), "schema")+":")
		t.println("      " + Wrap(line, t.opts.Width, 6, 6))
	}
	return cut
}
