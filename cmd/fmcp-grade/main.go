// Fmcp-grade reports how good the schemas of a catalog are.
package main

import (
	"context"
	"slices"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/grade/picture"
	_ "github.com/flowmcp/fmcp/pkg/sandbox/worker" // makes the command its own worker
)

var info = cli.Info{
	Name: "fmcp-grade",
	Short: "Reports for each schema whether it passes the deterministic rules, and its grade, or what is missing " +
		"for one.",
	Examples: []cli.Example{
		{Command: "fmcp-grade catalog/ -f text", What: "all schemas of a catalog"},
		{Command: "fmcp-scan catalog/ | fmcp-load | fmcp-validate --pass=all | fmcp-grade --require-end",
			What: "at the end of a pipeline"},
		{Command: "fmcp-grade -f markdown -o html=grades.html -o badge=grades.svg catalog/",
			What: "a comment on a pull request, a page to browse, a badge"},
		{Command: "fmcp-grade catalog/ | jq -r 'select(.deterministic.status==\"FAIL\").id'",
			What: "the schemas that fail"},
	},
	Formats: slices.Concat(cli.AnswerFormats, picture.Formats),
	Input: "scan, load or diagnostic records: fmcp-scan catalog/ | fmcp-load | fmcp-validate --pass=all | " +
		"fmcp-grade",
	Findings: "a schema fails, or scores cannot be used",
}

type command struct {
	cli.StreamCommand
	// No argument can be its name: a folder called schemas is a path.
	Schemas schemasCommand `cmd:"" name:"\x00schemas" default:"withargs" help:"Grade schemas (what the command does without a subcommand)."`
	Plan    planCommand    `cmd:"" help:"List which schemas need a new grade, scores or tests, the cheapest task first."`
	Prompts promptsCommand `cmd:"" help:"Write the prompts with which a grader scores schemas (chapter 22)."`
	Trim    trimCommand    `cmd:"" help:"Copy a catalog without the primitives whose tests fail (chapter 21)."`
}

// Run grades schemas; a subcommand, where one is given, runs in its place.
func (c *command) Run(ctx context.Context, app *cli.App) (int, error) {
	return c.Schemas.Run(ctx, app)
}

// outer has the flags that the subcommands share.
func outer(app *cli.App) *command { return app.Command.(*command) }

func main() { cli.Main(info, &command{}) }
