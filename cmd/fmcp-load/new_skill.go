package main

import (
	"context"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/scaffold"
)

type newSkill struct {
	about
	WhenToUse string   `required:"" group:"File" placeholder:"TEXT" help:"When a model should use it: what the user wants."`
	ID        string   `arg:"" name:"NAMESPACE/NAME" help:"Namespace and name, such as weather/storm-check."`
	Tools     []string `arg:"" name:"SPEC-ID" help:"Tools of the namespace."`
}

// Examples are those of the help.
func (n *newSkill) Examples() []cli.Example {
	return []cli.Example{{What: "a skill with one tool", Command: "fmcp-load new skill weather/storm-check " +
		"weather/tool/getForecast --description 'Looks for storms' --when-to-use 'The user fears a storm.'"}}
}

// Run writes the skill.
func (n *newSkill) Run(ctx context.Context, app *cli.App) (int, error) {
	ids, code, err := n.members(ctx, app, n.Tools, catalog.TypeTool)
	if err != nil || code != cli.ExitOK {
		return code, err
	}
	f, err := scaffold.Skill(n.ID, n.Description, n.WhenToUse, ids)
	return n.made(app, f, err)
}
