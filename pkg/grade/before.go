package grade

import (
	"cmp"
	"slices"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// ReadReport reads a report of chapter 22, whose schemaHash is that of the file
// (decision "Three hashes"), as far as a later grading asks for it. It is nil where
// the value is none.
func ReadReport(v ordjson.Value) *record.Grade {
	g := &record.Grade{SchemaID: v.Get("schemaId").Str(), FileHash: v.Get("schemaHash").Str(),
		Grade: v.Get("grade").Str()}
	if g.SchemaID == "" || g.FileHash == "" || !v.Get("scoringProtocol").Exists() {
		return nil
	}
	if t := v.Get("timestamps").Get("gradedAt").Str(); t != "" {
		g.Timestamp = t
	}
	if score := v.Get("score"); score.Is(ordjson.Number) {
		f := score.Float()
		g.Score, g.Harness = &f, v.Get("harness").Get("name").Str()
	}
	return g
}

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
	if b := e.Before; b != nil && b.FileHash != e.FileHash {
		return []record.GradeStale{{What: record.StaleGrade, Grade: b.Grade, Score: b.Score, FileHash: b.FileHash}}
	}
	return nil
}

// score is that by which the schema is graded, and what gave it: the one that it was
// given, or else the one that it had, where its file is the same.
func (e *Evidence) score() (score *float64, harness string) {
	switch {
	case e.Scores != nil:
		return e.Scores.Mean(), e.Scores.HarnessName()
	case e.Before != nil && e.Before.FileHash == e.FileHash:
		return e.Before.Score, e.Before.Harness
	}
	return nil, ""
}
