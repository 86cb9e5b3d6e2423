package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/migrate"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/resolve"
	"github.com/flowmcp/fmcp/pkg/scaffold"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

type newSelections struct {
	target
	Namespace string `required:"" group:"File" placeholder:"NAME" help:"Namespace of the selections, such as trip-planning."`
	File      string `arg:"" name:"FILE" help:"The groups: .flowmcp/groups.json, a config.json that has groups, or a group that was exported."`
}

// Long is the paragraph of the help.
func (n *newSelections) Long() string {
	return "Writes selections/NAMESPACE/GROUP.mjs for each group of FILE. Members become the IDs that the files they " +
		"name have in the catalog, which is to be migrated first. The status is 1 if the catalog lacks one of " +
		"them. whenToUse is yours to write: fmcp-validate reports it until then (SEL001). If one of the files " +
		"exists already, nothing is written."
}

// Examples are those of the help.
func (n *newSelections) Examples() []cli.Example {
	return []cli.Example{{What: "after fmcp-validate --fix=all --out catalog/ old/",
		Command: "fmcp-load new selections .flowmcp/groups.json --namespace trips --catalog catalog/"}}
}

// Formats are those of -f and -o.
func (n *newSelections) Formats() []string { return cli.AnswerFormats }

// Run writes the selections.
func (n *newSelections) Run(ctx context.Context, app *cli.App) (int, error) {
	text, err := walk.ReadFile(n.File, stage.MaxFile)
	if err != nil {
		return cli.ExitFailure, err
	}
	groups, err := migrate.Groups(string(text))
	if err != nil {
		return cli.ExitFailure, fmt.Errorf("%s %w", n.File, err)
	}
	index, schemas := &resolve.Index{}, migrate.Schemas{}
	code, err := outer(app).ReadLoads(ctx, app, []string{n.Catalog}, func(l *record.Load) {
		index.Add(l)
		schemas.Add(l)
	})
	if err != nil || code != cli.ExitOK {
		return code, err
	}
	var files []*scaffold.File
	for _, g := range groups {
		ids, lacking := membersOfGroup(index, schemas, g)
		f, err := scaffold.Selection(n.Namespace+"/"+g.Name, g.Description, "", ids)
		if err != nil {
			return cli.ExitUsage, cli.Usagef("group %s: %v", words.Quote(g.Name), err)
		}
		if f.Notes = lacking; lacking != nil {
			code = cli.ExitFindings
		}
		f.Notes = append(f.Notes, "write into its whenToUse when an agent should activate it")
		if g.Prompts != nil {
			f.Notes = append(f.Notes, "not taken along: "+words.Count(len(g.Prompts), "prompt")+" of the group ("+
				strings.Join(g.Prompts, ", ")+"); write them with fmcp-load new prompt")
		}
		files = append(files, f)
	}
	summary, lines, err := writeAll(n.Catalog, files, "give another --namespace or --catalog")
	if err != nil {
		return cli.ExitFailure, err
	}
	return outer(app).Answer(app, code, summary, lines)
}

// membersOfGroup are the IDs of a group's members, each once, and what the catalog lacks
// of them. An ID stays a member then, so that validation reports it too (SEL003).
func membersOfGroup(index *resolve.Index, schemas migrate.Schemas,
	g migrate.Group) (ids []catalog.ID, lacking []string) {
	for _, member := range g.Members {
		found := slices.DeleteFunc(schemas.IDs(member), func(id catalog.ID) bool {
			return !slices.Contains(scaffold.SelectionKinds, id.Type)
		})
		if len(found) == 0 {
			lacking = append(lacking, "left out: "+words.Quote(member)+" names nothing of the catalog; expected "+
				"a reference such as etherscan/contracts.mjs::getContractAbi")
		}
		for _, id := range found {
			if slices.Contains(ids, id) {
				continue
			}
			ids = append(ids, id)
			if p := index.CheckID(id.String(), true).Problem; p != nil {
				lacking = append(lacking, fmt.Sprintf("%s: %s; %s", words.Quote(member), p.Message, p.Fix))
			}
		}
	}
	return ids, lacking
}
