package main

import (
	"context"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/stage"
)

type schemasCommand struct {
	evidenceFlags
	cli.EndFlag
	pictureFlags
	gradingFlags
	scorerFlags
	reportFlags
}

func (s *schemasCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	report, err := s.report()
	if err != nil {
		return cli.ExitUsage, err
	}
	earlier := s.earlier(outer(app))
	pictures, err := s.openers(earlier)
	if err != nil {
		return cli.ExitUsage, err
	}
	if s.scoring, err = s.scorer(outer(app).Jobs, s.clock); err != nil {
		return cli.ExitUsage, err
	}
	judge := stage.Grade(staged(s.kept(report, s.clock), commands(app)))
	return s.join(ctx, app, cli.Pipeline{End: s.End, Formats: pictures}, judge, earlier)
}
