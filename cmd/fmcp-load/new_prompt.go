package main

import (
	"context"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/scaffold"
)

type newPrompt struct {
	about
	Model string   `group:"File" placeholder:"PROVIDER/MODEL" help:"The model that an agent's prompt was tested with. Without it, the prompt belongs to a provider and is for every model."`
	ID    string   `arg:"" name:"OWNER/NAME" help:"Agent or namespace, and the prompt's name, such as weather/reading-forecasts."`
	Tools []string `arg:"" name:"SPEC-ID" help:"Tools that the prompt is about; a provider's prompt is about its own tools only."`
}

// Examples are those of the help.
func (n *newPrompt) Examples() []cli.Example {
	return []cli.Example{
		{What: "how the tools of a provider are used", Command: "fmcp-load new prompt weather/reading-forecasts " +
			"weather/tool/getForecast --description 'What a forecast says'"},
		{What: "a task of an agent", Command: "fmcp-load new prompt forecaster/daily-brief weather/tool/getForecast " +
			"--description 'The weather of the day' --model anthropic/claude-sonnet-4-5"},
	}
}

// Run writes the prompt.
func (n *newPrompt) Run(ctx context.Context, app *cli.App) (int, error) {
	index, code, err := outer(app).ReadIndex(ctx, app, []string{n.Catalog})
	if err != nil || code != cli.ExitOK {
		return code, err
	}
	ids, code, err := membersOf(index, n.Tools, catalog.TypeTool)
	if err != nil || code != cli.ExitOK {
		return code, err
	}
	f, err := scaffold.Prompt(n.ID, n.Description, n.Model, ids)
	if err == nil && n.Model != "" {
		agent, _, _ := strings.Cut(n.ID, "/")
		if p := index.CheckID(agent+"/agent/"+agent, true).Problem; p != nil {
			return cli.ExitUsage, cli.Usagef("%s: %s", p.Message, p.Fix)
		}
	}
	return n.made(app, f, err)
}
