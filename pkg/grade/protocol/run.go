package protocol

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The codes of what goes wrong when a Scorer is asked.
const (
	codeScorer = "GRD008" // it gives no score
	codeSpread = "GRD009" // its scores differ
)

// tolerance is how far a score may be from the mean of all that were given for the
// same prompt (chapter 22, "Reproducibility Guarantees": ±0.2).
const tolerance = 0.2

// Run has a Scorer score schemas, several at the same time.
type Run struct {
	Scorer Scorer
	Repeat int           // how often each prompt is asked
	Clock  func() string // the time, for scores
	slots  chan struct{}
}

// NewRun is a Run that asks as many prompts at the same time as there are jobs.
func NewRun(s Scorer, jobs, repeat int, clock func() string) *Run {
	return &Run{Scorer: s, Repeat: repeat, Clock: clock, slots: make(chan struct{}, jobs)}
}

// Score asks all prompts of a schema, and returns what is to be said of the answers.
// A prompt that gets no score leaves the others theirs.
func (r *Run) Score(ctx context.Context, p *Prompts) (*grade.Scores, []record.Record) {
	// The hash is a copy, which does not keep the text of the schema's record.
	s := &grade.Scores{Slug: Slug(p.SchemaID), SchemaHash: strings.Clone(p.FileHash), Creator: r.Scorer.Creator(),
		Harness: r.Scorer.Harness(), StartedAt: r.Clock()}
	answers := make([][]Answer, len(p.List))
	errs := make([]error, len(p.List))
	var wait sync.WaitGroup
	for i := range p.List {
		wait.Go(func() {
			for len(answers[i]) < r.Repeat && errs[i] == nil {
				var a Answer
				if a, errs[i] = r.ask(ctx, &p.List[i]); errs[i] == nil {
					answers[i] = append(answers[i], a)
				}
			}
		})
	}
	wait.Wait()
	var said []record.Record
	for i, prompt := range p.List {
		if err := errs[i]; err != nil {
			said = append(said, &record.Error{Stage: "fmcp-grade", Input: p.Path, Code: codeScorer,
				Message: "no score of " + prompt.Dimension + r.numbered(len(answers[i])) + ": " + err.Error()})
			continue
		}
		d := summary(prompt.Dimension, answers[i])
		if far := spread(d.Runs); far > tolerance {
			said = append(said, &record.Diagnostic{Code: codeSpread, Severity: record.SeverityError,
				Message: fmt.Sprintf("the scores of %s are %s, up to %v from their mean; expected at most %v",
					d.Name, listed(d.Runs), far, tolerance),
				Fix: "score with a model that gives stable answers, such as one at temperature 0", Subject: p.SchemaID,
				Loc: record.Loc{Path: p.Path}})
		}
		s.Dimensions = append(s.Dimensions, d)
	}
	s.Missing, s.Timestamp = missing(s.Dimensions), r.Clock()
	return s, said
}

func (r *Run) ask(ctx context.Context, p *Prompt) (Answer, error) {
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
		return r.Scorer.Score(ctx, p)
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

// numbered says which of several runs is meant.
func (r *Run) numbered(n int) string {
	if r.Repeat == 1 {
		return ""
	}
	return " in run " + strconv.Itoa(n+1) + " of " + strconv.Itoa(r.Repeat)
}

// summary is the score of a dimension that was asked for once or several times:
// the mean, with the reasoning that is nearest to it.
func summary(name string, answers []Answer) grade.Dimension {
	if len(answers) == 1 {
		return grade.Dimension{Name: name, Score: answers[0].Score, Reasoning: answers[0].Reasoning}
	}
	d := grade.Dimension{Name: name}
	for _, a := range answers {
		d.Runs = append(d.Runs, a.Score)
	}
	d.Score = mean(d.Runs)
	nearest := 0
	for n, score := range d.Runs {
		if math.Abs(score-d.Score) < math.Abs(d.Runs[nearest]-d.Score) {
			nearest = n
		}
	}
	d.Reasoning = answers[nearest].Reasoning
	return d
}

// mean is that of the scores. To a thousandth, as spread: 4.2 and 4.6 are 0.2 from it,
// and not a little more.
func mean(scores []float64) float64 {
	var sum float64
	for _, s := range scores {
		sum += s
	}
	return rounded(sum / float64(len(scores)))
}

// spread is how far the scores are from their mean at most.
func spread(scores []float64) float64 {
	var most float64
	for _, s := range scores {
		most = max(most, math.Abs(s-mean(scores)))
	}
	return rounded(most)
}

func rounded(f float64) float64 { return math.Round(f*1000) / 1000 }

func listed(scores []float64) string {
	texts := make([]string, len(scores))
	for i, s := range scores {
		texts[i] = strconv.FormatFloat(s, 'f', -1, 64)
	}
	return words.List(texts)
}
