package grade

import "github.com/flowmcp/fmcp/pkg/ordjson"

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
}

// Dimension is the score of one dimension.
type Dimension struct {
	Name      string
	Score     float64
	Reasoning string
}

// HarnessName is what gave the scores, such as claude-code.
func (s *Scores) HarnessName() string { return s.Harness.Get("name").Str() }

// Mean is the score of the schema: that of all dimensions, which weigh the same.
func (s *Scores) Mean() float64 {
	var sum float64
	for _, d := range s.Dimensions {
		sum += d.Score
	}
	return sum / float64(len(s.Dimensions))
}
