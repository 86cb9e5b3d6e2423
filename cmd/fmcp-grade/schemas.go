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
	Grading   string `group:"Grading" default:"baseline" enum:"baseline" placeholder:"NAME" help:"How scores become grades: baseline is chapter 20 (default: baseline)."`
	Timestamp string `group:"Grading" placeholder:"TIME" help:"Time that the reports carry, or now; without it none, so that equal input makes equal reports."`
}

func (s *schemasCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	timestamp, err := cli.Timestamp(s.Timestamp)
	if err != nil {
		return cli.ExitUsage, err
	}
	pictures, err := s.openers()
	if err != nil {
		return cli.ExitUsage, err
	}
	return s.join(ctx, app, cli.Pipeline{End: s.End, Formats: pictures}, stage.Grade(timestamp), s.kinds(outer(app))...)
}
