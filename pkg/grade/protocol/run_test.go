package protocol

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// scorer is a Scorer for tests: a function.
type scorer func(p *Prompt) (Answer, error)

func (scorer) Creator() ordjson.Value { return ordjson.NewObject(text("skill", "test")) }
func (scorer) Harness() ordjson.Value { return ordjson.NewObject(text("name", "test")) }

func (s scorer) Score(_ context.Context, p *Prompt) (Answer, error) { return s(p) }

// series gives the scores of a dimension one after the other.
func series(scores map[string][]float64) scorer {
	var next [2]atomic.Int32
	return func(p *Prompt) (Answer, error) {
		i := 0
		if p.Dimension == Parameters {
			i = 1
		}
		list := scores[p.Dimension]
		n := int(next[i].Add(1)) - 1
		if n >= len(list) || list[n] == 0 {
			return Answer{}, errors.New("no credit")
		}
		return Answer{Score: list[n], Reasoning: fmt.Sprint("because ", list[n])}, nil
	}
}

func clock() string { return "2026-05-18T03:15:00Z" }

func TestRun(t *testing.T) {
	type scores = map[string][]float64
	for _, tt := range []struct {
		name   string
		scores scores
		repeat int
		want   string
		said   []string
	}{
		{"once", scores{WhenToUse: {4.5}, Parameters: {1}}, 1,
			"whenToUse 4.5 because 4.5 []; parameters 1 because 1 []; without []", nil},
		{"a prompt fails", scores{WhenToUse: {0}, Parameters: {3}}, 1,
			"parameters 3 because 3 []; without [whenToUse]", []string{"GRD008 no score of whenToUse: no credit"}},
		{"all fail", scores{}, 1, "without [whenToUse parameters]", []string{
			"GRD008 no score of whenToUse: no credit", "GRD008 no score of parameters: no credit"}},
		{"the same", scores{WhenToUse: {4.1, 4.1, 4.1}, Parameters: {2, 2, 2}}, 3,
			"whenToUse 4.1 because 4.1 [4.1 4.1 4.1]; parameters 2 because 2 [2 2 2]; without []", nil},
		{"as far as is allowed", scores{WhenToUse: {4.6, 4.2}, Parameters: {2, 2}}, 2,
			"whenToUse 4.4 because 4.6 [4.6 4.2]; parameters 2 because 2 [2 2]; without []", nil},
		{"further", scores{WhenToUse: {4.61, 4.2}, Parameters: {2, 2, 2}}, 2,
			"whenToUse 4.405 because 4.61 [4.61 4.2]; parameters 2 because 2 [2 2]; without []", []string{
				"GRD009 the scores of whenToUse are 4.61, 4.2, up to 0.205 from their mean; expected at most 0.2"}},
		{"one run fails", scores{WhenToUse: {4, 0}, Parameters: {2, 2}}, 2,
			"parameters 2 because 2 [2 2]; without [whenToUse]",
			[]string{"GRD008 no score of whenToUse in run 2 of 2: no credit"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			run := NewRun(series(tt.scores), 1, tt.repeat, clock)
			s, said := run.Score(t.Context(), NewPrompts(loaded(t, `{}`)))
			var got []string
			for _, d := range s.Dimensions {
				got = append(got, fmt.Sprint(d.Name, " ", d.Score, " ", d.Reasoning, " ", d.Runs))
			}
			got = append(got, fmt.Sprint("without ", s.Missing))
			if text := strings.Join(got, "; "); text != tt.want {
				t.Errorf("got %s\nwant %s", text, tt.want)
			}
			if s.Slug != "a_b" || s.SchemaHash != "sha256:00" || s.Timestamp != clock() || s.StartedAt != clock() ||
				s.HarnessName() != "test" {
				t.Errorf("%+v", s)
			}
			if len(said) != len(tt.said) {
				t.Fatalf("said %v, want %q", said, tt.said)
			}
			for i, rec := range said {
				var text string
				switch rec := rec.(type) {
				case *record.Error:
					text = rec.Code + " " + rec.Message
				case *record.Diagnostic:
					text = rec.Code + " " + rec.Message
				}
				if text != tt.said[i] {
					t.Errorf("said %s\nwant %s", text, tt.said[i])
				}
			}
		})
	}
}

// As many prompts are asked at the same time as there are jobs, whichever schemas
// they are of, and each gets its own answer.
func TestRunJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		run := NewRun(scorer(func(p *Prompt) (Answer, error) {
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer now.Add(-1)
			time.Sleep(time.Second)
			return Answer{Score: 3, Reasoning: p.Schema.ID + p.Dimension}, nil
		}), 3, 2, clock)
		done := make(chan string)
		for i := range 4 {
			go func() {
				load := loaded(t, `{}`)
				load.ID = fmt.Sprint("a/", i)
				s, _ := run.Score(t.Context(), NewPrompts(load))
				done <- fmt.Sprint(s.Slug == fmt.Sprint("a_", i), s.Dimensions[0].Reasoning == load.ID+WhenToUse,
					s.Dimensions[1].Reasoning == load.ID+Parameters)
			}()
		}
		start := time.Now()
		for range 4 {
			if got := <-done; got != "true true true" {
				t.Error(got)
			}
		}
		if took := time.Since(start); most.Load() != 3 || took < 6*time.Second { // 16 questions, 3 at a time
			t.Errorf("%d at a time, %s", most.Load(), took)
		}
	})
}

// Who is told to stop asks no more.
func TestRunStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	run := NewRun(scorer(func(*Prompt) (Answer, error) {
		cancel()
		return Answer{}, context.Cause(ctx)
	}), 1, 100, clock)
	s, said := run.Score(ctx, NewPrompts(loaded(t, `{}`)))
	if len(s.Dimensions) != 0 || len(said) != 2 {
		t.Errorf("%+v, %v", s, said)
	}
}
