package main

import (
	"context"
	"errors"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/resolve"
)

type skillMDCommand struct {
	Out   string   `group:"Upload" required:"" placeholder:"DIR" help:"Where the bundles are written, each to a folder of its own name."`
	Force bool     `group:"Upload" help:"Replace folders that are there, as a whole."`
	Paths []string `arg:"" name:"PATH" help:"Bundles, or folders of them."`
}

// Long is the paragraph of the help.
func (s *skillMDCommand) Long() string {
	return "Each bundle is copied. The frontmatter of its SKILL.md then has portable fields of Agent Skills alone: " +
		"all others, x-personal-mcp above all, are texts in metadata. A SKILL.md without others is copied as it is. " +
		"The exit status is 1 where a bundle was written that would be refused."
}

// Examples are those of the help.
func (s *skillMDCommand) Examples() []cli.Example {
	return []cli.Example{{Command: "fmcp-resolve skillmd --out upload/ skills/", What: "what can be uploaded"}}
}

// Findings is what exit status 1 means.
func (s *skillMDCommand) Findings() string { return "a bundle would be refused where it is uploaded" }

// Formats are those of -f and -o.
func (s *skillMDCommand) Formats() []string { return cli.AnswerFormats }

// Run writes the bundles.
func (s *skillMDCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	var loads []*record.Load
	code, err := outer(app).ReadLoads(ctx, app, s.Paths, func(l *record.Load) { loads = append(loads, l) })
	if err != nil || code != cli.ExitOK {
		return code, err
	}
	uploads, err := resolve.Uploads(loads, s.Out, s.Force)
	if err == nil && uploads == nil {
		err = errors.New("the input has no SKILL.md")
	}
	if err != nil {
		return cli.ExitFailure, err
	}
	var text string
	var lines []ordjson.Value
	for _, u := range uploads {
		text += u.Text()
		lines = append(lines, u.JSON())
		if u.Refused != nil {
			code = cli.ExitFindings
		}
	}
	return outer(app).Answer(app, code, report.VisibleLines(text), lines)
}
