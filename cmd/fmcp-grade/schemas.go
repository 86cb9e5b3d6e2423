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
	pictures, err := s.openers()
	if err != nil {
		return cli.ExitUsage, err
	}
	if s.scoring, err = s.scorer(outer(app).Jobs, s.clock); err != nil {
		return cli.ExitUsage, err
	}
	return s.join(ctx, app, cli.Pipeline{End: s.End, Formats: pictures}, stage.Grade(s.kept(report, s.clock)),
		s.kinds(outer(app))...)
}
