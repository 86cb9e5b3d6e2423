package main

import (
	"github.com/flowmcp/fmcp/cmd/internal/progress"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/report"
)

// verboseFlag shows what happens in calls.
type verboseFlag struct {
	Verbose bool `group:"Call" short:"v" help:"Show on stderr each request, its answer before handlers change it, and what handlers write to console, all without secrets. Each line names its call."`
}

// trace writes to stderr; nil if it is not asked for.
func (v *verboseFlag) trace(app *cli.App) *exec.Trace {
	if !v.Verbose {
		return nil
	}
	return &exec.Trace{Out: app.IO.Stderr, Show: report.Visible}
}

// progress is none where the lines of the trace would run through it.
func (v *verboseFlag) progress(app *cli.App) progress.Flags {
	flags := progressOf(app)
	flags.NoProgress = flags.NoProgress || v.Verbose
	return flags
}
