package main

import (
	"context"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/survey"
)

type statsCommand struct{ catalogArgument }

// Long is the paragraph of the help.
func (s *statsCommand) Long() string {
	return "Counts tools by method, keys by domain, parameters and how many of them are described, tests, and " +
		"records by namespace. In a folder, everything that can be resolved is counted, and the errors that " +
		"leave something out are named by code."
}

// Examples are those of the help.
func (s *statsCommand) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-resolve stats -f text catalog/", What: "how much is there, and what is missing?"},
		{Command: "fmcp-resolve stats catalog.ndjson | jq .tools.described",
			What: "how many parameters of tools are described"},
	}
}

// Formats are those of -f and -o.
func (s *statsCommand) Formats() []string { return append(cli.AnswerFormats, cli.FormatMarkdown) }

func (s *statsCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	x, leftOut, err := s.read(ctx, app)
	if err != nil {
		return cli.ExitFailure, err
	}
	stats, err := survey.Count(x)
	if err != nil {
		return cli.ExitFailure, err
	}
	stats.LeftOut = leftOut
	return outer(app).AnswerIn(app, cli.ExitOK, []ordjson.Value{stats.JSON()}, map[string]string{
		cli.FormatText: stats.Text(), cli.FormatMarkdown: stats.Markdown()})
}
