package main

import (
	"context"
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/resolve"
	"github.com/flowmcp/fmcp/pkg/scaffold"
	"github.com/flowmcp/fmcp/pkg/words"
)

// about is what only the author knows.
type about struct {
	target
	Description string `required:"" group:"File" placeholder:"TEXT" help:"What it is, in a sentence."`
}

// Formats are those of -f and -o.
func (a *about) Formats() []string { return cli.AnswerFormats }

// members are IDs of what the catalog has, of some types.
func (a *about) members(ctx context.Context, app *cli.App, names []string, kinds ...string) ([]catalog.ID, int, error) {
	index, code, err := outer(app).ReadIndex(ctx, app, []string{a.Catalog})
	if err != nil || code != cli.ExitOK {
		return nil, code, err
	}
	return membersOf(index, names, kinds...)
}

func membersOf(index *resolve.Index, names []string, kinds ...string) ([]catalog.ID, int, error) {
	ids := make([]catalog.ID, len(names))
	for i, name := range names {
		if p := index.CheckID(name, true).Problem; p != nil {
			return nil, cli.ExitUsage, cli.Usagef("%s: %s", p.Message, p.Fix)
		}
		id, err := catalog.ParsePrimitiveID(name)
		if err != nil {
			return nil, cli.ExitUsage, cli.Usagef("%v", err)
		}
		if !slices.Contains(kinds, id.Type) {
			return nil, cli.ExitUsage, cli.Usagef("%s: expected the ID of a %s", words.Quote(name), words.List(kinds))
		}
		if slices.Contains(ids[:i], id) {
			return nil, cli.ExitUsage, cli.Usagef("%s is there twice", words.Quote(name))
		}
		ids[i] = id
	}
	return ids, cli.ExitOK, nil
}

// made writes a file, or says why there is none.
func (a *about) made(app *cli.App, f *scaffold.File, err error) (int, error) {
	if err != nil {
		return cli.ExitUsage, cli.Usagef("%v", err)
	}
	return a.write(app, f)
}

type newSelection struct {
	about
	WhenToUse string   `required:"" group:"File" placeholder:"TEXT" help:"When a model should use it: what the user wants."`
	ID        string   `arg:"" name:"NAMESPACE/NAME" help:"Namespace and name, such as trip-planning/weather-check."`
	Members   []string `arg:"" name:"SPEC-ID" help:"Tools, resources, prompts and skills of the catalog."`
}

// Examples are those of the help.
func (n *newSelection) Examples() []cli.Example {
	return []cli.Example{{What: "two tools that belong together",
		Command: "fmcp-load new selection trips/weather weather/tool/getForecast maps/tool/getRoute " +
			"--description 'Weather on the way' --when-to-use 'The user plans a trip.'"}}
}

// Run writes the selection.
func (n *newSelection) Run(ctx context.Context, app *cli.App) (int, error) {
	ids, code, err := n.members(ctx, app, n.Members, scaffold.SelectionKinds...)
	if err != nil || code != cli.ExitOK {
		return code, err
	}
	f, err := scaffold.Selection(n.ID, n.Description, n.WhenToUse, ids)
	return n.made(app, f, err)
}

type newAgent struct {
	about
	Model string   `required:"" group:"File" placeholder:"PROVIDER/MODEL" help:"The model that the agent is tested with."`
	Name  string   `arg:"" name:"NAME" help:"Name of the agent, such as harbour-master."`
	Tools []string `arg:"" name:"SPEC-ID" help:"Tools of the catalog."`
}

// Examples are those of the help.
func (n *newAgent) Examples() []cli.Example {
	return []cli.Example{{What: "an agent with one tool", Command: "fmcp-load new agent forecaster " +
		"weather/tool/getForecast --description 'Tells the weather' --model anthropic/claude-sonnet-4-5"}}
}

// Run writes the agent.
func (n *newAgent) Run(ctx context.Context, app *cli.App) (int, error) {
	ids, code, err := n.members(ctx, app, n.Tools, catalog.TypeTool)
	if err != nil || code != cli.ExitOK {
		return code, err
	}
	f, err := scaffold.Agent(n.Name, n.Description, n.Model, ids)
	return n.made(app, f, err)
}

type newList struct {
	about
	Name   string   `arg:"" name:"NAME" help:"Name of the list, such as seaAreas."`
	Values []string `arg:"" name:"VALUE" help:"Entries of the list."`
}

// Examples are those of the help.
func (n *newList) Examples() []cli.Example {
	return []cli.Example{{What: "a list for enums", Command: "fmcp-load new list seaAreas dogger humber " +
		"--description 'Sea areas of the North Sea'"}}
}

// Run writes the list.
func (n *newList) Run(_ context.Context, app *cli.App) (int, error) {
	f, err := scaffold.List(n.Name, n.Description, n.Values)
	return n.made(app, f, err)
}
