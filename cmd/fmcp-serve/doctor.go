package main

import (
	"cmp"
	"context"

	"github.com/flowmcp/fmcp/cmd/internal/network"
	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/activate"
	"github.com/flowmcp/fmcp/pkg/words"
)

type doctorCommand struct {
	cli.OutputFlags
	serveCommand
	Client []clientName `group:"Clients" placeholder:"CLIENT" help:"Check what is served for this client only; fmcp-serve config lists all. May be repeated."`
}

// Long is the paragraph of the help.
func (d *doctorCommand) Long() string {
	return "What would be served with these flags and what not, what its list costs a model, and what of it each MCP " +
		"client cannot use. The exit status is 1 if a tool cannot be served, or if a client that is checked cannot " +
		"use it. Cut texts, and tools hidden because a key is missing, are only reported. With --agent: the " +
		"sixteen steps of chapter 06, \"Agent Activation Lifecycle\", with the keys, the databases and the flags " +
		"that fmcp-serve would use. If a step fails, no later step runs, the exit status is 1, and " +
		"fmcp-serve --agent would not start."
}

// Examples are those of the help.
func (d *doctorCommand) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-serve doctor catalog.ndjson --client cursor -f text",
			What: "what Cursor would make of a catalog"},
		{Command: "fmcp-serve doctor catalog.ndjson --agent crypto-research --env-file ~/.keys -f text",
			What: "what keeps an agent from starting"},
		{Command: "fmcp-serve doctor catalog/ --agent crypto-research | jq 'select(.status == \"fail\")'",
			What: "the step that fails, in a script"},
	}
}

// Formats are those of -f and -o.
func (d *doctorCommand) Formats() []string { return cli.AnswerFormats }

func (d *doctorCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	if err := cmp.Or(d.named(app), d.modeFlags.check()); err != nil {
		return cli.ExitUsage, err
	}
	calls, err := d.Caller(app, &d.CatalogFlags, network.Recording{})
	if err != nil {
		return cli.ExitUsage, err
	}
	defer calls.Close()
	if err := d.Resources.Open(app, calls, &d.CallFlags, d.CacheFlags); err != nil {
		return cli.ExitUsage, err
	}
	out := cli.StreamCommand{Common: *app.Common, OutputFlags: d.OutputFlags}
	status := cli.ExitOK
	if d.Agent == "" {
		r, err := d.checkup(ctx, app, calls)
		if err != nil {
			return cli.ExitFailure, err
		}
		if r.failed() > 0 {
			status = cli.ExitFindings
		}
		return out.Answer(app, status, report.VisibleLines(r.text()), r.lines())
	}
	r, err := d.activate(ctx, app, calls)
	if err != nil {
		return cli.ExitFailure, err
	}
	if r.Failed() != nil {
		status = cli.ExitFindings
	}
	return out.Answer(app, status, report.VisibleLines(r.Text()), r.Lines())
}

// activate takes the agent through its steps. That the catalog has no such agent
// is an error of its own.
func (c *served) activate(ctx context.Context, app *cli.App, calls *exec.Caller) (*activate.Report, error) {
	index, found, wanted, err := c.read(ctx, app)
	if err != nil {
		return nil, err
	}
	r := activate.Run(ctx, activate.Options{Catalog: index, Wanted: wanted, Found: found, Folder: c.Folder(c.Catalog),
		Caller: calls, Style: c.style()})
	if r.ID == "" && r.Failed().Number == 1 {
		return nil, &catalog.NarrowError{Msg: c.Catalog + ": " + r.Failed().Text}
	}
	return r, nil
}

// startable says on stderr what is to be looked at, and returns why the agent does
// not start.
func startable(app *cli.App, r *activate.Report) error {
	for _, s := range r.Steps {
		if s.Status == activate.Warned || s.Status == activate.Failed {
			for _, line := range s.Lines {
				note(app, line)
			}
		}
	}
	if r.Failed() == nil {
		return nil
	}
	return &words.Problem{Code: serve.CodeNotReady, Message: r.Verdict(),
		Fix: "run fmcp-serve doctor, which prints a line for each step"}
}
