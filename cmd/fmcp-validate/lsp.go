package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/lsp"
	"github.com/flowmcp/fmcp/pkg/stage"
)

type lspCommand struct {
	cli.JudgeFlags
	NoIgnores bool     `group:"Findings" help:"Ignore fmcp-ignore comments."`
	Baseline  string   `group:"Findings" placeholder:"FILE" help:"Leave out the findings that FILE lists."`
	Dirs      []string `arg:"" optional:"" name:"DIR" help:"Folders of catalogs, in place of those that the editor has open."`
}

// Formats are those of -f and -o, which the protocol leaves no room for.
func (l *lspCommand) Formats() []string { return cli.AnswerFormats }

// Run serves one editor on stdin and stdout (docs/editors.md).
func (l *lspCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	if app.IO.StdinTTY {
		return cli.ExitUsage, cli.Usagef("an editor starts this command and talks to it on stdin and stdout: " +
			"docs/editors.md")
	}
	c := outer(app)
	for i, dir := range l.Dirs {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return cli.ExitFailure, err
		}
		l.Dirs[i] = abs
	}
	err := lsp.Serve(ctx, app.IO.Stdin, app.IO.Stdout, lsp.Options{
		Name: "fmcp-validate", Version: cli.Version(), Jobs: c.Jobs, Folders: l.Dirs,
		Judge: func(folders []string) (stage.ValidateOptions, error) { return l.judge(c, folders) },
	})
	switch {
	case errors.Is(err, lsp.ErrNotShutDown): // the protocol asks for the status 1
		fmt.Fprintf(app.IO.Stderr, "%s: %v\n", app.Name, err)
		return cli.ExitFindings, nil
	case err != nil:
		return cli.ExitFailure, err
	}
	return cli.ExitOK, nil
}

// judge reads the configuration of the first folder.
func (l *lspCommand) judge(c *command, folders []string) (stage.ValidateOptions, error) {
	file, err := l.Configure(&c.StreamCommand, folders)
	if err != nil {
		return stage.ValidateOptions{}, err
	}
	flags := cli.KnownFlags{Baseline: l.Baseline}
	known, err := flags.Known(file)
	if err != nil {
		return stage.ValidateOptions{}, err
	}
	opts, err := l.Options(folders...)
	opts.Filter, opts.Round, opts.Ignores = known.Apply, known.Round, !l.NoIgnores
	return opts, err
}
