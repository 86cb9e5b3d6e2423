package main

import (
	"context"
	"slices"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/config"
	"github.com/flowmcp/fmcp/pkg/stage"
)

type schemasCommand struct {
	cli.JudgeFlags
	cli.EndFlag
	pictureFlags
	Grading   string `group:"Grading" default:"baseline" enum:"baseline" placeholder:"NAME" help:"How scores become grades: baseline is chapter 20 (default: baseline)."`
	Timestamp string `group:"Grading" placeholder:"TIME" help:"Time that the reports carry, or now; without it none, so that equal input makes equal reports."`
	cli.Paths
}

func (s *schemasCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	c := outer(app)
	source, err := c.Input(app, s.Paths.Paths)
	if err != nil {
		return cli.ExitUsage, err
	}
	file, err := s.Configure(&c.StreamCommand, s.Paths.Paths)
	if err != nil {
		return cli.ExitUsage, err
	}
	opts, err := s.Options(s.Paths.Paths...)
	if err != nil {
		return cli.ExitUsage, err
	}
	opts.Filter, opts.Keep = config.NewFilter(file, nil).Apply, true
	timestamp, err := cli.Timestamp(s.Timestamp)
	if err != nil {
		return cli.ExitUsage, err
	}
	pictures, err := s.openers()
	if err != nil {
		return cli.ExitUsage, err
	}
	return c.StreamCommand.Run(ctx, app, cli.Pipeline{
		Source: source,
		Steps: slices.Concat(c.Loading(app, s.kinds(c)...), stage.Validate(opts),
			[]stage.Step{stage.Grade(timestamp)}),
		Whole:   true,
		End:     s.End,
		Formats: pictures,
	})
}
