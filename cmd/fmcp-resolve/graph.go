package main

import (
	"context"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/survey"
)

type graphCommand struct{ catalogArgument }

// Long is the paragraph of the help.
func (g *graphCommand) Long() string {
	return "The graph has agents, selections, skills, prompts, tools, resources, shared lists and libraries. -f dot " +
		"and -f mermaid draw those that use something or are used, and mark cycles; -f json is one document with " +
		"all of them."
}

// Examples are those of the help.
func (g *graphCommand) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-resolve graph -f dot catalog/ | dot -Tsvg > catalog.svg", What: "draw a catalog"},
		{Command: "fmcp-resolve graph -f mermaid --agent crypto-research catalog.ndjson", What: "draw one agent"},
	}
}

// Formats are those of -f and -o.
func (g *graphCommand) Formats() []string { return append(cli.AnswerFormats, "dot", "mermaid", "json") }

func (g *graphCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	x, _, err := g.read(ctx, app)
	if err != nil {
		return cli.ExitFailure, err
	}
	graph, err := survey.Draw(x)
	if err != nil {
		return cli.ExitFailure, err
	}
	return outer(app).AnswerIn(app, cli.ExitOK, graph.Lines(), map[string]string{cli.FormatText: graph.Text(),
		"dot": graph.DOT(), "mermaid": graph.Mermaid(), "json": graph.JSON()})
}
