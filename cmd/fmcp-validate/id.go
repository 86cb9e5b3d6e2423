package main

import (
	"context"
	"errors"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/resolve"
	"github.com/flowmcp/fmcp/pkg/rules"
)

type idCommand struct {
	Profile cli.ProfileName `group:"Rules" placeholder:"NAME" help:"spec is the specification as written, community what public catalogs follow (default: spec)."`
	ID      string          `arg:"" name:"SPEC-ID" help:"namespace/type/name, or namespace/schema for a file (chapter 16)."`
	Paths   []string        `arg:"" optional:"" name:"CATALOG" help:"What should define it: catalogs, folders, files, or .ndjson files of records; stdin (-) if none is given. With a terminal or nothing on stdin only the form is checked."`
}

// Formats are those of -f and -o.
func (i *idCommand) Formats() []string { return cli.AnswerFormats }

// Run checks the form first: no catalog makes a malformed ID valid.
func (i *idCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	c := outer(app)
	var form *resolve.Index
	community := rules.Profile(i.Profile) == rules.ProfileCommunity
	check, code := form.CheckID(i.ID, community), cli.ExitOK
	if check.Problem == nil && (len(i.Paths) > 0 || !app.IO.StdinTTY) {
		index, status, err := c.ReadIndex(ctx, app, i.Paths)
		switch {
		case errors.Is(err, cli.ErrEmptyInput) && len(i.Paths) == 0: // no catalog is piped in
		case err != nil:
			return status, err
		default:
			check, code = index.CheckID(i.ID, community), status
		}
	}
	if check.Problem != nil {
		code = max(code, cli.ExitFindings)
	}
	return c.Answer(app, code, check.Text(), []ordjson.Value{check.JSON()})
}
