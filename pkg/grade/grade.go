// Package grade turns what the validator found about a schema into the report
// of chapter 20. A grade needs both layers, findings and a score; without a
// score the report says that one is missing rather than guess.
package grade

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
)

// ValidatorVersion is what reports name as their validator (chapter 20,
// "Validator Versioning").
const ValidatorVersion = "validation/4.2"

// bands are the least scores of the grades of a schema that passes.
var bands = []struct {
	grade string
	score float64
}{{"A", 4}, {"B", 3}, {"C", 2}, {"D", 0}}

// Baseline is the grade of chapter 20: F for a schema with errors, else by the
// score; "" where there is no score, from 0 to 5, to go by.
func Baseline(passed bool, score *float64) string {
	switch {
	case !passed:
		return "F"
	case score == nil:
		return ""
	}
	for _, b := range bands {
		if *score >= b.score {
			return b.grade
		}
	}
	return "D"
}

// Report makes the report of a schema. Info is left out: chapter 20 knows errors and
// warnings.
func Report(e *Evidence) *record.Grade {
	g := &record.Grade{SchemaID: e.ID, Path: e.Path, FileHash: e.FileHash, Validator: ValidatorVersion,
		Errors: findings(e.Errors()), Warnings: findings(e.found(record.SeverityWarning))}
	for _, p := range e.Primitives {
		g.Primitives = append(g.Primitives, p.ID)
	}
	for _, t := range e.Failing() {
		g.Failing = append(g.Failing, record.GradeFailing{ID: t.ID, Why: t.Why})
	}
	e.score(g)
	if g.Grade = Baseline(len(g.Errors) == 0, g.Score); g.Grade == "" {
		g.Stale = e.Stale()
		g.Missing = []string{"probabilistic.score: " + e.unscored() + ", and a schema that passes is graded by its " +
			"score (chapter 20)"}
	}
	return g
}

// unscored says why there is no score.
func (e *Evidence) unscored() string {
	if e.Scores != nil {
		return "no score of " + strings.Join(e.Scores.Missing, " and ") + " was given"
	}
	return "no score was given"
}

// findings are diagnostics as the report has them.
func findings(list []*record.Diagnostic) []record.GradeFinding {
	var found []record.GradeFinding
	for _, d := range list {
		found = append(found, record.GradeFinding{Code: d.Code, Message: d.Message, Pointer: d.Loc.Pointer,
			Line: d.Loc.Line})
	}
	return found
}
