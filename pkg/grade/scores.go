package grade

import (
	"math"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Scores are what a grader gave a schema: a scores.json of chapter 22 that
// pkg/grade/protocol has checked.
type Scores struct {
	Slug       string        // of the schema
	SchemaHash string        // fileHash of what was scored; "" where the grader does not say
	Creator    ordjson.Value // objects, as the grader wrote them
	Harness    ordjson.Value
	StartedAt  string // RFC 3339; "" where the grader does not say
	Timestamp  string // when it was scored
	Dimensions []Dimension
	Missing    []string // dimensions without a score: then the schema has none
	Veto       *Veto    // nil where the grader raised none
}

// Dimension is the score of one dimension.
type Dimension struct {
	Name      string
	Score     float64
	Reasoning string
	Runs      []float64 // where it was scored several times; Score is their mean
}

// HarnessName is what gave the scores, such as claude-code.
func (s *Scores) HarnessName() string { return s.Harness.Get("name").Str() }

// Mean is the score of the schema: all dimensions weigh the same. There is none
// while one is missing.
func (s *Scores) Mean() *float64 {
	if len(s.Missing) > 0 {
		return nil
	}
	var sum float64
	for _, d := range s.Dimensions {
		sum += d.Score
	}
	mean := math.Round(sum/float64(len(s.Dimensions))*1e9) / 1e9 // 3.1, not 3.0999999999999996
	return &mean
}
