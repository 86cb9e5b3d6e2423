package grade

import (
	"cmp"
	"slices"

	"github.com/flowmcp/fmcp/pkg/record"
)

// Had makes the last of the grades that a schema was given before part of the
// evidence: of those of the file as it is now, where there are some.
func (e *Evidence) Had(reports []*record.Grade) {
	rank := func(g *record.Grade) int {
		if g.FileHash == e.FileHash {
			return 1
		}
		return 0
	}
	for _, g := range reports {
		if g.FileHash == "" || g.Grade == "" {
			continue
		}
		if b := e.Before; b == nil || cmp.Or(cmp.Compare(rank(g), rank(b)), cmp.Compare(g.Timestamp, b.Timestamp),
			slices.Compare(g.AppendJSON(nil), b.AppendJSON(nil))) > 0 {
			e.Before = g
		}
	}
}

// Stale is what was said of other versions of the file.
func (e *Evidence) Stale() []record.GradeStale {
	var stale []record.GradeStale
	if b := e.Before; b != nil && !e.counts() {
		stale = append(stale,
			record.GradeStale{What: record.StaleGrade, Grade: b.Grade, Score: b.Score, FileHash: b.FileHash})
	}
	if s := e.StaleScores; s != nil {
		stale = append(stale, record.GradeStale{What: record.StaleScores, Score: s.Mean(), FileHash: s.SchemaHash})
	}
	return stale
}

// counts reports whether the grade that the schema had is one of the file as it is.
func (e *Evidence) counts() bool { return e.Before != nil && e.Before.FileHash == e.FileHash }

// Scored reports whether the schema has a score to be graded by, be it an earlier one.
func (e *Evidence) Scored() bool {
	return e.Scores != nil && len(e.Scores.Missing) == 0 || e.Scores == nil && e.counts() && e.Before.Score != nil
}

// score sets the scores by which the schema is graded: those that it was given, or
// else those that it had, where its file is the same.
func (e *Evidence) score(g *record.Grade) {
	switch {
	case e.Scores != nil:
		g.Score, g.Harness = e.Scores.Mean(), e.Scores.HarnessName()
		for _, d := range e.Scores.Dimensions {
			g.Dimensions = append(g.Dimensions,
				record.GradeDimension{Name: d.Name, Score: d.Score, Reasoning: d.Reasoning})
		}
	case e.counts():
		g.Score, g.Harness, g.Dimensions = e.Before.Score, e.Before.Harness, e.Before.Dimensions
	}
}
