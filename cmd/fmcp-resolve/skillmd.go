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
	Force bool     `group:"Upload" help:"Replace folders that exist already."`
	Paths []string `arg:"" name:"PATH" help:"Bundles, or folders of them."`
}

// Long is the paragraph of the help.
func (s *skillMDCommand) Long() string {
	return "Each bundle is copied. The frontmatter of its SKILL.md then has only portable fields of Agent Skills: " +
		"all others, such as x-personal-mcp, are moved into metadata as strings. A SKILL.md without such fields is " +
		"copied as it is. The exit status is 1 if an upload would still refuse a bundle that was written."
}

// Examples are those of the help.
func (s *skillMDCommand) Examples() []cli.Example {
	return []cli.Example{{Command: "fmcp-resolve skillmd --out upload/ skills/",
		What: "write each bundle of skills/ to upload/"}}
}

// Findings is what exit status 1 means.
func (s *skillMDCommand) Findings() string { return "an upload would refuse a bundle" }

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
