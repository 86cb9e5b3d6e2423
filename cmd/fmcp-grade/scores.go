package main

import (
	"context"
	"iter"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/grade/protocol"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/stage"
)

// scoreFlags say which scores schemas have.
type scoreFlags struct {
	Scores []string `group:"Evidence" placeholder:"PATH" sep:"none" help:"Scores that a grader gave: a scores.json, or a folder with such files in it (chapter 22). May be repeated."`

	scoring protocol.Scoring // by a command that has a scorer
}

// scored has the schemas scored before they are judged.
func (f *scoreFlags) scored(judge stage.Judge) (stage.Judge, error) {
	scoring := f.scoring
	if f.Scores != nil {
		book, err := protocol.ReadBook(f.Scores)
		if err != nil {
			return nil, err
		}
		scoring.Book = book
	}
	return func(ctx context.Context, all iter.Seq[*grade.Evidence], emit func(record.Record) bool) error {
		if err := scoring.Score(ctx, all, emit); err != nil {
			return err
		}
		return judge(ctx, all, emit)
	}, nil
}

// reportFlags say where the reports of chapter 22 go.
type reportFlags struct {
	Reports string `group:"Grading" placeholder:"DIR" help:"Write chapter 22's report on each schema that has a grade to DIR/SLUG-DATE.json; a report of an earlier run is never replaced."`
}

// kept has a report written of each schema that is given a grade. One that is graded by
// the scores of an earlier run has its report already.
func (f *reportFlags) kept(report func(*grade.Evidence) (*record.Grade, error),
	clock func() string) func(*grade.Evidence) (*record.Grade, error) {
	if f.Reports == "" {
		return report
	}
	return func(e *grade.Evidence) (*record.Grade, error) {
		r, err := report(e)
		if err == nil && r.Grade != "" && (e.Scores != nil || r.Score == nil) {
			_, err = protocol.WriteReport(f.Reports, protocol.Report(e, r.Grade, clock()))
		}
		return r, err
	}
}
