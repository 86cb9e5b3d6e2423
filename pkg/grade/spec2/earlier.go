package spec2

import (
	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// earlierAnswers are the newest of each question in the entries of the same
// content, by the same scoring system: scores of another are never mixed with
// ours (06, "Interaction with Scoring- / Grading-System Version"). Entries past
// their retention no longer count.
func (w *grading) earlierAnswers() []answer {
	newest := map[string]int{}
	var list []answer
	for _, entry := range w.o.Earlier {
		if entry.Get("schemaHash").Str() != w.e.SchemaHash || entry.Get("scoringSystem").Str() != ScoringSystem {
			continue
		}
		for _, v := range entry.Get("gradings").Elems() {
			a := answer{v}
			if a.is(na) || older(a.at(), retentionDays, w.o.Now) {
				continue
			}
			if i, seen := newest[a.question()]; !seen {
				newest[a.question()] = len(list)
				list = append(list, a)
			} else if !a.at().Before(list[i].at()) {
				list[i] = a
			}
		}
	}
	return list
}

// standing is the veto that another grader raised against the same content, until
// new scores are given: only a new evaluation lifts one (23, "Irreversible veto").
// Ours are found again by themselves.
func (w *grading) standing() ordjson.Value {
	if len(w.o.Earlier) > 0 && (w.e.Scores == nil || w.refused != "") {
		last := w.o.Earlier[len(w.o.Earlier)-1]
		veto := last.Get("categoricalVeto")
		switch veto.Get("triggeredBy").Str() {
		case "", grade.VetoModule, grade.VetoKey:
		default:
			if last.Get("schemaHash").Str() == w.e.SchemaHash {
				return veto
			}
		}
	}
	return ordjson.NewNull()
}

// regrading says which entry this one comes after, Missing where it is the first.
func (w *grading) regrading() ordjson.Value {
	if len(w.o.Earlier) == 0 {
		return ordjson.Value{}
	}
	last := w.o.Earlier[len(w.o.Earlier)-1]
	trigger := "scheduled"
	switch {
	case last.Get("scoringSystem").Str() != ScoringSystem:
		trigger = "scoring-system-bump"
	case last.Get("gradingSystem").Str() != GradingSystem:
		trigger = "grading-system-bump"
	}
	return ordjson.NewObject(text("triggeredBy", trigger), text("previousGradingId", last.Get("gradingId").Str()),
		text("timestamp", w.at))
}
