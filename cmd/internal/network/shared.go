package network

import (
	"fmt"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/exec/shared"
	"github.com/flowmcp/fmcp/pkg/report"
)

// starts says when requests may start where several processes keep to --host-rate; nil
// where this one does by itself.
func (f *CallFlags) starts(app *cli.App) (fetch.Starts, error) {
	switch {
	case f.Limits == "":
		return nil, nil
	case f.HostRate == 0:
		return nil, cli.Usagef("--limits says who keeps to --host-rate together: give that too, such as " +
			"--host-rate 50/s")
	}
	return open(app, "--limits", f.Limits, "--host-rate is that of each process")
}

// open makes the Redis that a flag names; without says what holds while it is gone.
func open(app *cli.App, flag, url, without string) (*shared.Server, error) {
	s, err := shared.Open(shared.Options{URL: url, Flag: flag, Without: without, Getenv: app.IO.Getenv,
		Note: func(text string) { fmt.Fprintf(app.IO.Stderr, "%s: %s\n", app.Name, report.Visible(text)) }})
	if err != nil {
		return nil, cli.Usagef("%s: %v", flag, err)
	}
	return s, nil
}
