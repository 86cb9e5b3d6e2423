package protocol

import (
	"context"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Scorer gives scores. Score is called for several prompts at the same time, and
// must not let one answer depend on another prompt (chapter 22, "Grader
// Implementation Requirements").
type Scorer interface {
	// Creator and Harness are the objects of scores.json that say who scored;
	// Harness has a name.
	Creator() ordjson.Value
	Harness() ordjson.Value
	Score(ctx context.Context, p *Prompt) (Answer, error)
}

// Answer is the score of a prompt, from 1.0 to 5.0, and why.
type Answer struct {
	Score     float64
	Reasoning string
}

// Observer is a Scorer that judges a schema by those around it. It sees every
// schema, whatever the order and several at the same time, before it is asked for
// the first score; then it needs no more of a Prompt's Schema than its Src, so that
// none has to be kept.
type Observer interface{ Observe(load *record.Load) }
