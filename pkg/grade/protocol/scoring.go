package protocol

import (
	"context"
	"iter"
	"sync"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ndjson"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// codeSlug is of a schema whose slug another one has.
const codeSlug = "GRD010"

// Scoring gives schemas their scores: those of files, and to the schemas that have none
// there those of a Scorer.
type Scoring struct {
	Book   *Book         // nil where no files are given
	Scorer func() Scorer // nil where only files give scores
	Jobs   int           // prompts that are asked at the same time
	Repeat int           // how often each is asked
	Clock  func() string // the time, for scores
	Out    string        // the folder for the scores.json of the Scorer; "" for none
}

// Score sets the scores of all schemas. What is to be said of them is emitted, until
// emit returns false.
func (s *Scoring) Score(ctx context.Context, all iter.Seq[*grade.Evidence], emit func(record.Record) bool) error {
	var run *Run
	var observer Observer
	if s.Scorer != nil {
		run = NewRun(s.Scorer(), s.Jobs, s.Repeat, s.Clock)
		observer, _ = run.Scorer.(Observer)
	}
	if s.Book != nil {
		s.Book.again = run != nil
	}
	say := func(list []*record.Diagnostic) {
		for _, d := range list {
			emit(d)
		}
	}
	var observed []*grade.Evidence
	for e := range all {
		if s.Book != nil {
			say(s.Book.Score(e))
		}
		if observer != nil && scorable(e) {
			observer.Observe(e.Load)
			observed = append(observed, e)
		}
	}
	if observer != nil {
		all = bare(observed)
	}
	if s.Book != nil {
		say(s.Book.Rest())
	}
	if run == nil {
		return nil
	}
	return s.ask(ctx, run, all, emit)
}

// scorable reports whether there is something to score.
func scorable(e *grade.Evidence) bool { return e.Load != nil && e.Load.Data.Is(ordjson.Object) }

// bare goes through schemas with no more of their records than an Observer asks for:
// to open them again would take longer than to score them.
func bare(list []*grade.Evidence) iter.Seq[*grade.Evidence] {
	return func(yield func(*grade.Evidence) bool) {
		for _, e := range list {
			e.Load = &record.Load{ID: e.ID, Src: record.Source{Path: e.Path, FileHash: e.FileHash},
				Data: ordjson.NewObject()}
			more := yield(e)
			if e.Load = nil; !more {
				return
			}
		}
	}
}

// asked is a schema that is scored.
type asked struct {
	*grade.Evidence
	prompts *Prompts
	scores  *grade.Scores
	said    []record.Record
}

// ask has a Scorer score the schemas that have no scores yet. The answers arrive in the
// order of the schemas, and are kept as they do.
func (s *Scoring) ask(ctx context.Context, run *Run, all iter.Seq[*grade.Evidence],
	emit func(record.Record) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	var wait sync.WaitGroup
	defer wait.Wait()
	defer cancel()
	in := make(chan *asked)
	wait.Go(func() {
		defer close(in)
		for e := range all {
			if !scorable(e) || e.Scored() {
				continue
			}
			select {
			case in <- &asked{Evidence: e, prompts: NewPrompts(e.Load)}:
			case <-ctx.Done():
				return
			}
		}
	})
	folder := NewFolder(s.Out)
	for a := range ndjson.Map(ctx, s.Jobs, in, func(a *asked) *asked {
		a.scores, a.said = run.Score(ctx, a.prompts)
		return a
	}) {
		if len(a.scores.Dimensions) > 0 {
			a.scores.SchemaHash = a.FileHash // the same, and no part of the record, which can go then
			a.Scores, a.StaleScores = a.scores, nil
			if err := s.keep(folder, a); err != nil {
				return err
			}
		}
		for _, rec := range a.said {
			if !emit(rec) {
				return nil
			}
		}
	}
	return ctx.Err()
}

// keep writes the scores of a schema where the user wants to have them.
func (s *Scoring) keep(folder *Folder, a *asked) error {
	if s.Out == "" {
		return nil
	}
	if err := folder.Claim(a.ID, a.Path); err != nil {
		a.said = append(a.said, &record.Error{Stage: "fmcp-grade", Input: a.Path, Code: codeSlug, Message: err.Error()})
		return nil
	}
	_, err := folder.WriteScores(a.ID, a.scores)
	return err
}
